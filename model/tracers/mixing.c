/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/transport.h"

void mix_down(Exec exec, BlockList blocks, Mixing args) {
    if (args.cut.parts == 0)
        mix_columns(exec, blocks, args);
    else if (exec.device == DEVICE_CPU)
        mix_column_parts(exec, blocks, args);
    else
        mix_shared_columns(exec, (BlockShape){blocks.count, BLOCK * args.cut.parts},
                           (SharedColumns){args, blocks.block});
}
