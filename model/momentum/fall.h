/* SPDX-License-Identifier: Apache-2.0
 *
 * How much speed a fall of the surface may bring to water that passes more than the way between two columns in a step. Such water falls
 * that way, and not for the whole step:
 *
 *     |u| <= sqrt(w^2 + 2 g D)     where |u| dt exceeds the way between the columns
 *
 * D is the fall of the level along u, before or after the step; w is what u would be without the slope of the surface, at least what it was
 * before the step (drag brakes such water on that way only, so that a steady stream stays), but no more than the
 * speed of what flows into the column behind, and what other forces add. Without this, water on ground that a long step empties would slide
 * for the whole step (g dt times the slope: hundreds of m/s). Water that passes less than a cell in a step is not touched; nor are fluxes,
 * and with them volumes. Without advection the speed follows from slope and friction alone, whatever flows in behind: only water that
 * passes more than four cells in a step is bounded then.
 *
 * With ground inside cells the square of what flows in counts less what it climbs from the level that it comes from to that of the column
 * behind, and only by the part of the passing water that its flux is: a film that shot into the column gives nothing to all other
 * water of it, and a mass of water that moves on by a cell a step does not fall by its own depth each time.
 */
#ifndef MAEOTIS_MODEL_FALL_H
#define MAEOTIS_MODEL_FALL_H

#include "model/momentum/momentum.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Fall {
    GridView g;
    Faces faces;               /* with the velocity before the step, and the new one in `predicted` */
    const double *across;      /* the other component before the step, with halo [m s-1] */
    const double *flux_across; /* of its columns in the step, with halo [m3 s-1] */
    double dt, gravity;
    double carried;    /* 1: momentum is advected; 0: not; no bool, as in momentum.h */
    const double *eta; /* after the step, with halo [m] */
    const double
        *before; /* height of the level above the bed of columns when the step began, with halo [m] */
    const double *increment; /* of the level in the surface's system, with halo [m] */
    const double
        *uneven; /* of columns, with halo: above 0 where ground inside cells makes them so; NULL: nowhere */
} Fall;

/* After momentum_update, which set `fastest` and `excess`. */
void fall_limit(Exec exec, RunList faces, Fall args);

#ifdef __cplusplus
}
#endif
#endif
