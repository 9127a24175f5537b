/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/coarsen.h"

void coarsen_sum(const Coarsening *c, FinerCells which, const Lanes *x, Lanes *out) {
    const Coarsen args = {*lane_shape(c->fine), c->column, c->row, c->levels, x, out};
    if (which == WEST_CELLS)
        sum_west(c->coarse, args);
    else if (which == SOUTH_CELLS)
        sum_south(c->coarse, args);
    else if (which == LOWER_CELLS)
        sum_lower(c->coarse, args);
    else if (c->row)
        sum_all_shifted(c->coarse, args);
    else
        sum_all(c->coarse, args);
}

void refine_add(const Coarsening *c, const Lanes *y, const Lanes *factor, Lanes *x) {
    refine(c->fine, (Refine){*lane_shape(c->coarse), c->column, c->row, c->levels, y, factor, x});
}
