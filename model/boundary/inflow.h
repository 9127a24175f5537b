/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracer values of inflowing water, as a scenario gives them for rivers and open boundaries.
 */
#ifndef MAEOTIS_MODEL_INFLOW_H
#define MAEOTIS_MODEL_INFLOW_H

#include "model/state.h"
#include "settings/scenario.h"

/* The value of a tracer, by its number in the state; NULL if nothing is said about it. Local. */
const Value *inflow_value(const ScenarioInflow *inflow, const State *state, int tracer);

#endif
