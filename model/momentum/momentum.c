/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/momentum.h"
#include "model/momentum/plain.h"
#include "model/momentum/turns.h"

static void predict(Exec exec, BlockList blocks, Momentum a) {
    const bool chooses = exec.device != DEVICE_GPU; /* whose compiler spills as much in either */
    if (a.cut.parts > 0 && exec.device == DEVICE_CPU)
        momentum_predict_parts(exec, blocks, a);
    else if (a.cut.parts > 0)
        momentum_predict_shared(exec, (BlockShape){blocks.count, BLOCK * a.cut.parts},
                                (SharedMomentum){a, blocks.block});
    else if (chooses && is_plain(&a))
        momentum_predict_plain(exec, blocks, a);
    else if (chooses && is_pressed(&a))
        momentum_predict_pressed(exec, blocks, a);
    else if (chooses && is_uneven(&a))
        momentum_predict_uneven(exec, blocks, a);
    else
        momentum_predict(exec, blocks, a);
}

static void predict_faces(const void *context, Exec exec, bool along_x, BlockList faces) {
    const Momentum *both = (const Momentum *)context;
    predict(exec, faces, both[along_x ? 0 : 1]);
}

void momentum_predict_both(Exec exec, const Grid *grid, Momentum u, Momentum v) {
    faces_by_turns(exec, grid, predict_faces, (const Momentum[]){u, v});
}
