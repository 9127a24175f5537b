/* SPDX-License-Identifier: Apache-2.0
 *
 * The dot product of a block, of which sums that do not depend on ranks are made (gpu/reduce.h). On the host.
 */
#ifndef MAEOTIS_GPU_BLOCK_DOT_H
#define MAEOTIS_GPU_BLOCK_DOT_H

#include "gpu/kernel.h"

/* Half a block: as wide as the vectors of most processors. A function that returned one would depend on their kind. */
typedef double HalfBlock
    __attribute__((vector_size(BLOCK / 2 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef double QuarterBlock __attribute__((vector_size(BLOCK / 4 * sizeof(double))));

#define HALF_OF(x) (*(const HalfBlock *)(x))

/* The order of a tree of threads that halves: l takes l + 4, then l + 2, then l + 1. */
static inline double block_dot(const double *x, const double *y) {
    const HalfBlock h = HALF_OF(x) * HALF_OF(y) + HALF_OF(x + BLOCK / 2) * HALF_OF(y + BLOCK / 2);
    const QuarterBlock q = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
    return q[0] + q[1];
}

enum { DOT_AHEAD = 16 * BLOCK }; /* what will be needed soon comes from memory */

/* Those of four blocks, by the same tree: half of each level's sums in each vector. */
static inline void block_dots_of_four(const Block *block, const double *x, const double *y, ptrdiff_t row,
                                      double *part) {
    HalfBlock h[4], q[2];
    for (int n = 0; n < 4; n++) {
        const ptrdiff_t at = block[n].j * row + block[n].i0;
        PREFETCH(x + at + DOT_AHEAD);
        PREFETCH(y + at + DOT_AHEAD);
        h[n] = HALF_OF(x + at) * HALF_OF(y + at) + HALF_OF(x + at + BLOCK / 2) * HALF_OF(y + at + BLOCK / 2);
    }
    for (int n = 0; n < 2; n++)
        q[n] = __builtin_shufflevector(h[2 * n], h[2 * n + 1], 0, 1, 4, 5) +
               __builtin_shufflevector(h[2 * n], h[2 * n + 1], 2, 3, 6, 7);
    *(HalfBlock *)part =
        __builtin_shufflevector(q[0], q[1], 0, 2, 4, 6) + __builtin_shufflevector(q[0], q[1], 1, 3, 5, 7);
}

/* Those of all blocks, to part[blocks.count]. */
static inline void block_dots(BlockList blocks, const double *x, const double *y, ptrdiff_t row,
                              double *part) {
    const int fours = blocks.count / 4 * 4;
    for (int n = 0; n < fours; n += 4) block_dots_of_four(blocks.block + n, x, y, row, part + n);
    for (int n = fours; n < blocks.count; n++) {
        const ptrdiff_t at = blocks.block[n].j * row + blocks.block[n].i0;
        part[n] = block_dot(x + at, y + at);
    }
}

#endif
