/* SPDX-License-Identifier: Apache-2.0
 *
 * A test of what kernels read. Behind each open face of the domain's edge lies a ghost cell: what a field holds there
 * is what its owner sets, or 0, as on land. Behind the ghosts nobody knows anything. With a number in MAEOTIS_POISON,
 * new fields hold other numbers of that size there in place of 0, with "nan" NaN. No bit of a run may depend on such
 * numbers. What is multiplied by the width of a closed face may still be read: NaN is for searching, not for passing.
 */
#ifndef MAEOTIS_NUMERICS_POISON_H
#define MAEOTIS_NUMERICS_POISON_H

#include "numerics/grid/grid.h"

/* Of a new field that has `levels` levels; without MAEOTIS_POISON, and while the grid is made, nothing happens. */
void poison_beyond_edges(const Grid *grid, int levels, double *field);

#endif
