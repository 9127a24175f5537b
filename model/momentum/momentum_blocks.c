/* SPDX-License-Identifier: Apache-2.0
 *
 * Vertical lines of faces in parts on a GPU: a block of threads takes BLOCK neighbouring columns, a thread one part of one of them;
 * the threads of the first parts solve for the joints.
 */
#ifndef KERNELS_IN_ONE_LANE
#define KERNELS_IN_ONE_LANE
#endif
#define BLOCK_THREADS_MOST 128 /* BLOCK columns of MOST_COLUMN_PARTS */
#include "gpu/block.h"
#include "model/momentum/momentum.h"
#define PART_LAYERS MOST_PART_LAYERS
#include "model/momentum/shared_columns.h"

/* Of one column: what its threads tell each other. */
typedef struct SharedFace {
    FaceJoints joints;
    double advance, flux;
} SharedFace;

BLOCK_KERNEL(momentum_predict_shared, SharedMomentum) {
    const Momentum *m = &a->momentum;
    SHARED_ARRAY(FaceEnds, ends, MOST_COLUMN_PARTS * BLOCK);
    SHARED_ARRAY(FaceSums, sums, MOST_COLUMN_PARTS * BLOCK);
    SHARED_ARRAY(SharedFace, shared, BLOCK);
    const int lane = at.thread % BLOCK, w = at.thread / BLOCK, j = a->block[at.block].j;
    ColumnPart part = column_part(m->cut, m->g.n3, w, 0);
    SharedFace *of = shared + lane;
    FaceColumn column;
    FaceRows rows;
    part.first = part.lower;
    face_column_begin(m, AT2(m->g, a->block[at.block].i0 + lane, j), j, &column);
    if (w > 0) face_column_skip(&column, part.upper);
    face_part_down(&column, part, &rows, ends + at.thread);
    block_barrier();
    if (w == 0) face_joints(&column, ends + lane, BLOCK, &of->joints, &of->advance, &of->flux);
    block_barrier();
    face_part_up(&column, part, &rows, of->joints.predicted[w], of->joints.response[w],
                 of->joints.predicted[w + 1], of->joints.response[w + 1], &of->advance, sums + at.thread);
    block_barrier();
    if (w > 0) return;
    FaceSums all = {{0}, {0}, {0}};
    all.old[0] = of->flux;
    for (int from = m->cut.parts - 1; from >= 0; from--) {
        all.predicted[0] += sums[from * BLOCK + lane].predicted[0];
        all.response[0] += sums[from * BLOCK + lane].response[0];
    }
    finish_faces(m, column.first, j, &all);
}
