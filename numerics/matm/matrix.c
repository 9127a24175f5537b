/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/matrix.h"

#include "base/memory.h"
#include "numerics/matm/lane_exchange.h"
#include "numerics/matm/matrix_steps.h"
#include "numerics/matm/on_device.h"

static Lanes **arrays_of(LaneMatrix *matrix, int n) {
    Lanes **all[] = {&matrix->west,  &matrix->south, &matrix->lower, &matrix->east,
                     &matrix->north, &matrix->upper, &matrix->centre};
    return n < 7 ? all[n] : NULL;
}

/* West, south, east, north. */
static Lanes **horizontal_of(LaneMatrix *matrix, int n) {
    return arrays_of(matrix, n < 2 ? n : n + 1);
}

void lane_matrix_create(const LaneLayout *layout, LaneDiagonal diagonal, bool both, LaneMatrix *out) {
    *out = (LaneMatrix){.diagonal = diagonal, .both = both};
    for (int n = 0; n < (both ? 6 : 3); n++) *arrays_of(out, n) = lanes_create(layout);
    if (diagonal == LANE_CENTRE) out->centre = lanes_create(layout);
}

void lane_matrix_release(const LaneLayout *layout, LaneMatrix *matrix) {
    for (int n = 0; arrays_of(matrix, n); n++) lanes_destroy(layout, arrays_of(matrix, n));
}

MatrixFrame *matrix_create(const LaneLayout *layout, Pipeline *pipeline, LaneDiagonal diagonal, bool both,
                           int patch) {
    MatrixFrame *frame = ALLOCATE(1, MatrixFrame);
    frame->layout = layout;
    frame->pipeline = pipeline;
    frame->scale = lanes_create(layout);
    frame->unscale = lanes_create(layout);
    frame->scratch = lanes_create(layout);
    lane_matrix_create(layout, diagonal, both, &frame->a);
    frame->swept = frame->a;
    frame->patch = patch;
    for (int n = 0; n < 4 && patch > 0; n++)
        if (*horizontal_of(&frame->a, n)) *horizontal_of(&frame->swept, n) = lanes_create(layout);
    return frame;
}

void matrix_destroy(MatrixFrame **frame) {
    MatrixFrame *f = *frame;
    if (!f) return;
    lanes_destroy(f->layout, &f->scale);
    lanes_destroy(f->layout, &f->unscale);
    lanes_destroy(f->layout, &f->scratch);
    for (int n = 0; n < 4 && f->patch > 0; n++) lanes_destroy(f->layout, horizontal_of(&f->swept, n));
    lane_matrix_release(f->layout, &f->a);
    memory_free(f);
    *frame = NULL;
}

/* ---- scaling ---- */

/* couplings *= scale of both their cells */
static void scale_all(const MatrixFrame *f) {
    scale_couplings(f->layout, (ScaleCouplings){f->a, f->scale});
}

static void exchange_couplings(const MatrixFrame *f) {
    lanes_exchange(f->layout, f->a.west);
    lanes_exchange(f->layout, f->a.south);
}

/* ---- patches ---- */

/* Zeros in what crosses the borders of patches: they lie at multiples of the whole grid's indices, so that no bit
 * depends on where ranks are cut. */
static void clear_borders(const LaneLayout *layout, Lanes *x, int patch, bool column, bool lower) {
    const int first = column ? layout->grid->i_first : layout->grid->j_first;
    const int count = column ? layout->n1 : layout->n2;
    const int border = (patch - first % patch) % patch;
    if (border > count) return;
    lanes_clear_edges(layout, x, column, lower ? border : border - 1, patch, (count - border) / patch + 1);
}

static void cut_into_patches(MatrixFrame *f) {
    for (int n = 0; n < 4 && f->patch > 0; n++) {
        Lanes *to = *horizontal_of(&f->swept, n);
        if (!to) continue;
        lanes_copy_all(f->layout, *horizontal_of(&f->a, n), to);
        clear_borders(f->layout, to, f->patch, n % 2 == 0, n < 2);
    }
}

/* ---- pivots of the modified incomplete factorisation ----
 *
 *     d_m = a_mm - 0.99 sum over lower neighbours n of c_mn (sum of all upper couplings of n) / d_n
 *
 * What falls outside the pattern is taken off the diagonal, so that the factorisation keeps the row sums: B
 * acts on a constant (for 1 instead of 0.99) as A does. It has to be the row sums of A itself. A scaled to
 * ones on its diagonal has others, the larger the more the diagonal varies from cell to cell, as it does along
 * a coast; pivots that keep those come close to 0 there once a wave crosses many cells in a step.
 * I. Gustafsson, BIT 18 (1978) 142-156. */

