/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps in which a cell waits for three neighbours: D of numbers, Gauss-Seidel point by point, and pivots of
 * the modified factorisation. A thread has one row and level. What does not depend on other threads is read
 * AHEAD times before it is used.
 */
#define MATM_ONE_LANE
#define BLOCK_THREADS_MOST 512 /* SWEEP_THREADS */
#include "numerics/matm/sweep_tiles.h"

enum { CHUNK = 8, AHEAD = 4, AHEAD_IN_PLACE = 2 }; /* registers allow no more */

typedef enum Form { SOLVE, IN_PLACE, PIVOTS } Form;

/* What a cell needs of memory: its right-hand side, couplings to what is new (near) and old (far), and what
 * is old; along the row, across it, and up or down. */
typedef struct Cell {
    Lanes start, near[3], far[3], old[3];
    bool wet, bottom; /* bottom: nothing is before it in its column */
} Cell;

TILE_FUNCTION void read_sides(const Sweeping *a, ptrdiff_t m, int k, Lanes side[3], const bool lower,
                              const bool both) {
    const LaneShape *l = &a->shape;
    side[0] = lower ? a->matrix.west[m] : east_coupling(l, &a->matrix, m, both);
    side[1] = lower ? a->matrix.south[m] : north_coupling(l, &a->matrix, m, both);
    side[2] = 0;
    if (l->levels > 1 && (lower || k < l->levels - 1))
        side[2] = lower ? a->matrix.lower[m] : upper_coupling(&a->matrix, m, both);
}

TILE_FUNCTION void read_old(const Sweeping *a, ptrdiff_t m, int k, Lanes old[3], const bool lower) {
    const LaneShape *l = &a->shape;
    old[0] = a->out[lower ? m - l->column : m + l->column];
    old[1] = a->out[lower ? south_at(l, m) : north_at(l, m)];
    old[2] = 0;
    if (lower ? k > 0 : k < l->levels - 1) old[2] = a->out[lower ? m - LEVEL : m + LEVEL];
}

/* The sum of the couplings above. */
TILE_FUNCTION Lanes read_above(const Sweeping *a, ptrdiff_t m, int k) {
    const LaneShape *l = &a->shape;
    const Lanes two = a->matrix.west[m + l->column] + north_of(l, a->matrix.south, m);
    return two + (k < l->levels - 1 ? a->matrix.lower[m + LEVEL] : 0);
}

/* For time t, whose lowest level is known. */
TILE_FUNCTION void read_cell(const Sweeping *a, const Tile *w, int t, int lowest, Cell *c, const bool up,
                             const bool both, const Form form) {
    const int s = tile_step(a, w, t, up);
    const ptrdiff_t m = w->first + s * a->shape.column;
    c->wet = w->k >= lowest && lowest < a->shape.levels;
    c->bottom = up ? w->k == lowest : w->k == a->shape.levels - 1;
    c->start = 0;
    TILE_UNROLLED for (int n = 0; n < 3; n++) c->near[n] = c->far[n] = c->old[n] = 0;
    if (!c->wet) return;
    c->start = form == PIVOTS ? read_above(a, m, w->k) : a->in[m];
    read_sides(a, m, w->k, c->near, up, both);
    if (form == PIVOTS) c->old[0] = a->in[m];
    if (form != IN_PLACE) return;
    read_sides(a, m, w->k, c->far, !up, both);
    read_old(a, m, w->k, c->old, !up);
}

/* x: what is new along, across, and before it in the column */
TILE_FUNCTION Lanes solve_cell(const Sweeping *a, const Cell *c, const Lanes x[3], const bool up,
                               const Form form) {
    if (form == IN_PLACE) {
        const Lanes *west = up ? c->near : c->far, *of_west = up ? x : c->old;
        const Lanes *east = up ? c->far : c->near, *of_east = up ? c->old : x;
        Lanes t = two_more(c->start, west[0], of_west[0], west[1], of_west[1]);
        t = two_more(t, east[0], of_east[0], east[1], of_east[1]);
        return lanes_fma(east[2], of_east[2], lanes_fma(west[2], of_west[2], t));
    }
    const Lanes t = two_more(c->start, a->a * c->near[0], x[0], a->a * c->near[1], x[1]);
    return a->shape.levels > 1 ? lanes_fma(a->a * c->near[2], x[2], t) : t;
}

