/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/vectors_steps.h"

#include "numerics/matm/mixed_steps.h"
#include "numerics/matm/solver.h"

void lanes_direction(const LaneLayout *layout, double factor, const Lanes *z, Lanes *p) {
    next_direction(layout, (NextDirection){factor, z, p});
}

void lanes_advance(const LaneLayout *layout, double step, const Lanes *p, const Lanes *q,
                   const Lanes *unscale, bool first, Lanes *x, Lanes *r, Lanes *sums) {
    advance(layout, (Advance){step, p, q, unscale, first, x, r, sums});
}

void lanes_direction_late(const LaneLayout *layout, const LateScalars *scalars, const Lanes *z, Lanes *p) {
    next_direction_late(layout, (DirectionLate){scalars, z, p});
}

void lanes_advance_late(const LaneLayout *layout, const LateScalars *scalars, const Lanes *p, const Lanes *q,
                        const Lanes *unscale, bool first, Lanes *x, Lanes *r, Lanes *sums) {
    advance_late(layout, (AdvanceLate){scalars, {0, p, q, unscale, first, x, r, sums}});
}

void lanes_advance_both(const LaneLayout *layout, double factor, double step, const Lanes *z, const Lanes *w,
                        const Lanes *unscale, bool first, Lanes *p, Lanes *q, Lanes *x, Lanes *r,
                        Lanes *sums) {
    advance_both(layout, (AdvanceBoth){factor, step, z, w, unscale, first, p, q, x, r, sums});
}

void mixed_apply(const Inner *m, const Lanes *p, Lanes *sums) {
    const DoubleSystem *s = &m->mixed;
    apply_mixed(m->layout, (ApplyMixed){(const LanesOfDouble *)s->west, (const LanesOfDouble *)s->south,
                                        (const LanesOfDouble *)s->lower, p, (LanesOfDouble *)s->q, sums});
}

void mixed_advance(const Inner *m, double step, const Lanes *p, bool first, Lanes *sums) {
    const DoubleSystem *s = &m->mixed;
    advance_mixed(m->layout, (AdvanceMixed){step, p, m->frame->unscale, (const LanesOfDouble *)s->q, first,
                                            (LanesOfDouble *)s->x, (LanesOfDouble *)s->r, m->r, sums});
}

void lanes_narrow(const LaneLayout *layout, const double *from, Lanes *to) {
    narrow(layout, (Narrow){(const LanesOfDouble *)from, to});
}

void lanes_products(const LaneLayout *layout, const Lanes *x, const Lanes *y, Lanes *sums) {
    products(layout, (Products){x, y, sums});
}

void lanes_norms_of_d(const LaneLayout *layout, const LaneMatrix *matrix, double h, const Lanes *y,
                      const Lanes *v, Lanes *of_v, Lanes *of_difference) {
    norms_of_d(layout, (NormsOfD){*matrix, h, y, v, of_v, of_difference});
}

void lanes_copy(const LaneLayout *layout, const Lanes *from, Lanes *to) {
    copy(layout, (Copy){from, to});
}

void lanes_add(const LaneLayout *layout, double factor, const Lanes *from, Lanes *to) {
    add(layout, (Add){factor, from, to});
}
