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
    const double *density;     /* falls from node to node; NULL: there is no table */
    const double *sum;         /* its integral from the bottom to node 1, 2, ... [kg m-2] */
    const double *compression; /* of the reference water; NULL: none */
    double bottom, step;       /* height of the first node, distance of nodes */
    int last;                  /* number of the uppermost node */
} RestTable;

/* From P's nodes, which are overwritten, to the nearest ones that fall upwards; their integral. Local. */
void rest_table_fall(double *density, int count, double step);
void rest_table_sum(const double *density, int count, double step, double *sum);

#ifdef __cplusplus
extern "C" {
#endif

/* Z of a block, a cubic between nodes with the slopes of their neighbours; the search begins at z. */
POINTWISE void rest_heights_at(const RestTable *t, const double *z, const double *density, double *height) {
    int node[LANES];
    double p[4][LANES];
    for (int l = 0; l < LANES; l++) {
        int n = (int)max_of(0.0, min_of((z[l] - t->bottom) / t->step, t->last - 1.0));
        while (n + 1 < t->last && t->density[n + 1] >= density[l]) n++;
        while (n > 0 && t->density[n] < density[l]) n--;
        node[l] = n;
    }
    for (int l = 0; l < LANES; l++)
        for (int n = 0; n < 4; n++) {
            const int at = node[l] + n - 1;
            p[n][l] = t->density[at < 0 ? 0 : at > t->last ? t->last : at];
        }
    FOR_LANES (l) {
        const double drop = p[1][l] - p[2][l];
        const double s = max_of(0.0, min_of(1.0, (p[1][l] - density[l]) / drop));
        const double below = min_of(3.0, 2.0 * drop / (p[0][l] - p[2][l]));
        const double above = min_of(3.0, 2.0 * drop / (p[1][l] - p[3][l]));
        const double t3 = s * s * (3.0 - 2.0 * s);
        const double within = t3 + s * (1.0 - s) * ((1.0 - s) * below - s * above);
        height[l] = t->bottom + t->step * (node[l] + within);
    }
}

#ifdef __cplusplus
}
#endif
#endif
