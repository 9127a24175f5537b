/* SPDX-License-Identifier: Apache-2.0
 *
 * The ground around a nest, in the cells around the middles of its ghosts: their bed, if the file of the coarser run
 * holds it, as those of maeotis do, so that the faces have its sills; and where a nest stays closed because the coarser
 * run has a wall there: land in its file, by the mask (or no level) of the cell around the middle of the ghost, or an
 * edge of its own grid (recorded in files of maeotis) that it does not open.
 */
#ifndef MAEOTIS_MODEL_NEST_WALLS_H
#define MAEOTIS_MODEL_NEST_WALLS_H

#include "base/error.h"
#include "numerics/grid/axes.h"
#include "settings/scenario.h"
#include <mpi.h>

/* Marks in wall[e][...], as open_edge of GridGround, the cells along the edges, and finds the bed outside of them (NaN: not
 * known) [m], on all ranks. Without /nest there are no walls, and nothing is known. Collective. */
CHECKED Status nest_walls_find(MPI_Comm comm, const Scenario *scenario, const Axes *axes,
                               unsigned char *const wall[4], double *const bed[4]);

#endif
