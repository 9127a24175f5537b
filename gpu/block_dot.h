/* SPDX-License-Identifier: Apache-2.0
 *
 * The dot product of a block, of which sums that do not depend on ranks are made (gpu/reduce.h). On the host.
 */
#ifndef MAEOTIS_GPU_BLOCK_DOT_H
#define MAEOTIS_GPU_BLOCK_DOT_H

#include "gpu/kernel.h"

/* The order of a tree of threads that halves: l takes l + 4, then l + 2, then l + 1. */
static inline double block_dot(const double *x, const double *y) {
    double p[BLOCK];
    for (int l = 0; l < 8; l++) p[l] = x[l] * y[l];
    for (int l = 0; l < 4; l++) p[l] += p[l + 4];
    for (int l = 0; l < 2; l++) p[l] += p[l + 2];
    return p[0] + p[1];
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
