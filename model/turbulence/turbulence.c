/* SPDX-License-Identifier: Apache-2.0 */
#include "model/turbulence/turbulence.h"

#include "model/turbulence/turbulent_columns.h"
#include <string.h>

bool turbulence_drives_momentum(const Scenario *scenario) {
    VerticalClosure closure = scenario->physics.closure;
    return closure != CLOSURE_CONSTANT && closure != CLOSURE_PARABOLIC;
}

bool turbulence_needs_friction(const Scenario *scenario) {
    const VerticalClosure closure = scenario->physics.closure;
    return closure == CLOSURE_PARABOLIC || closure == CLOSURE_K_EPSILON;
}

static bool outputs_ask(const Scenario *scenario) {
    for (int n = 0; n < scenario->n_outputs; n++)
        for (int v = 0; v < scenario->outputs[n].n_names; v++) {
            const char *name = scenario->outputs[n].names[v];
            if (strcmp(name, "vertical_viscosity") == 0 || strcmp(name, "vertical_diffusivity") == 0)
                return true;
        }
    return false;
}

void turbulence_begin(const Scenario *scenario, State *state) {
    const ScenarioPhysics *p = &scenario->physics;
    if (p->closure == CLOSURE_K_EPSILON) {
        state_make(state, STATE_tke, LEAST_TKE);
        state_make(state, STATE_dissipation, LEAST_DISSIPATION);
    }
    const bool tracers_ask = state->n_tracers > 0 && p->closure != CLOSURE_CONSTANT;
    if (!turbulence_drives_momentum(scenario) && !tracers_ask && !outputs_ask(scenario)) return;
    state_make(state, STATE_vertical_viscosity, p->viscosity_m2_s);
    if (p->closure == CLOSURE_K_EPSILON) state_make(state, STATE_viscosity_next, p->viscosity_m2_s);
    state_make(state, STATE_vertical_diffusivity, p->diffusivity_m2_s);
}

void turbulence_step(const Scenario *scenario, double dt, Exec exec, State *state, const Faces *u,
                     const Faces *v, TurbulentDepths depths) {
    const ScenarioPhysics *p = &scenario->physics;
    const TurbulentColumns columns = {
        .g = grid_view(state->grid),
        .u = state->u,
        .v = state->v,
        .u_before = u->predicted,
        .v_before = v->predicted,
        .stokes_u = state->stokes_u,
        .stokes_v = state->stokes_v,
        .depth = depths.after,
        .depth_before = depths.before,
        .depth_u = depths.before_u,
        .depth_v = depths.before_v,
        .friction_u = u->friction,
        .friction_v = v->friction,
        .density = state->density,
        .gravity_per_density = p->gravity_m_s2 / p->water_density_kg_m3,
        .dt = dt,
        .floor_viscosity = p->viscosity_m2_s,
        .floor_diffusivity = p->diffusivity_m2_s,
        .roughness = p->drag == DRAG_LOG ? p->roughness_m.constant : 0,
        .roughness_c = p->drag == DRAG_LOG ? state->roughness : NULL,
        .wave_height = state->wave_height,
        .roughness_of_waves = scenario->forcing.waves.surface_roughness,
        .breaking = state->wave_height ? scenario->forcing.waves.breaking_flux : 0,
        .stress_u = state->stress_u,
        .stress_v = state->stress_v,
        .azov = p->closure == CLOSURE_AZOV ? 0.5 * p->azov_cs * p->azov_cs : 0,
        .stability = p->stability == STABILITY_CHENG ? stability_cheng : stability_canuto_a,
        .tke = state->tke,
        .dissipation = state->dissipation,
        .viscosity = state->vertical_viscosity,
        .viscosity_next = state->viscosity_next ? state->viscosity_next : state->vertical_viscosity,
        .diffusivity = state->vertical_diffusivity,
    };
    if (!state->vertical_viscosity) return;
    if (p->closure == CLOSURE_K_EPSILON) {
        k_epsilon_step(exec, state->grid->blocks_c, columns);
        double *was = state->vertical_viscosity;
        state->vertical_viscosity = state->viscosity_next;
        state->viscosity_next = was;
    }
    if (p->closure == CLOSURE_AZOV || p->closure == CLOSURE_MIXING_LENGTH)
        mixing_length_step(exec, state->grid->blocks_c, columns);
    if (p->closure == CLOSURE_PARABOLIC) parabola_step(exec, state->grid->blocks_c, columns);
}
