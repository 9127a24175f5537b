/* SPDX-License-Identifier: Apache-2.0
 *
 * The running sums add in the order of the single ones: the bits are the same.
 */
#include "output/layer_sums.h"

double share_below(const Grid *grid, int i, int j, int k) {
    const double *phi = grid->phi_c + AT2(*grid, i, j);
    double share = 0;
    for (int l = (int)grid->bottom_c[AT2(*grid, i, j)]; l < k; l++) share += phi[l * grid->plane];
    return share;
}

/* Into a cell. */
static double inflow(const State *s, ptrdiff_t n, ptrdiff_t row) {
    return s->flux_u[n] - s->flux_u[n + 1] + s->flux_v[n] - s->flux_v[n + row];
}

double column_inflow(const State *state, int i, int j) {
    const Grid *g = state->grid;
    double sum = 0;
    for (int k = (int)g->bottom_c[AT2(*g, i, j)]; k < g->n3; k++)
        sum += inflow(state, AT(*g, i, j, k), g->row);
    return sum;
}

void layer_sums_start(LayerSums *sums, const State *state, Piece p) {
    const Grid *g = state->grid;
    sums->level = 0;
    for (int j = p.j0 - 1; j <= p.j1; j++)
        for (int i = p.i0 - 1; i <= p.i1; i++) sums->below[AT2(*g, i, j)] = 0;
    for (int j = p.j0; j < p.j1; j++) {
        for (int i = p.i0; i < p.i1; i++) sums->inflow[AT2(*g, i, j)] = 0;
        for (int k = 0; k < g->n3; k++)
            for (int i = p.i0; i < p.i1; i++)
                if (k >= g->bottom_c[AT2(*g, i, j)])
                    sums->inflow[AT2(*g, i, j)] += inflow(state, AT(*g, i, j, k), g->row);
    }
}

void layer_sums_climb(LayerSums *sums, const Grid *g, Piece p, int level) {
    for (; sums->level < level; sums->level++)
        for (int j = p.j0 - 1; j <= p.j1; j++)
            for (int i = p.i0 - 1; i <= p.i1; i++)
                if (sums->level >= g->bottom_c[AT2(*g, i, j)])
                    sums->below[AT2(*g, i, j)] += g->phi_c[AT(*g, i, j, sums->level)];
}
