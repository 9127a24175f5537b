/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of `maeotis check` about cells: the grid, its water and layers, and the finer grid of a zoom.
 */
#ifndef MAEOTIS_PROGRAM_CHECK_GRID_H
#define MAEOTIS_PROGRAM_CHECK_GRID_H

#include "model/simulation.h"

/* Of one grid: the Courant number of its fastest long wave, and the shortest side of a wet cell [m]. */
typedef struct GridMeasures {
    double wave, shortest;
} GridMeasures;

GridMeasures check_measure(const Simulation *sim);

void check_grid(const Simulation *sim);

/* The cuts that a run with so many processes takes; nothing of one. */
void check_cuts(const Scenario *scenario, const Grid *grid, int processes);

/* The finer grid of a zoom; NULL: there is none. */
const Simulation *check_inner(const Simulation *sim);

#endif
