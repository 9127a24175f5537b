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
            const bool stands = (centre[l] > 0) & (pivot > 0) & (i0 + l < g->n1);
            last[l] = stands ? 1.0 / (stands ? pivot : 1.0) : 0.0;
            inverse[l] = last[l];
        }
    }
}

/* H before */
POINTWISE double beside(const ColumnSolve *a, ptrdiff_t m) {
    const double *west = a->west, *south = a->south, *x = a->before;
    const ptrdiff_t row = a->g.row;
    return (west[m] * x[m - 1] + west[m + 1] * x[m + 1]) +
           (south[m] * x[m - row] + south[m + row] * x[m + row]);
}

SIZED_STRUCT(Ascent) {
    double u[COLUMN_LEVELS][LANES]; /* L^-1 times the right-hand side, over the pivots */
};

SIZED POINTWISE void ascend(const ColumnSolve *a, ptrdiff_t first, int lowest, const bool again,
                            Ascent OF_LEVELS *kept) {
    double last[LANES] = {0};
    for (int k = lowest; k < a->g.n3; k++) {
        const ptrdiff_t at = first + k * a->g.plane;
        const double *lower = a->lower + at, *inverse = a->inverse + at, *r = a->r + at;
        PREFETCH(lower + AHEAD);
        PREFETCH(inverse + AHEAD);
        PREFETCH(r + AHEAD);
        PREFETCH(a->x + at + AHEAD);
        FOR_LANES (l) {
            const double right = again ? r[l] + beside(a, at + l) : r[l];
            const double found = (right + lower[l] * last[l]) * inverse[l];
            last[l] = inverse[l] > 0 ? found : 0.0; /* beyond own cells anything may stand */
            kept->u[k][l] = last[l];
        }
    }
}

SIZED POINTWISE void descend(const ColumnSolve *a, ptrdiff_t first, int lowest, const bool add,
                             const Ascent OF_LEVELS *kept) {
    double from_above[LANES] = {0}; /* coupling times solution */
    for (int k = a->g.n3 - 1; k >= lowest; k--) {
        const ptrdiff_t at = first + k * a->g.plane;
        const double *lower = a->lower + at, *inverse = a->inverse + at;
        double *x = a->x + at;
        FOR_LANES (l) {
            const double found = kept->u[k][l] + inverse[l] * from_above[l];
            const double z = inverse[l] > 0 ? found : 0.0;
            x[l] = add ? x[l] + z : z;
            from_above[l] = lower[l] * z;
        }
    }
}

SIZED POINTWISE void solve_columns(const ColumnSolve *a, int i0, int j, const bool again, const bool add) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    Ascent OF_LEVELS kept;
    ascend(a, first, lowest, again, &kept);
    descend(a, first, lowest, add, &kept);
}

KERNEL_LEVELS(column_solve, ColumnSolve, 1) {
    solve_columns OF_LEVELS(a, i0, j, false, false);
}
KERNEL_LEVELS(column_solve_add, ColumnSolve, 1) {
    solve_columns OF_LEVELS(a, i0, j, false, true);
}
KERNEL_LEVELS(column_solve_again, ColumnSolve, 1) {
    solve_columns OF_LEVELS(a, i0, j, true, true);
}
