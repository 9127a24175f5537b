/* SPDX-License-Identifier: Apache-2.0
 *
 * Set-up: a thread factors its line, block by block of the line, with the blocks shared among the warps.
 */
#define LINE_ONE_LANE
#define BLOCK_THREADS_MOST 512 /* LINE_WARPS warps */
#include "numerics/lines/lane.h"

#include <float.h>

/* Rows of f and w that are no numbers, of those that this warp made. */
BLOCK_INLINE_ int64_t unsound_rows(const LineFactors *k, int warp, int warps) {
    int64_t count = 0;
    for (int j = warp; j < k->n; j += warps) {
        const bool sound = fabs(line_table(k->f, k->per_line, j)) <= DBL_MAX &&
                           fabs(line_table(k->w, k->per_line, j)) <= DBL_MAX;
        count += !sound;
    }
    return count;
}

BLOCK_KERNEL(lines_factor, LinesFactor) {
    const LineThread t = line_thread(at);
    const LineMatrix m = line_matrix_lane(&a->matrix, t.block, t.lane),
                     reduced = line_matrix_lane(&a->joints, t.block, t.lane);
    const LineFactors k = line_factors_lane(&a->factors, t.block, t.lane);
    const bool idle = a->idle && a->idle[t.block * LINE_LANES + t.lane];
    if (m.n == 1 && !idle) {
        if (t.warp == 0) line_factor_single(&m, a->periodic, &k);
    } else if (!idle)
        line_factor_blocks(&m, a->span, &k, t.warp, t.warps);
    block_barrier();
    const int64_t unsound = idle ? 0 : unsound_rows(&k, t.warp, t.warps);
    if (unsound) (void)block_atomic_add(a->unsound, unsound);
    for (int w = a->joint0 + t.warp; w < a->joint1; w += t.warps) {
        const int j = w * a->span.block - a->origin, to = w - a->joint0;
        if (!idle) {
            line_joint_row(&m, &k, j > 0 ? j - 1 : a->periodic ? m.n - 1 : -1, j, j + 1, &reduced, to);
            continue;
        }
        line_put(reduced.a, true, to, line_of(0));
        line_put(reduced.b, true, to, line_of(1));
        line_put(reduced.c, true, to, line_of(0));
    }
}

BLOCK_KERNEL(lines_factor_ends, LinesFactorEnds) {
    const LineThread t = line_thread(at);
    const LineMatrix m = line_matrix_lane(&a->matrix, t.block, t.lane);
    const LineFactors k = line_factors_lane(&a->factors, t.block, t.lane);
    const ptrdiff_t to = t.block * LINE_LANES + t.lane;
    if (a->idle[to]) return;
    const LineEnds ends = line_factor_interface(&m, &k);
    a->first_p[to] = ends.first_p;
    a->first_q[to] = ends.first_q;
    a->last_p[to] = ends.last_p;
    a->last_q[to] = ends.last_q;
}
