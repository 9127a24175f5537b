/* SPDX-License-Identifier: Apache-2.0
 *
 * The recurrences of the method, once. For one vector of cells:
 *
 *     below_of   start + a (west y_west + south y_south), what a sweep from the south-west knows
 *     above_of   start + a (east v_east + north v_north), what a sweep from the north-east knows
 *
 * Couplings are scaled (matrix.h), so that nothing is divided.
 */
#ifndef MAEOTIS_NUMERICS_MATM_TRIANGULAR_H
#define MAEOTIS_NUMERICS_MATM_TRIANGULAR_H

#include "numerics/matm/lane_matrix.h"

/* Where the southern and the northern neighbour of a lane is. */
#ifdef MATM_ONE_LANE
POINTWISE ptrdiff_t south_at(const LaneShape *layout, ptrdiff_t m) {
    return (m & 7) ? m - layout->column - 1 : m + layout->below + 7;
}
POINTWISE ptrdiff_t north_at(const LaneShape *layout, ptrdiff_t m) {
    return (m & 7) < 7 ? m + layout->column + 1 : m + layout->above - 7;
}
POINTWISE Lanes south_of(const LaneShape *layout, const Lanes *x, ptrdiff_t m) {
    return x[south_at(layout, m)];
}
POINTWISE Lanes north_of(const LaneShape *layout, const Lanes *x, ptrdiff_t m) {
    return x[north_at(layout, m)];
}
#else
POINTWISE Lanes south_of(const LaneShape *layout, const Lanes *x, ptrdiff_t m) {
    return lanes_from_below(x[m - layout->column], x[m + layout->below]);
}
POINTWISE Lanes north_of(const LaneShape *layout, const Lanes *x, ptrdiff_t m) {
    return lanes_from_above(x[m + layout->column], x[m + layout->above]);
}
#endif

POINTWISE Lanes east_coupling(const LaneShape *layout, const LaneMatrix *matrix, ptrdiff_t m, bool both) {
    return both ? matrix->east[m] : matrix->west[m + layout->column];
}

POINTWISE Lanes north_coupling(const LaneShape *layout, const LaneMatrix *matrix, ptrdiff_t m, bool both) {
    return both ? matrix->north[m] : north_of(layout, matrix->south, m);
}

POINTWISE Lanes upper_coupling(const LaneMatrix *matrix, ptrdiff_t m, bool both) {
    return both ? matrix->upper[m] : matrix->lower[m + LEVEL];
}

/* start + along x_along + across x_across: one step of every recurrence here. */
POINTWISE Lanes two_more(Lanes start, Lanes along, Lanes x_along, Lanes across, Lanes x_across) {
    return lanes_fma(across, x_across, lanes_fma(along, x_along, start));
}

POINTWISE Lanes below_of(const LaneShape *layout, const LaneMatrix *matrix, Lanes a, const Lanes *y,
                         ptrdiff_t m, Lanes start) {
    return two_more(start, a * matrix->west[m], y[m - layout->column], a * matrix->south[m],
                    south_of(layout, y, m));
}

POINTWISE Lanes above_of(const LaneShape *layout, const LaneMatrix *matrix, Lanes a, const Lanes *v,
                         ptrdiff_t m, Lanes start, bool both) {
    return two_more(start, a * east_coupling(layout, matrix, m, both), v[m + layout->column],
                    a * north_coupling(layout, matrix, m, both), north_of(layout, v, m));
}

/* A pivot of the modified incomplete factorisation (matrix.c), from the diagonal and the sum over the cells
 * below it. It keeps a little less of the row sums than all, so that no pivot of a diagonally dominant matrix
 * is smaller than its couplings above, or than a hundredth of the diagonal; of other matrices small pivots
 * are replaced. 1 on land. */
POINTWISE Lanes pivot_of(Lanes diagonal, Lanes below) {
    const Lanes pivot = diagonal - lanes_of(0.99) * below;
    const Lanes sound = lanes_select(pivot > lanes_of(1e-3) * diagonal, pivot, diagonal);
    return lanes_select(diagonal > 0, sound, lanes_of(1));
}

#endif
