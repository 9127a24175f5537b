/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving numbers: between fields and lines, between arrays and messages; and the products and sums of
 * transport.
 *
 * Along x a tile of 32 lanes by 32 rows is turned in shared memory, so that a warp reads 32 neighbours of one
 * side and writes 32 neighbours of the other; a column more than needed keeps the threads of a warp in
 * different banks. Along y and z a group's row is four vectors of the field already.
 */
#define LINE_ONE_LANE
#define BLOCK_THREADS_MOST 512 /* LINE_WARPS warps */
#include "numerics/lines/lane.h"

enum { TILE_ROW = LINE_LANES + 1 };

/* Where a row of a lane of the block's group is in the field. */
BLOCK_INLINE_ ptrdiff_t cell_of(const LinesReorder *a, ptrdiff_t g, int lane, int row) {
    const LinePlace p = a->place[g * LINE_BLOCKS + lane / BLOCK];
    const int l = lane % BLOCK, i = a->axis == LINES_X ? row : p.i + l,
              j = a->axis == LINES_Y   ? row
                  : a->axis == LINES_X ? p.j + l
                                       : p.j,
              k = a->axis == LINES_Z ? row : p.k;
    return k * a->plane + j * a->row + i;
}

BLOCK_INLINE_ void give(const LinesReorder *a, double *cell, double x) {
    *cell = a->way == LINES_ADD_TO_FIELD ? line_fma(a->scale, x, *cell) : x;
}

/* Rows row0 <= row < row0 + 32 of all lanes; threads go along rows in the field and along lanes in the lines.
 */
BLOCK_INLINE_ void turn(const LinesReorder *a, LineThread t, int row0, double *tile) {
    const int there = t.lane, rows = a->n - row0 < LINE_LANES ? a->n - row0 : LINE_LANES;
    double *lines = a->lines + (t.block * a->n + row0) * LINE_LANES + there;
    const unsigned char *idle = a->idle + t.block * LINE_LANES;
    if (a->way == LINES_FROM_FIELD) {
        for (int lane = t.warp; lane < LINE_LANES; lane += t.warps)
            tile[lane * TILE_ROW + there] =
                idle[lane] || there >= rows ? 0 : a->field[cell_of(a, t.block, lane, row0 + there)];
        block_barrier();
        for (int row = t.warp; row < rows; row += t.warps)
            lines[(ptrdiff_t)row * LINE_LANES] = tile[there * TILE_ROW + row];
    } else {
        for (int row = t.warp; row < rows; row += t.warps)
            tile[there * TILE_ROW + row] = lines[(ptrdiff_t)row * LINE_LANES];
        block_barrier();
        for (int lane = t.warp; lane < LINE_LANES; lane += t.warps)
            if (!idle[lane] && there < rows)
                give(a, a->field + cell_of(a, t.block, lane, row0 + there), tile[lane * TILE_ROW + there]);
    }
    block_barrier(); /* before the tile is overwritten */
}

BLOCK_KERNEL(lines_reorder, LinesReorder) {
    SHARED_ARRAY(double, tile, LINE_LANES *TILE_ROW);
    const LineThread t = line_thread(at);
    if (a->axis == LINES_X) {
        for (int row0 = 0; row0 < a->n; row0 += LINE_LANES) turn(a, t, row0, tile);
        return;
    }
    const bool idle = a->idle[t.block * LINE_LANES + t.lane];
    double *lines = a->lines + t.block * a->n * LINE_LANES + t.lane;
    const ptrdiff_t first = idle ? 0 : cell_of(a, t.block, t.lane, 0),
                    along = a->axis == LINES_Y ? a->row : a->plane;
    for (int row = t.warp; row < a->n; row += t.warps) {
        double *line = lines + (ptrdiff_t)row * LINE_LANES, *cell = a->field + first + row * along;
        if (a->way == LINES_FROM_FIELD)
            *line = idle ? 0 : *cell;
        else if (!idle)
            give(a, cell, *line);
    }
}

BLOCK_KERNEL(lines_copy_blocks, LinesCopy) {
    const double *from = a->from ? a->from + at.block * a->from_piece : NULL;
    double *to = a->to + at.block * a->to_piece;
    ptrdiff_t m = at.thread;
    for (; from && m + 3 * at.threads < a->count; m += 4 * at.threads) {
        double x[4]; /* all on their way before the first is needed */
        UNROLLED for (int n = 0; n < 4; n++) x[n] = from[m + n * at.threads];
        UNROLLED for (int n = 0; n < 4; n++) to[m + n * at.threads] = x[n];
    }
    for (; m < a->count; m += at.threads) to[m] = from ? from[m] : 0;
}

BLOCK_KERNEL(lines_terms, LinesTerms) {
    const ptrdiff_t step = (ptrdiff_t)at.blocks * at.threads;
    for (ptrdiff_t m = (ptrdiff_t)at.block * at.threads + at.thread; m < a->count; m += step)
        a->sum[m] = lines_term_at(a, m);
}
