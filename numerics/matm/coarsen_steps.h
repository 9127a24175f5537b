/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over finer cells, and corrections from coarser ones (coarsen.h).
 */
#ifndef MAEOTIS_NUMERICS_MATM_COARSEN_STEPS_H
#define MAEOTIS_NUMERICS_MATM_COARSEN_STEPS_H

#include "numerics/matm/steps.h"

typedef enum FinerCells { ALL_CELLS, WEST_CELLS, SOUTH_CELLS, LOWER_CELLS } FinerCells;

typedef struct Coarsen {
    LaneShape fine;
    int column, row;
    int levels; /* not 0: halved */
    const Lanes *x;
    Lanes *out;
} Coarsen;

/* The finer vector of group g and step s (m: its level, and its lane on a device), of rows one further north
 * where they begin there. */
POINTWISE Lanes finer(const Coarsen *c, int g, int s, ptrdiff_t m, const bool shifted) {
    if (shifted && g >= c->fine.groups) return lanes_of(0); /* rows that no own coarser cell has */
    m += lane_at(&c->fine, g, s);
    return shifted ? north_of(&c->fine, c->x, m) : c->x[m];
}

#ifdef MATM_ONE_LANE

/* The finer cells of this coarser one, of one of their levels. */
POINTWISE Lanes sum_of_level(const Coarsen *c, int g, int s, int lane, int k, const FinerCells which,
                             const bool shifted) {
    const int half = lane / 4, group = 2 * g + half, step = 2 * s - 8 * half + c->column;
    const ptrdiff_t south = LEVEL * k + 2 * (lane % 4), north = south + 1;
    const Lanes first = finer(c, group, step, south, shifted);
    if (which == SOUTH_CELLS) return first + finer(c, group, step + 1, south, shifted);
    const Lanes second = finer(c, group, step + 1, north, shifted);
    if (which == WEST_CELLS) return first + second;
    return (first + finer(c, group, step + 1, south, shifted)) +
           (second + finer(c, group, step + 2, north, shifted));
}

POINTWISE Lanes sum_of_cell(const Coarsen *c, int g, int s, ptrdiff_t m, int k, bool two,
                            const FinerCells which, const bool shifted) {
    const int lane = (int)(m & 7);
    const Lanes sum = sum_of_level(c, g, s, lane, k, which, shifted);
    return two ? sum + sum_of_level(c, g, s, lane, k + 1, which, shifted) : sum;
}

#else

/* What the lanes of a finer group give to their coarser cells, in pairs of lanes. */
POINTWISE Lanes of_pairs(const Coarsen *c, int g, int s, int k, const FinerCells which, const bool shifted) {
    const LaneMask even = {-1, 0, -1, 0, -1, 0, -1, 0};
    const Lanes first = finer(c, g, s, k, shifted), second = finer(c, g, s + 1, k, shifted);
    if (which == SOUTH_CELLS) return first + second; /* even lanes count */
    Lanes sum = lanes_select(even, first, second);
    if (which != WEST_CELLS) sum += lanes_select(even, second, finer(c, g, s + 2, k, shifted));
    return sum + __builtin_shufflevector(sum, sum, 1, 0, 3, 2, 5, 4, 7, 6);
}

POINTWISE Lanes sum_of_cell(const Coarsen *c, int g, int s, ptrdiff_t m, int k, bool two,
                            const FinerCells which, const bool shifted) {
    Lanes half[2];
    (void)m;
    for (int h = 0; h < 2; h++) {
        half[h] = of_pairs(c, 2 * g + h, 2 * s - 8 * h + c->column, k, which, shifted);
        if (two) half[h] += of_pairs(c, 2 * g + h, 2 * s - 8 * h + c->column, k + 1, which, shifted);
    }
    return __builtin_shufflevector(half[0], half[1], 0, 2, 4, 6, 8, 10, 12, 14);
}

#endif

POINTWISE void sum_with(const Coarsen *a, const LaneShape *l, int g, int s, ptrdiff_t m,
                        const FinerCells which, const bool shifted) {
    const LaneMask own = lane_mask(l, g, s, m);
    FOR_LEVELS (l, g, s, m, k, n) {
        const int k0 = (int)(a->levels ? 2 * k : k);
        const bool two = a->levels && which != LOWER_CELLS && k0 + 1 < a->fine.levels;
        a->out[n] = lanes_select(own, sum_of_cell(a, g, s, m, k0, two, which, shifted), lanes_of(0));
    }
}

STEPS(sum_all, Coarsen) {
    (void)at;
    sum_with(a, l, g, s, m, ALL_CELLS, false);
}
STEPS(sum_all_shifted, Coarsen) {
    (void)at;
    sum_with(a, l, g, s, m, ALL_CELLS, true);
}
STEPS(sum_west, Coarsen) {
    (void)at;
    sum_with(a, l, g, s, m, WEST_CELLS, a->row);
}
STEPS(sum_south, Coarsen) {
    (void)at;
    sum_with(a, l, g, s, m, SOUTH_CELLS, a->row);
}
STEPS(sum_lower, Coarsen) {
    (void)at;
    sum_with(a, l, g, s, m, LOWER_CELLS, a->row);
}

typedef struct Refine {
    LaneShape coarse;
    int column, row;
    int levels; /* not 0: halved */
    const Lanes *y, *factor;
    Lanes *x;
} Refine;

#ifdef MATM_ONE_LANE

/* The number of the coarser cell of a finer lane, in rows that begin with an even one. */
POINTWISE Lanes coarser(const Refine *c, int g, int s, int lane, int level) {
    const int h = g & 1, group = (g - h) / 2, step = ((s - c->column - (lane & 1)) >> 1) + 4 * h;
    return c->y[lane_at(&c->coarse, group, step) + LEVEL * level + (lane >> 1) + 4 * h];
}

POINTWISE Lanes correction_of(const Refine *c, int g, int s, ptrdiff_t m, int level) {
    const int lane = (int)(m & 7);
    if (!c->row) return coarser(c, g, s, lane, level);
    return lane > 0 ? coarser(c, g, s - 1, lane - 1, level) : coarser(c, g - 1, s + 7, 7, level);
}

#else

/* The numbers of the coarser cells of a finer vector whose rows begin with an even one. */
POINTWISE Lanes coarser(const Refine *c, int g, int s, int level) {
    const int t = s - c->column, h = g & 1, group = (g - h) / 2; /* also of group -1 */
    const Lanes even = c->y[lane_at(&c->coarse, group, (t >> 1) + 4 * h) + level];
    const Lanes odd = c->y[lane_at(&c->coarse, group, ((t - 1) >> 1) + 4 * h) + level];
    const Lanes low = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    const Lanes high = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
    return h ? high : low;
}

POINTWISE Lanes correction_of(const Refine *c, int g, int s, ptrdiff_t m, int level) {
    (void)m;
    const Lanes add = coarser(c, g, c->row ? s - 1 : s, level);
    return c->row ? lanes_from_below(add, coarser(c, g - 1, s + 7, level)) : add;
}

#endif

STEPS(refine, Refine) {
    const LaneMask own = lane_mask_quick(l, g, s, m);
    (void)at;
    FOR_LEVELS (l, g, s, m, k, n) {
#ifdef MATM_ONE_LANE
        if (!own) continue; /* the cells around own ones may have no coarser ones in memory */
#endif
        const Lanes add = correction_of(a, g, s, m, (int)(a->levels ? k / 2 : k));
        const Lanes sum = lanes_fma(a->factor[n], add, a->x[n]);
        a->x[n] = lanes_select(own, sum, a->x[n]);
    }
}

#endif
