/* SPDX-License-Identifier: Apache-2.0 */
#include "model/simulation_internal.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/momentum/brake_values.h"
#include "model/momentum/roughness.h"
#include "model/seam/seam.h"
#include "model/seam/shape.h"
#include "model/terrain.h"

/* The planes that a step works on beside them. */
static double **own_plane(Simulation *sim, int n) {
    double **all[] = {&sim->next_depth_u, &sim->next_depth_v, &sim->next_depth, &sim->source,
                      &sim->source_in};
    return n < 5 ? all[n] : NULL;
}

/* GPUs are dealt to the ranks of one node in turn. */
static int rank_on_node(MPI_Comm comm) {
    MPI_Comm node;
    int rank;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    return rank;
}

/* Where it follows the flow. */
static void begin_horizontal_viscosity(Simulation *sim) {
    const ScenarioPhysics *p = &sim->scenario->physics;
    if (p->viscosity_law != VISCOSITY_SMAGORINSKY || p->scheme == SCHEME_PRESCRIBED) return;
    state_make(sim->state, STATE_horizontal_viscosity, NO_WATER);
}

static Status create_state(Simulation *sim, const Scenario *scenario, MPI_Comm comm) {
    TRY(terrain_create(scenario, comm, sim->exec, sim->around, &sim->grid, &sim->ground_note));
    TRY(seam_cover(scenario, sim->grid));
    TRY(subgrid_create(scenario, sim->grid, &sim->subgrid));
    const Grid *g = sim->grid;
    sim->scales = scales_of(scenario, g);
    TRY(forcing_create(scenario, g, &sim->forcing));
    TRY(state_create(g, &sim->state));
    if (forcing_has_air_pressure(sim->forcing)) state_make(sim->state, STATE_air_pressure, 0);
    sim->state->dry_depth = scenario->output_dry_depth_m;
    sim->state->spots = sim->subgrid ? sim->subgrid->spots : NULL;
    sim->state->ground = sim->subgrid ? &sim->subgrid->column : NULL;
    sim->state->start = scenario->time.start;
    sim->state->time = scenario->time.from_s;
    TRY(roughness_create(scenario, sim->state));
    TRY(brakes_create(scenario, sim->state));
    tracers_declare(scenario, sim->state);
    turbulence_begin(scenario, sim->state);
    begin_horizontal_viscosity(sim);
    for (int n = 0; own_plane(sim, n); n++) *own_plane(sim, n) = field2_create(g);
    return STATUS_OK;
}

/* What the water exchanges and carries. */
static Status create_carried(Simulation *sim, const Scenario *scenario) {
    const Grid *g = sim->grid;
    State *state = sim->state;
    TRY(exchange_create(scenario, g, sim->subgrid, sim->forcing, sim->exec, &sim->exchange));
    if (sim->exchange && state->temperature >= 0) {
        state_make(state, STATE_heat_flux, 0);
        state_make(state, STATE_ice, 0);
    }
    if (sim->subgrid && (sim->exchange || state->n_tracers > 0)) subgrid_make_sides(sim->subgrid);
    TRY(infiltration_create(scenario, state, sim->subgrid, &sim->infiltration));
    sim->from_air.tracer = ALLOCATE(state->n_tracers + 1, double);
    tally_create(g, &sim->tally);
    TRY(tracers_create(scenario, sim->subgrid, state, sim->rivers, sim->boundaries, sim->exec,
                       &sim->tracers));
    TRY(nudging_create(scenario, state, &sim->nudging));
    TRY(status_agree(
        g->comm, reactions_create(scenario, state, sim->subgrid, sim->tracers, sim->exec, &sim->reactions)));
    return reactions_open_inputs(sim->reactions);
}

/* All that steps work with. Collective. */
static Status create_parts(Simulation *sim, const Scenario *scenario, MPI_Comm comm) {
    TRY(create_state(sim, scenario, comm));
    TRY(simulation_create_flow(sim));
    TRY(create_carried(sim, scenario));
    sim->events = events_create(scenario, sim->state, sim->exec);
    return STATUS_OK;
}

static Simulation *allocate(const Scenario *scenario) {
    Simulation *sim = ALLOCATE(1, Simulation);
    sim->scenario = scenario;
    sim->dt = sim->dt_before = scenario->time.step_s;
    return sim;
}

Status simulation_create(const Scenario *scenario, MPI_Comm comm, const char *device, Simulation **out) {
    Simulation *sim = *out = allocate(scenario);
    Status status;
    ATTEMPT(status_agree(comm, exec_create(device, rank_on_node(comm), 1, &sim->exec)));
    ATTEMPT(create_parts(sim, scenario, comm));
    ATTEMPT(simulation_begin(sim));
    ATTEMPT(simulation_begin_zoom(sim));
    exec_settle(sim->exec);
    return STATUS_OK;
cleanup:
    simulation_destroy(out);
    return status;
}

Status simulation_create_inside(const Simulation *around, const Scenario *scenario, Simulation **out) {
    Simulation *sim = *out = allocate(scenario);
    Status status;
    sim->exec = around->exec;
    sim->around = &around->grid->axes;
    ATTEMPT(create_parts(sim, scenario, around->grid->comm));
    ATTEMPT(simulation_begin(sim));
    return STATUS_OK;
cleanup:
    simulation_destroy(out);
    return status;
}

void simulation_destroy(Simulation **simulation) {
    Simulation *sim = *simulation;
    if (!sim) return;
    const Grid *g = sim->grid;
    seam_destroy(&sim->seam);
    if (g) {
        for (int n = 0; own_plane(sim, n); n++) field2_destroy(g, own_plane(sim, n));
        simulation_destroy_momentum(sim);
    }
    nudging_destroy(&sim->nudging);
    reactions_destroy(&sim->reactions);
    events_destroy(&sim->events);
    tracers_destroy(&sim->tracers);
    if (g) density_destroy(g, &sim->density);
    prescribed_destroy(&sim->prescribed);
    exchange_destroy(&sim->exchange);
    infiltration_destroy(&sim->infiltration);
    structures_destroy(&sim->structures);
    wind_waves_destroy(&sim->waves);
    state_destroy(&sim->state); /* others find the grid through it */
    equilibrium_tide_destroy(&sim->potential);
    memory_free(sim->from_air.tracer);
    tally_destroy(&sim->tally);
    forcing_destroy(&sim->forcing);
    rivers_destroy(&sim->rivers);
    boundaries_destroy(&sim->boundaries);
    surface_destroy(&sim->surface);
    subgrid_destroy(&sim->subgrid);
    pressure_destroy(&sim->pressure);
    halo_destroy(&sim->halo);
    grid_destroy(&sim->grid);
    if (!sim->around) exec_destroy(&sim->exec);
    memory_free(sim->ground_note);
    memory_free(sim);
    *simulation = NULL;
}
