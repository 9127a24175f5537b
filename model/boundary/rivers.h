/* SPDX-License-Identifier: Apache-2.0
 *
 * Rivers: volume sources in the nearest wet column, spread over its depth, with their tracer values.
 */
#ifndef MAEOTIS_MODEL_RIVERS_H
#define MAEOTIS_MODEL_RIVERS_H

#include "gpu/reduce.h"
#include "model/boundary/inflow.h"
#include "numerics/grid/grid.h"

typedef struct Rivers Rivers;

/* Says in the log where a mouth was moved to, and how far. Collective. */
CHECKED Status rivers_create(const Scenario *scenario, const Grid *grid, Rivers **out);
void rivers_destroy(Rivers **rivers);

/* The values of the state's tracers in the rivers. Local. */
CHECKED Status rivers_add_tracers(Rivers *rivers, const Scenario *scenario, const State *state);

/* Discharges that from now on take the place of the scenario's, of all rivers; NaN leaves what is there, NULL all. Local. */
void rivers_give(Rivers *rivers, const double *discharges);

/* Those; NaN: the scenario's. NULL: none was given. Local. */
const double *rivers_given(const Rivers *rivers);

/* The discharge of a river at a time [m3 s-1]. Local. */
double rivers_discharge(const Rivers *rivers, int river, double time);

/* Sets `source` of the mouths' columns on this rank, and its inflowing part [m3 s-1]. A withdrawal is limited
 * to the volume of the column at the beginning of the step. No kernel may be under way that reads what the rivers
 * brought before. Local. */
void rivers_apply(const Rivers *rivers, double time, double dt, const double *depth, double *source,
                  double *source_in);

/* Adds the sources of this rank's columns in this step [m3 s-1]. After a wait. Local. */
void rivers_inflow(const Rivers *rivers, ExactSum *sum);

/* Sets `load` and `carried` of a tracer in the mouths' columns (model/tracers/transport.h). Local. */
void rivers_carry(const Rivers *rivers, int tracer, double time, double *load, double *carried);

/* Calls back for each column of this rank that has a mouth, once. Local. */
void rivers_each_column(const Rivers *rivers, void (*visit)(void *context, ptrdiff_t column), void *context);

#endif
