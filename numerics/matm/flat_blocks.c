/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps of one layer. A tile is as many rows as a warp has threads, at most, and every row has a thread that marches along
 * it: at time t that of row r has column t - r, counted in the order of the sweep as rows are, so that what lies across
 * is what the thread before had at t - 1, and comes from its register. This chain of cells is as long as the sea is
 * wide and high, so those who march wait for nothing else: helpers bring from memory what cells need, some STRETCHes
 * of times ahead, leave it in shared memory, and take the results away. What the last row of the tile before has
 * comes by letters, a column each, as soon as it is known.
 */
#define MATM_ONE_LANE
#define BLOCK_THREADS_MOST (WARP_THREADS * (1 + FLAT_HELPERS))
#include "numerics/matm/sweep_tiles.h"

/* A GPU takes a whole warp, and knows it when it compiles. */
#if defined(__CUDA_ARCH__)
#define FLAT_ROWS(at) WARP_THREADS
#else
#define FLAT_ROWS(at) ((at).threads / (1 + FLAT_HELPERS))
#endif

/* Times between two barriers. Shared memory has four stretches: one whose results are taken away, the one that is marched, the
 * next, which marching threads read meanwhile, and the one after that, which is put down. */
#ifdef MATM_SINGLE
enum { STRETCH = 16 };
#else
enum { STRETCH = 8 };
#endif
enum { STRETCHES = 4, PLACES = STRETCHES * STRETCH * WARP_THREADS };

/* The cells of a thread's row, from the first that is swept. */
typedef struct Row {
    ptrdiff_t m, along;   /* the first cell, and from there to the next */
    const int *lowest;    /* of the first cell's step */
    Lanes *square;        /* of the first cell's column */
    int direction, count; /* of steps; cells, 0 if there is no such row */
} Row;

/* A thread's cells of a stretch: on their way to shared memory, or those that it marches through. */
typedef struct Cells {
    Lanes start[STRETCH], along[STRETCH], across[STRETCH];
    Lanes diagonal[STRETCH]; /* of pivots */
    int wet;                 /* a bit for each */
} Cells;

/* Of each time and row. What a cell's number (and pivot) is takes the place of its start (and diagonal). */
typedef struct FlatShared {
    Lanes *start, *along, *across, *diagonal;
    int *wet;    /* of a stretch and row: a bit for each time */
    Lanes *edge; /* of each time: what lies across the first row */
} FlatShared;

/* A tile, and the thread's row in it. */
typedef struct FlatTile {
    int band, rows, r;
    Row row, first;
    Letter *letter; /* of the last row at time 0, for the tile after */
    bool sends;     /* this is the last row */
} FlatTile;

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

/* Cell n of a thread's row. Beside the row: the nearest in it, dry. */
TILE_FUNCTION void read_flat(const Sweeping *a, const Row *row, int column, int n, Cells *cells,
                             const bool up, const bool pivots) {
    const LaneShape *l = &a->shape;
    const int near = tile_clamp(column, 0, l->n1 - 1);
    const ptrdiff_t m = row->m + near * row->along;
    const bool wet = row->lowest[near * row->direction] == 0 && column >= 0 && column < row->count;
    cells->wet |= (int)wet << n;
    cells->start[n] = pivots ? a->matrix.west[m + l->column] + north_of(l, a->matrix.south, m) : a->in[m];
    cells->along[n] = up ? a->matrix.west[m] : east_coupling(l, &a->matrix, m, false);
    cells->across[n] = up ? a->matrix.south[m] : north_coupling(l, &a->matrix, m, false);
    if (pivots) cells->diagonal[n] = a->in[m];
}

TILE_FUNCTION void read_stretch(const Sweeping *a, const FlatTile *w, int stretch, Cells *cells,
                                const bool up, const bool pivots) {
    cells->wet = 0;
    TILE_UNROLLED for (int n = 0; n < STRETCH; n++)
        read_flat(a, &w->row, stretch * STRETCH + n - w->r, n, cells, up, pivots);
}

/* Of time n of a stretch, and the thread's row. */
TILE_FUNCTION int place_of(const FlatTile *w, int stretch, int n) {
    return (stretch % STRETCHES * STRETCH + n) * WARP_THREADS + w->r;
}

