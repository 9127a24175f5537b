/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/coarsen.h"

#include "numerics/matm/steps.h"
#include "numerics/matm/triangular.h"

#define TEMPLATE static inline __attribute__((always_inline))

static const LaneMask EVEN = {-1, 0, -1, 0, -1, 0, -1, 0};

/* The finer vector of group g and step s, of rows one further north where they begin there. */
TEMPLATE Lanes finer(const LaneLayout *fine, const Lanes *x, int g, int s, int k, const bool shifted) {
    if (shifted && g >= fine->groups) return lanes_of(0); /* rows that no own coarser cell has */
    const ptrdiff_t m = lane_at(fine, g, s) + k;
    return shifted ? north_of(fine, x, m) : x[m];
}

/* What the lanes of a finer group give to their coarser cells, in pairs of lanes. */
TEMPLATE Lanes of_pairs(const Coarsening *c, const Lanes *x, int g, int s, int k, const FinerCells which,
                        const bool shifted) {
    const Lanes first = finer(c->fine, x, g, s, k, shifted), second = finer(c->fine, x, g, s + 1, k, shifted);
    if (which == SOUTH_CELLS) return first + second; /* even lanes count */
    Lanes sum = lanes_select(EVEN, first, second);
    if (which != WEST_CELLS) sum += lanes_select(EVEN, second, finer(c->fine, x, g, s + 2, k, shifted));
    return sum + __builtin_shufflevector(sum, sum, 1, 0, 3, 2, 5, 4, 7, 6);
}

TEMPLATE void sum_with(const Coarsening *c, const Lanes *x, Lanes *out, const FinerCells which,
                       const bool shifted) {
    const LaneLayout *coarse = c->coarse;
    FOR_STEPS(coarse, g, s, m) {
        const LaneMask own = lane_mask(coarse, g, s);
        FOR_LEVELS(coarse, g, s, level) {
            const int k0 = c->levels ? 2 * level : level;
            const bool two = c->levels && which != LOWER_CELLS && k0 + 1 < c->fine->levels;
            Lanes half[2];
            for (int h = 0; h < 2; h++) {
                half[h] = of_pairs(c, x, 2 * g + h, 2 * s - 8 * h + c->column, k0, which, shifted);
                if (two)
                    half[h] += of_pairs(c, x, 2 * g + h, 2 * s - 8 * h + c->column, k0 + 1, which, shifted);
            }
            const Lanes sum = __builtin_shufflevector(half[0], half[1], 0, 2, 4, 6, 8, 10, 12, 14);
            out[m + level] = lanes_select(own, sum, lanes_of(0));
        }
    }
}

void coarsen_sum(const Coarsening *c, FinerCells which, const Lanes *x, Lanes *out) {
    if (which == WEST_CELLS)
        sum_with(c, x, out, WEST_CELLS, c->row);
    else if (which == SOUTH_CELLS)
        sum_with(c, x, out, SOUTH_CELLS, c->row);
    else if (which == LOWER_CELLS)
        sum_with(c, x, out, LOWER_CELLS, c->row);
    else if (c->row)
        sum_with(c, x, out, ALL_CELLS, true);
    else
        sum_with(c, x, out, ALL_CELLS, false);
}

/* The numbers of the coarser cells of a finer vector whose rows begin with an even one. */
TEMPLATE Lanes coarser(const Coarsening *c, const Lanes *y, int g, int s, int level) {
    const int t = s - c->column, h = g & 1, group = (g - h) / 2; /* also of group -1 */
    const Lanes even = y[lane_at(c->coarse, group, (t >> 1) + 4 * h) + level];
    const Lanes odd = y[lane_at(c->coarse, group, ((t - 1) >> 1) + 4 * h) + level];
    const Lanes low = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    const Lanes high = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
    return h ? high : low;
}

void refine_add(const Coarsening *c, const Lanes *y, const Lanes *factor, Lanes *x) {
    const LaneLayout *fine = c->fine;
    FOR_STEPS(fine, g, s, m) {
        const LaneMask own = lane_mask_quick(fine, g, s);
        FOR_LEVELS(fine, g, s, k) {
            const int level = c->levels ? k / 2 : k;
            Lanes add = coarser(c, y, g, c->row ? s - 1 : s, level);
            if (c->row) add = lanes_from_below(add, coarser(c, y, g - 1, s + 7, level));
            const Lanes sum = lanes_fma(factor[m + k], add, x[m + k]);
            x[m + k] = lanes_select(own, sum, x[m + k]);
        }
    }
}
