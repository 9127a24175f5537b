/* SPDX-License-Identifier: Apache-2.0
 *
 * Compact schemes (compact.h) on the lines of a layout, over ranks and around land: u in, derivative, mean or
 * filtered values out (lines_solve).
 *
 *     LineOperator *derivative;
 *     const CompactScheme scheme = {COMPACT_FIRST, END_EVEN_HALF, .spacing = 100};
 *     TRY(compact_operator_create(layout, &scheme, NULL, &choice, &derivative));
 */
#ifndef MAEOTIS_NUMERICS_LINES_COMPACT_OPERATOR_H
#define MAEOTIS_NUMERICS_LINES_COMPACT_OPERATOR_H

#include "numerics/lines/compact.h"
#include "numerics/lines/lines.h"

/* `points`: a CompactPoint for every own row of every line (an array of the layout; those of idle lanes do
 * not matter), or NULL: all take part. Collective over layout->everyone. */
CHECKED Status compact_operator_create(const LineLayout *layout, const CompactScheme *scheme,
                                       const unsigned char *points, const LineChoice *choice,
                                       LineOperator **out);

#endif
