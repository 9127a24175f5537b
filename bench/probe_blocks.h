/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAEOTIS_BENCH_PROBE_BLOCKS_H
#define MAEOTIS_BENCH_PROBE_BLOCKS_H

#include "gpu/emu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A chain: each block of threads waits for the one before it, adds 1 to what that one left, and posts. */
typedef struct ProbeChain {
    int64_t *ticket; /* 0 before the launch */
    int *flag;       /* one for each block, 0 before */
    int *value;      /* one for each block: 1, 2, 3, ... afterwards */
} ProbeChain;
void probe_chain(Exec exec, BlockShape shape, ProbeChain args);

#ifdef __cplusplus
}
#endif
#endif
