/* SPDX-License-Identifier: Apache-2.0
 *
 * The block kernels behind reduce.h.
 */
#ifndef MAEOTIS_GPU_REDUCE_BLOCKS_H
#define MAEOTIS_GPU_REDUCE_BLOCKS_H

#include "gpu/block.h"
#include "gpu/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REDUCE_THREADS = 256 }; /* at most, and a multiple of BLOCK */

typedef struct ReduceDot {
    const Block *block;
    ptrdiff_t count;
    const double *x, *y;
    ptrdiff_t row;
    ExactSum *sum; /* is added to, and not normalised */
} ReduceDot;

void reduce_dot_blocks(Exec exec, BlockShape shape, ReduceDot args);

typedef struct ReduceTerms {
    const double *term;
    ptrdiff_t count;
    ExactSum *sum; /* as above */
} ReduceTerms;

void reduce_terms_blocks(Exec exec, BlockShape shape, ReduceTerms args);

#ifdef __cplusplus
}
#endif
#endif
