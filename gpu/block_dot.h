/* SPDX-License-Identifier: Apache-2.0
 *
 * The dot product of a block, of which sums that do not depend on ranks are made (gpu/reduce.h). On the host.
 */
#ifndef MAEOTIS_GPU_BLOCK_DOT_H
#define MAEOTIS_GPU_BLOCK_DOT_H

#include "gpu/kernel.h"

typedef double DotLanes
    __attribute__((vector_size(BLOCK * sizeof(double)), aligned(sizeof(double)), may_alias));

/* The order of a tree of threads that halves: l takes l + 4, then l + 2, then l + 1. */
static inline double block_dot(const double *x, const double *y) {
    const DotLanes p = *(const DotLanes *)x * *(const DotLanes *)y;
    typedef double Half __attribute__((vector_size(BLOCK / 2 * sizeof(double))));
    typedef double Quarter __attribute__((vector_size(BLOCK / 4 * sizeof(double))));
    const Half h = __builtin_shufflevector(p, p, 0, 1, 2, 3) + __builtin_shufflevector(p, p, 4, 5, 6, 7);
    const Quarter q = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
    return q[0] + q[1];
}

enum { DOT_AHEAD = 16 * BLOCK }; /* what will be needed soon comes from memory */

/* Those of all blocks, to part[blocks.count]. */
static inline void block_dots(BlockList blocks, const double *x, const double *y, ptrdiff_t row,
                              double *part) {
    for (int n = 0; n < blocks.count; n++) {
        const ptrdiff_t at = blocks.block[n].j * row + blocks.block[n].i0;
        PREFETCH(x + at + DOT_AHEAD);
        PREFETCH(y + at + DOT_AHEAD);
        part[n] = block_dot(x + at, y + at);
    }
}

#endif
