/* SPDX-License-Identifier: Apache-2.0
 *
 * Multigrid, for systems that no column and no cell dominates (isotropic cells): one cycle in the place of
 * B^-1. Its smoother is MATM's pair of sweeps, forward and back, once before the coarser grid and once behind it,
 * so that a cycle is self-adjoint.
 *
 * A coarser cell is two by two (by two, where levels are halved as well) finer ones, whatever of them is
 * water. Corrections are constant in it, residuals are summed; its couplings are the sums of the finer ones
 * on its faces, halved in directions that are halved, since they reach twice as far; what exceeds the
 * couplings on the diagonal is summed.
 *
 * Grids are cut between ranks like the finest, until their sweeps wait more than they work: then fewer ranks take
 * over, at last each for itself (coarse_grid.h). The numbers are those of one rank.
 */
#ifndef MAEOTIS_NUMERICS_MATM_MULTIGRID_H
#define MAEOTIS_NUMERICS_MATM_MULTIGRID_H

#include "numerics/matm/matrix.h"

typedef struct Multigrid Multigrid;

/* Over the grid of `frame`, self-adjoint and without pivots. `halve_levels`: as well as rows and columns.
 * Collective, as are the others. */
CHECKED Status multigrid_create(const LaneLayout *layout, Pipeline *pipeline, MatrixFrame *frame,
                                bool halve_levels, Multigrid **out);
void multigrid_destroy(Multigrid **multigrid);

/* Between matrix_load and matrix_scale of the finest grid. */
void multigrid_setup(Multigrid *multigrid);

/* z = cycle of r, both scaled as `frame` has it. */
void multigrid_cycle(Multigrid *multigrid, const Lanes *r, Lanes *z);

#endif
