/* SPDX-License-Identifier: Apache-2.0
 *
 * Rivers: volume sources in the nearest wet column, spread over its depth.
 */
#ifndef MAEOTIS_MODEL_RIVERS_H
#define MAEOTIS_MODEL_RIVERS_H

#include "gpu/reduce.h"
#include "model/scenario.h"
#include "numerics/grid/grid.h"

typedef struct Rivers Rivers;

/* Says in the log where a mouth was moved to, and how far. Collective. */
CHECKED Status rivers_create(const Scenario *scenario, const Grid *grid, Rivers **out);
void rivers_destroy(Rivers **rivers);

/* Sets `source` of the mouths' columns on this rank [m3 s-1]. What is taken out is no more than the column
 * holds at the beginning of the step. Local. */
void rivers_apply(const Rivers *rivers, double time, double dt, const double *depth, double *source);

/* Adds what this rank's columns get [m3 s-1]. Local. */
void rivers_inflow(const Rivers *rivers, const double *source, ExactSum *sum);

#endif