TILE_FUNCTION void put_down(const Sweeping *a, const FlatTile *w, const FlatShared *shared, int stretch,
                            const Cells *cells, const bool pivots) {
    TILE_UNROLLED for (int n = 0; n < STRETCH; n++) {
        const int at = place_of(w, stretch, n);
        shared->start[at] = cells->start[n];
        shared->along[at] = pivots ? cells->along[n] : a->a * cells->along[n];
        shared->across[at] = pivots ? cells->across[n] : a->a * cells->across[n];
        if (pivots) shared->diagonal[at] = cells->diagonal[n];
    }
    shared->wet[stretch % STRETCHES * WARP_THREADS + w->r] = cells->wet;
}

/* Columns beside the row have letters, too, which nobody reads. */
TILE_FUNCTION Letter *letter_of(const Sweeping *a, int band, int column) {
    return a->letters + ((ptrdiff_t)band * flat_columns(a->shape.n1) + WARP_THREADS + column) * FLAT_LETTERS;
}

TILE_FUNCTION void send(Letter *letter, Lanes x, int number) {
    int bits[FLAT_LETTERS];
    memcpy(bits, &x, sizeof x);
    TILE_UNROLLED for (int n = 0; n < FLAT_LETTERS; n++) letter_post(letter + n, bits[n], number);
}

TILE_FUNCTION Lanes receive(const Letter *letter, int number) {
    int bits[FLAT_LETTERS];
    Lanes x;
    TILE_UNROLLED for (int n = 0; n < FLAT_LETTERS; n++) bits[n] = letter_wait(letter + n, number);
    memcpy(&x, bits, sizeof x);
    return x;
}

/* What lies across the first row: another tile's, or where there is none, what is there. */
TILE_FUNCTION void put_edge(const Sweeping *a, const FlatTile *w, const FlatShared *shared, int stretch,
                            const bool up) {
    for (int n = w->r; n < STRETCH; n += w->rows) {
        const int column = stretch * STRETCH + n;
        if (column >= w->first.count) break;
        const ptrdiff_t m = w->first.m + column * w->first.along;
        shared->edge[stretch % STRETCHES * STRETCH + n] =
            w->band > 0 ? receive(letter_of(a, w->band - 1, column), a->flag_base + 1)
                        : a->out[tile_across(&a->shape, m, up)];
    }
}

TILE_FUNCTION void take_up(const FlatShared *shared, int from, int n, Cells *cells, const bool pivots) {
    const int at = from + n * WARP_THREADS;
    cells->start[n] = shared->start[at];
    cells->along[n] = shared->along[at];
    cells->across[n] = shared->across[at];
    if (pivots) cells->diagonal[n] = shared->diagonal[at];
}

/* The number of cell n, and its pivot; value and across: what is new along and across. */
TILE_FUNCTION Lanes flat_solve(const Cells *cells, int n, Lanes value, Lanes across, Lanes *pivot,
                               const bool pivots) {
    if (!pivots) return two_more(cells->start[n], cells->along[n], value, cells->across[n], across);
    const Lanes diagonal = cells->diagonal[n], start = cells->start[n];
    const Lanes found = pivot_of(diagonal, cells->along[n] * value + cells->across[n] * across);
    /* A GPU takes long to divide zero; a choice after the division would let the compiler divide it all the same. */
    const bool some = diagonal > 0 && start != 0;
    *pivot = diagonal > 0 ? found : 0; /* on land there is none */
    return (some ? start : 1) / found * (some ? 1 : 0);
}

/* One cell after the other is replaced by the next stretch's. */
TILE_FUNCTION Lanes march_flat(const FlatTile *w, const FlatShared *shared, int stretch, Cells *cells,
                               Lanes value, int number, const bool pivots) {
    const int here = place_of(w, stretch, 0), next = place_of(w, stretch + 1, 0);
    const int wet = cells->wet, before = w->r - stretch * STRETCH; /* times before the first cell */
    const Lanes *edge = shared->edge + stretch % STRETCHES * STRETCH;
    Letter *letter = w->letter + (ptrdiff_t)(stretch * STRETCH) * FLAT_LETTERS;
    Lanes beside[STRETCH];
    TILE_UNROLLED for (int n = 0; n < STRETCH; n++) beside[n] = edge[n];
    cells->wet = shared->wet[(stretch + 1) % STRETCHES * WARP_THREADS + w->r];
    TILE_UNROLLED for (int n = 0; n < STRETCH; n++) {
        const Lanes above = (Lanes)warp_before(value, n, w->rows);
        Lanes pivot = 0;
        const Lanes x = flat_solve(cells, n, value, w->r == 0 ? beside[n] : above, &pivot, pivots);
        value = wet >> n & 1 ? x : n < before ? value : 0; /* before the first cell: what is beside it */
        shared->start[here + n * WARP_THREADS] = value;
        if (pivots) shared->diagonal[here + n * WARP_THREADS] = pivot;
        if (w->sends) send(letter + n * FLAT_LETTERS, value, number);
        take_up(shared, next, n, cells, pivots);
    }
    return value;
}

