/* SPDX-License-Identifier: Apache-2.0
 *
 * Drag of rigid plants: n stems per square metre of ground, of diameter d and height l, take from the water among them
 *
 *     a |U| U,   a = Cd n d / 2        [m s-2],
 *
 * at the faces of u and v; of a layer that reaches above the stems the part below their tips counts. U is the velocity
 * without Stokes drift. Emergent stems down a slope S make u = sqrt(2 g S / (Cd n d)), whatever the depth. The room that
 * stems take, their shadow from each other, that they bend, and the turbulence in their wakes are left out.
 *
 * The step is implicit, on the diagonal (brakes.h), with U' the new velocity and e = max(0, a |U| - 1/dt):
 *
 *     acceleration  -(a |U| + e) U' + e U
 *
 * A balance with forces is exact at any step. Small deviations from it fall by (1 - c)/(1 + c) in a step, c = a |U| dt, which
 * is of second order, as long as c is less than 1; beyond, the step is one of Newton's for the balance and deviations are
 * gone at once. With a |U| U' alone they would change their sign in each step for ever.
 *
 * H. M. Nepf, Water Resour. Res. 35 (1999) 479-489.
 */
#ifndef MAEOTIS_MODEL_VEGETATION_H
#define MAEOTIS_MODEL_VEGETATION_H

#include "gpu/kernel.h"

typedef struct Vegetation {
    const double *density; /* a of columns, with halo [m-1]; NULL: no plants */
    const double *height;  /* l of columns, with halo [m] */
} Vegetation;

/* A block of faces in one layer, for what brakes it. */
typedef struct BrakedLayer {
    double dt;
    ptrdiff_t first, along; /* of the faces, and back to the columns behind them: in two-dimensional fields */
    double lower[LANES];    /* height of its lower face above the bed [m] */
    double thickness[LANES];         /* [m] */
    double own[LANES], aside[LANES]; /* both components before the step, without Stokes drift [m s-1] */
    double drift[LANES];             /* Stokes drift of the own component [m s-1] */
} BrakedLayer;

/* Adds a |U| + e [s-1] to `rate`, and e U [m s-2] to `push`, with what the rate makes of the drift in the new velocity. */
POINTWISE void vegetation_brake(const Vegetation *v, const BrakedLayer *at, double *rate, double *push) {
    const double *here = v->density + at->first, *behind = here - at->along;
    const double *tall_here = v->height + at->first, *tall_behind = tall_here - at->along;
    FOR_LANES (l) {
        const double tips = 0.5 * (tall_here[l] + tall_behind[l]), density = 0.5 * (here[l] + behind[l]);
        const double part =
            max_of(0.0, min_of(1.0, (tips - at->lower[l]) / max_of(at->thickness[l], 1e-300)));
        const double speed = sqrt(at->own[l] * at->own[l] + at->aside[l] * at->aside[l]);
        const double drag = part * density * speed, excess = max_of(0.0, drag - 1.0 / at->dt);
        rate[l] += drag + excess;
        push[l] += excess * at->own[l] + (drag + excess) * at->drift[l];
    }
}

#endif
