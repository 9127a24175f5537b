/* SPDX-License-Identifier: Apache-2.0
 *
 * A few groups of lines at a time, for callers that do all their work on them while they are in the cache.
 * Only for operators whose lines are whole on every rank.
 */
#ifndef MAEOTIS_NUMERICS_LINES_GROUP_H
#define MAEOTIS_NUMERICS_LINES_GROUP_H

#include "numerics/lines/lines.h"

/* Can lines be solved group by group, on a processor? The same on all ranks. Local. */
bool lines_are_whole(const LineOperator *op);

/* Group g: x from u, each the numbers of that group alone. The bits are those of lines_solve. Local. */
void lines_solve_group(const LineOperator *op, int g, const double *u, double *x);

/* lines_from_field and lines_add_to_field for the groups g0 <= g < g1, the first of which is at `lines`. */
void groups_from_field(const LineLayout *layout, int g0, int g1, const double *field, double *lines);
void groups_add_to_field(const LineLayout *layout, int g0, int g1, const double *lines, double scale,
                         double *field);

#endif
