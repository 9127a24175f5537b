/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of grid_create; not for other modules.
 */
#ifndef MAEOTIS_NUMERICS_GRID_PARTS_H
#define MAEOTIS_NUMERICS_GRID_PARTS_H

#include "numerics/grid/grid.h"

/* The lowest layer of a column with this bed: counts from the deepest level 0 to the surface nz - 1. */
int layers_lowest(const Axes *axes, double bed);

/* Whole numbers of layers: the work in each BLOCK of columns, row after row, on rank 0 (NULL elsewhere); to be freed.
 * Collective. */
double *ground_weights(MPI_Comm comm, const Axes *axes, const GridGround *ground);

CHECKED Status ground_spread(Grid *grid,
                             const GridGround *ground); /* bed, area, widths with halos; collective */
void layers_make(Grid *grid);                           /* bed_u/v, bottoms, shares */
void work_lists_make(Grid *grid);
void work_lists_free(Grid *grid);

#endif
