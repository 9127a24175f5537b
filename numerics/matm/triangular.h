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

#include "numerics/matm/matrix.h"

POINTWISE Lanes south_of(const LaneLayout *layout, const Lanes *x, ptrdiff_t m) {
    return lanes_from_below(x[m - layout->column], x[m + layout->below]);
}

POINTWISE Lanes north_of(const LaneLayout *layout, const Lanes *x, ptrdiff_t m) {
    return lanes_from_above(x[m + layout->column], x[m + layout->above]);
}

POINTWISE Lanes east_coupling(const LaneLayout *layout, const LaneMatrix *matrix, ptrdiff_t m, bool both) {
    return both ? matrix->east[m] : matrix->west[m + layout->column];
}

POINTWISE Lanes north_coupling(const LaneLayout *layout, const LaneMatrix *matrix, ptrdiff_t m, bool both) {
    return both ? matrix->north[m] : north_of(layout, matrix->south, m);
}

POINTWISE Lanes upper_coupling(const LaneMatrix *matrix, ptrdiff_t m, bool both) {
    return both ? matrix->upper[m] : matrix->lower[m + 1];
}

POINTWISE Lanes below_of(const LaneLayout *layout, const LaneMatrix *matrix, Lanes a, const Lanes *y,
                         ptrdiff_t m, Lanes start) {
    const Lanes west = lanes_fma(a * matrix->west[m], y[m - layout->column], start);
    return lanes_fma(a * matrix->south[m], south_of(layout, y, m), west);
}

POINTWISE Lanes above_of(const LaneLayout *layout, const LaneMatrix *matrix, Lanes a, const Lanes *v,
                         ptrdiff_t m, Lanes start, bool both) {
    const Lanes east = lanes_fma(a * east_coupling(layout, matrix, m, both), v[m + layout->column], start);
    return lanes_fma(a * north_coupling(layout, matrix, m, both), north_of(layout, v, m), east);
}

#endif
