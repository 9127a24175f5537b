/* SPDX-License-Identifier: Apache-2.0
 *
 * The rises of rest_heights.h, for the kernel of the density.
 */
#ifndef MAEOTIS_MODEL_REST_RISES_H
#define MAEOTIS_MODEL_REST_RISES_H

#include "model/density/rest_heights.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The last node from which P falls to `density`, looked for from `node` on in growing strides. */
POINTWISE int rest_node(const RestTable *t, ptrdiff_t node, double density) {
    int below = (int)node,
        above = below + 1; /* P is at least, at most `density` there, or they are the ends */
    for (int stride = 1; below > 0 && t->density[below] < density; stride *= 2) {
        above = below;
        below = below > stride ? below - stride : 0;
    }
    for (int stride = 1; above < t->last && t->density[above] > density; stride *= 2) {
        below = above;
        above = above + stride < t->last ? above + stride : t->last;
    }
    while (above - below > 1) {
        const int middle = (below + above) / 2;
        if (t->density[middle] < density)
            above = middle;
        else
            below = middle;
    }
    return below;
}

/* Z(density); the search begins at `node`. In steps of the table, from its first node. */
POINTWISE double rest_height(const RestTable *t, ptrdiff_t node, double density) {
    const double *p = t->density;
    const int n = rest_node(t, node, density);
    return n + max_of(0.0, min_of(1.0, (p[n] - density) / (p[n] - p[n + 1])));
}

/* Of a block of water of `density`, heavier by b than P at its height, which is `within` the part above `node`, 0..1. Most
 * water stays between the nodes where it is. */
POINTWISE void rest_rises(const RestTable *t, const ptrdiff_t *node, const double *within,
                          const double *density, const double *b, double *rise) {
    double per_density[LANES], most[LANES];
    int leaves = 0;
    for (int l = 0; l < LANES; l++) per_density[l] = t->per_density[node[l]];
    FOR_LANES (l) {
        rise[l] = -b[l] * per_density[l];
        most[l] = fabs(rise[l] + (within[l] - 0.5) * t->step);
    }
    for (int l = 0; l < LANES; l++) leaves |= !(most[l] <= 0.5 * t->step);
    if (!leaves) return;
    for (int l = 0; l < LANES; l++)
        if (most[l] > 0.5 * t->step)
            rise[l] =
                t->step * (rest_height(t, node[l], density[l]) - rest_height(t, node[l], density[l] - b[l]));
}

#ifdef __cplusplus
}
#endif
#endif
