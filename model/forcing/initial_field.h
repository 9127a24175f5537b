/* SPDX-License-Identifier: Apache-2.0
 *
 * Initial fields: numbers, formulas, or files (columns.h) at the places and heights of cells and faces.
 * Cells that a file does not cover are reported and take the nearest value. Collective, and the same on any
 * number of ranks.
 */
#ifndef MAEOTIS_MODEL_FORCING_INITIAL_FIELD_H
#define MAEOTIS_MODEL_FORCING_INITIAL_FIELD_H

#include "numerics/grid/grid.h"
#include "settings/scenario.h"

/* `what` is the key or the tracer's name. A file is read at the scenario's start; a run that goes on from a restart file reads
 * none, and has 0 until it has read that one. */
CHECKED Status initial_fill_2d(const Value *value, const char *what, const Grid *grid, char place,
                               const Scenario *scenario, double *field);

/* In every layer, for water of this depth (own cells, with halo for the places 'u' and 'v'); with ground inside cells also of this
 * level, and `below` of subgrid_kernels.h, else NULL. A formula may use z, the height of the layer's middle. A file that says by its
 * CF standard name that it holds another temperature or salinity than `standard_name` is refused; NULL: any is taken. */
CHECKED Status initial_fill_3d(const Value *value, const char *what, const char *standard_name,
                               const Grid *grid, char place, const double *depth, const double *eta,
                               const double *below, const Scenario *scenario, double *field);

#endif
