/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with the scaled operator: q = A' x, sums of x q per column where asked for.
 */
#ifndef MAEOTIS_NUMERICS_MATM_APPLY_STEPS_H
#define MAEOTIS_NUMERICS_MATM_APPLY_STEPS_H

#include "numerics/matm/steps.h"

typedef struct Apply {
    LaneMatrix matrix;
    const Lanes *x;
    Lanes *q, *sums;
} Apply;

/* The diagonal times x. */
POINTWISE Lanes diagonal_part(const LaneMatrix *a, ptrdiff_t m, Lanes x, LaneDiagonal diagonal, bool both) {
    if (diagonal == LANE_CENTRE) return a->centre[m] * x;
    if (diagonal == LANE_ONES) return x;
    const Lanes across = both ? a->upper[m - LEVEL] : a->lower[m];
    return lanes_fma(a->lower[m] * across, x, x);
}

POINTWISE void apply_with(const Apply *a, const LaneShape *l, int g, int s, ptrdiff_t m, ptrdiff_t at,
                          const LaneDiagonal diagonal, const bool both) {
    const Lanes one = lanes_of(1), *x = a->x;
    const LaneMatrix *matrix = &a->matrix;
    const LaneMask own = lane_mask_quick(l, g, s, m);
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) {
        Lanes around = below_of(l, matrix, one, x, n, lanes_of(0));
        around = above_of(l, matrix, one, x, n, around, both);
        around = lanes_fma(matrix->lower[n], x[n - LEVEL], around);
        around = lanes_fma(upper_coupling(matrix, n, both), x[n + LEVEL], around);
        const Lanes here = x[n], product = diagonal_part(matrix, n, here, diagonal, both) - around;
        const Lanes q = lanes_select(own, product, lanes_of(0));
        a->q[n] = q;
        sum = lanes_fma(here, q, sum);
    }
    if (a->sums) a->sums[at] = sum;
}

STEPS(apply_ones, Apply) {
    apply_with(a, l, g, s, m, at, LANE_ONES, false);
}
STEPS(apply_centre, Apply) {
    apply_with(a, l, g, s, m, at, LANE_CENTRE, false);
}
STEPS(apply_lines, Apply) {
    apply_with(a, l, g, s, m, at, LANE_LINES, false);
}
STEPS(apply_ones_both, Apply) {
    apply_with(a, l, g, s, m, at, LANE_ONES, true);
}
STEPS(apply_lines_both, Apply) {
    apply_with(a, l, g, s, m, at, LANE_LINES, true);
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
                               const LaneDiagonal diagonal) {
    const Lanes *x = a->x;
    const FlatNeighbours near = {x[m],
                                 x[m - l->column],
                                 south_of(l, x, m),
                                 x[m + l->column],
                                 north_of(l, x, m),
                                 a->matrix.west[m + l->column],
                                 north_of(l, a->matrix.south, m)};
    const Lanes product =
        lanes_select(lane_mask_quick(l, g, s, m), flat_product(&a->matrix, m, &near, diagonal), lanes_of(0));
    a->q[m] = product;
    if (a->sums) a->sums[at] = near.here * product;
}

STEPS(apply_flat_ones, Apply) {
    apply_flat_with(a, l, g, s, m, at, LANE_ONES);
}
STEPS(apply_flat_centre, Apply) {
    apply_flat_with(a, l, g, s, m, at, LANE_CENTRE);
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
