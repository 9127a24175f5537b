/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that are whole, and the part of cut ones that needs no neighbour.
 *
 * lines_sweep: a thread goes down and up its line. The results of the way down wait for the way up in shared
 * memory (the last LINE_KEPT rows) and in x (the others).
 *
 * lines_nested: the warps of a block take the blocks between joints of the same 32 lines, so that few lines
 * keep a GPU busy, and the rows of a group are so few at a time that they stay in its caches between the
 * stages. The reduced systems are in shared memory.
 */
#define LINE_ONE_LANE
#define BLOCK_THREADS_MOST 32 /* lines_sweep: a warp, with all the registers that it likes */
#include "numerics/lines/lane.h"

BLOCK_KERNEL(lines_sweep, LinesSweep) {
    SHARED_ARRAY(double, kept, LINE_KEPT *LINE_LANES);
    const LineThread t = line_thread(at);
    const ptrdiff_t g = a->first_group + t.block, of_x = a->first_x + t.block;
    const int n = a->factors.n, split = n > LINE_KEPT ? n - LINE_KEPT : 0;
    const LineFactors k = line_factors_lane(&a->factors, g, t.lane);
    const LineSource s = line_source(&a->rhs, of_x, t.lane);
    double *x = a->x + of_x * n * LINE_LANES + t.lane, *y = kept + t.lane;
    const LineNumber middle = line_lane_down(&k, s, 0, split, line_of(0), x);
    (void)line_lane_down(&k, s, split, n, middle, y);
    const LineNumber last =
        line_lane_up(&k, n - 1, n, line_of(0), y + (ptrdiff_t)(n - 1 - split) * LINE_LANES, x);
    const LineNumber first = line_lane_up(&k, 0, split, line_lane_up(&k, split, n - 1, last, y, x), x, x);
    const ptrdiff_t message = t.block * LINE_LANES + t.lane;
    if (!a->end) return;
    a->end[2 * t.block * LINE_LANES + t.lane] = a->to_before[message] = first;
    a->end[(2 * t.block + 1) * LINE_LANES + t.lane] = a->to_after[message] = last;
}

/* ---- nested ---- */

#undef BLOCK_THREADS_MOST
#define BLOCK_THREADS_MOST 512 /* LINE_WARPS warps */

/* One lane's numbers of a level: right-hand sides come from a source, the rest is in place of x. */
POINTWISE void reduce_level(LineSpan span, const LineFactors *k, LineSource s, LineThread t, double *x) {
    for (int w = t.warp; w < span.joints; w += t.warps)
        line_lane_reduce(k, s, w * span.block + 1, line_block_end(span, w), x);
}

/* JD and JU. */
POINTWISE void join_level(LineSpan span, bool periodic, const LineFactors *k, LineSource s, LineThread t,
                          const double *x, double *joint) {
    for (int w = t.warp; w < span.joints; w += t.warps) {
        const int j = w * span.block, before = j > 0 ? j - 1 : span.rows - 1;
        const LineNumber left =
            j > 0 || periodic ? line_load(x + (ptrdiff_t)before * LINE_LANES) : line_of(0);
        line_store(joint + (ptrdiff_t)w * LINE_LANES,
                   line_joint_at(line_table(k->f, k->per_line, j), line_table(k->g, k->per_line, j),
                                 line_source_row(s, s.reach, j), left,
                                 line_load(x + (ptrdiff_t)(j + 1) * LINE_LANES)));
    }
}

POINTWISE void substitute_level(LineSpan span, bool periodic, const LineFactors *k, LineThread t,
                                const double *joint, double *x) {
    for (int w = t.warp; w < span.joints; w += t.warps) {
        const int j = w * span.block, next = w + 1 < span.joints ? w + 1 : 0;
        const bool open = w + 1 < span.joints || periodic; /* else the line ends */
        const LineNumber left = line_load(joint + (ptrdiff_t)w * LINE_LANES);
        const LineNumber right = open ? line_load(joint + (ptrdiff_t)next * LINE_LANES) : line_of(0);
        line_store(x + (ptrdiff_t)j * LINE_LANES, left);
        line_lane_substitute(k, j + 1, line_block_end(span, w), left, right, x);
    }
}

/* Down one level: what its blocks leave of the joints' right-hand sides goes to `next`. */
POINTWISE void down_level(const LinesNested *a, int n, ptrdiff_t g, LineSource s, LineThread t, double *x,
                          double *next) {
    const LineSpan span = a->level[n].span;
    const LineFactors k = line_factors_lane(&a->level[n].factors, g, t.lane);
    reduce_level(span, &k, s, t, x);
    block_barrier();
    join_level(span, a->periodic, &k, s, t, x, next);
    block_barrier();
}

BLOCK_KERNEL(lines_nested, LinesNested) {
    SHARED_ARRAY(double, kept, LINE_KEPT *LINE_LANES);
    const LineThread t = line_thread(at);
    const ptrdiff_t g = a->first_group + t.block;
    const int last = a->levels - 1;
    double *const x = a->x + (a->first_x + t.block) * a->rhs.n * LINE_LANES + t.lane;
    double *const joints =
        (a->joints > LINE_KEPT ? a->scratch + t.block * a->joints * LINE_LANES : kept) + t.lane;
    double *level = x, *next = joints;
    for (int n = 0; n < last; n++) {
        if (n == 0)
            down_level(a, n, g, line_source(&a->rhs, a->first_x + t.block, t.lane), t, level, next);
        else
            down_level(a, n, g, line_source_given(level), t, level, next);
        level = next;
        next += (ptrdiff_t)a->level[n].span.joints * LINE_LANES;
    }
    if (t.warp == 0) {
        const LineFactors k = line_factors_lane(&a->level[last].factors, g, t.lane);
        line_lane_reduce(&k, line_source_given(level), 0, k.n, level);
    }
    for (int n = last - 1; n >= 0; n--) {
        const LineFactors k = line_factors_lane(&a->level[n].factors, g, t.lane);
        const double *joint = level;
        level = n > 0 ? level - (ptrdiff_t)a->level[n - 1].span.joints * LINE_LANES : x;
        block_barrier();
        substitute_level(a->level[n].span, a->periodic, &k, t, joint, level);
    }
}
