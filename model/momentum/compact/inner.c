/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/compact/inner.h"

#include "base/memory.h"
#include "numerics/grid/grid.h"
#include <math.h>

static bool is_whole(const Grid *g, double area, int i, int j, int k) {
    const int x = g->i_first + i, y = g->j_first + j;
    const bool inside =
        (g->axes.periodic_x || (x >= 0 && x < g->nx)) && (g->axes.periodic_y || (y >= 0 && y < g->ny));
    return inside && g->bottom_c[AT2(*g, i, j)] <= k && fabs(g->area[AT2(*g, i, j)] / area - 1) < 1e-9;
}

/* One more than the least distance around, at most `most`. */
static double next_distance(const Grid *g, const double *distance, ptrdiff_t m, double most) {
    double least = most;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) least = fmin(least, 1 + distance[m + dj * g->row + di]);
    return least;
}

/* Distances of the cells, halo included; farther ones count as `most`. Collective. */
static void find_distances(const Grid *g, Halo *halo, double area, int most, double *distance) {
    double *next = field3_create(g);
    for (int turn = 0; turn < most; turn++) {
        for (int k = 0; k < g->n3; k++)
            for (int j = -1; j <= g->n2; j++)
                for (int i = -1; i <= g->n1; i++) {
                    const bool own = i >= 0 && i < g->n1 && j >= 0 && j < g->n2;
                    const ptrdiff_t m = AT(*g, i, j, k);
                    if (turn == 0)
                        next[m] = is_whole(g, area, i, j, k) ? most : 0;
                    else if (own && distance[m] > 0)
                        next[m] = next_distance(g, distance, m, most);
                    else
                        next[m] = distance[m];
                }
        halo_exchange(halo, 0, NULL, 1, &next);
        for (ptrdiff_t m = 0; m < g->size3; m++) distance[m - g->origin3] = next[m - g->origin3];
    }
    field3_destroy(g, &next);
}

static double outer_share(double distance, int cells) {
    return 1 - fmin(1, fmax(0, (distance - cells) / cells));
}

void inner_find_outer(const Grid *g, Halo *halo, double area, int cells, double *outer_u, double *outer_v) {
    double *distance = field3_create(g);
    find_distances(g, halo, area, 2 * cells, distance);
    for (int k = 0; k < g->n3; k++)
        for (int j = 0; j <= g->n2; j++)
            for (int i = 0; i <= g->n1; i++) {
                const ptrdiff_t m = AT(*g, i, j, k);
                outer_u[m] = outer_share(fmin(distance[m], distance[m - 1]), cells);
                outer_v[m] = outer_share(fmin(distance[m], distance[m - g->row]), cells);
            }
    field3_destroy(g, &distance);
}

void inner_blend(const Grid *g, bool along_x, const double *outer, const double *velocity, double *carried,
                 double *advective) {
    const RunList faces = along_x ? g->cells_u : g->cells_v;
    for (int n = 0; n < faces.count; n++) {
        const Run r = faces.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ptrdiff_t m = AT(*g, i, r.j, r.k);
            carried[m] = outer[m] * velocity[m] + (1 - outer[m]) * carried[m];
            advective[m] *= 1 - outer[m];
        }
    }
}
