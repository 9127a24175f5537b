/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps whose D is whole columns. Of a tile's threads those of a row share its column: all of them read and
 * combine what lies west and south (or east and north), then one solves the column in shared memory while the
 * others wait for what the next step needs, then all of them write. TILE_CELLS bounds rows times levels.
 */
#define MATM_ONE_LANE
#define BLOCK_THREADS_MOST 512 /* SWEEP_THREADS */
#include "numerics/matm/sweep_tiles.h"

enum { CHUNK = 4, EACH = 4 }; /* levels of a thread at most: MAX_LEVELS / TILE_LEVELS */

typedef enum Form { FORWARD, BACKWARD, IN_PLACE } Form;

/* What a level needs of memory. west, south: of the near side, of which the values are new. */
typedef struct Level {
    Lanes start, west, south, far_west, far_south, old_west, old_south, lower, upper;
    bool wet;
} Level;

typedef struct Shared {
    Lanes *value;  /* of the last time: [level][row] */
    Lanes *column; /* in which columns are solved */
    Lanes *coupling;
    Lanes *across; /* of the row before the tile: [time in the chunk][level] */
} Shared;

TILE_FUNCTION void read_level(const Sweeping *a, ptrdiff_t m, int k, Level *v, const bool up, const bool both,
                              const Form form) {
    const LaneShape *l = &a->shape;
    const LaneMatrix *matrix = &a->matrix;
    v->start = a->in[m];
    v->west = up ? matrix->west[m] : east_coupling(l, matrix, m, both);
    v->south = up ? matrix->south[m] : north_coupling(l, matrix, m, both);
    v->lower = matrix->lower[m];
    v->upper = both && k < l->levels - 1 ? matrix->upper[m] : 0;
    if (form != IN_PLACE) return;
    v->far_west = up ? east_coupling(l, matrix, m, both) : matrix->west[m];
    v->far_south = up ? north_coupling(l, matrix, m, both) : matrix->south[m];
    v->old_west = a->out[up ? m + l->column : m - l->column];
    v->old_south = a->out[up ? north_at(l, m) : south_at(l, m)];
}

TILE_FUNCTION void read_column(const Sweeping *a, const Tile *w, int t, int lowest, Level v[EACH],
                               const bool up, const bool both, const Form form) {
    const ptrdiff_t m = w->first + tile_step(a, w, t, up) * a->shape.column;
    TILE_UNROLLED for (int e = 0; e < EACH; e++) {
        const int k = w->k + e * a->tile_levels;
        v[e].wet = k >= lowest && k < a->shape.levels;
        if (v[e].wet) read_level(a, m + (ptrdiff_t)LEVEL * (k - w->k), k, &v[e], up, both, form);
    }
}

/* What another tile has left for times t0 <= t < t0 + CHUNK, by all threads. */
TILE_FUNCTION void read_edges(const Sweeping *a, const Tile *w, BlockPlace at, const Shared *shared, int t0,
                              const bool up) {
    const LaneShape *l = &a->shape;
    const int lane = tile_edge_lane(a, w, up), row = up ? lane : 8 * (a->tile_groups - 1) + lane;
    Tile edge = *w;
    tile_row(a, &edge, w->band, row, up);
    for (int n = at.thread; n < CHUNK * l->levels; n += at.threads) {
        const int s = tile_step(a, &edge, t0 + n / l->levels, up);
        const ptrdiff_t m = edge.first + s * l->column + (ptrdiff_t)LEVEL * (n % l->levels);
        if (tile_owns(a, &edge, s)) shared->across[n] = a->out[tile_across(l, m, up)];
    }
}

