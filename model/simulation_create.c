/* SPDX-License-Identifier: Apache-2.0 */
#include "model/simulation_internal.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/momentum/brake_values.h"
#include "model/momentum/coast.h"
#include "model/momentum/roughness.h"
#include "model/seam/seam.h"
#include "model/seam/shape.h"
#include "model/terrain.h"
#include "settings/line_choice.h"

enum { EXCHANGED_LEVELS_2D = 8, EXCHANGED_FIELDS_3D = 4 };

/* The fields that a step makes on one component's faces. */
static double **face_planes(Faces *f, int n) {
    double **all[] = {&f->drag,       &f->friction, &f->theta,   &f->flux_predicted, &f->conductance,
                      &f->flux_total, &f->limit,    &f->fastest, &f->excess,         &f->entering};
    return n < 10 ? all[n] : NULL;
}

/* The planes that a step works on beside them. */
static double **own_plane(Simulation *sim, int n) {
    double **all[] = {&sim->next_depth_u, &sim->next_depth_v, &sim->next_depth, &sim->source,
                      &sim->source_in};
    return n < 5 ? all[n] : NULL;
}

static void faces_create(const Grid *g, State *s, bool rotates, bool along_x, Faces *f) {
    *f = (Faces){
        .along = along_x ? 1 : g->row,
        .cross = along_x ? g->row : 1,
        .turn = along_x ? 1 : -1,
        .f = rotates && !g->f_c ? g->f : NULL,
        .f_c = rotates ? g->f_c : NULL,
        .spacing = along_x ? g->dx_c : g->dy_c,
        .cross_spacing = along_x ? g->dy_c : g->dx_v,
        .bed = along_x ? g->bed_u : g->bed_v,
        .width = along_x ? g->width_u : g->width_v,
        .given = along_x ? g->given_u : g->given_v,
        .bottom = along_x ? g->bottom_u : g->bottom_v,
        .phi = along_x ? g->phi_u : g->phi_v,
        .depth = along_x ? s->depth_u : s->depth_v,
        .velocity = along_x ? s->u : s->v,
        .flux = along_x ? s->flux_u : s->flux_v,
        .stress = along_x ? s->stress_u : s->stress_v,
    };
    for (int n = 0; face_planes(f, n); n++) *face_planes(f, n) = field2_create(g);
    f->across = state_keep(s, along_x ? "v_at_bed_u" : "u_at_bed_v", false, along_x ? 'u' : 'v');
    f->predicted = field3_create(g);
    f->response = field3_create(g);
}

