/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/terms.h"

POINTWISE double as_acceleration(TermTime time, double value, double dt, double growth, double thickness) {
    if (time == TERM_OVER_STEP) return value / dt;
    if (time == TERM_OF_PRESSURE) return growth * value;
    if (time == TERM_AT_SURFACE) return value / thickness;
    return value;
}

KERNEL_COLUMNS(momentum_terms_at, TermsAt) {
    if (j != a->j || a->i < i0 || a->i >= i0 + LANES) return;
    Momentum with_viscosity = a->momentum;
    with_viscosity.viscosity_in_sum = true;
    const Momentum *m = &with_viscosity;
    const ptrdiff_t first = AT2(m->g, i0, j);
    const int top = m->g.n3 - 1;
    Neighbours n;
    Terms t;
    neighbours_find(m, first, &n);
    const Place surface = {&n, first, first + top * m->g.plane, j, top};
    terms_begin(m, &surface, &t);
    for (int k = top; k >= a->k; k--) {
        const Place at = {&n, first, first + k * m->g.plane, j, k};
        terms_find(m, &at, &t);
    }
    const int l = a->i - i0;
    const Faces *f = &m->faces;
    const double depth = max_of(f->depth[first + l], m->full_stress_depth);
    const double thickness = f->phi[first + l + a->k * m->g.plane] * max_of(depth, 1e-9);
#define ACCELERATION(name, time, words, advice)                                                              \
    a->acceleration[MOMENTUM_TERM_##name] = as_acceleration(time, t.name[l], m->dt, t.growth[l], thickness);
    MOMENTUM_TERMS(ACCELERATION)
}
