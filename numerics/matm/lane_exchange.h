/* SPDX-License-Identifier: Apache-2.0
 *
 * What ranks tell each other about lane arrays: rows and columns at their edges. See also lanes_exchange.
 */
#ifndef MAEOTIS_NUMERICS_LANE_EXCHANGE_H
#define MAEOTIS_NUMERICS_LANE_EXCHANGE_H

#include "numerics/matm/lane_layout.h"

/* The number of column (i, j), -1 <= i <= n1, -1 <= j <= n2, at level 0; levels lie eight numbers apart. */
static inline Real *lane_cell(const LaneLayout *layout, Lanes *x, int i, int j) {
    const int g = (j + 8) / 8 - 1, l = (j + 8) % 8;
    return (Real *)(x + lane_at(layout, g, i + l)) + l;
}

/* Who gets what in lanes_exchange, and room for it. Collective among neighbours. */
CHECKED Status lanes_find_pieces(LaneLayout *layout);

/* Copies column `place` of rows from <= j < to, or row `place` of columns from <= i < to, to a message (pack)
 * or back; returns its length. */
ptrdiff_t lanes_copy_edge(const LaneLayout *layout, Lanes *x, bool column, int place, int from, int to,
                          Real *message, bool pack);

/* Zeros in so many columns of all rows, or rows of all columns, from `place` on and a `stride` apart. */
void lanes_clear_edges(const LaneLayout *layout, Lanes *x, bool column, int place, int stride, int places);

#endif
