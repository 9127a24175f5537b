/* SPDX-License-Identifier: Apache-2.0
 *
 * From the scenario's grid and bathymetry sections to a Grid.
 */
#ifndef MAEOTIS_MODEL_TERRAIN_H
#define MAEOTIS_MODEL_TERRAIN_H

#include "numerics/grid/band.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

/* Ground, open boundaries, Coriolis parameter, decomposition: the whole grid, for `exec`. `ground_note` gets
 * where the ground came from and the ledger of repairs (to be freed; NULL on ranks other than 0). `around`: of the
 * sea around a zoom, NULL: it is none. Collective. */
CHECKED Status terrain_create(const Scenario *scenario, MPI_Comm comm, Exec exec, const Axes *around,
                              Grid **grid, char **ground_note);

/* The axes of the whole grid; `interfaces` is borrowed from the scenario. Local. */
CHECKED Status terrain_axes(const Scenario *scenario, Axes *out);

/* The largest number of ranks, up to `ranks`, that the scenario's grid can be shared by. Local. */
int terrain_most_ranks(const Scenario *s, int ranks);

/* The scenario of the finer grid of its zoom. Local. */
CHECKED Status terrain_zoom(const Scenario *s, Scenario **out);

/* The rows of maps of the whole grid that this rank makes or reads before they go where they belong. Local. */
Band terrain_band(MPI_Comm comm, const Axes *axes);

/* What rank 0 holds beside its own part while it cuts a grid of so many columns, land too [bytes]. Local. */
double terrain_cutting_bytes(double columns);

/* How the scenario's grid may be cut: straight where systems along lines in y are. Local. */
CutKind terrain_cuts(const Scenario *s);

/* The part of a step's work that consists of sweeps, for the shape of the decomposition (numerics/grid/cuts.h):
 * a rough number for each kind of scenario. Local. */
double terrain_swept_part(const Scenario *s);

#endif
