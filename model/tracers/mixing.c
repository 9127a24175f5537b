/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/transport.h"

void mixing_cut(Mixing *mixing, int layers, int wanted) {
    mixing->parts = mixing->part_layers = 0;
    if (wanted <= 0) return;
    const int between = layers > 1 ? layers - 1 : 1, even = (between + wanted - 1) / wanted;
    mixing->part_layers = even < MOST_PART_LAYERS ? even : MOST_PART_LAYERS;
    mixing->parts = (between + mixing->part_layers - 1) / mixing->part_layers;
}

void mix_down(Exec exec, BlockList blocks, Mixing args) {
    if (args.parts == 0)
        mix_columns(exec, blocks, args);
    else if (exec.device == DEVICE_CPU)
        mix_column_parts(exec, blocks, args);
    else
        mix_shared_columns(exec, (BlockShape){blocks.count, BLOCK * args.parts},
                           (SharedColumns){args, blocks.block});
}
