/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/vectors_steps.h"

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
