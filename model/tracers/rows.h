/* SPDX-License-Identifier: Apache-2.0
 *
 * Work lists, row by row.
 */
#ifndef MAEOTIS_MODEL_TRACER_ROWS_H
#define MAEOTIS_MODEL_TRACER_ROWS_H

#include "numerics/grid/grid.h"

enum { ALL_ROWS = -1000 };

/* The rows first <= j < first + count; start[j - first] is where row j begins, and start[count] the end. */
typedef struct BlockRows {
    BlockList all;
    int first, count;
    int *start;
} BlockRows;

/* The cells i0 <= i < i1, j0 <= j < j1. */
typedef struct Rectangle {
    int i0, i1, j0, j1;
} Rectangle;

/* The blocks with a column of the rectangle whose `lowest` is one of the layers. It may begin a block before the own cells. */
BlockRows block_rows_find(const Grid *grid, const double *lowest, Rectangle of);
void block_rows_release(BlockRows *rows);

typedef struct RunRows {
    RunList all;
    int first, count;
    int *start;
} RunRows;

static inline BlockList block_row(const BlockRows *rows, int j) {
    if (j == ALL_ROWS) return rows->all;
    if (j < rows->first || j >= rows->first + rows->count) return (BlockList){NULL, 0};
    const int *start = rows->start + (j - rows->first);
    return (BlockList){rows->all.block + start[0], start[1] - start[0]};
}

static inline RunList run_row(const RunRows *rows, int j) {
    if (j == ALL_ROWS) return rows->all;
    if (j < rows->first || j >= rows->first + rows->count) return (RunList){NULL, 0, 0};
    const int *start = rows->start + (j - rows->first);
    return (RunList){rows->all.run + start[0], start[1] - start[0], 0};
}

#endif
