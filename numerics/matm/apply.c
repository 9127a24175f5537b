/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with the scaled operator.
 */
#include "numerics/matm/steps.h"
#include "numerics/matm/triangular.h"

#define TEMPLATE static inline __attribute__((always_inline))

/* The diagonal times x. */
POINTWISE Lanes diagonal_part(const LaneMatrix *a, ptrdiff_t m, Lanes x, LaneDiagonal diagonal, bool both) {
    if (diagonal == LANE_CENTRE) return a->centre[m] * x;
    if (diagonal == LANE_ONES) return x;
    const Lanes across = both ? a->upper[m - 1] : a->lower[m];
    return lanes_fma(a->lower[m] * across, x, x);
}

TEMPLATE void apply_with(const LaneLayout *layout, const LaneMatrix *a, const Lanes *x, Lanes *q, Lanes *sums,
                         const LaneDiagonal diagonal, const bool both) {
    const Lanes one = lanes_of(1);
    FOR_STEPS(layout, g, s, first) {
        const LaneMask own = lane_mask_quick(layout, g, s);
        Lanes sum = lanes_of(0);
        FOR_LEVELS(layout, g, s, k) {
            const ptrdiff_t m = first + k;
            Lanes around = below_of(layout, a, one, x, m, lanes_of(0));
            around = above_of(layout, a, one, x, m, around, both);
            around = lanes_fma(a->lower[m], x[m - 1], around);
            around = lanes_fma(upper_coupling(a, m, both), x[m + 1], around);
            const Lanes product = diagonal_part(a, m, x[m], diagonal, both) - around;
            q[m] = lanes_select(own, product, lanes_of(0));
            sum = lanes_fma(x[m], q[m], sum);
        }
        if (sums) sums[g * layout->steps + s] = sum;
    }
}

/* One layer, self-adjoint: the vectors of the last step stay in registers. */
TEMPLATE void apply_flat(const LaneLayout *layout, const LaneMatrix *a, const Lanes *x, Lanes *q, Lanes *sums,
                         const LaneDiagonal diagonal) {
    const LaneLayout l = *layout; /* not changed by what is written here */
    for (int g = 0; g < l.groups; g++)
        for (int n = l.first_run[g]; n < l.first_run[g + 1]; n++) {
            const StepRun run = l.run[n];
            ptrdiff_t m = lane_at(&l, g, run.s0);
            Lanes west = x[m - 1], here = x[m];
            for (int s = run.s0; s < run.s1; s++, m++) {
                const Lanes east = x[m + 1], south_x = lanes_from_below(west, x[m + l.below]);
                const Lanes north = lanes_from_above(a->south[m + 1], a->south[m + l.above]);
                const Lanes north_x = lanes_from_above(east, x[m + l.above]);
                Lanes around = lanes_fma(a->south[m], south_x, a->west[m] * west);
                around = lanes_fma(north, north_x, lanes_fma(a->west[m + 1], east, around));
                const Lanes centre = diagonal == LANE_CENTRE ? a->centre[m] * here : here;
                const Lanes product = lanes_select(lane_mask_quick(&l, g, s), centre - around, lanes_of(0));
                q[m] = product;
                if (sums) sums[g * l.steps + s] = here * product;
                west = here;
                here = east;
            }
        }
}

void matrix_apply(const LaneLayout *layout, const LaneMatrix *a, const Lanes *x, Lanes *q, Lanes *sums) {
    if (a->both && a->diagonal == LANE_LINES)
        apply_with(layout, a, x, q, sums, LANE_LINES, true);
    else if (a->both)
        apply_with(layout, a, x, q, sums, LANE_ONES, true);
    else if (a->diagonal == LANE_LINES)
        apply_with(layout, a, x, q, sums, LANE_LINES, false);
    else if (layout->levels == 1 && a->diagonal == LANE_CENTRE)
        apply_flat(layout, a, x, q, sums, LANE_CENTRE);
    else if (layout->levels == 1)
        apply_flat(layout, a, x, q, sums, LANE_ONES);
    else if (a->diagonal == LANE_CENTRE)
        apply_with(layout, a, x, q, sums, LANE_CENTRE, false);
    else
        apply_with(layout, a, x, q, sums, LANE_ONES, false);
}

void matrix_apply_skew(const LaneLayout *layout, const LaneMatrix *a, const Lanes *x, Lanes *q) {
    const Lanes one = lanes_of(1);
    FOR_STEPS(layout, g, s, first) {
        const LaneMask own = lane_mask(layout, g, s);
        FOR_LEVELS(layout, g, s, k) {
            const ptrdiff_t m = first + k;
            Lanes below = below_of(layout, a, one, x, m, lanes_of(0));
            below = lanes_fma(a->lower[m], x[m - 1], below);
            Lanes above = above_of(layout, a, one, x, m, lanes_of(0), false);
            above = lanes_fma(a->lower[m + 1], x[m + 1], above);
            q[m] = lanes_select(own, above - below, lanes_of(0));
        }
    }
}
