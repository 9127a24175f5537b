/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions that a scenario watches, such as oxygen below 62 mmol m-3: how long they have held in each column,
 * in the lowest or the uppermost layer, and over which area and in which volume they hold after a step.
 *
 *     duration(x, y) = sum over steps of dt where the condition holds in the layer after the step
 *     area           = sum of the area of cells whose layer fulfils it
 *     volume         = sum of the volume of all cells of water that do
 *
 * Columns with less water than State.dry_depth do not count. A variable is a tracer or a diagnostic of a kinetics
 * module. Durations are in restarts; the sums have the same bits for any number of ranks.
 */
#ifndef MAEOTIS_MODEL_EVENTS_H
#define MAEOTIS_MODEL_EVENTS_H

#include "model/ledger.h"
#include "model/state.h"
#include "settings/scenario.h"

typedef struct Events Events;

/* After the tracers and the reactions; NULL where the scenario has no events. Local. */
Events *events_create(const Scenario *scenario, State *state, Exec exec);
void events_destroy(Events **events);

/* After a step of dt [s]; 0 at the start. Collective. */
void events_step(Events *events, double dt);

/* In the order of the scenario; NULL for NULL. */
const EventSize *events_sizes(const Events *events);

#endif
