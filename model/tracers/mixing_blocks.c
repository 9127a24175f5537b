/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns in parts on a GPU: a block of threads takes BLOCK neighbouring columns, a thread one part of one of them; the threads
 * of the first parts solve for the joints.
 */
#ifndef KERNELS_IN_ONE_LANE
#define KERNELS_IN_ONE_LANE
#endif
#define BLOCK_THREADS_MOST 128 /* BLOCK columns of MOST_COLUMN_PARTS */
#include "gpu/block.h"
#include "model/tracers/transport.h"
#define PART_LAYERS MOST_PART_LAYERS
#include "model/tracers/column_parts.h"

BLOCK_KERNEL(mix_shared_columns, SharedColumns) {
    const Mixing *m = &a->mixing;
    SHARED_ARRAY(PartEnds, ends, MOST_COLUMN_PARTS * BLOCK);
    SHARED_ARRAY(PartSums, sums, MOST_COLUMN_PARTS * BLOCK);
    SHARED_ARRAY(Gathered, gathered, MOST_COLUMN_PARTS * BLOCK);
    SHARED_ARRAY(double, value, (MOST_COLUMN_PARTS + 1) * BLOCK);
    SHARED_ARRAY(double, most, BLOCK);
    const int lane = at.thread % BLOCK, w = at.thread / BLOCK;
    const ptrdiff_t first = AT2(m->g, a->block[at.block].i0 + lane, a->block[at.block].j);
    const ColumnPart part = column_part(m->cut, m->g.n3, w, column_part(m->cut, m->g.n3, w, 0).lower);
    double lowest[1], right[PART_LAYERS][1];
    PartRows rows;
    Joints joints;
    find_lowest(m, first, lowest);
    for (int n = 0; n < m->count; n++) {
        const double settling = m->settling[n];
        EndOfStep end;
        end_of_step(m, n, first, lowest, &end);
        const bool anew = n == 0 || settling != m->settling[n - 1];
        if (anew) part_reduce(m, first, part, settling, &rows, ends + at.thread);
        part_sum(&end, first, part, &rows, right, sums + at.thread);
        block_barrier();
        if (w == 0) {
            if (anew) joints_eliminate(m, first, ends + lane, BLOCK, &joints, most + lane);
            joints_solve(&end, n, first, sums + lane, BLOCK, &joints, value + lane);
        }
        block_barrier();
        gather_begin(gathered + at.thread);
        part_end(&end, first, part, &rows, right, value + at.thread, value + at.thread + BLOCK, most + lane,
                 gathered + at.thread);
        block_barrier();
        if (w > 0) continue;
        Gathered all;
        gather_begin(&all);
        for (int from = m->cut.parts - 1; from >= 0; from--)
            gather_part(&all, gathered + from * BLOCK + lane);
        gather_end(&all, m->depth, &m->contents[n], first);
    }
}
