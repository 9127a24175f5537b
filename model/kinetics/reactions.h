/* SPDX-License-Identifier: Apache-2.0
 *
 * What lives and reacts in the sea: a kinetics module in each column, after transport. Each variable of the
 * module is a tracer, and what lies on the bed the bed of that tracer. Columns do not depend on each other.
 *
 *     light     E(z) = E_0 exp(-z/d_2 - integral of k),  k = sum of attenuation times tracer; E_0 and d_2 are
 *               the part of the sun's light that goes deep, and its depth (exchange/bulk.h): the same k warms
 *               the water
 *     reactions kinetics/integrate.h, in the layers' own thickness; at the surface in the uppermost layer, at
 *               the bed in the lowest
 *
 * With ground inside cells (model/subgrid) a layer has its part of the bed, and what lies on a cell's bed lies evenly under its
 * water; what passes the surface passes the wet part of the area.
 *
 * Where water is thinner than 1 cm nothing reacts. Sinking and exchange with the bed are the tracers' own
 * (model/tracers/mixing_kernels.c).
 */
#ifndef MAEOTIS_MODEL_REACTIONS_H
#define MAEOTIS_MODEL_REACTIONS_H

#include "model/exchange/exchange.h"
#include "model/forcing/forcing.h"
#include "model/tracers/tracers.h"

typedef struct Reactions Reactions;

/* NULL where the scenario has no module; after tracers_declare. Local. */
CHECKED Status reactions_create(const Scenario *scenario, State *state, const Subgrid *inside,
                                Tracers *tracers, Exec exec, Reactions **out);
void reactions_destroy(Reactions **reactions);

/* What the module reads beside the sea. Nothing for NULL. Collective. */
CHECKED Status reactions_open_inputs(Reactions *reactions);

/* "deposition [mmol m-2 s-1]: cams.nc ..."; NULL: nothing beside the sea is read. Allocated. */
char *reactions_describe(const Reactions *reactions);

/* Attenuation of light by what is in the water, for the heat of the step: state->shade. */
void reactions_shade(Reactions *reactions);

/* After transport, for a step of dt [s] to `time` [s since the start]. Fails where the module gives a number
 * that is not finite. Collective. */
CHECKED Status reactions_step(Reactions *reactions, Forcing *forcing, const Exchange *exchange, double time,
                              double dt);

/* What each process of the module did since the start: its rate times time and volume [units m3]. */
const MaeotisKinetics *reactions_module(const Reactions *reactions);
const double *reactions_totals(const Reactions *reactions);

/* The same as each variable's gain by each process, [variable][process]; NULL for NULL. */
const double *reactions_gains(const Reactions *reactions);

/* For restarts. */
int reactions_number_count(const Reactions *reactions); /* 0 for NULL */
void reactions_numbers(Reactions *reactions, StateNumber *out);

#endif
