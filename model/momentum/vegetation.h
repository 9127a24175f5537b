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
 * Inside a cell (model/subgrid) all parts of a section are as deep as its section over its wet width.
 *
 * The step is that of braked_layer.h: a balance with forces is exact at any step.
 *
 * H. M. Nepf, Water Resour. Res. 35 (1999) 479-489.
 */
#ifndef MAEOTIS_MODEL_VEGETATION_H
#define MAEOTIS_MODEL_VEGETATION_H

#include "model/momentum/braked_layer.h"

typedef struct Vegetation {
    const double *density; /* a of columns, with halo [m-1]; NULL: no plants */
    const double *height;  /* l of columns, with halo [m] */
} Vegetation;

/* Adds to `rate` [s-1] and `push` [m s-2]. */
POINTWISE void vegetation_brake(const Vegetation *v, const BrakedLayer *at, double *rate, double *push) {
    const double *here = v->density + at->first, *behind = here - at->along;
    const double *tall_here = v->height + at->first, *tall_behind = tall_here - at->along;
    double density[LANES];
    FOR_LANES (l) {
        const double tips = 0.5 * (tall_here[l] + tall_behind[l]);
        const double part =
            max_of(0.0, min_of(1.0, (tips - at->lower[l]) / max_of(at->thickness[l], 1e-300)));
        density[l] = part * (0.5 * (here[l] + behind[l]));
    }
    quadratic_brake(density, at, rate, push);
}

#endif
