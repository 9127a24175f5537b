/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/columns_alone.h"

enum { AHEAD = 2 * BLOCK }; /* what will be needed soon comes from memory */

KERNEL_COLUMNS(column_pivots, ColumnPivots) {
    const GridView *g = &a->g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const int lowest = deepest_layer(g->bottom_c + first, g->n3);
    double last[LANES] = {0}; /* one over the pivot below */
    for (int k = lowest; k < g->n3; k++) {
        const double *centre = a->centre + first + k * g->plane, *lower = a->lower + first + k * g->plane;
        double *inverse = a->inverse + first + k * g->plane;
        FOR_LANES (l) {
            const double pivot = centre[l] - lower[l] * lower[l] * last[l];
            const bool stands = (centre[l] > 0) & (pivot > 0);
            last[l] = stands ? 1.0 / (stands ? pivot : 1.0) : 0.0;
            inverse[l] = last[l];
        }
    }
}

KERNEL_LEVELS(column_solve, ColumnSolve, 1) {
    const GridView *g = &a->g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const int lowest = deepest_layer(g->bottom_c + first, g->n3);
    double u[COLUMN_LEVELS][LANES], last[LANES] = {0};
    for (int k = lowest; k < g->n3; k++) {
        const ptrdiff_t at = first + k * g->plane;
        const double *lower = a->lower + at, *inverse = a->inverse + at, *r = a->r + at;
        PREFETCH(lower + AHEAD);
        PREFETCH(inverse + AHEAD);
        PREFETCH(r + AHEAD);
        PREFETCH(a->x + at + AHEAD);
        FOR_LANES (l) {
            last[l] = (r[l] + lower[l] * last[l]) * inverse[l];
            u[k][l] = last[l];
        }
    }
    double from_above[LANES] = {0}; /* coupling times correction */
    for (int k = g->n3 - 1; k >= lowest; k--) {
        const ptrdiff_t at = first + k * g->plane;
        const double *lower = a->lower + at, *inverse = a->inverse + at;
        double *x = a->x + at;
        FOR_LANES (l) {
            const double z = u[k][l] + inverse[l] * from_above[l];
            x[l] += z;
            from_above[l] = lower[l] * z;
        }
    }
}
