/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid from a bed that a test gives as a function: whole cells, whole faces between wet ones.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_BED_GRID_H
#define MAEOTIS_TESTS_SUPPORT_BED_GRID_H

#include "numerics/grid/grid.h"

#define BED_GRID_LAND 100.0 /* a bed at or above this is land, below it can be flooded [m] */

/* Elevation of the bed by global indices [m]. */
typedef double BedAt(int i, int j);

enum { WEST_EDGE = 1, EAST_EDGE = 2, SOUTH_EDGE = 4, NORTH_EDGE = 8 };

/* `open`: the edges that a boundary condition has claimed as a whole. Fails the test on any error.
 * Collective. */
Grid *bed_grid(MPI_Comm comm, const Axes *axes, BedAt *bed, int open);
Grid *bed_grid_cut(MPI_Comm comm, const Axes *axes, BedAt *bed, int open, const CutWishes *wishes);

/* The same, with the error left to the caller. */
CHECKED Status bed_grid_try(MPI_Comm comm, const Axes *axes, BedAt *bed, int open, Grid **out);

#endif
