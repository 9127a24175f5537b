/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps on devices: one launch each, tiles taken by ticket, flags between neighbours.
 *
 * A tile is a band of groups of eight rows, over all steps; where levels are swept one after the other
 * (points_blocks.c), it is some of the levels as well. Bands and levels are counted in the order of the
 * sweep, from its corner. Every thread has one row (and level) and marches along it. Its cell at time t is
 * one that needs what its neighbours in the tile had at t - 1, which they left in shared memory,
 *
 *     t = s + 8 (group within the tile) + (level within the tile),     s: step, counted in the sweep's order
 *
 * the diagonal i + j + k of the method's authors, in skewed storage. What lies beyond the tile comes from
 * memory, CHUNK times at once, after the neighbouring tile's flag has said that it is there; flags count
 * times. Tiles before and below have lower tickets, so that nobody waits for whom nobody runs.
 *
 * Reference: A. Sukhinov, V. Litvinov, A. Chistyakov, A. Nikitina, N. Gracheva, N. Rudenko, "Solving grid
 * equations on a heterogeneous computing system" (2021), algorithm 2.
 */
#ifndef MAEOTIS_NUMERICS_MATM_SWEEP_TILES_H
#define MAEOTIS_NUMERICS_MATM_SWEEP_TILES_H

#include "gpu/block.h"
#include "numerics/matm/triangular.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU wants all of a tile's march in one function, with its loops undone, so that what is read ahead stays
 * in registers. The emulator does not, and sanitizers would take minutes to compile it. */
#if defined(__CUDACC__)
#define TILE_FUNCTION POINTWISE
#define TILE_UNROLLED UNROLLED
#define TILE_ROLLED   _Pragma("unroll 1")
#else
#define TILE_FUNCTION static inline
#define TILE_UNROLLED
#define TILE_ROLLED
#endif

enum {
    SWEEP_THREADS = 512, /* most of a block; leaves a thread 128 registers */
    TILE_ROWS = 64,      /* most rows of a tile */
    TILE_LEVELS = 64,    /* most levels of a tile of points, most threads for the levels of lines */
    TILE_CELLS = 1600,   /* of lines: most rows times levels */
    /* of one layer: helpers for each thread that marches; letters of a number */
    FLAT_HELPERS = 4,
    FLAT_LETTERS = (int)(sizeof(Real) / sizeof(int))
};

typedef struct Sweeping {
    LaneShape shape;
    LaneMatrix matrix;
    Lanes a;
    int flag_base; /* flags are above it from this sweep on; here, so that no float is padded */
    const Lanes *in;
    Lanes *out, *sums;            /* sums: NULL, or per column */
    int first_group, end_group;   /* which are swept, */
    int from, until;              /* where from <= s + 8 g < until */
    int tile_groups, tile_levels; /* lines: threads for the levels */
    int *flag;
    Letter *letters; /* of one layer: what each tile's last row has, a column after the other */
    int64_t *ticket, ticket_base;
    const int *rests; /* NULL, or not 0 if nothing is to be done: tickets are taken all the same */
} Sweeping;

/* One tile, and the thread's place in it. */
typedef struct Tile {
    int bands, chunks, band, chunk; /* of groups, of levels */
    int times, begin, end;          /* begin <= t < end: something may be left to do */
    int rows, row, lane, g, q, lag; /* q: group within the tile, in the order of the sweep */
    int k, kq;
    int s0, s1;      /* steps of this group that are swept */
    int earlier;     /* steps that the group before had left to earlier launches (lane 0 or 7 asks) */
    ptrdiff_t first; /* of the row and level: at step 0 */
    bool valid;      /* there is such a row and level */
    bool edge;       /* what lies across is another tile's, or a neighbour's */
} Tile;

/* Letters of a row, from WARP_THREADS before its first column on. */
TILE_FUNCTION int flat_columns(int n1) {
    return n1 + 2 * WARP_THREADS;
}

TILE_FUNCTION int tile_clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

TILE_FUNCTION int tile_first_step(const Sweeping *a, int g) {
    return tile_clamp(a->from - 8 * g, 0, a->shape.steps);
}
TILE_FUNCTION int tile_end_step(const Sweeping *a, int g) {
    return tile_clamp(a->until - 8 * g, 0, a->shape.steps);
}

/* Steps that count from the other end in sweeps down. */
TILE_FUNCTION int tile_step(const Sweeping *a, const Tile *w, int t, const bool up) {
    return up ? t - w->lag : a->shape.steps - 1 - (t - w->lag);
}

TILE_FUNCTION bool tile_owns(const Sweeping *a, const Tile *w, int s) {
    return w->valid && s >= w->s0 && s < w->s1 && s >= w->lane && s - w->lane < a->shape.n1;
}

/* Is what lies along the row (across it) not this launch's? */
TILE_FUNCTION bool tile_begins(const Sweeping *a, const Tile *w, int s, const bool up) {
    return up ? s == w->s0 || s == w->lane : s == w->s1 - 1 || s - w->lane == a->shape.n1 - 1;
}
TILE_FUNCTION bool tile_before(const Tile *w, int s, const bool up) {
    if (up) return w->lane > 0 ? s == w->s0 : s + 7 < w->earlier;
    return w->lane < 7 ? s == w->s1 - 1 : s - 7 >= w->earlier;
}

