/* SPDX-License-Identifier: Apache-2.0
 *
 * DistD2 after the neighbours' numbers have arrived: systems of two rows at both cuts, and the rows between.
 * Every thread of a line solves the two for itself.
 */
#define LINE_ONE_LANE
#define BLOCK_THREADS_MOST 512 /* LINE_WARPS warps */
#include "numerics/lines/lane.h"

typedef struct Ends {
    double first, last;
} Ends;

BLOCK_INLINE_ double number(const LinesEnds *a, const double *table, ptrdiff_t at) {
    return table[a->per_line ? at : 0];
}

BLOCK_INLINE_ Ends solve_ends(const LinesEnds *a, LineThread t) {
    const ptrdiff_t table = (a->first_group + t.block) * LINE_LANES + t.lane,
                    message = t.block * LINE_LANES + t.lane;
    const double *end = a->end + 2 * t.block * LINE_LANES + t.lane;
    const double first = line_fma(number(a, a->first_p, table), a->from_before[message], end[0]);
    const double last = line_fma(number(a, a->last_q, table), a->from_after[message], end[LINE_LANES]);
    Ends x;
    x.first = line_mul(first, number(a, a->inverse_before, table));
    x.last = line_mul(last, number(a, a->inverse_after, table));
    return x;
}

BLOCK_KERNEL(lines_ends, LinesEnds) {
    const LineThread t = line_thread(at);
    const Ends x = solve_ends(a, t);
    const ptrdiff_t g = a->first_group + t.block, table = g * LINE_LANES + t.lane,
                    message = t.block * LINE_LANES + t.lane;
    const double *z = a->x + g * a->n * LINE_LANES + t.lane;
    double *end = a->end + 2 * t.block * LINE_LANES + t.lane;
    end[0] = a->to_before[message] = line_fma(number(a, a->first_q, table), x.last, z[0]);
    end[LINE_LANES] = a->to_after[message] =
        line_fma(number(a, a->last_p, table), x.first, z[(ptrdiff_t)(a->n - 1) * LINE_LANES]);
}

BLOCK_KERNEL(lines_supports, LinesEnds) {
    const LineThread t = line_thread(at);
    const Ends ends = solve_ends(a, t);
    const ptrdiff_t g = a->first_group + t.block;
    const LineFactors k = line_factors_lane(&a->factors, g, t.lane);
    double *x = a->x + g * a->n * LINE_LANES + t.lane;
    const int inside = a->n - 2, share = (inside + t.warps - 1) / t.warps, j0 = 1 + t.warp * share,
              j1 = j0 + share < a->n - 1 ? j0 + share : a->n - 1;
    line_lane_substitute(&k, j0, j1, ends.first, ends.last, x);
    if (t.warp > 0) return;
    x[0] = ends.first;
    x[(ptrdiff_t)(a->n - 1) * LINE_LANES] = ends.last;
}
