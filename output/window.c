/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "output/layout.h"

#include <stdlib.h>

Window window_whole(const Grid *grid) {
    Window window = {0, grid->nx, 0, grid->ny, ALLOCATE(grid->n3, int), grid->n3};
    for (int k = 0; k < grid->n3; k++) window.levels[k] = k;
    return window;
}

void window_release(Window *window) {
    memory_free(window->levels);
    window->levels = NULL;
}

static int compare_levels(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* The scenario counts from the surface down, 0 is the surface. */
static Status choose_levels(const Grid *grid, const int *levels, int n_levels, const char *place,
                            Window *out) {
    for (int n = 0; n < n_levels; n++) {
        CHECK(levels[n] >= 0 && levels[n] < grid->n3, STATUS_BAD_INPUT,
              "%s: level %d is requested, but the grid has levels 0 (surface) to %d", place, levels[n],
              grid->n3 - 1);
        for (int m = 0; m < n; m++)
            CHECK(levels[m] != levels[n], STATUS_BAD_INPUT, "%s: level %d is requested twice", place,
                  levels[n]);
    }
    memory_free(out->levels);
    out->levels = ALLOCATE(n_levels, int);
    out->n_levels = n_levels;
    for (int n = 0; n < n_levels; n++) out->levels[n] = grid->n3 - 1 - levels[n];
    qsort(out->levels, (size_t)n_levels, sizeof *out->levels, compare_levels);
    return STATUS_OK;
}

/* First and last + 1 of the positions n + 0.5 whose coordinate lies in [low, high]. */
static void choose_range(double (*coordinate)(const Axes *, double), const Axes *axes, int n, double low,
                         double high, int range[2]) {
    range[0] = n;
    range[1] = 0;
    for (int m = 0; m < n; m++) {
        double x = coordinate(axes, m + 0.5);
        if (x < low || x > high) continue;
        if (m < range[0]) range[0] = m;
        range[1] = m + 1;
    }
}

static Status choose_box(const Grid *grid, const double *box, const char *place, Window *out) {
    int x[2], y[2];
    choose_range(axes_x, &grid->axes, grid->nx, box[0], box[1], x);
    choose_range(axes_y, &grid->axes, grid->ny, box[2], box[3], y);
    CHECK(x[0] < x[1] && y[0] < y[1], STATUS_BAD_INPUT,
          "%s: no cell has its centre in the box [west %g, east %g, south %g, north %g]; the grid spans %g "
          "to %g and %g to %g",
          place, box[0], box[1], box[2], box[3], axes_x(&grid->axes, 0), axes_x(&grid->axes, grid->nx),
          axes_y(&grid->axes, 0), axes_y(&grid->axes, grid->ny));
    out->i0 = x[0], out->i1 = x[1], out->j0 = y[0], out->j1 = y[1];
    return STATUS_OK;
}

Status window_create(const Grid *grid, const double *box, const int *levels, int n_levels, const char *place,
                     Window *out) {
    *out = window_whole(grid);
    Status status = STATUS_OK;
    if (box) ATTEMPT(choose_box(grid, box, place, out));
    if (levels && n_levels > 0) ATTEMPT(choose_levels(grid, levels, n_levels, place, out));
cleanup:
    if (status != STATUS_OK) window_release(out);
    return status;
}

Layout layout_whole(const Grid *grid) {
    return (Layout){.grid = grid, .window = {0, grid->nx, 0, grid->ny, NULL, 0}};
}

static int larger_index(int a, int b) {
    return a > b ? a : b;
}
static int smaller_index(int a, int b) {
    return a < b ? a : b;
}

Piece layout_piece(const Layout *layout, char place) {
    const Grid *g = layout->grid;
    const Window *w = &layout->window;
    bool u = place == 'u', v = place == 'v';
    int last_x = g->i_first + g->n1 + (u && g->i_first + g->n1 == g->nx);
    int last_y = g->j_first + g->n2 + (v && g->j_first + g->n2 == g->ny);
    int i0 = larger_index(w->i0, g->i_first), i1 = smaller_index(w->i1 + u, last_x);
    int j0 = larger_index(w->j0, g->j_first), j1 = smaller_index(w->j1 + v, last_y);
    if (i0 >= i1 || j0 >= j1) return (Piece){0};
    return (Piece){i0 - g->i_first, i1 - g->i_first, j0 - g->j_first, j1 - g->j_first,
                   i0 - w->i0,      j0 - w->j0,      i1 - i0,         j1 - j0};
}

int64_t piece_size(Piece piece) {
    return (int64_t)piece.count_x * piece.count_y;
}
