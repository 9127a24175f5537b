/* SPDX-License-Identifier: Apache-2.0
 *
 * Where water would be at rest: Z(r), the height at which the reference profile P (density.h) has its density r. What
 * it is for: model/momentum/restoring.h. Of the density r the compression of water of the reference temperature and
 * salinity is taken off, so that water keeps its r on its way up or down.
 */
#ifndef MAEOTIS_MODEL_REST_HEIGHTS_H
#define MAEOTIS_MODEL_REST_HEIGHTS_H

#include "numerics/grid/grid.h"

/* Fields with halo, of cells; NULL: there are none. */
typedef struct RestHeights {
    double *density;                 /* r [kg m-3] */
    double *water;                   /* Z(r) [m] */
    double *profile;                 /* Z(r - b): of what P has at the cell's own height [m] */
    double *sum_water, *sum_profile; /* of uppermost cells: integral of P up to these heights [kg m-2] */
} RestHeights;

/* P at equal steps, from the bottom up, without compression. */
typedef struct RestTable {
    const double *density; /* falls from node to node; NULL: there is no table */
    const double *below,
        *above;        /* height over density at both ends of what follows a node, over that of its chord */
    const double *sum; /* its integral from the bottom to node 1, 2, ... [kg m-2] */
    const double *compression; /* of the reference water; NULL: none */
    double bottom, step;       /* height of the first node, distance of nodes */
    int last;                  /* number of the uppermost node */
} RestTable;

/* From P's nodes, which are overwritten, to the nearest ones that fall upwards; their slopes and integral. Local. */
void rest_table_fall(double *density, int count, double step);
void rest_table_slopes(const double *density, int count, double *below, double *above);
void rest_table_sum(const double *density, int count, double step, double *sum);

#ifdef __cplusplus
extern "C" {
#endif

/* Below each height of a block: the node where a search begins. */
POINTWISE void rest_starts(const RestTable *t, const double *z, ptrdiff_t *node) {
    FOR_LANES (l) node[l] = (ptrdiff_t)max_of(0.0, min_of((z[l] - t->bottom) / t->step, t->last - 1.0));
}

/* The nodes between which P has these densities; most lanes begin there or one beside, and all move at once. */
POINTWISE void rest_search(const RestTable *t, const double *density, ptrdiff_t *node) {
    ptrdiff_t moves[LANES], moved = 1;
    while (moved) {
        FOR_LANES (l) {
            const ptrdiff_t n = node[l];
            const bool more = t->density[n + 1] >= density[l], less = t->density[n] < density[l];
            moves[l] = (more ? 1 : 0) * (n + 1 < t->last ? 1 : 0) - (less ? 1 : 0) * (n > 0 ? 1 : 0);
            node[l] = n + moves[l];
        }
        moved = 0;
        for (int l = 0; l < LANES; l++) moved |= moves[l];
    }
}

/* Z of a block, a cubic between nodes with the slopes of their neighbours; the search begins at `start`. */
POINTWISE void rest_heights_at(const RestTable *t, const ptrdiff_t *start, const double *density,
                               double *height) {
    ptrdiff_t node[LANES];
    FOR_LANES (l) node[l] = start[l];
    rest_search(t, density, node);
    FOR_LANES (l) {
        const ptrdiff_t n = node[l];
        const double lower = t->density[n], drop = lower - t->density[n + 1];
        const double s = max_of(0.0, min_of(1.0, (lower - density[l]) / drop));
        const double t3 = s * s * (3.0 - 2.0 * s);
        const double within = t3 + s * (1.0 - s) * ((1.0 - s) * t->below[n] - s * t->above[n]);
        height[l] = t->bottom + t->step * (n + within);
    }
}

#ifdef __cplusplus
}
#endif
#endif
