/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector updates over the steps with water, with the sums that they allow.
 */
#include "numerics/matm/solver.h"
#include "numerics/matm/steps.h"
#include "numerics/matm/triangular.h"

void lanes_direction(const LaneLayout *layout, double factor, const Lanes *z, Lanes *p) {
    const Lanes f = lanes_of(factor);
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) p[m + k] = lanes_fma(f, p[m + k], z[m + k]);
}

void lanes_advance(const LaneLayout *layout, double step, const Lanes *p, const Lanes *q,
                   const Lanes *unscale, Lanes *x, Lanes *r, Lanes *sums) {
    const Lanes forward = lanes_of(step), back = lanes_of(-step);
    FOR_STEPS(layout, g, s, m) {
        Lanes sum = lanes_of(0);
        FOR_LEVELS(layout, g, s, k) {
            x[m + k] = lanes_fma(forward, p[m + k], x[m + k]);
            const Lanes rest = lanes_fma(back, q[m + k], r[m + k]);
            r[m + k] = rest;
            const Lanes plain = rest * unscale[m + k];
            sum = lanes_fma(plain, plain, sum);
        }
        sums[g * layout->steps + s] = sum;
    }
}

void lanes_products(const LaneLayout *layout, const Lanes *x, const Lanes *y, Lanes *sums) {
    FOR_STEPS(layout, g, s, m) {
        Lanes sum = lanes_of(0);
        FOR_LEVELS(layout, g, s, k) sum = lanes_fma(x[m + k], y[m + k], sum);
        sums[g * layout->steps + s] = lanes_select(lane_mask(layout, g, s), sum, lanes_of(0));
    }
}

void lanes_norms_of_d(const LaneLayout *layout, const LaneMatrix *matrix, double h, const Lanes *y,
                      const Lanes *v, Lanes *of_v, Lanes *of_difference) {
    const Lanes part = lanes_of(-h), zero = lanes_of(0);
    const bool lines = matrix->diagonal == LANE_LINES;
    FOR_STEPS(layout, g, s, m) {
        const LaneMask own = lane_mask(layout, g, s);
        Lanes sum_v = zero, sum_d = zero, v_above = zero, d_above = zero;
        for (int k = layout->levels - 1; k >= layout->lowest[g * layout->steps + s]; k--) {
            const Lanes up = lines ? -upper_coupling(matrix, m + k, matrix->both) : zero;
            const Lanes here = v[m + k], difference = lanes_fma(part, here, y[m + k]);
            const Lanes root_v = lanes_fma(up, v_above, here), root_d = lanes_fma(up, d_above, difference);
            sum_v = lanes_fma(root_v, root_v, sum_v);
            sum_d = lanes_fma(root_d, root_d, sum_d);
            v_above = here;
            d_above = difference;
        }
        of_v[g * layout->steps + s] = lanes_select(own, sum_v, zero);
        of_difference[g * layout->steps + s] = lanes_select(own, sum_d, zero);
    }
}

void lanes_copy(const LaneLayout *layout, const Lanes *from, Lanes *to) {
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) to[m + k] = from[m + k];
}

void lanes_add(const LaneLayout *layout, double factor, const Lanes *from, Lanes *to) {
    const Lanes f = lanes_of(factor);
    FOR_STEPS(layout, g, s, m)
    FOR_LEVELS(layout, g, s, k) to[m + k] = lanes_fma(f, from[m + k], to[m + k]);
}

void lanes_residual(const LaneLayout *layout, const Lanes *rhs, const Lanes *q, const Lanes *unscale,
                    Lanes *r, Lanes *sums) {
    FOR_STEPS(layout, g, s, m) {
        Lanes sum = lanes_of(0);
        FOR_LEVELS(layout, g, s, k) {
            r[m + k] = rhs[m + k] - q[m + k];
            const Lanes plain = r[m + k] * unscale[m + k];
            sum = lanes_fma(plain, plain, sum);
        }
        sums[g * layout->steps + s] = sum;
    }
}
