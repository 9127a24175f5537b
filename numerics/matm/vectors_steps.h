/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector updates, with the sums that they allow (solver.h says of what).
 */
#ifndef MAEOTIS_NUMERICS_MATM_VECTORS_STEPS_H
#define MAEOTIS_NUMERICS_MATM_VECTORS_STEPS_H

#include "numerics/krylov/late.h"
#include "numerics/matm/steps.h"

typedef struct NextDirection {
    double factor;
    const Lanes *z;
    Lanes *p;
} NextDirection;

STEPS(next_direction, NextDirection) {
    const Lanes f = lanes_of(a->factor);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->p[n] = lanes_fma(f, a->p[n], a->z[n]);
}

typedef struct Advance {
    double step;
    const Lanes *p, *q, *unscale;
    int first; /* x is not yet set; no bool, whose padding the emulator would take for a pointer */
    Lanes *x, *r, *sums;
} Advance;

STEPS(advance, Advance) {
    const Lanes forward = lanes_of(a->step), back = lanes_of(-a->step);
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) {
        a->x[n] = lanes_fma(forward, a->p[n], a->first ? lanes_of(0) : a->x[n]);
        const Lanes rest = lanes_fma(back, a->q[n], a->r[n]);
        a->r[n] = rest;
        const Lanes plain = rest * a->unscale[n];
        sum = lanes_fma(plain, plain, sum);
    }
    a->sums[at] = sum;
}

/* Where the scalars are on the device (numerics/krylov/late.h); what `first` says is decided there. */
typedef struct DirectionLate {
    const LateScalars *scalars;
    const Lanes *z;
    Lanes *p;
} DirectionLate;

typedef struct AdvanceLate {
    const LateScalars *scalars;
    Advance advance;
} AdvanceLate;

STEPS_OF_DEVICE(next_direction_late, DirectionLate)
STEPS_OF_DEVICE(advance_late, AdvanceLate)

#ifdef MATM_ONE_LANE

STEPS(next_direction_late, DirectionLate) {
    const NextDirection now = {a->scalars->factor, a->z, a->p};
    if (!a->scalars->stopped) next_direction_step(&now, l, g, s, m, at);
}

STEPS(advance_late, AdvanceLate) {
    Advance now = a->advance;
    now.step = a->scalars->step;
    if (!a->scalars->stopped) advance_step(&now, l, g, s, m, at);
}

#endif

typedef struct AdvanceBoth {
    double factor, step;
    const Lanes *z, *w, *unscale;
    bool first; /* p, q and x are not yet set */
    Lanes *p, *q, *x, *r, *sums;
} AdvanceBoth;

STEPS(advance_both, AdvanceBoth) {
    const Lanes f = lanes_of(a->factor), forward = lanes_of(a->step), back = lanes_of(-a->step);
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) {
        const Lanes p = a->first ? a->z[n] : lanes_fma(f, a->p[n], a->z[n]);
        const Lanes q = a->first ? a->w[n] : lanes_fma(f, a->q[n], a->w[n]);
        a->p[n] = p;
        a->q[n] = q;
        a->x[n] = lanes_fma(forward, p, a->first ? lanes_of(0) : a->x[n]);
        const Lanes rest = lanes_fma(back, q, a->r[n]);
        a->r[n] = rest;
        const Lanes plain = rest * a->unscale[n];
        sum = lanes_fma(plain, plain, sum);
    }
    a->sums[at] = sum;
}

typedef struct Products {
    const Lanes *x, *y;
    Lanes *sums;
} Products;

STEPS(products, Products) {
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) sum = lanes_fma(a->x[n], a->y[n], sum);
    a->sums[at] = lanes_select(lane_mask(l, g, s, m), sum, lanes_of(0));
}

typedef struct NormsOfD {
    LaneMatrix matrix;
    double h;
    const Lanes *y, *v;
    Lanes *of_v, *of_difference;
} NormsOfD;

STEPS(norms_of_d, NormsOfD) {
    const Lanes part = lanes_of(-a->h), zero = lanes_of(0);
    const bool lines = a->matrix.diagonal == LANE_LINES;
    const LaneMask own = lane_mask(l, g, s, m);
    Lanes sum_v = zero, sum_d = zero, v_above = zero, d_above = zero;
    for (int k = l->levels - 1; k >= l->lowest[g * l->steps + s]; k--) {
        const ptrdiff_t n = m + LEVEL * k;
        const Lanes up = lines ? -upper_coupling(&a->matrix, n, a->matrix.both) : zero;
        const Lanes here = a->v[n], difference = lanes_fma(part, here, a->y[n]);
        const Lanes root_v = lanes_fma(up, v_above, here), root_d = lanes_fma(up, d_above, difference);
        sum_v = lanes_fma(root_v, root_v, sum_v);
        sum_d = lanes_fma(root_d, root_d, sum_d);
        v_above = here;
        d_above = difference;
    }
    a->of_v[at] = lanes_select(own, sum_v, zero);
    a->of_difference[at] = lanes_select(own, sum_d, zero);
}

typedef struct Copy {
    const Lanes *from;
    Lanes *to;
} Copy;

STEPS(copy, Copy) {
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->to[n] = a->from[n];
}

typedef struct Add {
    double factor;
    const Lanes *from;
    Lanes *to;
} Add;

STEPS(add, Add) {
    const Lanes f = lanes_of(a->factor);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) a->to[n] = lanes_fma(f, a->from[n], a->to[n]);
}

#endif
