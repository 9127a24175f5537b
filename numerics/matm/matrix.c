/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/matrix.h"

#include "base/memory.h"
#include "numerics/matm/steps.h"
#include "numerics/matm/triangular.h"
#include <math.h>

/* How much of the row sums the modified factorisation keeps. A little less than all of it, and no pivot of a
 * diagonally dominant matrix is smaller than what was left out. */
static const double KEPT = 0.99;
static const double LEAST_PIVOT = 1e-3; /* of other matrices */

static Lanes **arrays_of(LaneMatrix *matrix, int n) {
    Lanes **all[] = {&matrix->west,  &matrix->south, &matrix->lower, &matrix->east,
                     &matrix->north, &matrix->upper, &matrix->centre};
    return n < 7 ? all[n] : NULL;
}

void lane_matrix_create(const LaneLayout *layout, LaneDiagonal diagonal, bool both, LaneMatrix *out) {
    *out = (LaneMatrix){.diagonal = diagonal, .both = both};
    for (int n = 0; n < (both ? 6 : 3); n++) *arrays_of(out, n) = lanes_create(layout);
    if (diagonal == LANE_CENTRE) out->centre = lanes_create(layout);
}

void lane_matrix_release(const LaneLayout *layout, LaneMatrix *matrix) {
    for (int n = 0; arrays_of(matrix, n); n++) lanes_destroy(layout, arrays_of(matrix, n));
}

MatrixFrame *matrix_create(const LaneLayout *layout, Pipeline *pipeline, LaneDiagonal diagonal, bool both) {
    MatrixFrame *frame = ALLOCATE(1, MatrixFrame);
    frame->layout = layout;
    frame->pipeline = pipeline;
    frame->scale = lanes_create(layout);
    frame->unscale = lanes_create(layout);
    frame->scratch = lanes_create(layout);
    lane_matrix_create(layout, diagonal, both, &frame->a);
    return frame;
}

void matrix_destroy(MatrixFrame **frame) {
    MatrixFrame *f = *frame;
    if (!f) return;
    lanes_destroy(f->layout, &f->scale);
    lanes_destroy(f->layout, &f->unscale);
    lanes_destroy(f->layout, &f->scratch);
    lane_matrix_release(f->layout, &f->a);
    memory_free(f);
    *frame = NULL;
}

/* ---- scaling ---- */

/* 1 / sqrt(x), 0 where x is not positive */
POINTWISE Lanes inverse_root(Lanes x) {
    Lanes root;
    for (int l = 0; l < 8; l++) root[l] = x[l] > 0 ? (Real)(1.0 / sqrt((double)x[l])) : 0;
    return root;
}

static void scale_by_diagonal(MatrixFrame *f) {
    const LaneLayout *layout = f->layout;
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) f->scale[m + k] = inverse_root(f->scratch[m + k]);
}

/* Pivots of T = L D U, from the lowest level up. */
static void scale_by_lines(MatrixFrame *f) {
    const LaneLayout *layout = f->layout;
    const Lanes *upper = f->a.both ? f->a.upper : f->a.lower + 1;
    FOR_STEPS(layout, g, s, m) {
        Lanes last = lanes_of(0);
        for (int k = layout->lowest[g * layout->steps + s]; k < layout->levels; k++) {
            const Lanes centre = f->scratch[m + k];
            const Lanes product = k > 0 ? f->a.lower[m + k] * upper[m + k - 1] : lanes_of(0);
            const Lanes pivot = lanes_select(last > 0, centre - product / last, centre);
            last = lanes_select(centre > 0, pivot, lanes_of(0));
            f->scale[m + k] = inverse_root(last);
        }
    }
}

/* couplings *= scale of both their cells */
static void scale_couplings(const MatrixFrame *f, const Lanes *scale) {
    const LaneLayout *layout = f->layout;
    const LaneMatrix *a = &f->a;
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) {
        const ptrdiff_t n = m + k;
        const Lanes here = scale[n];
        a->west[n] *= here * scale[n - layout->column];
        a->south[n] *= here * south_of(layout, scale, n);
        a->lower[n] *= k > 0 ? here * scale[n - 1] : lanes_of(0);
        if (!a->both) continue;
        a->east[n] *= here * scale[n + layout->column];
        a->north[n] *= here * north_of(layout, scale, n);
        a->upper[n] *= k < layout->levels - 1 ? here * scale[n + 1] : lanes_of(0);
    }
}

static void exchange_couplings(const MatrixFrame *f) {
    lanes_exchange(f->layout, f->a.west);
    lanes_exchange(f->layout, f->a.south);
}

/* ---- pivots of the modified incomplete factorisation ----
 *
 *     d_m = 1 - KEPT sum over lower neighbours n of c_mn (sum of all upper couplings of n) / d_n
 *
 * of a matrix with ones on the diagonal: what falls outside the pattern is taken off the diagonal, so that
 * the factorisation keeps the row sums. I. Gustafsson, BIT 18 (1978) 142-156. */

