/* SPDX-License-Identifier: Apache-2.0
 *
 * The velocity with which water runs onto dry ground.
 *
 * A dry face has no velocity, but the half of its velocity cell that lies in the wet column has water, which came
 * through the face behind with that face's velocity u_b. Until the face opens it counts as water at rest: every
 * column that is flooded takes momentum from the front (run-up on a slope of 1:4 becomes 15 % too low). So a face
 * that falls wet starts with u_b, less what the water has lost against the rise of the level on its way,
 *
 *     u = sqrt(max(0, u_b^2 - g max(0, eta_dry - eta_b))),
 *
 * where eta_dry is the level of the column that was dry, and eta_b that of the column behind the face behind: two
 * faces one column apart share half of the difference. Still water stays still, and no new extremes arise.
 *
 * With ground inside cells a face opens when the shore is there, not when its column has filled to the height of the next one. Then
 * the new u_b goes on to the face as it grows from the face behind that one, by half of u_b at most; by less where u_b passes more than
 * a cell in a step, and by nothing from two cells on. A face that a film opens as it runs off has nothing of the water that stands below
 * the face. When this has risen to it, it runs onto the film with the old u_b at most.
 */
#ifndef MAEOTIS_MODEL_FRONT_H
#define MAEOTIS_MODEL_FRONT_H

#include "model/momentum/momentum.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Front {
    GridView g;
    Faces faces;             /* with the depth and velocity before the step */
    const double *depth_new; /* of the faces [m] */
    const double *eta;       /* after the step, with halo [m] */
    double dt, gravity;
    /* with ground inside cells, with halo: of columns, their depth and how high above their bed the level was before the step [m] */
    const double *depth, *height_before;
} Front;

/* Velocities, in `predicted`, of the faces that were dry and are wet; after momentum_update. */
void front_start(Exec exec, RunList faces, Front args);

/* With ground inside cells, of faces that only a film held open before water rose to them, from the old velocities of the faces behind; after
 * front_start, which reads what is written here. */
void front_over_film(Exec exec, RunList faces, Front args);

#ifdef __cplusplus
}
#endif
#endif
