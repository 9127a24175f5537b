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

/* The same for a block, by Newton's method from a first guess [steps of the table]. On smooth profiles one or two tries find
 * the nodes of all lanes, without branches that no processor foresees; lanes that need more are searched one by one. Any way to the
 * same two nodes gives the same bits. */
POINTWISE void rest_heights_of(const RestTable *t, const double *begin, const double *density,
                               double *height) {
    enum { MOST_TRIES = 3 };
    const double last = t->last - 1;
    double node[LANES], missing[LANES];
    int64_t lacking = 0;
    FOR_LANES (l) node[l] = begin[l];
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        double lower[LANES], upper[LANES], next[LANES];
        ptrdiff_t n[LANES];
        FOR_LANES (l) n[l] = (ptrdiff_t)max_of(0.0, min_of(node[l], last));
        for (int l = 0; l < LANES; l++) {
            lower[l] = t->density[n[l]];
            upper[l] = t->density[n[l] + 1];
        }
        FOR_LANES (l) {
            const double here = (double)n[l], part = (lower[l] - density[l]) / (lower[l] - upper[l]);
            const bool above = density[l] <= lower[l] || here <= 0,
                       below = density[l] >= upper[l] || here >= last;
            height[l] = here + max_of(0.0, min_of(1.0, part));
            next[l] = here + part;
            missing[l] = above && below ? 0.0 : 1.0;
        }
        lacking = 0;
        for (int l = 0; l < LANES; l++) lacking += missing[l] > 0;
        if (lacking == 0) return;
        FOR_LANES (l) node[l] = next[l];
    }
    for (int l = 0; l < LANES; l++)
        if (missing[l] > 0)
            height[l] = rest_height(t, (ptrdiff_t)max_of(0.0, min_of(node[l], last)), density[l]);
}

/* Of a block of water of `density`, heavier by b than P at its height, which is `within` the part above `node`, 0..1. Most
 * water stays between the nodes where it is. */
POINTWISE void rest_rises(const RestTable *t, const ptrdiff_t *node, const double *within,
                          const double *density, const double *b, double *rise) {
    const double step = t->step;
    double per_density[LANES], most[LANES];
    int leaves = 0;
    for (int l = 0; l < LANES; l++) per_density[l] = t->per_density[node[l]];
    FOR_LANES (l) {
        rise[l] = -b[l] * per_density[l];
        most[l] = fabs(rise[l] + (within[l] - 0.5) * step);
    }
    for (int l = 0; l < LANES; l++) leaves |= !(most[l] <= 0.5 * step);
    if (!leaves) return;
    const double per_step = 1.0 / step;
    double here[LANES], there[LANES], begin[LANES], from[LANES], reference[LANES];
    FOR_LANES (l) {
        from[l] = (double)node[l];
        begin[l] = from[l] + within[l] + rise[l] * per_step;
        reference[l] = density[l] - b[l];
    }
    rest_heights_of(t, begin, density, there);
    rest_heights_of(t, from, reference, here);
    FOR_LANES (l) rise[l] = most[l] > 0.5 * step ? step * (there[l] - here[l]) : rise[l];
}

#ifdef __cplusplus
}
#endif
#endif
