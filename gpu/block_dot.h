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

/* The same tree for eight blocks at once: a half of each level's sums in each vector. */
static inline DotLanes block_dots_of_eight(const DotLanes p[8]) {
    DotLanes h[4], q[2];
    for (int n = 0; n < 4; n++)
        h[n] = __builtin_shufflevector(p[2 * n], p[2 * n + 1], 0, 1, 2, 3, 8, 9, 10, 11) +
               __builtin_shufflevector(p[2 * n], p[2 * n + 1], 4, 5, 6, 7, 12, 13, 14, 15);
    for (int n = 0; n < 2; n++)
        q[n] = __builtin_shufflevector(h[2 * n], h[2 * n + 1], 0, 1, 4, 5, 8, 9, 12, 13) +
               __builtin_shufflevector(h[2 * n], h[2 * n + 1], 2, 3, 6, 7, 10, 11, 14, 15);
    return __builtin_shufflevector(q[0], q[1], 0, 2, 4, 6, 8, 10, 12, 14) +
           __builtin_shufflevector(q[0], q[1], 1, 3, 5, 7, 9, 11, 13, 15);
}

enum { DOT_AHEAD = 16 * BLOCK }; /* what will be needed soon comes from memory */

/* Those of all blocks, to part[blocks.count]. */
static inline void block_dots(BlockList blocks, const double *x, const double *y, ptrdiff_t row,
                              double *part) {
    const int eights = blocks.count / 8 * 8;
    for (int n = 0; n < eights; n += 8) {
        DotLanes p[8];
        for (int b = 0; b < 8; b++) {
            const ptrdiff_t at = blocks.block[n + b].j * row + blocks.block[n + b].i0;
            PREFETCH(x + at + DOT_AHEAD);
            PREFETCH(y + at + DOT_AHEAD);
            p[b] = *(const DotLanes *)(x + at) * *(const DotLanes *)(y + at);
        }
        *(DotLanes *)(part + n) = block_dots_of_eight(p);
    }
    for (int n = eights; n < blocks.count; n++) {
        const ptrdiff_t at = blocks.block[n].j * row + blocks.block[n].i0;
        part[n] = block_dot(x + at, y + at);
    }
}

#endif