/* start + what the neighbours give, of the level at m */
TILE_FUNCTION Lanes combine(const Sweeping *a, const Tile *w, const Shared *shared, const Level *v, int t,
                            int c, int k, const bool up, const Form form) {
    const LaneShape *l = &a->shape;
    const int s = tile_step(a, w, t, up), here = k * w->rows + w->row;
    const ptrdiff_t m = w->first + s * l->column + (ptrdiff_t)LEVEL * (k - w->k);
    const Lanes along =
        tile_begins(a, w, s, up) ? a->out[up ? m - l->column : m + l->column] : shared->value[here];
    Lanes across;
    if (w->edge)
        across = shared->across[c * l->levels + k];
    else if (tile_before(w, s, up))
        across = a->out[tile_across(l, m, up)];
    else
        across = shared->value[up ? here - 1 : here + 1];
    if (form == FORWARD) return two_more(v->start, a->a * v->west, along, a->a * v->south, across);
    if (form == BACKWARD) return two_more(0, a->a * v->west, along, a->a * v->south, across);
    const Lanes near = up ? two_more(v->start, v->west, along, v->south, across)
                          : two_more(v->start, v->far_west, v->old_west, v->far_south, v->old_south);
    return up ? two_more(near, v->far_west, v->old_west, v->far_south, v->old_south)
              : two_more(near, v->west, along, v->south, across);
}

/* x = T^-1 t in two halves (sweep.c); the first returns the sum of the squares of L^-1 t. */
TILE_FUNCTION Lanes lower_half(const Shared *shared, int rows, int row, int lowest, int levels) {
    Lanes last = 0, squares = 0;
    for (int k = lowest; k < levels; k++) {
        const int here = k * rows + row;
        last = lanes_fma(shared->coupling[here], last, shared->column[here]);
        squares = lanes_fma(last, last, squares);
        shared->column[here] = last;
    }
    return squares;
}

TILE_FUNCTION void upper_half(const Shared *shared, int rows, int row, int lowest, int levels,
                              const bool both) {
    Lanes last = 0;
    for (int k = levels - 1; k >= lowest; k--) {
        const int here = k * rows + row;
        const Lanes coupling = k == levels - 1 ? 0 : shared->coupling[both ? here : here + rows];
        last = lanes_fma(coupling, last, shared->column[here]);
        shared->column[here] = last;
    }
}

/* The columns of one time, between barriers. */
TILE_FUNCTION void solve_columns(const Sweeping *a, const Tile *w, BlockPlace at, const Shared *shared,
                                 const Level v[EACH], int t, int lowest, const bool up, const bool both,
                                 const Form form) {
    const int levels = a->shape.levels, s = tile_step(a, w, t, up);
    const bool mine = at.thread < w->rows && lowest < levels;
    block_barrier();
    if (mine) {
        const Lanes squares = lower_half(shared, w->rows, w->row, lowest, levels);
        if (form == FORWARD && a->sums)
            a->sums[8 * ((ptrdiff_t)w->g * a->shape.steps + s) + w->lane] = squares;
    }
    if (both) {
        block_barrier();
        TILE_UNROLLED for (int e = 0; e < EACH; e++) {
            const int k = w->k + e * a->tile_levels;
            if (v[e].wet) shared->coupling[k * w->rows + w->row] = v[e].upper;
        }
        block_barrier();
    }
    if (mine) upper_half(shared, w->rows, w->row, lowest, levels, both);
    block_barrier();
}

TILE_FUNCTION void write_columns(const Sweeping *a, const Tile *w, const Shared *shared, const Level v[EACH],
                                 int t, const bool up, const Form form) {
    const ptrdiff_t m = w->first + tile_step(a, w, t, up) * a->shape.column;
    TILE_UNROLLED for (int e = 0; e < EACH; e++) {
        const int k = w->k + e * a->tile_levels, here = k * w->rows + w->row;
        if (k >= a->shape.levels) continue;
        Lanes value = 0;
        if (v[e].wet) {
            value = form == BACKWARD ? v[e].start + shared->column[here] : shared->column[here];
            a->out[m + (ptrdiff_t)LEVEL * (k - w->k)] = value;
        }
        shared->value[here] = value;
    }
}

TILE_FUNCTION void await_tile(const Sweeping *a, const Tile *w, int thread, int t) {
    const int across = t + 8 * a->tile_groups;
    if (thread == 0 && w->band > 0)
        flag_wait(tile_flag(a, w, 1, 0), a->flag_base + (across < w->times ? across : w->times));
}

