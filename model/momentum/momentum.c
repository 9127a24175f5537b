/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/momentum.h"
#include "model/momentum/plain.h"

/* Blocks of u for which the next blocks of v find in the nearest caches what they share with them. */
#define BLOCKS_BY_TURNS 4

static bool is_before(Block a, Block b) {
    return a.j < b.j || (a.j == b.j && a.i0 < b.i0);
}

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
    else
        momentum_predict(exec, blocks, a);
}

void momentum_predict_both(Exec exec, const Grid *grid, Momentum u, Momentum v) {
    const BlockList of_u = grid->blocks_u, of_v = grid->blocks_v;
    if (exec.device != DEVICE_CPU) {
        predict(exec, of_u, u);
        predict(exec, of_v, v);
        return;
    }
    for (int done_u = 0, done_v = 0; done_u < of_u.count || done_v < of_v.count;) {
        int next_u = done_u + BLOCKS_BY_TURNS, next_v = done_v;
        if (next_u < of_u.count) {
            while (next_v < of_v.count && is_before(of_v.block[next_v], of_u.block[next_u])) next_v++;
        } else {
            next_u = of_u.count;
            next_v = of_v.count;
        }
        predict(exec, (BlockList){of_u.block + done_u, next_u - done_u}, u);
        predict(exec, (BlockList){of_v.block + done_v, next_v - done_v}, v);
        done_u = next_u;
        done_v = next_v;
    }
}
