/* SPDX-License-Identifier: Apache-2.0
 *
 * All that the water carries: temperature, salinity, dyes, suspended matter. Each becomes a tracer of the
 * state and obeys
 *
 *     c_t + U grad c = source (c_source - c) + div(K_h grad c) + (K c_z + w c)_z + a - l c
 *
 * with U the velocity of the water, w the settling velocity, a the rate of ageing and l the rate of decay.
 * One step takes the terms in this order, each on the result of those before (step_terms in tracers_step.c):
 *
 *     1  transport, sources               with the volumes that moved the water     transport.h
 *     2  mixing along the layers          implicit, line by line                    diffusion.h
 *        or at equal height or density    explicit, in passes                       level_mixing.h
 *     3  mixing down the column, settling,
 *        erosion and deposition at the bed  implicit, together                      mixing_kernels.c, bed.h;
 *                                                                                  in parts: column_parts.h
 *     4  ageing, decay                    decay implicit                            mixing_kernels.c
 *
 * Heat, rain and evaporation have changed the values before (model/exchange), and nudging (model/nudging/nudging.h). Each
 * tracer's budget is kept (account.c).
 */
#ifndef MAEOTIS_MODEL_TRACERS_H
#define MAEOTIS_MODEL_TRACERS_H

#include "model/boundary/boundaries.h"
#include "model/boundary/rivers.h"
#include "model/ledger.h"
#include "model/state.h"
#include "model/subgrid/subgrid.h"
#include "model/tracers/unsettled.h"
#include "numerics/grid/tally.h"
#include "settings/scenario.h"

typedef struct Tracers Tracers;

/* Adds the scenario's tracers to the state, without values. Local. */
void tracers_declare(const Scenario *scenario, State *state);

/* After tracers_declare. Collective. */
CHECKED Status tracers_create(const Scenario *scenario, const Subgrid *subgrid, State *state, Rivers *rivers,
                              Boundaries *boundaries, Exec exec, Tracers **out);
void tracers_destroy(Tracers **tracers);

/* Whether a step needs the bed stress, with halo. */
bool tracers_need_drag(const Tracers *tracers);

/* Initial values, for the depth of the state and where its layers lie (initial_field.h); the account begins. Collective. */
CHECKED Status tracers_begin(Tracers *tracers, const double *below, const Scenario *scenario);

/* After own values were changed from outside (a restart): the budgets. Collective. */
void tracers_take_stock(Tracers *tracers);

/* The same, where what was added counts as a source. Collective. */
CHECKED Status tracers_take_changes(Tracers *tracers);

/* Where the gain of a tracer by nudging in a step goes, of this rank [value m3], for the budgets. Local. */
ExactSum *tracers_ask_nudged(Tracers *tracers, int tracer, Tally *tally);

/* After reactions have changed own values of the tracers from number `from` on: their gains, for the budgets.
 * Collective. */
void tracers_react(Tracers *tracers, int from, const double *gains);

/* Stress at the bed in the last step, of columns [Pa]; NULL where no tracer has a bed. */
const double *tracers_stress(const Tracers *tracers);

/* How the water moved in the step; the state has the new depth and the fluxes. */
typedef struct WaterMoved {
    double time, dt;
    const double *depth_before;       /* [m] */
    const double *source, *source_in; /* [m3 s-1] */
    const double *drag_u, *drag_v;    /* Cd at the bed, for tracers_need_drag */
    Flanks flanks_u, flanks_v;        /* with halo */
    /* with ground inside cells, else NULL: sides of layers after the step (subgrid_kernels.h), and sections over wet widths of faces */
    const double *sunk, *wide;
    const double *thick_u, *thick_v;
} WaterMoved;

/* Who looks at the tracers of a zoom in each step (model/seam/seam.h). */
struct Transport;
typedef struct TracerWatch {
    void *context;
    void (*values)(void *context); /* sets those of ghosts; NULL: the boundaries do */
    /* before the water moves some of the tracers, from number `first` on, with the results of the small steps */
    void (*leaves)(void *context, const struct Transport *transport, int first);
} TracerWatch;
void tracers_watch(Tracers *tracers, TracerWatch watch);

/* Asks the tally for what the budgets need. Collective. */
CHECKED Status tracers_step(Tracers *tracers, const WaterMoved *moved, Tally *tally);

/* The budgets after a step, once the tally is answered. `from_air`: the gain of each tracer from the exchange with the
 * air, or NULL. Local. */
void tracers_close(Tracers *tracers, const double *from_air);

/* Of the solver in the last step, of the tracer that took most; 0: the scheme needs none. */
int tracers_iterations(const Tracers *tracers);

/* In the last step, the same on every rank. */
Unsettled tracers_unsettled(const Tracers *tracers);

/* Memory that small steps (substeps.h) and circulating water (rings.h) add where they occur, which it does not have before
 * [bytes]. Collective. */
typedef struct TracerMemory {
    double small_steps, rings;
} TracerMemory;
CHECKED Status tracers_memory_to_come(const Tracers *tracers, TracerMemory *out);

/* Accounts, one per tracer of the state, and their sums since the start for restarts. */
const TracerAccount *tracers_accounts(const Tracers *tracers);
int tracers_number_count(const Tracers *tracers);
void tracers_numbers(Tracers *tracers, StateNumber *out);

#endif
