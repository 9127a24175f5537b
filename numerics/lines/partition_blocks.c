/* SPDX-License-Identifier: Apache-2.0
 *
 * The N-shaped partition over ranks: the work of nshaped.c on a group between two messages.
 */
#define LINE_ONE_LANE
#define BLOCK_THREADS_MOST 512 /* LINE_WARPS warps */
#include "numerics/lines/lane.h"

/* What all stages work with. */
typedef struct Lane {
    LineFactors k;
    LineSource s;
    double *z;
    ptrdiff_t message; /* where the lane is in messages */
} Lane;

BLOCK_INLINE_ Lane lane_of(const LinesPart *a, LineThread t) {
    const ptrdiff_t g = a->first_group + t.block;
    Lane of;
    of.k = line_factors_lane(&a->factors, g, t.lane);
    of.s = line_source(&a->rhs, g, t.lane);
    of.z = a->x + g * a->n * LINE_LANES + t.lane;
    of.message = t.block * LINE_LANES + t.lane;
    return of;
}

BLOCK_INLINE_ void tell_last(const LinesPart *a, Lane l) {
    if (a->to_after) a->to_after[l.message] = l.z[(ptrdiff_t)(a->n - 1) * LINE_LANES];
}
BLOCK_INLINE_ void tell_first(const LinesPart *a, Lane l) {
    if (a->to_before) a->to_before[l.message] = l.z[0];
}

/* RD of the block that goes on after the own rows. */
BLOCK_INLINE_ void tail(const LinesPart *a, Lane l) {
    (void)line_lane_down(&l.k, l.s, a->tail, a->n, line_of(0), l.z + (ptrdiff_t)a->tail * LINE_LANES);
    tell_last(a, l);
}

/* RD and RU of what began before the own rows. */
BLOCK_INLINE_ void head(const LinesPart *a, Lane l) {
    (void)line_lane_down(&l.k, l.s, 0, a->head, a->from_before[l.message], l.z);
    tell_last(a, l);
    if (a->through) return;
    (void)line_lane_up(&l.k, 0, a->head, line_of(0), l.z, l.z);
    tell_first(a, l);
}

/* RU of the tail. */
BLOCK_INLINE_ void tail_up(const LinesPart *a, Lane l) {
    if (a->tail < a->n)
        (void)line_lane_up(&l.k, a->tail, a->n, a->from_after[l.message],
                           l.z + (ptrdiff_t)a->tail * LINE_LANES, l.z);
    tell_first(a, l);
}

/* JD and JU. */
BLOCK_INLINE_ void join(const LinesPart *a, Lane l, LineThread t) {
    const ptrdiff_t own = a->joint1 - a->joint0;
    for (int w = a->joint0 + t.warp; w < a->joint1; w += t.warps) {
        const int j = w * a->span.block - a->first;
        const double *z = l.z + (ptrdiff_t)j * LINE_LANES;
        const double left = j > 0 ? z[-LINE_LANES] : a->from_before[l.message];
        const double right = j < a->n - 1 ? z[LINE_LANES] : a->from_after[l.message];
        a->joints[(t.block * own + w - a->joint0) * LINE_LANES + t.lane] =
            line_joint_at(line_table(l.k.f, l.k.per_line, j), line_table(l.k.g, l.k.per_line, j),
                          line_source_row(l.s, l.s.reach, j), left, right);
    }
}

BLOCK_KERNEL(lines_part, LinesPart) {
    const LineThread t = line_thread(at);
    const Lane l = lane_of(a, t);
    if (a->stage == LINES_TAIL) {
        if (t.warp == 0) tail(a, l);
    } else if (a->stage == LINES_HEAD) {
        if (t.warp == 0) head(a, l);
    } else if (a->stage == LINES_INSIDE) {
        for (int w = a->whole0 + t.warp; w < a->whole1; w += t.warps)
            line_lane_reduce(&l.k, l.s, w * a->span.block + 1 - a->first,
                             line_block_end(a->span, w) - a->first, l.z);
        block_barrier();
        if (t.warp == 0) {
            tell_last(a, l);
            tell_first(a, l);
        }
    } else {
        if (t.warp == 0) tail_up(a, l);
        block_barrier();
        join(a, l, t);
    }
}

BLOCK_KERNEL(lines_substitute, LinesSubstitute) {
    const LineThread t = line_thread(at);
    const ptrdiff_t g = a->first_group + t.block;
    const LineFactors k = line_factors_lane(&a->factors, g, t.lane);
    double *x = a->x + g * a->n * LINE_LANES + t.lane;
    const double *support = a->support + t.block * a->supports * LINE_LANES + t.lane;
    for (int j = 0; j < a->n;) {
        const int w = line_block(a->span, a->first + j), end = line_block_end(a->span, w) - a->first,
                  last = end < a->n ? end : a->n;
        const double *own = support + (ptrdiff_t)(w - a->support0) * LINE_LANES;
        if ((w - a->support0) % t.warps == t.warp) {
            if (w * a->span.block == a->first + j) x[(ptrdiff_t)j++ * LINE_LANES] = own[0];
            line_lane_substitute(&k, j, last, own[0], own[LINE_LANES], x);
        }
        j = last;
    }
}
