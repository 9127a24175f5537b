/* SPDX-License-Identifier: Apache-2.0
 *
 * What a multigrid cycle does beside sweeps and products.
 */
#ifndef MAEOTIS_NUMERICS_MATM_CYCLE_STEPS_H
#define MAEOTIS_NUMERICS_MATM_CYCLE_STEPS_H

#include "numerics/matm/steps.h"

typedef struct ScaleBy {
    double factor;
    Lanes *x;
} ScaleBy;

STEPS(scale_by, ScaleBy) {
    const Lanes f = lanes_of(a->factor);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->x[n] *= f;
}

typedef struct Multiply {
    const Lanes *factor, *x;
    Lanes *out;
} Multiply;

STEPS(multiply, Multiply) {
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->out[n] = a->factor[n] * a->x[n];
}

/* x + more to x */
typedef struct Plus {
    const Lanes *more;
    Lanes *x;
} Plus;

STEPS(plus, Plus) {
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->x[n] += a->more[n];
}

/* centre += factor (sum of the couplings of the cell) */
typedef struct AddCouplings {
    LaneMatrix matrix;
    double factor;
    Lanes *centre;
} AddCouplings;

POINTWISE Lanes couplings_of(const LaneShape *l, const LaneMatrix *a, ptrdiff_t m, ptrdiff_t k) {
    Lanes sum = a->west[m] + a->west[m + l->column] + a->south[m] + north_of(l, a->south, m);
    if (k > 0) sum += a->lower[m];
    if (k < l->levels - 1) sum += a->lower[m + LEVEL];
    return sum;
}

STEPS(couplings_to_centre, AddCouplings) {
    const Lanes f = lanes_of(a->factor);
    const LaneMask own = lane_mask(l, g, s, m);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
        const Lanes sum = lanes_fma(f, couplings_of(l, &a->matrix, n, k), a->centre[n]);
        a->centre[n] = lanes_select(own, sum, a->centre[n]);
    }
}

#endif