static void pivot_steps(const void *context, int g, int s0, int s1) {
    const MatrixFrame *f = context;
    const LaneLayout *layout = f->layout;
    const LaneMatrix *a = &f->swept;
    Lanes *share = f->scale; /* until it holds the scale */
    for (int s = s0; s < s1; s++) {
        const LaneMask own = lane_mask(&layout->shape, g, s, 0);
        for (int k = layout->lowest[g * layout->steps + s]; k < layout->levels; k++) {
            const ptrdiff_t m = lane_at(layout, g, s) + k;
            const Lanes above = a->west[m + layout->column] + north_of(&layout->shape, a->south, m) +
                                (k < layout->levels - 1 ? a->lower[m + 1] : lanes_of(0));
            Lanes below =
                a->west[m] * share[m - layout->column] + a->south[m] * south_of(&layout->shape, share, m);
            if (k > 0) below += a->lower[m] * share[m - 1];
            const Lanes pivot = pivot_of(f->scratch[m], below);
            const LaneMask water = f->scratch[m] > 0; /* elsewhere couplings lead to given values */
            share[m] = lanes_select(own, lanes_select(water, above / pivot, lanes_of(0)), share[m]);
            const Lanes wet = lanes_select(water, pivot, lanes_of(0));
            a->centre[m] = lanes_select(own, wet, lanes_of(0));
        }
    }
}

static void scale_by_pivots(MatrixFrame *f) {
    const LaneLayout *layout = f->layout;
    exchange_couplings(f);
    cut_into_patches(f);
    lanes_clear(layout, f->scale);
    if (!layout->swept_by_kernels)
        pipeline_forward(f->pipeline, pivot_steps, f, f->scale);
    else
        pipeline_sweep(f->pipeline, (DeviceSweep){.kind = SWEEP_FORWARD,
                                                  .matrix = &f->swept,
                                                  .in = f->scratch,
                                                  .out = f->scale,
                                                  .sums = f->a.centre,
                                                  .pivots = true});
    roots_of_pivots(layout, (RootsOfPivots){f->scratch, f->a.centre, f->scale});
}

void matrix_load(MatrixFrame *f, const Stencil *stencil) {
    const LaneLayout *layout = f->layout;
    const double *from[] = {stencil->west, stencil->south, stencil->lower,
                            stencil->east, stencil->north, stencil->upper};
    for (int n = 0; n < (f->a.both ? 6 : 3); n++)
        if (from[n]) lanes_from_field(layout, from[n], 1, NULL, *arrays_of(&f->a, n));
    lanes_from_field(layout, stencil->centre, 1, NULL, f->scratch);
}

void matrix_scale(MatrixFrame *f) {
    const LaneLayout *layout = f->layout;
    if (f->a.diagonal == LANE_LINES) {
        const Lanes *upper = f->a.both ? f->a.upper : f->a.lower + 1;
        scale_by_lines(layout, (ScaleByLines){f->scratch, f->a.lower, upper, f->scale});
    } else if (f->a.diagonal == LANE_CENTRE)
        scale_by_pivots(f);
    else
        scale_by_diagonal(layout, (ScaleByDiagonal){f->scratch, f->scale});
    lanes_exchange(layout, f->scale);
    scale_all(f);
    exchange_couplings(f);
    cut_into_patches(f);
    inverses(layout, (Inverses){f->scale, f->unscale});
}

void matrix_narrow(MatrixFrame *f, const DoubleSystem *s) {
    const double *from[] = {s->west, s->south, s->lower, s->scale, s->unscale};
    Lanes *to[] = {f->a.west, f->a.south, f->a.lower, f->scale, f->unscale};
    for (int n = 0; n < 5; n++) lanes_narrow(f->layout, from[n], to[n]);
    exchange_couplings(f);
    cut_into_patches(f);
}

void matrix_split(const MatrixFrame *f, LaneMatrix *symmetric, LaneMatrix *skew) {
    const LaneLayout *layout = f->layout;
    lanes_exchange(layout, f->a.east);
    lanes_exchange(layout, f->a.north);
    split(layout, (Split){f->a, *symmetric, *skew});
    for (int d = 0; d < 2; d++) {
        lanes_exchange(layout, *arrays_of(symmetric, d));
        lanes_exchange(layout, *arrays_of(skew, d));
    }
}