TILE_FUNCTION void sweep_tile(const Sweeping *a, const Tile *w, BlockPlace at, const Shared *shared,
                              const bool up, const bool both, const Form form) {
    Level now[EACH], next[EACH];
    int lowest = tile_lowest(a, w, w->begin, up), then = tile_lowest(a, w, w->begin + 1, up);
    read_column(a, w, w->begin, lowest, now, up, both, form);
    for (int t = w->begin; t < w->end; t++) {
        const int c = (t - w->begin) % CHUNK;
        if (c == 0) {
            await_tile(a, w, at.thread, t + CHUNK - 1);
            block_barrier();
            read_edges(a, w, at, shared, t, up);
            block_barrier();
        }
        TILE_UNROLLED for (int e = 0; e < EACH; e++) {
            const int k = w->k + e * a->tile_levels, here = k * w->rows + w->row;
            if (!now[e].wet) continue;
            shared->column[here] = combine(a, w, shared, &now[e], t, c, k, up, form);
            shared->coupling[here] = now[e].lower;
        }
        read_column(a, w, t + 1, then, next, up, both, form);
        const int after = tile_lowest(a, w, t + 2, up);
        solve_columns(a, w, at, shared, now, t, lowest, up, both, form);
        write_columns(a, w, shared, now, t, up, form);
        block_barrier();
        TILE_UNROLLED for (int e = 0; e < EACH; e++) now[e] = next[e];
        lowest = then;
        then = after;
        if (at.thread == 0 && (c == CHUNK - 1 || t == w->end - 1))
            flag_post(tile_flag(a, w, 0, 0), a->flag_base + (t == w->end - 1 ? w->times : t + 1));
    }
    if (at.thread == 0 && w->begin >= w->end) flag_post(tile_flag(a, w, 0, 0), a->flag_base + w->times);
}

TILE_FUNCTION void sweep_lines(const Sweeping *a, BlockPlace at, const bool up, const bool both,
                               const Form form) {
    SHARED_ARRAY(Lanes, value, TILE_CELLS);
    SHARED_ARRAY(Lanes, column, TILE_CELLS);
    SHARED_ARRAY(Lanes, coupling, TILE_CELLS);
    SHARED_ARRAY(Lanes, across, CHUNK * TILE_CELLS / 8);
    const Shared shared = {value, column, coupling, across};
    Tile w;
    w.bands = (a->end_group - a->first_group + a->tile_groups - 1) / a->tile_groups;
    w.chunks = 1;
    for (;;) {
        const int number = (int)(block_ticket(a->ticket, at) - a->ticket_base);
        if (number >= w.bands) break;
        if (a->rests && *a->rests) continue;
        tile_row(a, &w, number, at.thread % (8 * a->tile_groups), up);
        w.k = at.thread / w.rows;
        w.first += (ptrdiff_t)LEVEL * w.k;
        tile_times(a, &w, 0, up);
        sweep_tile(a, &w, at, &shared, up, both, form);
    }
}

BLOCK_KERNEL(lines_forward, Sweeping) {
    sweep_lines(a, at, true, false, FORWARD);
}
BLOCK_KERNEL(lines_forward_both, Sweeping) {
    sweep_lines(a, at, true, true, FORWARD);
}
BLOCK_KERNEL(lines_backward, Sweeping) {
    sweep_lines(a, at, false, false, BACKWARD);
}
BLOCK_KERNEL(lines_backward_both, Sweeping) {
    sweep_lines(a, at, false, true, BACKWARD);
}
BLOCK_KERNEL(lines_up, Sweeping) {
    sweep_lines(a, at, true, false, IN_PLACE);
}
BLOCK_KERNEL(lines_up_both, Sweeping) {
    sweep_lines(a, at, true, true, IN_PLACE);
}
BLOCK_KERNEL(lines_down, Sweeping) {
    sweep_lines(a, at, false, false, IN_PLACE);
}
BLOCK_KERNEL(lines_down_both, Sweeping) {
    sweep_lines(a, at, false, true, IN_PLACE);
}
