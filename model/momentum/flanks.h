/* SPDX-License-Identifier: Apache-2.0
 *
 * Drag of a bed that lies in several layers of a face, with ground inside cells and layers at fixed heights (model/subgrid). With W(z)
 * the wet width at the height z while the water stands at the datum, the layer k between two heights has the part
 *
 *     b_k = (W(z_{k+1}) - W(z_k)) / W(0)
 *
 * of the bed, the lowest one all below it, and is braked by b_k Cd |U| U, U its own velocity. The parts stay while the level moves, as the
 * shares of layers do; where the water is wider than at the datum, the ground beyond belongs to the topmost layer. The drag of the lowest
 * layer stands in vertical.h, that of the others is a brake (braked_layer.h).
 */
#ifndef MAEOTIS_MODEL_FLANKS_H
#define MAEOTIS_MODEL_FLANKS_H

#include "model/momentum/braked_layer.h"

/* Of one component's faces. */
typedef struct Flanks {
    const double *part;   /* b_k; NULL: the lowest layers have all of it */
    const double *narrow; /* W(0) over the present width, at most 1 */
    const double *drag;   /* Cd for the whole width of the face */
} Flanks;

/* The part of a face in a layer, with the places of both in fields of three and two dimensions. */
POINTWISE double flank_part(const Flanks *f, ptrdiff_t layer, ptrdiff_t face, bool topmost) {
    if (!f->part) return 1.0;
    const double narrow = f->narrow[face], part = narrow * f->part[layer];
    return topmost ? part + (1.0 - narrow) : part;
}

/* Adds to `rate` [s-1] and `push` [m s-2]. */
POINTWISE void flanks_brake(const Flanks *f, const BrakedLayer *at, double *rate, double *push) {
    double density[LANES];
    FOR_LANES (l) {
        const double part = flank_part(f, at->layer + l, at->first + l, at->topmost);
        density[l] = at->above[l] ? part * f->drag[at->first + l] / max_of(at->height[l], 1e-300) : 0.0;
    }
    quadratic_brake(density, at, rate, push);
}

#endif
