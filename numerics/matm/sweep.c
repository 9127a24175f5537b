/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/sweep.h"

#include "numerics/matm/sweep_lines.h"

TEMPLATE void forward_points_step(const Sweep *w, int g, int s, const bool edge) {
    const LaneShape *layout = &w->layout->shape;
    const LaneMatrix *matrix = w->matrix;
    const int at = g * layout->steps + s, lowest = layout->lowest[at], levels = layout->levels;
    const ptrdiff_t first = lane_at(layout, g, s);
    const LaneMask own = lane_mask_quick(layout, g, s, 0);
    const Lanes a = lanes_of(w->a);
    Lanes last = lanes_of(0), squares = last;
    for (int k = lowest; k < levels; k++) {
        const ptrdiff_t m = first + k;
        const Lanes t = below_of(layout, matrix, a, w->out, m, w->in[m]);
        last = lanes_fma(a * matrix->lower[m], last, t);
        squares = lanes_fma(last, last, squares);
        w->out[m] = written(last, w->out[m], own, edge);
    }
    if (w->sums) w->sums[at] = lanes_select(own, squares, lanes_of(0));
}

TEMPLATE void backward_points_step(const Sweep *w, int g, int s, const bool both, const bool edge) {
    const LaneShape *layout = &w->layout->shape;
    const LaneMatrix *matrix = w->matrix;
    const int lowest = layout->lowest[g * layout->steps + s], levels = layout->levels;
    const ptrdiff_t first = lane_at(layout, g, s);
    const LaneMask own = lane_mask_quick(layout, g, s, 0);
    const Lanes a = lanes_of(w->a);
    Lanes last = lanes_of(0);
    for (int k = levels - 1; k >= lowest; k--) {
        const ptrdiff_t m = first + k;
        const Lanes t = above_of(layout, matrix, a, w->out, m, w->in[m], both);
        last = lanes_fma(a * upper_coupling(matrix, m, both), last, t);
        w->out[m] = written(last, w->out[m], own, edge);
    }
}

/* ---- one layer: the last vector stays in a register ---- */

TEMPLATE Lanes forward_flat_step(const Sweep *w, int g, int s, Lanes last, const bool edge) {
    const LaneShape *layout = &w->layout->shape;
    const LaneMatrix *matrix = w->matrix;
    const ptrdiff_t m = lane_at(layout, g, s);
    const Lanes a = lanes_of(w->a), from_south = lanes_from_below(last, w->out[m + layout->below]);
    Lanes y = lanes_fma(a * matrix->west[m], last, w->in[m]);
    y = lanes_fma(a * matrix->south[m], from_south, y);
    const LaneMask own = edge ? lane_mask(layout, g, s, 0) : (LaneMask){0};
    y = written(y, w->out[m], own, edge);
    w->out[m] = y;
    if (w->sums) w->sums[g * layout->steps + s] = edge ? lanes_select(own, y * y, lanes_of(0)) : y * y;
    return y;
}

TEMPLATE Lanes backward_flat_step(const Sweep *w, int g, int s, Lanes last, const bool both,
                                  const bool edge) {
    const LaneShape *layout = &w->layout->shape;
    const LaneMatrix *matrix = w->matrix;
    const ptrdiff_t m = lane_at(layout, g, s);
    const Lanes a = lanes_of(w->a), from_north = lanes_from_above(last, w->out[m + layout->above]);
    const Lanes east = both ? matrix->east[m] : matrix->west[m + 1];
    const Lanes north =
        both ? matrix->north[m] : lanes_from_above(matrix->south[m + 1], matrix->south[m + layout->above]);
    Lanes v = lanes_fma(a * east, last, w->in[m]);
    v = lanes_fma(a * north, from_north, v);
    if (edge) v = lanes_select(lane_mask(layout, g, s, 0), v, w->out[m]);
    w->out[m] = v;
    return v;
}

