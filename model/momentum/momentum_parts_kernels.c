/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/grid.h"
#define PART_LAYERS MAX_LEVELS
#include "model/momentum/shared_columns.h"

/* All parts of a block of faces, one after the other; for processors. */
KERNEL_COLUMNS(momentum_predict_parts, Momentum) {
    const int parts = a->cut.parts, n3 = a->g.n3;
    FaceColumn column;
    FaceRows rows;
    FaceEnds ends[MOST_COLUMN_PARTS];
    FaceJoints joints;
    FaceSums sums = {{0}, {0}, {0}};
    double advance[LANES];
    face_column_begin(a, AT2(a->g, i0, j), j, &column);
    for (int w = 0; w < parts; w++) face_part_down(&column, column_part(a->cut, n3, w, 0), &rows, &ends[w]);
    face_joints(&column, ends, 1, &joints, advance, sums.old);
    for (int w = parts - 1; w >= 0; w--) {
        FaceSums part;
        face_part_up(&column, column_part(a->cut, n3, w, 0), &rows, joints.predicted[w], joints.response[w],
                     joints.predicted[w + 1], joints.response[w + 1], advance, &part);
        FOR_LANES (l) sums.predicted[l] += part.predicted[l];
        FOR_LANES (l) sums.response[l] += part.response[l];
    }
    finish_faces(a, column.first, j, &sums);
}
