/* SPDX-License-Identifier: Apache-2.0
 *
 * What devices do with whole lane arrays: zeros, edges, totals. Numbers in place of vectors.
 */
#ifndef MAEOTIS_NUMERICS_MATM_LANES_DEVICE_H
#define MAEOTIS_NUMERICS_MATM_LANES_DEVICE_H

#include "gpu/block.h"
#include "gpu/reduce.h"
#include "numerics/matm/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TOTALS_THREADS = 256, TOTALS_GROUP = 8 }; /* threads of a group share an exact sum */

typedef struct Clearing {
    Lanes *x;
    int64_t count;
} Clearing;

/* Column `place` (rows from <= j < to) or row `place` (columns from <= i < to) to a message, or back; zeros
 * where there is no message. */
typedef struct EdgeCopy {
    LaneShape shape;
    Lanes *x;
    Real *message;
    bool column, pack;
    int place, from, to;
} EdgeCopy;

enum { TOTALS_MOST = 4 };

typedef struct Totals {
    LaneShape shape;
    const Lanes *sums[TOTALS_MOST];
    ExactSum *total; /* of each; added to, and not normalised */
} Totals;

typedef struct NoTotals {
    ExactSum *total;
    int count;
} NoTotals;

#ifdef MATM_SINGLE
#define lanes_clear_blocks     single_lanes_clear_blocks
#define lanes_copy_edge_blocks single_lanes_copy_edge_blocks
#define lanes_no_totals_blocks single_lanes_no_totals_blocks
#define lanes_totals_blocks    single_lanes_totals_blocks
#endif

void lanes_clear_blocks(Exec exec, BlockShape shape, Clearing args);
void lanes_copy_edge_blocks(Exec exec, BlockShape shape, EdgeCopy args);
void lanes_no_totals_blocks(Exec exec, BlockShape shape, NoTotals args);
void lanes_totals_blocks(Exec exec, BlockShape shape, Totals args);

#ifdef __cplusplus
}
#endif
#endif
