/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the flow is smooth in time, so that the last step tells what this one does (centred.h).
 */
#ifndef MAEOTIS_MODEL_SMOOTH_H
#define MAEOTIS_MODEL_SMOOTH_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Smooth {
    GridView g;
    double dt, gravity;
    double thin;                           /* full_stress_depth [m] */
    const double *dx, *dy;                 /* of cells, by row [m] */
    const double *depth, *eta, *increment; /* after the step, of the level in it; with halos [m] */
    const double
        *share; /* wet of the columns' area when the step began, with halo (subgrid); NULL: all of it */
    /* 1 where, within two cells along x and y, no depth changes by more than 0.5 % in the step (5 % with ground inside
     * cells), no level differs from the next one by more than 10 % (20 %) of the depth, and the water is deeper than twice `thin`
     * (0.4 times); 0 from twice these parts on, and below half of this depth. The same times 1 up to a wave Courant number of 1/2,
     * 0 from 1 on */
    double *smooth, *resolved;
} Smooth;

typedef struct Gain {
    GridView g;
    double dt;
    const double *spacing, *width, *depth, *depth_new, *theta;
    const double *mean, *flux_total; /* as in Faces (momentum.h) */
    double *quickening, *gain;
} Gain;

/* Of faces, from the column's flux, which is theta times that of the new velocity and 1 - theta of the old one.
 * quickening is less where the flow crosses a quarter of a cell in the step, and 0 from half a cell on. */
void gain_keep(Exec exec, RunList faces, Gain args);

void smooth_find(Exec exec, RunList columns, Smooth args);

#ifdef __cplusplus
}
#endif
#endif
