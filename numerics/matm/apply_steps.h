/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with the scaled operator: q = A' x, sums of x q per column where asked for; and what they leave of a
 * right-hand side: q = unscale (rhs - A' x), sums of q q.
 */
#ifndef MAEOTIS_NUMERICS_MATM_APPLY_STEPS_H
#define MAEOTIS_NUMERICS_MATM_APPLY_STEPS_H

#include "numerics/matm/steps.h"

typedef struct Apply {
    LaneMatrix matrix;
    const Lanes *x;
    Lanes *q, *sums;
    const Lanes *rhs, *unscale; /* of rests */
} Apply;

/* Writes the product or the rest; returns the sum with this term. */
POINTWISE Lanes finish(const Apply *a, ptrdiff_t n, LaneMask own, Lanes product, Lanes sum, const bool rest) {
    Lanes q = rest ? a->rhs[n] - product : product;
    if (rest && a->unscale) q = q * a->unscale[n];
    q = lanes_select(own, q, lanes_of(0));
    if (!rest || a->q) a->q[n] = q;
    return lanes_fma(rest ? q : a->x[n], q, sum);
}

/* The diagonal times x. */
POINTWISE Lanes diagonal_part(const LaneMatrix *a, ptrdiff_t m, Lanes x, LaneDiagonal diagonal, bool both) {
    if (diagonal == LANE_CENTRE) return a->centre[m] * x;
    if (diagonal == LANE_ONES) return x;
    const Lanes across = both ? a->upper[m - LEVEL] : a->lower[m];
    return lanes_fma(a->lower[m] * across, x, x);
}

POINTWISE void apply_with(const Apply *a, const LaneShape *l, int g, int s, ptrdiff_t m, ptrdiff_t at,
                          const LaneDiagonal diagonal, const bool both, const bool rest) {
    const Lanes one = lanes_of(1), *x = a->x;
    const LaneMatrix *matrix = &a->matrix;
    const LaneMask own = lane_mask_quick(l, g, s, m);
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) {
        Lanes around = below_of(l, matrix, one, x, n, lanes_of(0));
        around = above_of(l, matrix, one, x, n, around, both);
        around = lanes_fma(matrix->lower[n], x[n - LEVEL], around);
        around = lanes_fma(upper_coupling(matrix, n, both), x[n + LEVEL], around);
        sum = finish(a, n, own, diagonal_part(matrix, n, x[n], diagonal, both) - around, sum, rest);
    }
    if (a->sums) a->sums[at] = sum;
}

STEPS(apply_ones, Apply) {
    apply_with(a, l, g, s, m, at, LANE_ONES, false, false);
}
STEPS(apply_centre, Apply) {
    apply_with(a, l, g, s, m, at, LANE_CENTRE, false, false);
}
STEPS(apply_lines, Apply) {
    apply_with(a, l, g, s, m, at, LANE_LINES, false, false);
}
STEPS(apply_ones_both, Apply) {
    apply_with(a, l, g, s, m, at, LANE_ONES, true, false);
}
STEPS(apply_lines_both, Apply) {
    apply_with(a, l, g, s, m, at, LANE_LINES, true, false);
}

STEPS(rest_ones, Apply) {
    apply_with(a, l, g, s, m, at, LANE_ONES, false, true);
}
STEPS(rest_centre, Apply) {
    apply_with(a, l, g, s, m, at, LANE_CENTRE, false, true);
}
STEPS(rest_lines, Apply) {
    apply_with(a, l, g, s, m, at, LANE_LINES, false, true);
}
STEPS(rest_ones_both, Apply) {
    apply_with(a, l, g, s, m, at, LANE_ONES, true, true);
}
STEPS(rest_lines_both, Apply) {
    apply_with(a, l, g, s, m, at, LANE_LINES, true, true);
}

/* One layer, self-adjoint. */
typedef struct FlatNeighbours {
    Lanes here, west, south, east, north; /* of x */
    Lanes of_east, of_north;              /* couplings */
} FlatNeighbours;

POINTWISE Lanes flat_product(const LaneMatrix *a, ptrdiff_t m, const FlatNeighbours *x,
                             const LaneDiagonal diagonal) {
    Lanes around = lanes_fma(a->south[m], x->south, a->west[m] * x->west);
    around = lanes_fma(x->of_north, x->north, lanes_fma(x->of_east, x->east, around));
    const Lanes centre = diagonal == LANE_CENTRE ? a->centre[m] * x->here : x->here;
    return centre - around;
}

POINTWISE void apply_flat_with(const Apply *a, const LaneShape *l, int g, int s, ptrdiff_t m, ptrdiff_t at,
                               const LaneDiagonal diagonal, const bool rest) {
    const Lanes *x = a->x;
    const FlatNeighbours near = {x[m],
                                 x[m - l->column],
                                 south_of(l, x, m),
                                 x[m + l->column],
                                 north_of(l, x, m),
                                 a->matrix.west[m + l->column],
                                 north_of(l, a->matrix.south, m)};
    const Lanes product = flat_product(&a->matrix, m, &near, diagonal);
    const Lanes sum = finish(a, m, lane_mask_quick(l, g, s, m), product, lanes_of(0), rest);
    if (a->sums) a->sums[at] = sum;
}

STEPS(apply_flat_ones, Apply) {
    apply_flat_with(a, l, g, s, m, at, LANE_ONES, false);
}
STEPS(apply_flat_centre, Apply) {
    apply_flat_with(a, l, g, s, m, at, LANE_CENTRE, false);
}
STEPS(rest_flat_ones, Apply) {
    apply_flat_with(a, l, g, s, m, at, LANE_ONES, true);
}
STEPS(rest_flat_centre, Apply) {
    apply_flat_with(a, l, g, s, m, at, LANE_CENTRE, true);
}

STEPS(apply_skew, Apply) {
    const Lanes one = lanes_of(1), *x = a->x;
    const LaneMatrix *matrix = &a->matrix;
    const LaneMask own = lane_mask(l, g, s, m);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
        Lanes below = below_of(l, matrix, one, x, n, lanes_of(0));
        below = lanes_fma(matrix->lower[n], x[n - LEVEL], below);
        Lanes above = above_of(l, matrix, one, x, n, lanes_of(0), false);
        above = lanes_fma(matrix->lower[n + LEVEL], x[n + LEVEL], above);
        a->q[n] = lanes_select(own, above - below, lanes_of(0));
    }
}

#endif
