/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/file_places.h"

#include "base/memory.h"
#include "model/forcing/level_heights.h"
#include <limits.h>
#include <math.h>

void file_place_of(const Grid *g, char place, int i, int j, double *x, double *y) {
    const int column = g->i_first + i, row = g->j_first + j;
    *x =
        axes_x(&g->axes, (g->axes.periodic_x ? axes_wrap(column, g->nx) : column) + (place == 'u' ? 0 : 0.5));
    *y = axes_y(&g->axes, (g->axes.periodic_y ? axes_wrap(row, g->ny) : row) + (place == 'v' ? 0 : 0.5));
}

Positions positions_find(const Curvilinear *plane, const Grid *g, char place) {
    Positions p = {(double(*)[2])memory_allocate((size_t)g->size2, sizeof *p.at), ALLOCATE(g->size2, bool),
                   source_window_of(&g->axes, false)};
    double ends[4] = {INFINITY, INFINITY, INFINITY, INFINITY}; /* least i, j; least -i, -j */
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            double x, y, *at = p.at[file_place_number(g, i, j)];
            file_place_of(g, place, i, j, &x, &y);
            at[0] = x, at[1] = y;
            p.within[file_place_number(g, i, j)] = true;
            if (plane->nx == 0) continue;
            const double outside = curvilinear_locate(plane, x, y, &at[0], &at[1]);
            if (!isfinite(outside)) curvilinear_nearest(plane, x, y, &at[0], &at[1]);
            p.within[file_place_number(g, i, j)] = outside < 1e-6;
            const double here[4] = {at[0], at[1], -at[0], -at[1]};
            for (int n = 0; n < 4; n++) ends[n] = fmin(ends[n], here[n]);
        }
    if (plane->nx == 0) return p;
    MPI_Allreduce(MPI_IN_PLACE, ends, 4, MPI_DOUBLE, MPI_MIN, g->comm);
    p.window = (SourceWindow){
        .low = {ends[0], ends[1]}, .high = {-ends[2], -ends[3]}, .by_index = true, .what = "the grid"};
    return p;
}

MapPart positions_locate(const Positions *p, const Grid *g, const int shape[2], const double *const at[2],
                         FilePlace **out) {
    int low[2] = {INT_MAX, INT_MAX}, high[2] = {0, 0};
    FilePlace *places = *out = ALLOCATE(g->size2, FilePlace);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = file_place_number(g, i, j);
            FilePlace *place = &places[m];
            place->within = p->within[m];
            for (int n = 0; n < 2; n++) {
                const double here = p->at[m][n], first = at[n][0], last = at[n][shape[n] - 1],
                             slack = 1e-6 * (last - first);
                place->low[n] = level_locate(at[n], shape[n], here, &place->part[n]);
                place->within = place->within && here >= first - slack && here <= last + slack;
                const int next = place->low[n] + (place->part[n] > 0);
                if (place->low[n] < low[n]) low[n] = place->low[n];
                if (next > high[n]) high[n] = next;
            }
        }
    return (MapPart){{low[0], low[1]}, {high[0] - low[0] + 1, high[1] - low[1] + 1}};
}

void positions_free(Positions *p) {
    memory_free(p->at);
    memory_free(p->within);
    *p = (Positions){0};
}
