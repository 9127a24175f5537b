/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps of one layer. A tile is as many rows as its block has threads, a warp at most. At time t the thread of row r
 * has column t - r, counted in the order of the sweep as rows are, so that what lies across is what the thread before
 * had at t - 1, and comes from its register. Everything else of a cell is read AHEAD times before it is used, whether the cell
 * is wet or not: nothing waits for memory but what another tile has left, for CHUNK times at once.
 */
#define MATM_ONE_LANE
#define BLOCK_THREADS_MOST 32 /* WARP_THREADS */
#include "numerics/matm/sweep_tiles.h"

enum { CHUNK = 16, AHEAD = 8 };

/* The cells of a thread's row, from the first that is swept. */
typedef struct Row {
    ptrdiff_t m, along;   /* the first cell, and from there to the next */
    const int *lowest;    /* of the first cell's step */
    Lanes *square;        /* of the first cell's column */
    int direction, count; /* of steps; cells */
    bool valid;
} Row;

typedef struct Cell {
    Lanes start, along, across;
    Lanes diagonal; /* of pivots */
    int lowest;
    bool inside;
} Cell;

TILE_FUNCTION Row flat_row(const Sweeping *a, int row, const bool up) {
    const LaneShape *l = &a->shape;
    const int from = 8 * a->first_group, until = tile_clamp(8 * a->end_group, 0, l->n2);
    const int j = up ? from + row : until - 1 - row, lane = j & 7;
    const bool valid = j >= from && j < until;
    const ptrdiff_t g = valid ? j / 8 : a->first_group;
    const ptrdiff_t s = up ? lane : l->n1 - 1 + lane;
    return (Row){.m = lane_at(l, g, s) + lane,
                 .along = up ? l->column : -l->column,
                 .lowest = l->lowest + g * l->steps + s,
                 .square = a->sums ? a->sums + 8 * (g * l->steps + s) + lane : NULL,
                 .direction = up ? 1 : -1,
                 .count = valid ? l->n1 : 0,
                 .valid = valid};
}

TILE_FUNCTION Cell flat_cell(const Sweeping *a, const Row *row, int column, const bool up,
                             const bool pivots) {
    const LaneShape *l = &a->shape;
    Cell c = {.inside = column >= 0 && column < row->count};
    if (!c.inside) return c;
    const ptrdiff_t m = row->m + column * row->along;
    c.lowest = row->lowest[column * row->direction];
    c.start = pivots ? a->matrix.west[m + l->column] + north_of(l, a->matrix.south, m) : a->in[m];
    c.along = up ? a->matrix.west[m] : east_coupling(l, &a->matrix, m, false);
    c.across = up ? a->matrix.south[m] : north_coupling(l, &a->matrix, m, false);
    if (pivots) c.diagonal = a->in[m];
    return c;
}

/* The cell's number; x: what is new along and across */
TILE_FUNCTION Lanes flat_solve(const Sweeping *a, const Row *row, const Cell *c, int column, Lanes along,
                               Lanes across, const bool up, const bool pivots) {
    const ptrdiff_t m = row->m + column * row->along;
    if (pivots) {
        const Lanes pivot = pivot_of(c->diagonal, c->along * along + c->across * across);
        const bool water = c->diagonal > 0; /* on land there is none */
        a->sums[m] = water ? pivot : 0;
        return a->out[m] = water ? c->start / pivot : 0;
    }
    const Lanes x = two_more(c->start, a->a * c->along, along, a->a * c->across, across);
    if (up && row->square) row->square[8 * column] = lanes_fma(x, x, 0);
    return a->out[m] = x;
}

TILE_FUNCTION void flat_tile(const Sweeping *a, int band, BlockPlace at, Lanes *edge, const bool up,
                             const bool pivots) {
    const int rows = at.threads, times = a->shape.n1 + rows - 1, r = at.thread;
    const Row row = flat_row(a, band * rows + r, up), first = flat_row(a, band * rows, up);
    Cell cell[AHEAD];
    Lanes value = row.valid ? a->out[row.m - row.along] : 0; /* beside the first cell */
    TILE_UNROLLED for (int n = 0; n < AHEAD; n++) cell[n] = flat_cell(a, &row, n - r, up, pivots);
    for (int t0 = 0; t0 < times; t0 += CHUNK) {
        const int awaited = tile_clamp(t0 + CHUNK, 0, a->shape.n1) + rows - 1;
        if (r == 0 && band > 0) flag_wait(a->flag + band - 1, a->flag_base + awaited);
        block_barrier();
        for (int n = r; n < CHUNK; n += rows)
            if (t0 + n < first.count)
                edge[n] = a->out[tile_across(&a->shape, first.m + (t0 + n) * first.along, up)];
        block_barrier();
        TILE_UNROLLED for (int n = 0; n < CHUNK; n++) {
            const int column = t0 + n - r;
            const Cell *c = &cell[n % AHEAD];
            const Lanes before = (Lanes)warp_before(value, n), across = r == 0 ? edge[n] : before;
            if (c->inside)
                value = c->lowest == 0 ? flat_solve(a, &row, c, column, value, across, up, pivots) : 0;
            cell[n % AHEAD] = flat_cell(a, &row, column + AHEAD, up, pivots);
        }
        block_barrier();
        if (r == 0) flag_post(a->flag + band, a->flag_base + tile_clamp(t0 + CHUNK, 0, times));
    }
}

TILE_FUNCTION void sweep_flat(const Sweeping *a, BlockPlace at, const bool up, const bool pivots) {
    SHARED_ARRAY(Lanes, edge, CHUNK);
    const int all = tile_clamp(8 * a->end_group, 0, a->shape.n2) - 8 * a->first_group;
    const int bands = (all + at.threads - 1) / at.threads;
    for (;;) {
        const int band = (int)(block_ticket(a->ticket, at) - a->ticket_base);
        if (band >= bands) break;
        if (a->rests && *a->rests) continue;
        flat_tile(a, band, at, edge, up, pivots);
    }
}

BLOCK_KERNEL(flat_forward, Sweeping) {
    sweep_flat(a, at, true, false);
}
BLOCK_KERNEL(flat_backward, Sweeping) {
    sweep_flat(a, at, false, false);
}
BLOCK_KERNEL(flat_pivots, Sweeping) {
    sweep_flat(a, at, true, true);
}
