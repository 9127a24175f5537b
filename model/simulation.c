/* SPDX-License-Identifier: Apache-2.0 */
#include "model/simulation_internal.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/constants.h"
#include "model/momentum/brake_values.h"
#include "model/momentum/roughness.h"
#include "model/seam/seam.h"
#include <math.h>
#include <string.h>

double simulation_slope_gravity(const Simulation *sim) {
    return sim->scenario->physics.gravity_m_s2 * (1 - sim->scenario->forcing.potential.self_attraction);
}

double simulation_theta(const Simulation *sim, double dt) {
    return fmax(sim->scenario->physics.theta, rotation_theta(sim->rotation, dt));
}

bool simulation_is_viscous(const Simulation *sim) {
    return sim->scenario->physics.horizontal_viscosity_m2_s > 0 || sim->state->horizontal_viscosity;
}

static BedProfile profile_of(const Scenario *scenario, double dt) {
    const ScenarioPhysics *p = &scenario->physics;
    const bool parabolic = p->closure == CLOSURE_PARABOLIC;
    const bool by_differences = parabolic || p->closure == CLOSURE_MIXING_LENGTH;
    return (BedProfile){.bend = parabolic ? BEND_OF_PARABOLA : 0,
                        .difference = by_differences,
                        .least = p->viscosity_m2_s,
                        .dt = turbulence_drives_momentum(scenario) ? dt : 0};
}

static Brakes brakes_at(const Simulation *sim, bool along_x) {
    Brakes brakes = brakes_of(sim->scenario, sim->state);
    brakes.flanks = subgrid_flanks(sim->subgrid, along_x ? &sim->u : &sim->v);
    return brakes;
}

/* A single layer exchanges with none: then the friction velocity is made only for a viscosity that somebody asks for. */
static double parabola_of(const Simulation *sim) {
    const bool asked = sim->grid->n3 > 1 || sim->state->vertical_viscosity;
    return sim->scenario->physics.closure != CLOSURE_CONSTANT && asked ? KARMAN : 0.0;
}

Momentum simulation_momentum(const Simulation *sim, bool along_x) {
    const ScenarioPhysics *p = &sim->scenario->physics;
    const double pace = sim->dt / sim->dt_before;
    return (Momentum){
        .g = grid_view(sim->grid),
        .faces = along_x ? sim->u : sim->v,
        .other = along_x ? sim->v : sim->u,
        .flux_w = sim->state->flux_w,
        .depth = sim->state->depth,
        .depth_advected = sim->state->depth,
        .eta = sim->state->eta,
        .air_pressure = sim->state->air_pressure,
        .equilibrium = sim->state->equilibrium,
        .anomaly = sim->density ? sim->density->anomaly : NULL,
        .anomaly_surface = sim->density ? sim->density->surface : NULL,
        .pressure = sim->density ? sim->density->pressure : NULL,
        .layering = sim->density ? sim->density->layering : (Layering){0},
        .rest = sim->density ? sim->density->rest : (RestHeights){0},
        .below = sim->density ? sim->density->below : NULL,
        .increment = sim->state->increment,
        .rise = sim->subgrid ? sim->subgrid->rise : sim->state->increment,
        .smooth = sim->smooth,
        .resolved = sim->resolved,
        .centred = sim->smooth != NULL,
        .curved = sim->grid->spherical && p->advection != ADVECTION_NONE,
        .dt = sim->dt,
        .gravity = p->gravity_m_s2,
        .slope_gravity = simulation_slope_gravity(sim),
        .density = p->water_density_kg_m3,
        .theta = simulation_theta(sim, sim->dt),
        .pace = pace,
        .ahead = sim->state->step == 0 ? 0.0 : pace,
        .previous = sim->state->step == 0 ? 0.0 : -0.5 * pace,
        .current = sim->state->step == 0 ? 1.0 : 1.0 + 0.5 * pace,
        .advection = p->advection,
        .viscosity = p->horizontal_viscosity_m2_s,
        .viscosity_c = sim->state->horizontal_viscosity,
        .cut = column_cut(sim->grid->n3, sim->scenario->solver.momentum_column_blocks),
        .viscosity_in_sum = simulation_is_viscous(sim) && p->scheme == SCHEME_EXPLICIT_Z && !sim->compact,
        .walls = p->side_walls,
        .eddy_viscosity = turbulence_drives_momentum(sim->scenario) ? sim->state->vertical_viscosity : NULL,
        .floor_viscosity = p->viscosity_m2_s,
        .parabola = parabola_of(sim),
        .brakes = brakes_at(sim, along_x),
        .full_stress_depth = p->full_stress_depth_m,
        .drag = p->drag,
        .drag_parameter = roughness_uniform(p),
        .roughness = sim->state->roughness,
        .profile = profile_of(sim->scenario, sim->dt),
        .wave_stress = sim->state->wave_stress,
    };
}

