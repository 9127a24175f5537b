/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps whose D is T, the columns' own systems: x = T^-1 t, T = L U with ones on both diagonals, which are two
 * recurrences over the levels of a step, up with L and down with U.
 *
 * Memory is read and written in the order in which it lies, as processors foresee it: forward all goes up the
 * levels, step after step, back all goes down. So forward the recurrence with L reads what is outside the
 * column and writes the step before, and the one with U finds all in the first cache; back it is the other
 * way round. (Asking for data ahead of their turn made both slower.)
 */
#ifndef MAEOTIS_NUMERICS_MATM_SWEEP_LINES_H
#define MAEOTIS_NUMERICS_MATM_SWEEP_LINES_H

#include "numerics/matm/sweep_steps.h"

/* Up with L: t becomes L^-1 t. `first`: of the step. */
POINTWISE void lower_solve(const LaneMatrix *matrix, ptrdiff_t first, int lowest, int levels, Lanes *t) {
    Lanes last = lanes_of(0);
    for (int k = lowest; k < levels; k++) t[k] = last = lanes_fma(matrix->lower[first + k], last, t[k]);
}

/* Down with U: t becomes U^-1 t. */
TEMPLATE void upper_solve(const LaneMatrix *matrix, ptrdiff_t first, int lowest, int levels, Lanes *t,
                          const bool both) {
    Lanes last = lanes_of(0);
    for (int k = levels - 1; k >= lowest; k--)
        t[k] = last = lanes_fma(upper_coupling(matrix, first + k, both), last, t[k]);
}

POINTWISE void write_levels(const Sweep *w, ptrdiff_t first, int k0, int k1, const Lanes *t, LaneMask own) {
    for (int k = k0; k < k1; k++) w->out[first + k] = lanes_select(own, t[k], w->out[first + k]);
}

/* y = T^-1 (r + a below) of step s, left in t. In t is y of the step before, from level `begun` on. */
TEMPLATE void forward_lines_step(const Sweep *w, int g, int s, int begun, Lanes *t, const bool both,
                                 const bool edge) {
    const LaneShape *shape = &w->layout->shape;
    const int at = g * shape->steps + s, lowest = shape->lowest[at], levels = shape->levels;
    const ptrdiff_t first = lane_at(shape, g, s), before = first - shape->column;
    const LaneMask own = lane_mask_quick(shape, g, s, 0), own_before = lane_mask_quick(shape, g, s - 1, 0);
    const Lanes a = lanes_of(w->a);
    Lanes last = lanes_of(0), squares = last;
    write_levels(w, before, begun, lowest, t, own_before);
    for (int k = lowest; k < levels; k++) {
        const ptrdiff_t m = first + k;
        if (k >= begun) w->out[before + k] = written(t[k], w->out[before + k], own_before, edge);
        const Lanes outside = below_of(shape, w->matrix, a, w->out, m, w->in[m]);
        last = lanes_fma(w->matrix->lower[m], last, outside);
        squares = lanes_fma(last, last, squares);
        t[k] = last;
    }
    upper_solve(w->matrix, first, lowest, levels, t, both);
    if (w->sums) w->sums[at] = lanes_select(own, squares, lanes_of(0));
}

TEMPLATE void forward_lines_of(const void *context, int g, int s0, int s1, const bool both) {
    const Sweep *w = context;
    const LaneLayout *layout = w->layout;
    const LaneShape *shape = &layout->shape;
    Lanes t[MAX_LEVELS];
    for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++) {
        const StepRun run = run_within(layout->run[n], s0, s1);
        int begun = shape->levels;
        for (int s = run.s0; s < run.s1; s++) {
            if (lane_all_own(shape, g, s - 1) && lane_all_own(shape, g, s))
                forward_lines_step(w, g, s, begun, t, both, false);
            else
                forward_lines_step(w, g, s, begun, t, both, true);
            begun = shape->lowest[g * shape->steps + s];
        }
        write_levels(w, lane_at(shape, g, run.s1 - 1), begun, shape->levels, t,
                     lane_mask(shape, g, run.s1 - 1, 0));
    }
}

/* a above */
TEMPLATE void outside_of(const Sweep *w, ptrdiff_t first, int k0, int k1, Lanes *t, const bool both) {
    for (int k = k1 - 1; k >= k0; k--)
        t[k] = above_of(&w->layout->shape, w->matrix, lanes_of(w->a), w->out, first + k, lanes_of(0), both);
}

/* v = y + a T^-1 above of step s. In t is a above, and after it that of the step s - 1, from level `next` on. */
TEMPLATE void backward_lines_step(const Sweep *w, int g, int s, int next, Lanes *t, const bool both,
                                  const bool edge) {
    const LaneShape *shape = &w->layout->shape;
    const LaneMatrix *matrix = w->matrix;
    const int lowest = shape->lowest[g * shape->steps + s], levels = shape->levels;
    const ptrdiff_t first = lane_at(shape, g, s), beside = first - shape->column;
    const LaneMask own = lane_mask_quick(shape, g, s, 0);
    const Lanes a = lanes_of(w->a), none = lanes_of(0);
    Lanes last = none;
    lower_solve(matrix, first, lowest, levels, t);
    for (int k = levels - 1; k >= lowest; k--) {
        const ptrdiff_t m = first + k;
        last = lanes_fma(upper_coupling(matrix, m, both), last, t[k]);
        w->out[m] = written(w->in[m] + last, w->out[m], own, edge);
        if (k < next) continue;
        t[k] = above_of(shape, matrix, a, w->out, beside + k, none, both);
        __builtin_prefetch(&matrix->lower[beside + k]); /* what the recurrence with L will look for */
    }
    outside_of(w, beside, next, lowest, t, both);
}

TEMPLATE void backward_lines_of(const void *context, int g, int s0, int s1, const bool both) {
    const Sweep *w = context;
    const LaneLayout *layout = w->layout;
    const LaneShape *shape = &layout->shape;
    const int *lowest = shape->lowest + g * shape->steps;
    Lanes t[MAX_LEVELS];
    for (int n = layout->first_run[g + 1] - 1; n >= layout->first_run[g]; n--) {
        const StepRun run = run_within(layout->run[n], s0, s1);
        if (run.s0 >= run.s1) continue;
        outside_of(w, lane_at(shape, g, run.s1 - 1), lowest[run.s1 - 1], shape->levels, t, both);
        for (int s = run.s1 - 1; s >= run.s0; s--) {
            const int next = s > run.s0 ? lowest[s - 1] : shape->levels;
            if (lane_all_own(shape, g, s))
                backward_lines_step(w, g, s, next, t, both, false);
            else
                backward_lines_step(w, g, s, next, t, both, true);
        }
    }
}

static void forward_lines(const void *context, int g, int s0, int s1) {
    forward_lines_of(context, g, s0, s1, false);
}
static void forward_lines_both(const void *context, int g, int s0, int s1) {
    forward_lines_of(context, g, s0, s1, true);
}
static void backward_lines(const void *context, int g, int s0, int s1) {
    backward_lines_of(context, g, s0, s1, false);
}
static void backward_lines_both(const void *context, int g, int s0, int s1) {
    backward_lines_of(context, g, s0, s1, true);
}

#endif
