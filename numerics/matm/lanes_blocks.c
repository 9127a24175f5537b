/* SPDX-License-Identifier: Apache-2.0
 *
 * Zeros, copies, edges and totals of lane arrays.
 */
#define MATM_ONE_LANE
#include "numerics/matm/lanes_device.h"

BLOCK_KERNEL(lanes_fill_blocks, Filling) {
    const int64_t all = (int64_t)at.blocks * at.threads;
    for (int64_t n = (int64_t)at.block * at.threads + at.thread; n < a->count; n += all)
        a->x[n] = a->from ? a->from[n] : 0;
}

BLOCK_KERNEL(lanes_copy_edge_blocks, EdgeCopy) {
    const LaneShape *l = &a->shape;
    const int length = a->to - a->from;
    const int64_t count = (int64_t)a->places * length * l->levels, all = (int64_t)at.blocks * at.threads;
    for (int64_t n = (int64_t)at.block * at.threads + at.thread; n < count; n += all) {
        const int turn = (int)(n / l->levels), k = (int)(n % l->levels);
        const int place = a->place + turn / length * a->stride, along = a->from + turn % length;
        const int i = a->column ? place : along, j = a->column ? along : place;
        const int g = (j + 8) / 8 - 1, lane = (j + 8) % 8;
        Lanes *x = a->x + lane_at(l, g, i + lane) + (ptrdiff_t)LEVEL * k + lane;
        if (a->pack)
            a->message[n] = *x;
        else
            *x = a->message ? a->message[n] : 0;
    }
}

/* The sum of the n-th run of eight columns: of row 8 g + lane, from west to east. Where a step has no water
 * there are zeros. */
POINTWISE double sum_of_eight(const LaneShape *l, const Lanes *sums, int64_t n, int blocks) {
    const int lane = (int)(n % 8), b = (int)(n / 8 % blocks), g = (int)(n / 8 / blocks);
    double part = 0;
    if (8 * g + lane >= l->n2) return 0;
    for (int i = 8 * b; i < 8 * b + 8 && i < l->n1; i++)
        part += (double)sums[8 * ((ptrdiff_t)g * l->steps + i + lane) + lane];
    return part;
}

/* Every thread sums runs of eight columns and adds them to its group's exact sum, piece by piece; in the end
 * these meet as whole numbers. Block n works on the total n % (number of totals). */
BLOCK_KERNEL(lanes_totals_blocks, Totals) {
    SHARED_ARRAY(ExactSum, group_sum, TOTALS_THREADS / TOTALS_GROUP);
    const LaneShape *l = &a->shape;
    int count = 0;
    while (count < TOTALS_MOST && a->sums[count]) count++;
    const int which = at.block % count, groups = at.threads / TOTALS_GROUP;
    const int blocks = (l->n1 + 7) / 8, group = at.thread / TOTALS_GROUP;
    if (at.thread % TOTALS_GROUP == 0) exact_sum_clear(&group_sum[group]);
    block_barrier();
    const int64_t all = (int64_t)(at.blocks / count) * at.threads, runs = (int64_t)8 * l->groups * blocks;
    for (int64_t n = (int64_t)(at.block / count) * at.threads + at.thread; n < runs; n += all) {
        int64_t piece[3];
        const int limb = exact_sum_pieces(sum_of_eight(l, a->sums[which], n, blocks), piece);
        for (int p = 0; p < 3; p++)
            if (piece[p] != 0) block_atomic_add(&group_sum[group].limb[limb + p], piece[p]);
    }
    block_barrier();
    for (int limb = at.thread; limb < EXACT_SUM_LIMBS; limb += at.threads) {
        int64_t total = 0;
        for (int g = 0; g < groups; g++) total += group_sum[g].limb[limb];
        if (total != 0) block_atomic_add(&a->total[which].limb[limb], total);
    }
}
