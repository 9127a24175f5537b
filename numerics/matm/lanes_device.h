/* SPDX-License-Identifier: Apache-2.0
 *
 * What devices do with whole lane arrays: zeros, copies, edges, totals. Numbers in place of vectors.
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

/* x = from; NULL: zeros */
typedef struct Filling {
    Lanes *x;
    int64_t count;
    const Lanes *from;
} Filling;

/* Column `place` (rows from <= j < to) or row `place` (columns from <= i < to) to a message, or back; zeros
 * where there is no message, in as many places, a `stride` apart, as wanted. */
typedef struct EdgeCopy {
    LaneShape shape;
    Lanes *x;
    Real *message;
    bool column, pack;
    int place, from, to, places, stride;
} EdgeCopy;

enum { TOTALS_MOST = 4 };

typedef struct Totals {
    LaneShape shape;
    const Lanes *sums[TOTALS_MOST];
    ExactSum *total; /* of each; added to, and not normalised */
} Totals;

#ifdef MATM_SINGLE
#define lanes_fill_blocks      single_lanes_fill_blocks
#define lanes_copy_edge_blocks single_lanes_copy_edge_blocks
#define lanes_totals_blocks    single_lanes_totals_blocks
#endif

void lanes_fill_blocks(Exec exec, BlockShape shape, Filling args);
void lanes_copy_edge_blocks(Exec exec, BlockShape shape, EdgeCopy args);
void lanes_totals_blocks(Exec exec, BlockShape shape, Totals args);

#ifdef __cplusplus
}
#endif
#endif
