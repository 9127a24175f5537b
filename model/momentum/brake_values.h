/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of brakes.h in a scenario's sea.
 */
#ifndef MAEOTIS_MODEL_BRAKE_VALUES_H
#define MAEOTIS_MODEL_BRAKE_VALUES_H

#include "model/momentum/brakes.h"
#include "model/state.h"
#include "settings/scenario.h"

/* Fields of the state that last for the run. Collective. */
CHECKED Status brakes_create(const Scenario *scenario, State *state);

/* Of the obstacles in the water, in words, which the caller frees; NULL: there are none. Collective. */
char *brakes_describe(const Scenario *scenario, const State *state);

Brakes brakes_of(const Scenario *scenario, const State *state);

#endif