TILE_FUNCTION void take_away(const Sweeping *a, const FlatTile *w, const FlatShared *shared, int stretch,
                             const bool up, const bool pivots) {
    const int wet = shared->wet[stretch % STRETCHES * WARP_THREADS + w->r];
    TILE_UNROLLED for (int n = 0; n < STRETCH; n++) {
        if (!(wet >> n & 1)) continue;
        const int column = stretch * STRETCH + n - w->r, at = place_of(w, stretch, n);
        const ptrdiff_t m = w->row.m + column * w->row.along;
        const Lanes x = shared->start[at];
        a->out[m] = x;
        if (pivots) a->sums[m] = shared->diagonal[at];
        if (!pivots && up && w->row.square) w->row.square[8 * column] = lanes_fma(x, x, 0);
    }
}

/* Threads of crew 0 march through stretch n, the others help, a stretch each in turn. */
TILE_FUNCTION void flat_tile(const Sweeping *a, const FlatTile *w, int crew, const FlatShared *shared,
                             const bool up, const bool pivots) {
    const int stretches = (a->shape.n1 + w->rows - 1 + STRETCH - 1) / STRETCH, mine = crew - 1;
    Cells cells;                                   /* that are marched; a helper's: that it puts down next */
    Lanes value = a->out[w->row.m - w->row.along]; /* beside the first cell */
    read_stretch(a, w, crew > 0 ? mine : 0, &cells, up, pivots);
    TILE_ROLLED for (int n = -2; n <= stretches; n++) {
        if (crew == 0) {
            if (n == -1) {
                cells.wet = shared->wet[w->r];
                TILE_UNROLLED for (int m = 0; m < STRETCH; m++)
                    take_up(shared, place_of(w, 0, 0), m, &cells, pivots);
            }
            if (n >= 0 && n < stretches)
                value = march_flat(w, shared, n, &cells, value, a->flag_base + 1, pivots);
        } else {
            if (n > 0 && (n - 1) % FLAT_HELPERS == mine) take_away(a, w, shared, n - 1, up, pivots);
            if (n >= -1 && n + 1 < stretches && (n + 1) % FLAT_HELPERS == mine)
                put_edge(a, w, shared, n + 1, up);
            if (n + 2 < stretches && (n + 2) % FLAT_HELPERS == mine) {
                put_down(a, w, shared, n + 2, &cells, pivots);
                read_stretch(a, w, n + 2 + FLAT_HELPERS, &cells, up, pivots);
            }
        }
        block_barrier();
    }
}

TILE_FUNCTION void sweep_flat(const Sweeping *a, BlockPlace at, const bool up, const bool pivots) {
    SHARED_ARRAY(Lanes, start, PLACES);
    SHARED_ARRAY(Lanes, along, PLACES);
    SHARED_ARRAY(Lanes, across, PLACES);
    SHARED_ARRAY(Lanes, diagonal, PLACES); /* of pivots alone; the compiler leaves it out elsewhere */
    SHARED_ARRAY(int, wet, STRETCHES *WARP_THREADS);
    SHARED_ARRAY(Lanes, edge, STRETCHES * STRETCH);
    const FlatShared shared = {start, along, across, diagonal, wet, edge};
    const int all = tile_clamp(8 * a->end_group, 0, a->shape.n2) - 8 * a->first_group;
    FlatTile w;
    w.rows = FLAT_ROWS(at);
    w.r = at.thread % w.rows;
    const int bands = (all + w.rows - 1) / w.rows;
    for (;;) {
        w.band = (int)(block_ticket(a->ticket, at) - a->ticket_base);
        if (w.band >= bands) break;
        if (a->rests && *a->rests) continue;
        w.row = flat_row(a, w.band * w.rows + w.r, up);
        w.first = flat_row(a, w.band * w.rows, up);
        w.letter = letter_of(a, w.band, 1 - w.rows);
        w.sends = w.r == w.rows - 1;
        flat_tile(a, &w, at.thread / w.rows, &shared, up, pivots);
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
