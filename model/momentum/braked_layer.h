/* SPDX-License-Identifier: Apache-2.0
 *
 * A block of faces in one layer, for what brakes it, and the brake of obstacles, which take from the water
 *
 *     a |U| U        [m s-2],        a: their density in the layer as a whole [m-1].
 *
 * The step is implicit, on the diagonal (brakes.h), with U' the new velocity and e = max(0, a |U| - 1/dt):
 *
 *     acceleration  -(a |U| + e) U' + e U
 *
 * A balance with forces is exact at any step. Small deviations from it fall by (1 - c)/(1 + c) in a step, c = a |U| dt, which
 * is of second order, as long as c is less than 1; beyond, the step is one of Newton's for the balance and deviations are
 * gone at once. With a |U| U' alone they would change their sign in each step for ever.
 *
 * A BrakedLayer says where the layer is in the water, and how that moves. It is filled in `layer_brakes` (vertical.h).
 */
#ifndef MAEOTIS_MODEL_BRAKED_LAYER_H
#define MAEOTIS_MODEL_BRAKED_LAYER_H

#include "gpu/kernel.h"

typedef struct BrakedLayer {
    double dt;
    ptrdiff_t first, along; /* of the faces, and back to the columns behind them: in two-dimensional fields */
    double depth[LANES];    /* of the water [m] */
    double lower[LANES];    /* height of its lower face above the bed [m] */
    double thickness[LANES];         /* [m] */
    double own[LANES], aside[LANES]; /* both components before the step, without Stokes drift [m s-1] */
    ptrdiff_t layer;                 /* of the faces in three-dimensional fields */
    bool topmost;
    double above[LANES];  /* 1 where it is not the lowest layer, else 0 */
    double height[LANES]; /* its section over the whole width [m] */
    double drift[LANES];  /* Stokes drift of the own component [m s-1] */
} BrakedLayer;

/* Adds a |U| + e [s-1] to `rate`, and e U [m s-2] to `push`, with what the rate makes of the drift in the new velocity. */
POINTWISE void quadratic_brake(const double *density, const BrakedLayer *at, double *rate, double *push) {
    FOR_LANES (l) {
        const double speed = sqrt(at->own[l] * at->own[l] + at->aside[l] * at->aside[l]);
        const double drag = density[l] * speed, excess = max_of(0.0, drag - 1.0 / at->dt);
        rate[l] += drag + excess;
        push[l] += excess * at->own[l] + (drag + excess) * at->drift[l];
    }
}

#endif
