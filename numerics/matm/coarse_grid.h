/* SPDX-License-Identifier: Apache-2.0
 *
 * The coarser grids of multigrid.h, as much of them as layouts ask for, and which ranks work on them.
 *
 * A sweep passes from rank to rank; on a coarse grid that takes longer than the work. So fewer ranks take it over, each
 * with a rectangle whose edges are multiples of eight cells of the whole grid; the others rest until they get the
 * correction. In the end each rank that still works holds a whole grid, and all coarser ones.
 */
#ifndef MAEOTIS_NUMERICS_MATM_COARSE_GRID_H
#define MAEOTIS_NUMERICS_MATM_COARSE_GRID_H

#include "numerics/grid/grid.h"

/* Half as many rows and columns (and levels), cut where the finer grid is. All cells are taken for water; couplings of
 * land are 0. Local, as is the next. */
Grid coarse_grid_halved(const Grid *fine, bool levels);

/* Should fewer ranks work on the grid, and as which rectangle of ranks? 1 x 1: each rank on the whole. The same answer
 * on all ranks. */
bool coarse_grid_fewer(const Grid *grid, int levels, int shape[2]);

/* The same grid for a rectangle of `shape` ranks, with a communicator of theirs, which is to be freed unless it is that
 * of a rank alone; MPI_COMM_NULL and no cells on ranks that rest. Collective. */
Grid coarse_grid_of_fewer(const Grid *grid, const int shape[2]);
void coarse_grid_release(Grid *grid);

/* Does each rank hold the whole of such a grid? Local. */
bool coarse_grid_is_everywhere(const Decomposition *fewer);

/* Which rank of `all` is rank n of the fewer ones. Local. */
int coarse_grid_worker(const Decomposition *all, const Decomposition *fewer, int n);

#endif
