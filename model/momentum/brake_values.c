/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/brake_values.h"

#include "base/memory.h"
#include "model/forcing/column_map.h"

static Status create_vegetation(const ScenarioVegetation *v, State *state) {
    const Grid *g = state->grid;
    if (v->stems_m2.kind == VALUE_ABSENT) return STATUS_OK;
    state_make(state, STATE_plant_density, 0);
    state_make(state, STATE_plant_height, 0);
    TRY(column_map_fill(&v->stems_m2, "the number of stems", RASTER_NUMBERS, g, state->plant_density));
    TRY(column_map_fill(&v->height_m, "the height of stems", RASTER_LENGTHS, g, state->plant_height));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++)
            state->plant_density[AT2(*g, i, j)] *= 0.5 * v->cd * v->diameter_m;
    return STATUS_OK;
}

Status brakes_create(const Scenario *scenario, State *state) {
    return create_vegetation(&scenario->physics.vegetation, state);
}

char *brakes_describe(const Scenario *scenario, const State *state) {
    const Value *stems = &scenario->physics.vegetation.stems_m2;
    if (stems->kind == VALUE_ABSENT) return NULL;
    if (stems->kind == VALUE_CONSTANT)
        return memory_format("plants, %g stems a square metre", stems->constant);
    char *map = column_map_describe(stems, state->grid, state->plant_density),
         *text = memory_format("plants, half of cd, stems and diameter [1/m] is %s", map);
    memory_free(map);
    return text;
}

Brakes brakes_of(const Scenario *scenario, const State *state) {
    return (Brakes){.rayleigh = scenario->physics.rayleigh_1_s,
                    .vegetation = {state->plant_density, state->plant_height}};
}
