/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/roughness.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/column_map.h"
#include <string.h>

/* What each law calls its parameter, and between which values it is known, from glass to woods. */
static const struct {
    const char *law, *key, *what, *units;
    double least, most;
} laws[] = {
    [DRAG_NONE] = {"none", NULL, NULL, NULL, 0, 0},
    [DRAG_CONSTANT] = {"constant", "cd", "the drag coefficient", "1", 1e-4, 0.5},
    [DRAG_MANNING] = {"manning", "n", "Manning's n", "s m-1/3", 0.007, 0.3},
    [DRAG_CHEZY] = {"chezy", "c", "Chezy's C", "m1/2 s-1", 3, 200},
    [DRAG_LOG] = {"log", "z0_m", "the roughness length", "m", 1e-7, 3},
    [DRAG_NO_SLIP] = {"no-slip", NULL, NULL, NULL, 0, 0},
};

static const Value *parameter(const ScenarioPhysics *p) {
    return p->drag == DRAG_CONSTANT  ? &p->drag_coefficient
           : p->drag == DRAG_MANNING ? &p->manning_n
           : p->drag == DRAG_CHEZY   ? &p->chezy_c
           : p->drag == DRAG_LOG     ? &p->roughness_m
                                     : NULL;
}

double roughness_uniform(const ScenarioPhysics *physics) {
    const Value *value = parameter(physics);
    return value ? value->constant : 0;
}

static bool varies(const Value *value) {
    return value->kind == VALUE_EXPRESSION || value->kind == VALUE_FILE;
}

static bool outputs_ask(const Scenario *scenario) {
    for (int n = 0; n < scenario->n_outputs; n++)
        for (int v = 0; v < scenario->outputs[n].n_names; v++)
            if (strcmp(scenario->outputs[n].names[v], "bed_roughness") == 0) return true;
    return false;
}

static void warn_of_extremes(const Value *value, DragLaw law, const Grid *g, const double *field) {
    const MapRange range = column_map_range(g, field);
    if (range.least < laws[law].least || range.most > laws[law].most)
        log_warn("%s: %s ranges from %.4g to %.4g; beds have values between %g and %g [%s]", value->place,
                 laws[law].what, range.least, range.most, laws[law].least, laws[law].most, laws[law].units);
}

Status roughness_create(const Scenario *scenario, State *state) {
    const DragLaw law = scenario->physics.drag;
    const Value *value = parameter(&scenario->physics);
    if (!value || !(varies(value) || outputs_ask(scenario))) return STATUS_OK;
    state_make(state, STATE_roughness, 0);
    state->roughness_what = laws[law].what;
    state->roughness_units = laws[law].units;
    TRY(column_map_fill(value, laws[law].what, law == DRAG_LOG ? RASTER_LENGTHS : RASTER_NUMBERS, state->grid,
                        state->roughness));
    if (varies(value)) warn_of_extremes(value, law, state->grid, state->roughness);
    return STATUS_OK;
}

char *roughness_describe(const Scenario *scenario, const State *state) {
    const DragLaw law = scenario->physics.drag;
    const Value *value = parameter(&scenario->physics);
    if (!value) return memory_copy_text(laws[law].law);
    if (!varies(value)) return memory_format("%s, %s %g", laws[law].law, laws[law].key, value->constant);
    char *map = column_map_describe(value, state->grid, state->roughness),
         *text = memory_format("%s, %s %s", laws[law].law, laws[law].key, map);
    memory_free(map);
    return text;
}
