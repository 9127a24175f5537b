/* SPDX-License-Identifier: Apache-2.0
 *
 * Coriolis acceleration f v (for u) and -f u (for v): the other component's mean over the open ones of the
 * four faces around, since a closed face's zero is not the water's velocity.
 */
#ifndef MAEOTIS_MODEL_CORIOLIS_H
#define MAEOTIS_MODEL_CORIOLIS_H

#include "model/momentum/neighbours.h"

/* The other component at a block's faces. [m s-1] */
POINTWISE void other_component(const Momentum *a, const Neighbours *n, ptrdiff_t layer, int k,
                               double *across) {
    double count[LANES];
    FOR_LANES (l) across[l] = count[l] = 0.0;
    UNROLLED for (int s = 0; s < 4; s++) {
        const double *velocity = a->other.velocity + layer + n->around_step[s];
        FOR_LANES (l) {
            const double here = velocity[l];
            const bool open = n->around[s][l] <= k;
            across[l] += open ? here : 0.0;
            count[l] += open ? 1.0 : 0.0;
        }
    }
    FOR_LANES (l) across[l] /= max_of(count[l], 1.0);
}

/* [m s-2] */
POINTWISE void f_cross_u(const Momentum *a, const Place *at, const double *across, double *acceleration) {
    const double turn = a->faces.turn * a->faces.f[at->j];
    FOR_LANES (l) acceleration[l] = turn * across[l];
}

#endif