/* Both directions: the neighbours hold what they hold. */
TEMPLATE void in_place_step(const Sweep *w, int g, int s, const bool lines, const bool both,
                            const bool upward, const bool edge) {
    const LaneShape *layout = &w->layout->shape;
    const LaneMatrix *matrix = w->matrix;
    const int lowest = layout->lowest[g * layout->steps + s], levels = layout->levels;
    const ptrdiff_t first = lane_at(layout, g, s);
    const LaneMask own = lane_mask(layout, g, s, 0);
    const Lanes one = lanes_of(1);
    Lanes column[MAX_LEVELS];
    for (int n = lowest; n < levels; n++) {
        const int k = upward ? n : levels - 1 - (n - lowest);
        const ptrdiff_t m = first + k;
        Lanes t = below_of(layout, matrix, one, w->out, m, w->in[m]);
        t = above_of(layout, matrix, one, w->out, m, t, both);
        if (lines) {
            column[k] = t;
        } else {
            t = lanes_fma(matrix->lower[m], w->out[m - 1], t);
            t = lanes_fma(upper_coupling(matrix, m, both), w->out[m + 1], t);
            w->out[m] = written(t, w->out[m], own, edge);
        }
    }
    if (!lines) return;
    lower_solve(matrix, first, lowest, levels, column);
    upper_solve(matrix, first, lowest, levels, column, both);
    write_levels(w, first, lowest, levels, column, own);
}