static void faces_destroy(const Grid *g, Faces *f) {
    for (int n = 0; face_planes(f, n); n++) field2_destroy(g, face_planes(f, n));
    field3_destroy(g, &f->predicted);
    field3_destroy(g, &f->response);
    field2_destroy(g, &f->mean);
    coast_destroy(g, &f->coast);
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

static Status create_surface(Simulation *sim) {
    const ScenarioSolver *solver = &sim->scenario->solver;
    const SurfaceOptions options = {.matm = solver->surface_method == SURFACE_MATM,
                                    .step = (MatmStep)solver->surface_variant,
                                    .precision = (MatmPrecision)solver->surface_precision,
                                    .tolerance = solver->surface_tolerance,
                                    .max_iterations = solver->surface_max_iterations,
                                    .subgrid = sim->subgrid};
    sim->report.surface.converged = true;
    return surface_create(sim->grid, sim->exec, options, &sim->surface);
}

/* Where it follows the flow. */
static void begin_horizontal_viscosity(Simulation *sim) {
    const ScenarioPhysics *p = &sim->scenario->physics;
    if (p->viscosity_law != VISCOSITY_SMAGORINSKY || p->scheme == SCHEME_PRESCRIBED) return;
    state_make(sim->state, STATE_horizontal_viscosity, NO_WATER);
}

/* What the scheme of momentum needs beside the faces. */
static Status create_scheme(Simulation *sim) {
    const Grid *g = sim->grid;
    const ScenarioPhysics *p = &sim->scenario->physics;
    const ScenarioSolver *solver = &sim->scenario->solver;
    sim->report.momentum[0] = sim->report.momentum[1] = (SolveReport){.converged = true};
    if (p->scheme == SCHEME_PRESCRIBED)
        return prescribed_create(sim->scenario, g, sim->halo, &sim->prescribed);
    if (p->side_walls == WALLS_NO_SLIP && simulation_is_viscous(sim)) {
        sim->u.coast = coast_create(g, true);
        sim->v.coast = coast_create(g, false);
    }
    for (int c = 0; c < 2; c++) {
        if (p->scheme == SCHEME_SPLIT)
            TRY(split_momentum_create(g, c == 0, scenario_line_choice(sim->scenario), &sim->split[c]));
        if (p->scheme == SCHEME_MATM)
            TRY(implicit_momentum_create(g, sim->exec, c == 0, (MatmStep)solver->momentum_variant,
                                         (MatmPrecision)solver->momentum_precision,
                                         solver->momentum_tolerance, solver->momentum_max_iterations,
                                         c == 0 ? &sim->u : &sim->v, &sim->implicit[c]));
    }
    if (simulation_is_viscous(sim) &&
        ((p->scheme == SCHEME_EXPLICIT_Z && !p->compact_viscosity) || p->pressure == PRESSURE_NONHYDROSTATIC))
        sim->stages =
            viscous_stages_create(g, simulation_momentum(sim, true), simulation_momentum(sim, false));
    return STATUS_OK;
}

/* The force that the baroclinic term keeps from step to step (momentum.h). */
static void keep_pull(Simulation *sim) {
    if (sim->scenario->physics.density.equation == DENSITY_CONSTANT) return;
    sim->u.pull = state_keep(sim->state, "pull_u", false, 'u');
    sim->v.pull = state_keep(sim->state, "pull_v", false, 'v');
}

/* What order 2 knows of the last step (centred.h). */
static void create_centred(Simulation *sim) {
    const ScenarioPhysics *p = &sim->scenario->physics;
    if (p->order < 2 || p->advection != ADVECTION_TVD) return;
    sim->smooth = state_keep(sim->state, "smooth", false, 'c');
    sim->resolved = state_keep(sim->state, "resolved", false, 'c');
    sim->u.quickening = state_keep(sim->state, "mean_acceleration_u", false, 'u');
    sim->v.quickening = state_keep(sim->state, "mean_acceleration_v", false, 'v');
    sim->u.gain = state_keep(sim->state, "flux_gain_u", false, 'u');
    sim->v.gain = state_keep(sim->state, "flux_gain_v", false, 'v');
    sim->u.mean = field2_create(sim->grid);
    sim->v.mean = field2_create(sim->grid);
}

static Status create_compact_advection(Simulation *sim) {
    const ScenarioPhysics *p = &sim->scenario->physics;
    if (p->advection != ADVECTION_COMPACT6) return STATUS_OK;
    sim->u.past = state_keep(sim->state, "advection_u", true, 'u');
    sim->v.past = state_keep(sim->state, "advection_v", true, 'v');
    const CompactAdvectionOptions options = {sim->grid->dx_c[0],
                                             sim->grid->dy_c[0],
                                             p->side_walls == WALLS_NO_SLIP,
                                             p->filter,
                                             p->inner_cells,
                                             p->compact_viscosity ? p->horizontal_viscosity_m2_s : 0,
                                             scenario_line_choice(sim->scenario)};
    return compact_advection_create(sim->grid, sim->halo, &options, &sim->u, &sim->v, &sim->compact);
}

static Status create_pressure(Simulation *sim) {
    const Scenario *s = sim->scenario;
    const PressureOptions options = {
        s->physics.gravity_m_s2, s->physics.nonhydrostatic_depth_m, (MatmStep)s->solver.pressure_variant,
        s->physics.breaking,     s->solver.pressure_tolerance,      s->solver.pressure_max_iterations};
    sim->report.pressure = (SolveReport){.converged = true};
    if (s->physics.pressure == PRESSURE_HYDROSTATIC) return STATUS_OK;
    state_make(sim->state, STATE_w, 0);
    state_make(sim->state, STATE_q, 0);
    state_make(sim->state, STATE_inertia, 1); /* of ghosts, too: the water outside does not break */
    const PressurePast past = {state_keep(sim->state, "pressure_step", true, 'c'),
                               state_keep(sim->state, "pressure_step_before", true, 'c'),
                               state_keep(sim->state, "surface_pressure_step", false, 'c'),
                               state_keep(sim->state, "surface_pressure_step_before", false, 'c')};
    return pressure_create(sim->grid, sim->exec, options, past, s->time.step_s,
                           simulation_theta(sim, s->time.step_s), &sim->u, &sim->v, &sim->pressure);
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

static void create_faces(Simulation *sim) {
    const bool rotates = sim->scenario->physics.coriolis != CORIOLIS_NONE;
    Subgrid *inside = sim->subgrid;
    faces_create(sim->grid, sim->state, rotates, true, &sim->u);
    faces_create(sim->grid, sim->state, rotates, false, &sim->v);
    if (!inside) return;
    sim->u.closeness = inside->face_u.closeness, sim->v.closeness = inside->face_v.closeness;
    sim->u.lift = inside->face_u.lift, sim->v.lift = inside->face_v.lift;
    sim->u.uneven = inside->u.first, sim->v.uneven = inside->v.first;
    sim->u.thick = inside->face_u.hydraulic, sim->v.thick = inside->face_v.hydraulic;
}

/* What moves the water. */
static Status create_flow(Simulation *sim, const Scenario *scenario) {
    const Grid *g = sim->grid;
    TRY(rivers_create(scenario, g, &sim->rivers));
    TRY(boundaries_create(scenario, sim->state, sim->subgrid, &sim->boundaries));
    rivers_each_column(sim->rivers, boundaries_leave, sim->boundaries);
    TRY(structures_create(scenario, sim->state, sim->subgrid, &sim->structures));
    TRY(create_surface(sim));
    TRY(halo_create(g, EXCHANGED_LEVELS_2D + EXCHANGED_FIELDS_3D * g->n3, &sim->halo));
    sim->potential = equilibrium_tide_create(scenario, g);
    if (sim->potential) state_make(sim->state, STATE_equilibrium, 0);
    TRY(wind_waves_create(scenario, sim->subgrid, sim->forcing, sim->halo, sim->state, &sim->waves));
    create_faces(sim);
    TRY(create_scheme(sim));
    keep_pull(sim);
    create_centred(sim);
    if (scenario->physics.coriolis != CORIOLIS_NONE && scenario->physics.scheme != SCHEME_PRESCRIBED)
        sim->rotation = rotation_create(g, scenario->time.step_s);
    TRY(create_compact_advection(sim));
    return create_pressure(sim);
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
    TRY(create_flow(sim, scenario));
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
        faces_destroy(g, &sim->u);
        faces_destroy(g, &sim->v);
        for (int c = 0; c < 2; c++) {
            implicit_momentum_destroy(&sim->implicit[c]);
            split_momentum_destroy(&sim->split[c]);
        }
        viscous_stages_destroy(&sim->stages);
        compact_advection_destroy(&sim->compact);
        rotation_destroy(&sim->rotation);
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
