/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps of one layer. A tile is as many rows as its block has threads, a warp at most. At time t the thread of row r
 * has column t - r, counted in the order of the sweep as rows are, so that what lies across is what the thread before
 * had at t - 1, and comes from its register. What else cells need is read for AHEAD times at once, inside the sea or not, while those
 * before are worked on; what another tile has left for CHUNK times, behind its flag.
 */
#define MATM_ONE_LANE
#define BLOCK_THREADS_MOST WARP_THREADS
#include "numerics/matm/sweep_tiles.h"

/* Times of what another tile has left, and of cells. For 220 x 213 cells in single precision an H100 took 110, 89 and
 * 85 us with 8, 16 and 32 and four cells ahead, 84 us with 16 and eight. */
enum { CHUNK = 16, AHEAD = 8 };

/* The cells of a thread's row, from the first that is swept. */
typedef struct Row {
    ptrdiff_t m, along;   /* the first cell, and from there to the next */
    const int *lowest;    /* of the first cell's step */
    Lanes *square;        /* of the first cell's column */
    int direction, count; /* of steps; cells, 0 if there is no such row */
} Row;

typedef struct Cell {
    Lanes start, along, across;
    Lanes diagonal; /* of pivots */
    int lowest;
} Cell;

/* A row that is not there is the first. */
TILE_FUNCTION Row flat_row(const Sweeping *a, int row, const bool up) {
    const LaneShape *l = &a->shape;
    const int from = 8 * a->first_group, until = tile_clamp(8 * a->end_group, 0, l->n2);
    const bool valid = row < until - from;
    const int j = up ? from + (valid ? row : 0) : until - 1 - (valid ? row : 0), lane = j & 7;
    const ptrdiff_t g = j / 8, s = up ? lane : l->n1 - 1 + lane;
    return (Row){.m = lane_at(l, g, s) + lane,
                 .along = up ? l->column : -l->column,
                 .lowest = l->lowest + g * l->steps + s,
                 .square = a->sums ? a->sums + 8 * (g * l->steps + s) + lane : NULL,
                 .direction = up ? 1 : -1,
                 .count = valid ? l->n1 : 0};
}

/* Of a column beside the row: the nearest in it. */
TILE_FUNCTION Cell flat_cell(const Sweeping *a, const Row *row, int column, const bool up,
                             const bool pivots) {
    const LaneShape *l = &a->shape;
    const int near = tile_clamp(column, 0, l->n1 - 1);
    const ptrdiff_t m = row->m + near * row->along;
    Cell c;
    c.lowest = row->lowest[near * row->direction];
    c.start = pivots ? a->matrix.west[m + l->column] + north_of(l, a->matrix.south, m) : a->in[m];
    c.along = up ? a->matrix.west[m] : east_coupling(l, &a->matrix, m, false);
    c.across = up ? a->matrix.south[m] : north_coupling(l, &a->matrix, m, false);
    c.diagonal = pivots ? a->in[m] : 0;
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

/* What lies across the first row, as another tile has left it. */
TILE_FUNCTION void read_edge(const Sweeping *a, const Row *first, BlockPlace at, int t0, Lanes *edge,
                             const bool up) {
    for (int n = at.thread; n < CHUNK; n += at.threads)
        if (t0 + n < first->count)
            edge[n] = a->out[tile_across(&a->shape, first->m + (t0 + n) * first->along, up)];
}

TILE_FUNCTION void flat_tile(const Sweeping *a, int band, BlockPlace at, Lanes *edge, const bool up,
                             const bool pivots) {
    const int rows = at.threads, times = a->shape.n1 + rows - 1, r = at.thread;
    const Row row = flat_row(a, band * rows + r, up), first = flat_row(a, band * rows, up);
    Cell now[AHEAD], next[AHEAD];
    Lanes value = a->out[row.m - row.along]; /* beside the first cell */
    TILE_UNROLLED for (int n = 0; n < AHEAD; n++) next[n] = flat_cell(a, &row, n - r, up, pivots);
    TILE_ROLLED for (int t = 0; t < times; t += AHEAD) {
        if (t % CHUNK == 0) {
            const int awaited = tile_clamp(t + CHUNK, 0, a->shape.n1) + rows - 1;
            if (r == 0 && band > 0) flag_wait(a->flag + band - 1, a->flag_base + awaited);
            block_barrier();
            read_edge(a, &first, at, t, edge, up);
            block_barrier();
        }
        TILE_UNROLLED for (int n = 0; n < AHEAD; n++) now[n] = next[n];
        TILE_UNROLLED for (int n = 0; n < AHEAD; n++) next[n] =
            flat_cell(a, &row, t + AHEAD + n - r, up, pivots);
        TILE_UNROLLED for (int n = 0; n < AHEAD; n++) {
            const int column = t + n - r;
            const Lanes before = (Lanes)warp_before(value, n), across = r == 0 ? edge[t % CHUNK + n] : before;
            if (column >= 0 && column < row.count)
                value =
                    now[n].lowest == 0 ? flat_solve(a, &row, &now[n], column, value, across, up, pivots) : 0;
        }
        if ((t + AHEAD) % CHUNK == 0 || t + AHEAD >= times) {
            block_barrier();
            if (r == 0) flag_post(a->flag + band, a->flag_base + tile_clamp(t + AHEAD, 0, times));
        }
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