static void pivot_steps(const void *context, int g, int s0, int s1) {
    const MatrixFrame *f = context;
    const LaneLayout *layout = f->layout;
    const LaneMatrix *a = &f->a;
    Lanes *share = f->scratch;
    for (int s = s0; s < s1; s++) {
        const LaneMask own = lane_mask(layout, g, s);
        for (int k = layout->lowest[g * layout->steps + s]; k < layout->levels; k++) {
            const ptrdiff_t m = lane_at(layout, g, s) + k;
            const Lanes above = a->west[m + layout->column] + north_of(layout, a->south, m) +
                                (k < layout->levels - 1 ? a->lower[m + 1] : lanes_of(0));
            Lanes below = a->west[m] * share[m - layout->column] + a->south[m] * south_of(layout, share, m);
            if (k > 0) below += a->lower[m] * share[m - 1];
            Lanes pivot = lanes_of(1) - lanes_of(KEPT) * below;
            pivot = lanes_select(pivot > lanes_of(LEAST_PIVOT), pivot, lanes_of(1));
            share[m] = lanes_select(own, above / pivot, share[m]);
            const Lanes wet = lanes_select(f->scale[m] > 0, pivot, lanes_of(0));
            a->centre[m] = lanes_select(own, wet, lanes_of(0));
        }
    }
}

static void rescale_by_pivots(MatrixFrame *f) {
    const LaneLayout *layout = f->layout;
    lanes_clear(layout, f->scratch);
    pipeline_forward(f->pipeline, pivot_steps, f, f->scratch);
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) {
        const Lanes root = inverse_root(f->a.centre[m + k]);
        f->a.centre[m + k] = root * root;
        f->scratch[m + k] = root;
        f->scale[m + k] *= root;
    }
    lanes_exchange(layout, f->scratch);
    scale_couplings(f, f->scratch);
    exchange_couplings(f);
}

void matrix_load(MatrixFrame *f, const Stencil *stencil) {
    const LaneLayout *layout = f->layout;
    const double *from[] = {stencil->west, stencil->south, stencil->lower,
                            stencil->east, stencil->north, stencil->upper};
    for (int n = 0; n < (f->a.both ? 6 : 3); n++)
        if (from[n]) lanes_from_field(layout, from[n], 1, NULL, *arrays_of(&f->a, n));
    lanes_from_field(layout, stencil->centre, 1, NULL, f->scratch);
}

void matrix_setup(MatrixFrame *f, const Stencil *stencil) {
    matrix_load(f, stencil);
    matrix_scale(f);
}

void matrix_scale(MatrixFrame *f) {
    const LaneLayout *layout = f->layout;
    if (f->a.diagonal == LANE_LINES)
        scale_by_lines(f);
    else
        scale_by_diagonal(f);
    lanes_exchange(layout, f->scale);
    scale_couplings(f, f->scale);
    exchange_couplings(f);
    if (f->a.diagonal == LANE_CENTRE) rescale_by_pivots(f);
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) {
        const Lanes scale = f->scale[m + k];
        const Lanes inverse = lanes_of(1) / lanes_select(scale > 0, scale, lanes_of(1));
        f->unscale[m + k] = lanes_select(scale > 0, inverse, lanes_of(0));
    }
}

/* ---- self-adjoint and skew part ---- */

POINTWISE void split_pair(Lanes lower_row, Lanes upper_row, Lanes *symmetric, Lanes *skew) {
    *symmetric = lanes_of(0.5) * (lower_row + upper_row);
    *skew = lanes_of(0.5) * (lower_row - upper_row);
}

void matrix_split(const MatrixFrame *f, LaneMatrix *symmetric, LaneMatrix *skew) {
    const LaneLayout *layout = f->layout;
    const LaneMatrix *a = &f->a;
    lanes_exchange(layout, a->east);
    lanes_exchange(layout, a->north);
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) {
        const ptrdiff_t n = m + k;
        const LaneMask own = lane_mask(layout, g, s);
        Lanes part[3][2];
        split_pair(a->west[n], a->east[n - layout->column], &part[0][0], &part[0][1]);
        split_pair(a->south[n], south_of(layout, a->north, n), &part[1][0], &part[1][1]);
        split_pair(a->lower[n], k > 0 ? a->upper[n - 1] : lanes_of(0), &part[2][0], &part[2][1]);
        for (int d = 0; d < 3; d++) {
            (*arrays_of(symmetric, d))[n] = lanes_select(own, part[d][0], lanes_of(0));
            (*arrays_of(skew, d))[n] = lanes_select(own, part[d][1], lanes_of(0));
        }
    }
    for (int d = 0; d < 2; d++) {
        lanes_exchange(layout, *arrays_of(symmetric, d));
        lanes_exchange(layout, *arrays_of(skew, d));
    }
}
