/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/probe_blocks.h"
#include "gpu/block.h"

BLOCK_KERNEL(probe_chain, ProbeChain) {
    const int64_t n = block_ticket(a->ticket, at);
    if (at.thread > 0) return;
    if (n > 0) flag_wait(&a->flag[n - 1], 1);
    a->value[n] = n > 0 ? a->value[n - 1] + 1 : 1;
    flag_post(&a->flag[n], 1);
}