TILE_FUNCTION Lanes share_of_cell(const Sweeping *a, const Cell *c, const Lanes x[3], ptrdiff_t m, int k) {
    Lanes below = c->near[0] * x[0] + c->near[1] * x[1];
    if (k > 0) below += c->near[2] * x[2];
    const Lanes pivot = pivot_of(c->old[0], below);
    a->sums[m] = c->old[0] > 0 ? pivot : 0; /* on land there is none */
    return c->old[0] > 0 ? c->start / pivot : 0;
}

/* What a tile shares. */
typedef struct Shared {
    Lanes *value, *square; /* of two times */
    Lanes *across;         /* of the row before the tile: [time in the chunk][level] */
    Lanes *before;         /* of the level before the tile: [time in the chunk][row], and their squares */
    Lanes *squares_before;
} Shared;

/* What another tile has left for times t0 <= t < t0 + CHUNK, by all threads. */
TILE_FUNCTION void read_edges(const Sweeping *a, const Tile *w, BlockPlace at, const Shared *shared, int t0,
                              const bool up, const Form form) {
    const LaneShape *l = &a->shape;
    Tile other = *w;
    const int levels = a->tile_levels, rows = w->rows, lane = tile_edge_lane(a, w, up);
    const int edge_row = up ? lane : 8 * (a->tile_groups - 1) + lane;
    const int number = w->band * w->chunks + w->chunk;
    for (int n = at.thread; n < CHUNK * levels; n += at.threads) {
        tile_row(a, &other, number, edge_row, up);
        tile_level(a, &other, n % levels, levels, up);
        const int s = tile_step(a, &other, t0 + n / levels, up);
        const ptrdiff_t m = other.first + s * l->column;
        if (tile_owns(a, &other, s)) shared->across[n] = a->out[tile_across(l, m, up)];
    }
    if (w->chunk == 0) return;
    for (int n = at.thread; n < CHUNK * rows; n += at.threads) {
        tile_row(a, &other, number, n % rows, up);
        tile_level(a, &other, up ? 0 : levels - 1, levels, up);
        const int s = tile_step(a, &other, t0 + n / rows, up);
        const ptrdiff_t m = other.first + s * l->column;
        if (!tile_owns(a, &other, s)) continue;
        shared->before[n] = a->out[up ? m - LEVEL : m + LEVEL];
        if (form == SOLVE && up && a->sums)
            shared->squares_before[n] = a->sums[8 * ((ptrdiff_t)other.g * l->steps + s) + other.lane];
    }
}

/* Time t, the c-th of its chunk. */
TILE_FUNCTION Lanes march(const Sweeping *a, const Tile *w, BlockPlace at, const Shared *shared,
                          const Cell *cell, int t, int c, Lanes last, const bool up, const Form form) {
    const LaneShape *l = &a->shape;
    const int s = tile_step(a, w, t, up), last_time = ((t + 1) & 1) * SWEEP_THREADS + at.thread;
    const ptrdiff_t m = w->first + s * l->column;
    const bool sums = form == SOLVE && up && a->sums;
    Lanes value = 0, square = 0;
    if (cell->wet) {
        Lanes x[3] = {last, 0, 0};
        if (tile_begins(a, w, s, up)) x[0] = a->out[up ? m - l->column : m + l->column];
        if (w->edge)
            x[1] = shared->across[c * a->tile_levels + (up ? w->kq : a->tile_levels - 1 - w->kq)];
        else if (tile_before(w, s, up))
            x[1] = a->out[tile_across(l, m, up)];
        else
            x[1] = shared->value[up ? last_time - 1 : last_time + 1];
        if (!cell->bottom && w->kq == 0) {
            x[2] = shared->before[c * w->rows + w->row];
            if (sums) square = shared->squares_before[c * w->rows + w->row];
        } else if (!cell->bottom) {
            x[2] = shared->value[up ? last_time - w->rows : last_time + w->rows];
            if (sums) square = shared->square[last_time - w->rows];
        }
        value = form == PIVOTS ? share_of_cell(a, cell, x, m, w->k) : solve_cell(a, cell, x, up, form);
        a->out[m] = value;
        if (sums) square = lanes_fma(value, value, square);
        if (sums && (w->kq == a->tile_levels - 1 || w->k == l->levels - 1))
            a->sums[8 * ((ptrdiff_t)w->g * l->steps + s) + w->lane] = square;
    }
    const int now = (t & 1) * SWEEP_THREADS + at.thread;
    shared->value[now] = value;
    if (sums) shared->square[now] = square;
    return value;
}

