/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/block.h"
#include "numerics/lines/long_line_stages.h"

BLOCK_KERNEL(long_line_reduce_blocks, LongWork) {
    const int w = at.block * at.threads + at.thread;
    if (w < a->of.blocks) long_reduce(a, w);
}

BLOCK_KERNEL(long_line_join_blocks, LongWork) {
    const int w = at.block * at.threads + at.thread;
    if (w <= a->of.blocks) long_join(a, w);
}

BLOCK_KERNEL(long_line_last_rows, LongWork) {
    if (at.thread == 0) long_last(a);
}

BLOCK_KERNEL(long_line_substitute_blocks, LongWork) {
    const int w = at.block * at.threads + at.thread;
    if (w < a->of.blocks) long_substitute(a, w);
}