TILE_FUNCTION void tile_times(const Sweeping *a, Tile *w, int lags, const bool up) {
    const int first =
        8 * (up ? a->first_group + w->band * a->tile_groups : a->end_group - 1 - w->band * a->tile_groups);
    const int steps = a->shape.steps;
    w->times = steps + 8 * (a->tile_groups - 1) + lags;
    w->begin = up ? a->from - first : steps - a->until + first;
    w->end = up ? a->until - first + lags : steps - a->from + first + lags;
    w->begin = tile_clamp(w->begin, 0, w->times);
    w->end = tile_clamp(w->end, w->begin, w->times);
}

/* Row `row` of tile `number`; level 0, in time with the row. */
TILE_FUNCTION void tile_row(const Sweeping *a, Tile *w, int number, int row, const bool up) {
    const LaneShape *l = &a->shape;
    w->chunk = number % w->chunks;
    w->band = number / w->chunks;
    w->rows = 8 * a->tile_groups;
    w->row = row;
    w->lane = row % 8;
    w->q = up ? row / 8 : a->tile_groups - 1 - row / 8;
    w->g = up ? a->first_group + w->band * a->tile_groups + w->q
              : a->end_group - 1 - w->band * a->tile_groups - w->q;
    const bool group = w->g >= a->first_group && w->g < a->end_group;
    const int j = 8 * w->g + w->lane;
    w->valid = group && j < l->n2;
    w->s0 = group ? tile_first_step(a, w->g) : 0;
    w->s1 = group ? tile_end_step(a, w->g) : 0;
    w->earlier = up ? tile_first_step(a, w->g - 1) : tile_end_step(a, w->g + 1);
    w->edge = w->q == 0 && (up ? w->lane == 0 : w->lane == 7 || j == l->n2 - 1);
    w->k = w->kq = 0;
    w->lag = 8 * w->q;
    w->first = lane_at(l, w->g, 0) + w->lane;
}

/* Level `local` of the `levels` of a tile, which waits for the level before it. */
TILE_FUNCTION void tile_level(const Sweeping *a, Tile *w, int local, int levels, const bool up) {
    w->kq = up ? local : levels - 1 - local;
    w->k = up ? w->chunk * levels + local : a->shape.levels - (w->chunk + 1) * levels + local;
    w->lag += w->kq;
    w->first += (ptrdiff_t)LEVEL * w->k;
    w->valid = w->valid && w->k >= 0 && w->k < a->shape.levels;
}

/* The lowest level with water at the step of time t; all levels are below it where the row has none. */
TILE_FUNCTION int tile_lowest(const Sweeping *a, const Tile *w, int t, const bool up) {
    const int s = tile_step(a, w, t, up);
    return tile_owns(a, w, s) ? a->shape.lowest[w->g * a->shape.steps + s] : a->shape.levels;
}

TILE_FUNCTION ptrdiff_t tile_across(const LaneShape *l, ptrdiff_t m, const bool up) {
    return up ? south_at(l, m) : north_at(l, m);
}

/* Down, j = n2 - 1 has the cells around the own ones across, which no thread of the tile has. */
TILE_FUNCTION int tile_edge_lane(const Sweeping *a, const Tile *w, const bool up) {
    const int g = a->end_group - 1 - w->band * a->tile_groups;
    return up ? 0 : tile_clamp(a->shape.n2 - 1 - 8 * g, 0, 7);
}

TILE_FUNCTION int *tile_flag(const Sweeping *a, const Tile *w, int bands_back, int chunks_back) {
    return a->flag + (w->band - bands_back) * w->chunks + w->chunk - chunks_back;
}

/* names in either precision */
#ifdef MATM_SINGLE
#define points_forward       single_points_forward
#define points_backward      single_points_backward
#define points_backward_both single_points_backward_both
#define points_up            single_points_up
#define points_up_both       single_points_up_both
#define points_down          single_points_down
#define points_down_both     single_points_down_both
#define points_pivots        single_points_pivots
#define flat_forward         single_flat_forward
#define flat_backward        single_flat_backward
#define flat_pivots          single_flat_pivots
#define lines_forward        single_lines_forward
#define lines_forward_both   single_lines_forward_both
#define lines_backward       single_lines_backward
#define lines_backward_both  single_lines_backward_both
#define lines_up             single_lines_up
#define lines_up_both        single_lines_up_both
#define lines_down           single_lines_down
#define lines_down_both      single_lines_down_both
#endif

typedef void SweepLaunch(Exec exec, BlockShape shape, Sweeping args);
SweepLaunch points_forward, points_backward, points_backward_both; /* sweep.h */
SweepLaunch points_up, points_up_both, points_down, points_down_both;
SweepLaunch points_pivots; /* matrix.c: in: the diagonal, out: shares, sums: the pivots, a cell each */
SweepLaunch flat_forward, flat_backward, flat_pivots; /* of one layer, self-adjoint, all steps */
SweepLaunch lines_forward, lines_forward_both, lines_backward, lines_backward_both;
SweepLaunch lines_up, lines_up_both, lines_down, lines_down_both;

#ifdef __cplusplus
}
#endif
#endif
