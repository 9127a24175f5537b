/* SPDX-License-Identifier: Apache-2.0
 *
 * Coriolis acceleration f v (for u) and -f u (for v): the other component's mean over the open ones of the four
 * faces around, since a closed face's zero is not the water's velocity.
 */
#ifndef MAEOTIS_MODEL_CORIOLIS_H
#define MAEOTIS_MODEL_CORIOLIS_H

#include "model/momentum/neighbours.h"

/* The other component at this face. [m s-1] */
POINTWISE double other_component(const Momentum *a, const Neighbours *n, ptrdiff_t m, int k, int l)
{
    double sum = 0, count = 0;
    for (int s = 0; s < 4; s++) {
        bool open = n->around[s][l] <= k;
        sum += open ? a->other.velocity[m + n->around_step[s]] : 0.0;
        count += open ? 1.0 : 0.0;
    }
    return sum / fmax(count, 1.0);
}

#endif
