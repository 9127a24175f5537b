/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/turns.h"

#define BLOCKS_BY_TURNS 4

static bool is_before(Block a, Block b) {
    return a.j < b.j || (a.j == b.j && a.i0 < b.i0);
}

void faces_by_turns(Exec exec, const Grid *grid, OfFaces *act, const void *context) {
    const BlockList of_u = grid->blocks_u, of_v = grid->blocks_v;
    if (exec.device != DEVICE_CPU) {
        act(context, exec, true, of_u);
        act(context, exec, false, of_v);
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
        act(context, exec, true, (BlockList){of_u.block + done_u, next_u - done_u});
        act(context, exec, false, (BlockList){of_v.block + done_v, next_v - done_v});
        done_u = next_u;
        done_v = next_v;
    }
}
