/* SPDX-License-Identifier: Apache-2.0
 *
 * A flow that is given instead of computed: from a stream function psi [m3 s-1] at the corners of cells,
 *
 *     flux through a west face = psi(south end) - psi(north end),   through a south face = psi(east) -
 * psi(west)
 *
 * of the whole column, times a factor in time, taken in the middle of the step: U = -psi_y, V = psi_x. What
 * enters a column leaves it, except for round-off, so that levels stay as they are. For tests of transport, and
 * for studies of what a known flow does.
 */
#ifndef MAEOTIS_MODEL_PRESCRIBED_H
#define MAEOTIS_MODEL_PRESCRIBED_H

#include "model/momentum/momentum.h"
#include "numerics/grid/halo.h"
#include "settings/scenario.h"

typedef struct Prescribed Prescribed;

/* Refuses a stream function that lets water through coasts. Collective. */
CHECKED Status prescribed_create(const Scenario *scenario, const Grid *grid, Halo *halo, Prescribed **out);
void prescribed_destroy(Prescribed **prescribed);

/* flux, flux_total, velocity and fastest of both components' own faces, at `time`. */
void prescribed_flow(const Prescribed *prescribed, double time, const Faces *u, const Faces *v);

/* ---- kernel ---- */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PrescribedFaces {
    GridView g;
    Faces faces;
    const double *total; /* of columns, at a factor of 1 [m3 s-1] */
    double factor;
} PrescribedFaces;
void prescribed_faces(Exec exec, RunList faces, PrescribedFaces args);

#ifdef __cplusplus
}
#endif

#endif
