/* SPDX-License-Identifier: Apache-2.0
 *
 * Rain and flood water that leave the land: after the exchange with the air and before anything moves, a column of depth H on
 * ground above a height, on which r fell in the step, loses in this order
 *
 *     interception   min(r, I_most - I), what roofs, leaves and hollows still hold
 *     infiltration   what the ground takes (ground.h)
 *     drains         c dt
 *
 * each at most what is there. With ground inside cells (model/subgrid) this holds for each point of them: where dry land lies above
 * the water, its rain is intercepted, infiltrates and is drained first, and the rest runs to the water; above wet land the level
 * falls by what the ground takes,
 *
 *     V' = V - (V(eta) - V(eta - f dt)),   of a cell that is sea in part: over its land alone
 *
 * A cell has one I and one F, means over its land. The water is lost to the sea: nothing comes back from the ground, a canopy or a sewer. What it
 * carries leaves with it, with the mean of the column. The ledger has a line for each way.
 */
#ifndef MAEOTIS_MODEL_INFILTRATION_H
#define MAEOTIS_MODEL_INFILTRATION_H

#include "model/infiltration/infiltration_kernels.h"
#include "model/state.h"
#include "model/subgrid/subgrid.h"
#include "numerics/grid/tally.h"

typedef struct Infiltration Infiltration;

/* NULL: the scenario has none; `subgrid` may be NULL. Makes the state's fields. Collective. */
CHECKED Status infiltration_create(const Scenario *scenario, State *state, const Subgrid *subgrid,
                                   Infiltration **out);
void infiltration_destroy(Infiltration **infiltration);

/* Changes depth and eta of own columns; halos are to be exchanged. `rain`: that of the step [m], NULL: none. */
void infiltration_apply(Infiltration *infiltration, double dt, const double *rain, Tally *tally);

/* When the tally has been answered: what was lost in the step [m3], and the tracers' gains from the air with what was lost
 * deducted [value m3]; `from_air`: NULL: none. Local. */
const double *infiltration_volumes(const Infiltration *infiltration);
const double *infiltration_gains(const Infiltration *infiltration, const double *from_air);

/* For `check`; to be freed. Collective. */
char *infiltration_describe(const Infiltration *infiltration);

#endif