static void find_horizontal_viscosity(const Simulation *sim) {
    const State *s = sim->state;
    const ScenarioPhysics *p = &sim->scenario->physics;
    if (!s->horizontal_viscosity) return;
    smagorinsky_find(sim->exec, sim->grid->blocks_c,
                     (Smagorinsky){grid_view(sim->grid), s->u, s->v, s->depth, s->depth_u, s->depth_v,
                                   p->smagorinsky_c, p->horizontal_viscosity_m2_s, p->side_walls,
                                   s->horizontal_viscosity});
    halo_exchange(sim->halo, 0, NULL, 1, (double *[]){s->horizontal_viscosity});
}

void simulation_find_w(Simulation *sim) {
    const State *s = sim->state;
    if (!sim->pressure) return;
    pressure_find_w(sim->pressure, sim->exec, &sim->u, &sim->v, s->depth, sim->source, s->w);
}

void simulation_weigh(Simulation *sim, double time) {
    find_horizontal_viscosity(sim);
    if (sim->density)
        density_update(sim->density, sim->scenario, sim->exec, sim->subgrid, sim->halo, sim->boundaries, time,
                       sim->state);
}

StateNumber *simulation_numbers(Simulation *sim, StepLengths *steps, int *count) {
    Ledger *ledger = &sim->ledger;
    const StateNumber own[] = {{"ledger_initial_m3", &ledger->initial_m3},
                               {"ledger_volume_m3", &ledger->volume_m3},
                               {"ledger_sources_m3", &ledger->sources_m3},
                               {"ledger_air_m3", &ledger->air_m3},
                               {"ledger_boundaries_m3", &ledger->boundaries_m3},
                               {"ledger_intercepted_m3", &ledger->lost_m3[LOSS_INTERCEPTED], true},
                               {"ledger_infiltrated_m3", &ledger->lost_m3[LOSS_INFILTRATED], true},
                               {"ledger_drained_m3", &ledger->lost_m3[LOSS_DRAINED], true},
                               {"last_step_s", &steps->last},
                               {"next_step_s", &steps->wanted},
                               {.name = "entering_1_s", .value = &sim->report.entering, .may_lack = true},
                               {.name = "given", .value = &sim->given, .may_lack = true},
                               {.name = "changed", .value = &sim->changed, .may_lack = true}};
    const int n_own = sizeof own / sizeof *own;
    const int n_tracers = tracers_number_count(sim->tracers);
    const int n_structures = structures_numbers(sim->structures, NULL);
    *count = n_own + n_tracers + n_structures + reactions_number_count(sim->reactions);
    StateNumber *all = ALLOCATE(*count, StateNumber);
    memcpy(all, own, sizeof own);
    tracers_numbers(sim->tracers, all + n_own);
    structures_numbers(sim->structures, all + n_own + n_tracers);
    reactions_numbers(sim->reactions, all + n_own + n_tracers + n_structures);
    return all;
}

void simulation_find_digest(Simulation *sim) {
    if (sim->seam) simulation_find_digest(seam_inner(sim->seam));
    if (sim->has_digest) return;
    sim->digest = state_digest(sim->state);
    sim->has_digest = true;
}

LedgerRow simulation_ledger(const Simulation *sim) {
    const Ledger *l = &sim->ledger;
    LedgerRow row = {
        .volume_m3 = l->volume_m3,
        .sources_m3 = l->sources_m3,
        .air_m3 = l->air_m3,
        .boundaries_m3 = l->boundaries_m3,
        .error_m3 = l->volume_m3 - l->initial_m3 - l->sources_m3 - l->air_m3 - l->boundaries_m3 +
                    (l->lost_m3[LOSS_INTERCEPTED] + l->lost_m3[LOSS_INFILTRATED] + l->lost_m3[LOSS_DRAINED]),
        .lost_m3 = {l->lost_m3[LOSS_INTERCEPTED], l->lost_m3[LOSS_INFILTRATED], l->lost_m3[LOSS_DRAINED]},
        .surface_iterations = sim->report.surface.iterations,
        .surface_residual = sim->report.surface.residual,
        .momentum_iterations = {sim->report.momentum[0].iterations, sim->report.momentum[1].iterations},
        .momentum_residual = {sim->report.momentum[0].residual, sim->report.momentum[1].residual},
        .digest = sim->has_digest ? sim->digest : 0,
        .tracers = tracers_accounts(sim->tracers),
        .events = events_sizes(sim->events),
        .structures = structures_flows(sim->structures),
        .by_process = reactions_gains(sim->reactions),
        .processes = reactions_totals(sim->reactions)};
    if (sim->seam) seam_add(sim->seam, &row);
    return row;
}
