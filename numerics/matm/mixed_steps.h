/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients in single precision with the operator and x in double (mixed.h): D of lines, self-adjoint.
 */
#ifndef MAEOTIS_NUMERICS_MATM_MIXED_STEPS_H
#define MAEOTIS_NUMERICS_MATM_MIXED_STEPS_H

#include "numerics/matm/steps.h"

#ifdef MATM_ONE_LANE
POINTWISE LanesOfDouble northern_double(const LaneShape *l, const LanesOfDouble *x, ptrdiff_t m) {
    return x[north_at(l, m)];
}
#else
POINTWISE LanesOfDouble northern_double(const LaneShape *l, const LanesOfDouble *x, ptrdiff_t m) {
    return doubles_from_above(x[m + l->column], x[m + l->above]);
}
#endif

/* q = A' p; sums: p q */
typedef struct ApplyMixed {
    const LanesOfDouble *west, *south, *lower;
    const Lanes *p;
    LanesOfDouble *q;
    Lanes *sums;
} ApplyMixed;

STEPS(apply_mixed, ApplyMixed) {
    const LaneMask own = lane_mask_quick(l, g, s, m);
    const Lanes *p = a->p;
    const ptrdiff_t lowest = m + LEVEL * l->lowest[g * l->steps + s];
    LanesOfDouble sum = doubles_of(0), below = sum;
    LanesOfDouble here = lanes_to_double(p[lowest]), lower = a->lower[lowest];
    FOR_LEVELS (l, g, s, m, k, n) {
        const LanesOfDouble above = lanes_to_double(p[n + LEVEL]), upper = a->lower[n + LEVEL];
        PREFETCH(&a->west[n + 3 * l->column]);
        PREFETCH(&a->south[n + 3 * l->column]);
        PREFETCH(&a->south[n + l->above + 2 * l->column]);
        PREFETCH(&a->lower[n + 3 * l->column]);
        LanesOfDouble around = a->west[n] * lanes_to_double(p[n - l->column]);
        around = doubles_fma(a->south[n], lanes_to_double(south_of(l, p, n)), around);
        around = doubles_fma(a->west[n + l->column], lanes_to_double(p[n + l->column]), around);
        around = doubles_fma(northern_double(l, a->south, n), lanes_to_double(north_of(l, p, n)), around);
        around = doubles_fma(lower, below, around);
        around = doubles_fma(upper, above, around);
        const LanesOfDouble q = doubles_fma(lower * lower, here, here) - around;
        a->q[n] = q;
        sum = doubles_fma(here, q, sum);
        below = here;
        here = above;
        lower = upper;
    }
    a->sums[at] = lanes_select(own, lanes_from_double(sum), lanes_of(0));
}

/* x += step p (first: x = step p), r -= step q, rounded = r; sums: (unscale r)^2 */
typedef struct AdvanceMixed {
    double step;
    const Lanes *p, *unscale;
    const LanesOfDouble *q;
    int first; /* as in Advance (vectors_steps.h) */
    LanesOfDouble *x, *r;
    Lanes *rounded, *sums;
} AdvanceMixed;

STEPS(advance_mixed, AdvanceMixed) {
    const LanesOfDouble forward = doubles_of(a->step), back = doubles_of(-a->step);
    const LaneMask own = lane_mask_quick(l, g, s, m);
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) {
        a->x[n] = doubles_fma(forward, lanes_to_double(a->p[n]), a->first ? doubles_of(0) : a->x[n]);
        const LanesOfDouble rest = doubles_fma(back, a->q[n], a->r[n]);
        a->r[n] = rest;
        const Lanes rounded = lanes_select(own, lanes_from_double(rest), lanes_of(0));
        a->rounded[n] = rounded;
        const Lanes plain = rounded * a->unscale[n];
        sum = lanes_fma(plain, plain, sum);
    }
    a->sums[at] = sum;
}

/* To single precision. */
typedef struct Narrow {
    const LanesOfDouble *from;
    Lanes *to;
} Narrow;

STEPS(narrow, Narrow) {
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->to[n] = lanes_from_double(a->from[n]);
}

#endif
