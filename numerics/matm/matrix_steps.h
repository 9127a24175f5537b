/* SPDX-License-Identifier: Apache-2.0
 *
 * Scaling the operator, and its self-adjoint and skew parts.
 */
#ifndef MAEOTIS_NUMERICS_MATM_MATRIX_STEPS_H
#define MAEOTIS_NUMERICS_MATM_MATRIX_STEPS_H

#include "numerics/matm/steps.h"

/* 1 / sqrt(x), 0 where x is not positive */
#ifdef MATM_ONE_LANE
POINTWISE Lanes inverse_root(Lanes x) {
    return x > 0 ? (Real)(1.0 / sqrt((double)x)) : 0;
}
#else
POINTWISE Lanes inverse_root(Lanes x) {
    Lanes root;
    for (int l = 0; l < 8; l++) root[l] = x[l] > 0 ? (Real)(1.0 / sqrt((double)x[l])) : 0;
    return root;
}
#endif

/* scale = 1 / sqrt(centre) */
typedef struct ScaleByDiagonal {
    const Lanes *centre;
    Lanes *scale;
} ScaleByDiagonal;

STEPS(scale_by_diagonal, ScaleByDiagonal) {
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->scale[n] = inverse_root(a->centre[n]);
}

/* Pivots of T = L D U, from the lowest level up. */
typedef struct ScaleByLines {
    const Lanes *centre, *lower, *upper; /* upper: of the level below, in its own equation */
    Lanes *scale;
} ScaleByLines;

STEPS(scale_by_lines, ScaleByLines) {
    Lanes last = lanes_of(0);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
        const Lanes centre = a->centre[n];
        const Lanes product = k > 0 ? a->lower[n] * a->upper[n - LEVEL] : lanes_of(0);
        const Lanes pivot = lanes_select(last > 0, centre - product / last, centre);
        last = lanes_select(centre > 0, pivot, lanes_of(0));
        a->scale[n] = inverse_root(last);
    }
}

/* couplings *= scale of both their cells */
typedef struct ScaleCouplings {
    LaneMatrix matrix;
    const Lanes *scale;
} ScaleCouplings;

STEPS(scale_couplings, ScaleCouplings) {
    const LaneMatrix *matrix = &a->matrix;
    const Lanes *scale = a->scale;
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
        const Lanes here = scale[n];
        matrix->west[n] *= here * scale[n - l->column];
        matrix->south[n] *= here * south_of(l, scale, n);
        matrix->lower[n] *= k > 0 ? here * scale[n - LEVEL] : lanes_of(0);
        if (!matrix->both) continue;
        matrix->east[n] *= here * scale[n + l->column];
        matrix->north[n] *= here * north_of(l, scale, n);
        matrix->upper[n] *= k < l->levels - 1 ? here * scale[n + LEVEL] : lanes_of(0);
    }
}

/* centre: pivots in, the diagonal over them out; scale = 1 / sqrt(pivots). */
typedef struct RootsOfPivots {
    const Lanes *diagonal;
    Lanes *centre, *scale;
} RootsOfPivots;

STEPS(roots_of_pivots, RootsOfPivots) {
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
        const Lanes root = inverse_root(a->centre[n]);
        a->centre[n] = a->diagonal[n] * root * root;
        a->scale[n] = root;
    }
}

typedef struct Inverses {
    const Lanes *scale;
    Lanes *unscale;
} Inverses;

STEPS(inverses, Inverses) {
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
        const Lanes scale = a->scale[n];
        const Lanes inverse = lanes_of(1) / lanes_select(scale > 0, scale, lanes_of(1));
        a->unscale[n] = lanes_select(scale > 0, inverse, lanes_of(0));
    }
}

typedef struct Split {
    LaneMatrix matrix, symmetric, skew;
} Split;

POINTWISE void split_pair(Lanes lower_row, Lanes upper_row, LaneMask own, Lanes *symmetric, Lanes *skew) {
    *symmetric = lanes_select(own, lanes_of(0.5) * (lower_row + upper_row), lanes_of(0));
    *skew = lanes_select(own, lanes_of(0.5) * (lower_row - upper_row), lanes_of(0));
}

STEPS(split, Split) {
    const LaneMatrix *of = &a->matrix;
    const LaneMask own = lane_mask(l, g, s, m);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
        split_pair(of->west[n], of->east[n - l->column], own, &a->symmetric.west[n], &a->skew.west[n]);
        split_pair(of->south[n], south_of(l, of->north, n), own, &a->symmetric.south[n], &a->skew.south[n]);
        split_pair(of->lower[n], k > 0 ? of->upper[n - LEVEL] : lanes_of(0), own, &a->symmetric.lower[n],
                   &a->skew.lower[n]);
    }
}

#endif
