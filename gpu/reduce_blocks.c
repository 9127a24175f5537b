/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of BLOCK threads take a block of columns each: the products meet in a tree that halves, and the
 * first thread of the group adds their sum to the group's own exact sum. In the end the exact sums meet limb
 * by limb, as whole numbers, so that it does not matter which group took which block. AT_ONCE blocks of
 * columns share the barriers of the tree, and their loads are under way together.
 */
#include "gpu/reduce_blocks.h"

enum { AT_ONCE = 4 };

BLOCK_INLINE_ double product(const ReduceDot *a, int n, int lane) {
    if (n >= a->count) return 0;
    const Block block = a->block[n];
    const ptrdiff_t at = block.j * a->row + block.i0 + lane;
    return a->x[at] * a->y[at];
}

/* What the groups of a block have found, limb by limb. */
BLOCK_INLINE_ void add_groups(const ExactSum *group_sum, int groups, BlockPlace at, ExactSum *sum) {
    for (int limb = at.thread; limb < EXACT_SUM_LIMBS; limb += at.threads) {
        int64_t total = 0;
        for (int g = 0; g < groups; g++) total += group_sum[g].limb[limb];
        if (total != 0) (void)block_atomic_add(&sum->limb[limb], total);
    }
}

BLOCK_KERNEL(reduce_dot_blocks, ReduceDot) {
    SHARED_ARRAY(double, part, AT_ONCE *REDUCE_THREADS);
    SHARED_ARRAY(ExactSum, group_sum, REDUCE_THREADS / BLOCK);
    const int lane = at.thread % BLOCK, group = at.thread / BLOCK, groups = at.threads / BLOCK;
    if (lane == 0) exact_sum_clear(&group_sum[group]);

    double *mine = part + at.thread;
    for (int first = at.block * groups; first < a->count; first += at.blocks * groups * AT_ONCE) {
        for (int m = 0; m < AT_ONCE; m++)
            mine[m * REDUCE_THREADS] = product(a, first + group + m * at.blocks * groups, lane);
        for (int half = BLOCK / 2; half > 0; half /= 2) {
            block_barrier();
            for (int m = 0; m < AT_ONCE && lane < half; m++)
                mine[m * REDUCE_THREADS] += mine[m * REDUCE_THREADS + half];
        }
        for (int m = 0; m < AT_ONCE && lane == 0; m++)
            exact_sum_add(&group_sum[group], mine[m * REDUCE_THREADS]);
        block_barrier(); /* before the parts are overwritten, and the last time: before the sums are read */
    }
    if (at.block * groups >= a->count) return;

    add_groups(group_sum, groups, at, a->sum);
}

/* A term is three whole numbers, which go to the group's sum as they come. */
BLOCK_KERNEL(reduce_terms_blocks, ReduceTerms) {
    SHARED_ARRAY(ExactSum, group_sum, REDUCE_THREADS / BLOCK);
    const int group = at.thread / BLOCK, groups = at.threads / BLOCK;
    if (at.thread % BLOCK == 0) exact_sum_clear(&group_sum[group]);
    block_barrier();
    for (int n = at.block * at.threads + at.thread; n < a->count; n += at.blocks * at.threads) {
        int64_t piece[3];
        int64_t *limb = group_sum[group].limb + exact_sum_pieces(a->term[n], piece);
        for (int m = 0; m < 3; m++)
            if (piece[m] != 0) (void)block_atomic_add(&limb[m], piece[m]);
    }
    block_barrier();
    add_groups(group_sum, groups, at, a->sum);
}
