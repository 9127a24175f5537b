/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/inflow.h"

#include <string.h>

const Value *inflow_value(const ScenarioInflow *inflow, const State *state, int tracer) {
    const Value *value = tracer == state->temperature ? &inflow->temperature_C
                         : tracer == state->salinity  ? &inflow->salinity
                                                      : NULL;
    if (value) return value->kind == VALUE_ABSENT ? NULL : value;
    for (int n = 0; n < inflow->n_tracers; n++)
        if (strcmp(inflow->tracers[n].name, state->tracer[tracer].name) == 0)
            return &inflow->tracers[n].value;
    return NULL;
}