/* The steps of a fragment that have water, up or down, with and without edges in view. */
#define SWEEP_STEPS(name, up, step, ...)                                                                     \
    static void name(const void *context, int g, int s0, int s1) {                                           \
        const Sweep *w = context;                                                                            \
        const LaneLayout *layout = w->layout;                                                                \
        const int first = layout->first_run[g], end = layout->first_run[g + 1];                              \
        for (int n = first; n < end; n++) {                                                                  \
            const StepRun run = run_within(layout->run[(up) ? n : first + end - 1 - n], s0, s1);             \
            for (int t = run.s0; t < run.s1; t++) {                                                          \
                const int s = (up) ? t : run.s0 + run.s1 - 1 - t;                                            \
                if (lane_all_own(&layout->shape, g, s))                                                      \
                    step(w, g, s, ##__VA_ARGS__, false);                                                     \
                else                                                                                         \
                    step(w, g, s, ##__VA_ARGS__, true);                                                      \
            }                                                                                                \
        }                                                                                                    \
    }

/* Of the steps from s on, those that are alike: all lanes own cells, or at edges. */
static int alike_up(const LaneLayout *layout, int g, int s, int end) {
    const bool whole = 8 * g + 8 <= layout->n2;
    const int next = !whole || s >= layout->n1 ? end : s < 7 ? 7 : layout->n1;
    return next < end ? next : end;
}
static int alike_down(const LaneLayout *layout, int g, int s, int end) {
    const bool whole = 8 * g + 8 <= layout->n2;
    const int next = !whole || s <= 7 ? end : s > layout->n1 ? layout->n1 : 7;
    return next > end ? next : end;
}

static void forward_flat(const void *context, int g, int s0, int s1) {
    const Sweep *w = context;
    const LaneLayout *layout = w->layout;
    for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++) {
        const StepRun run = run_within(layout->run[n], s0, s1);
        const int from = run.s0, to = run.s1;
        Lanes last = from < to ? w->out[lane_at(layout, g, from) - 1] : lanes_of(0);
        for (int s = from, next; s < to; s = next) {
            next = alike_up(layout, g, s, to);
            if (lane_all_own(&layout->shape, g, s))
                for (int t = s; t < next; t++) last = forward_flat_step(w, g, t, last, false);
            else
                for (int t = s; t < next; t++) last = forward_flat_step(w, g, t, last, true);
        }
    }
}

TEMPLATE void backward_flat_of(const void *context, int g, int s0, int s1, const bool both) {
    const Sweep *w = context;
    const LaneLayout *layout = w->layout;
    for (int n = layout->first_run[g + 1] - 1; n >= layout->first_run[g]; n--) {
        const StepRun run = run_within(layout->run[n], s0, s1);
        const int from = run.s0, to = run.s1;
        Lanes last = from < to ? w->out[lane_at(layout, g, to)] : lanes_of(0);
        for (int s = to, next; s > from; s = next) { /* the steps below s, down to next */
            next = alike_down(layout, g, s, from);
            if (lane_all_own(&layout->shape, g, s - 1))
                for (int t = s - 1; t >= next; t--) last = backward_flat_step(w, g, t, last, both, false);
            else
                for (int t = s - 1; t >= next; t--) last = backward_flat_step(w, g, t, last, both, true);
        }
    }
}
static void backward_flat(const void *context, int g, int s0, int s1) {
    backward_flat_of(context, g, s0, s1, false);
}
static void backward_flat_both(const void *context, int g, int s0, int s1) {
    backward_flat_of(context, g, s0, s1, true);
}

SWEEP_STEPS(forward_points, true, forward_points_step)
SWEEP_STEPS(backward_points, false, backward_points_step, false)
SWEEP_STEPS(backward_points_both, false, backward_points_step, true)
SWEEP_STEPS(points_up, true, in_place_step, false, false, true)
SWEEP_STEPS(points_up_both, true, in_place_step, false, true, true)
SWEEP_STEPS(lines_up, true, in_place_step, true, false, true)
SWEEP_STEPS(lines_up_both, true, in_place_step, true, true, true)
SWEEP_STEPS(points_down, false, in_place_step, false, false, false)
SWEEP_STEPS(points_down_both, false, in_place_step, false, true, false)
SWEEP_STEPS(lines_down, false, in_place_step, true, false, false)
SWEEP_STEPS(lines_down_both, false, in_place_step, true, true, false)

static void on_device(Pipeline *pipeline, SweepKind kind, const Sweep *sweep) {
    pipeline_sweep(pipeline, (DeviceSweep){.kind = kind,
                                           .matrix = sweep->matrix,
                                           .a = sweep->a,
                                           .in = sweep->in,
                                           .out = sweep->out,
                                           .sums = sweep->sums});
}

void sweep_forward(Pipeline *pipeline, const LaneLayout *layout, const LaneMatrix *matrix, double a,
                   const Lanes *r, Lanes *y, Lanes *sums) {
    const Sweep sweep = {layout, matrix, a, r, y, sums};
    SweepSteps *of_lines = matrix->both ? forward_lines_both : forward_lines;
    SweepSteps *of_points = layout->levels == 1 ? forward_flat : forward_points;
    SweepSteps *fragment = matrix->diagonal == LANE_LINES ? of_lines : of_points;
    pipeline_clear_inflow(pipeline, y, true);
    if (layout->swept_by_kernels)
        on_device(pipeline, SWEEP_FORWARD, &sweep);
    else
        pipeline_forward(pipeline, fragment, &sweep, y);
}

void sweep_backward(Pipeline *pipeline, const LaneLayout *layout, const LaneMatrix *matrix, double a,
                    const Lanes *y, Lanes *v) {
    const Sweep sweep = {layout, matrix, a, y, v, NULL};
    SweepSteps *of_lines = matrix->both ? backward_lines_both : backward_lines;
    SweepSteps *of_flat = matrix->both ? backward_flat_both : backward_flat;
    SweepSteps *of_points = matrix->both ? backward_points_both : backward_points;
    if (layout->levels == 1) of_points = of_flat;
    pipeline_clear_inflow(pipeline, v, false);
    if (layout->swept_by_kernels)
        on_device(pipeline, SWEEP_BACKWARD, &sweep);
    else
        pipeline_backward(pipeline, matrix->diagonal == LANE_LINES ? of_lines : of_points, &sweep, v);
}

void sweep_in_place(Pipeline *pipeline, const LaneLayout *layout, const LaneMatrix *matrix, const Lanes *rhs,
                    Lanes *x, bool forward) {
    static SweepSteps *const up[2][2] = {{points_up, points_up_both}, {lines_up, lines_up_both}};
    static SweepSteps *const down[2][2] = {{points_down, points_down_both}, {lines_down, lines_down_both}};
    const Sweep sweep = {layout, matrix, 1, rhs, x, NULL};
    const bool lines = matrix->diagonal == LANE_LINES;
    if (layout->swept_by_kernels)
        on_device(pipeline, forward ? SWEEP_UP : SWEEP_DOWN, &sweep);
    else if (forward)
        pipeline_forward(pipeline, up[lines][matrix->both], &sweep, x);
    else
        pipeline_backward(pipeline, down[lines][matrix->both], &sweep, x);
}