TILE_FUNCTION void await_tiles(const Sweeping *a, const Tile *w, int thread, int t) {
    const int across = t + 8 * a->tile_groups, down = t + a->tile_levels;
    if (thread == 0 && w->band > 0)
        flag_wait(tile_flag(a, w, 1, 0), a->flag_base + (across < w->times ? across : w->times));
    if (thread == 1 && w->chunk > 0)
        flag_wait(tile_flag(a, w, 0, 1), a->flag_base + (down < w->times ? down : w->times));
}

TILE_FUNCTION void sweep_tile(const Sweeping *a, const Tile *w, BlockPlace at, const Shared *shared,
                              const bool up, const bool both, const Form form) {
    const int ahead = form == IN_PLACE ? AHEAD_IN_PLACE : AHEAD;
    Cell cell[AHEAD];
    Lanes last = 0;
    int lowest = tile_lowest(a, w, w->begin, up);
    TILE_UNROLLED for (int n = 0; n < ahead; n++) {
        read_cell(a, w, w->begin + n, lowest, &cell[n], up, both, form);
        lowest = tile_lowest(a, w, w->begin + n + 1, up);
    }
    for (int t0 = w->begin; t0 < w->end; t0 += CHUNK) {
        await_tiles(a, w, at.thread, t0 + CHUNK - 1);
        block_barrier();
        read_edges(a, w, at, shared, t0, up, form);
        block_barrier();
        TILE_UNROLLED for (int c = 0; c < CHUNK; c++) {
            const int t = t0 + c;
            last = march(a, w, at, shared, &cell[c % ahead], t, c, last, up, form);
            read_cell(a, w, t + ahead, lowest, &cell[c % ahead], up, both, form);
            lowest = tile_lowest(a, w, t + ahead + 1, up);
            block_barrier();
        }
        const int done = t0 + CHUNK < w->end ? t0 + CHUNK : w->times;
        if (at.thread == 0) flag_post(tile_flag(a, w, 0, 0), a->flag_base + done);
    }
    if (at.thread == 0 && w->begin >= w->end) flag_post(tile_flag(a, w, 0, 0), a->flag_base + w->times);
}

TILE_FUNCTION void sweep_points(const Sweeping *a, BlockPlace at, const bool up, const bool both,
                                const Form form) {
    SHARED_ARRAY(Lanes, value, 2 * SWEEP_THREADS);
    SHARED_ARRAY(Lanes, square, 2 * SWEEP_THREADS);
    SHARED_ARRAY(Lanes, across, CHUNK * TILE_LEVELS);
    SHARED_ARRAY(Lanes, before, CHUNK * TILE_ROWS);
    SHARED_ARRAY(Lanes, squares_before, CHUNK * TILE_ROWS);
    const Shared shared = {value, square, across, before, squares_before};
    Tile w;
    w.bands = (a->end_group - a->first_group + a->tile_groups - 1) / a->tile_groups;
    w.chunks = (a->shape.levels + a->tile_levels - 1) / a->tile_levels;
    for (;;) {
        const int number = (int)(block_ticket(a->ticket, at) - a->ticket_base);
        if (number >= w.bands * w.chunks) break;
        if (a->rests && *a->rests) continue;
        tile_row(a, &w, number, at.thread % (8 * a->tile_groups), up);
        tile_level(a, &w, at.thread / w.rows, a->tile_levels, up);
        tile_times(a, &w, a->tile_levels - 1, up);
        sweep_tile(a, &w, at, &shared, up, both, form);
    }
}

BLOCK_KERNEL(points_forward, Sweeping) {
    sweep_points(a, at, true, false, SOLVE);
}
BLOCK_KERNEL(points_backward, Sweeping) {
    sweep_points(a, at, false, false, SOLVE);
}
BLOCK_KERNEL(points_backward_both, Sweeping) {
    sweep_points(a, at, false, true, SOLVE);
}
BLOCK_KERNEL(points_up, Sweeping) {
    sweep_points(a, at, true, false, IN_PLACE);
}
BLOCK_KERNEL(points_up_both, Sweeping) {
    sweep_points(a, at, true, true, IN_PLACE);
}
BLOCK_KERNEL(points_down, Sweeping) {
    sweep_points(a, at, false, false, IN_PLACE);
}
BLOCK_KERNEL(points_down_both, Sweeping) {
    sweep_points(a, at, false, true, IN_PLACE);
}
BLOCK_KERNEL(points_pivots, Sweeping) {
    sweep_points(a, at, true, false, PIVOTS);
}
