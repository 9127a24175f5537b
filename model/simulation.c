/* SPDX-License-Identifier: Apache-2.0 */
#include "model/simulation.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/constants.h"
#include "model/forcing/initial_field.h"
#include "model/given.h"
#include "model/momentum/brake_values.h"
#include "model/momentum/coast.h"
#include "model/momentum/roughness.h"
#include "model/seam/seam.h"
#include "model/seam/shape.h"
#include "model/terrain.h"
#include "model/time_step.h"
#include "numerics/grid/sums.h"
#include <math.h>
#include <string.h>

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

double simulation_slope_gravity(const Simulation *sim) {
    return sim->scenario->physics.gravity_m_s2 * (1 - sim->scenario->forcing.potential.self_attraction);
}

double simulation_theta(const Simulation *sim, double dt) {
    return fmax(sim->scenario->physics.theta, rotation_theta(sim->rotation, dt));
}

static bool is_viscous(const Simulation *sim) {
    return sim->scenario->physics.horizontal_viscosity_m2_s > 0 || sim->state->horizontal_viscosity;
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
        .increment = sim->state->increment,
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
        .viscosity_in_sum = is_viscous(sim) && p->scheme == SCHEME_EXPLICIT_Z && !sim->compact,
        .walls = p->side_walls,
        .eddy_viscosity = turbulence_drives_momentum(sim->scenario) ? sim->state->vertical_viscosity : NULL,
        .floor_viscosity = p->viscosity_m2_s,
        .parabola = p->closure == CLOSURE_CONSTANT ? 0.0 : KARMAN,
        .brakes = brakes_of(sim->scenario, sim->state),
        .full_stress_depth = p->full_stress_depth_m,
        .drag = p->drag,
        .drag_parameter = roughness_uniform(p),
        .roughness = sim->state->roughness,
        .wave_stress = sim->state->wave_stress,
    };
}

static Status check_initial_levels(const Simulation *sim) {
    const Grid *g = sim->grid;
    char where[400];
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const double depth = sim->state->depth[AT2(*g, i, j)], level = g->bed[AT2(*g, i, j)] + depth;
            if (depth <= 0 || !(level > sim->scales.level_given)) continue;
            snprintf(where, sizeof where, "at %.6g, %.6g (%.300s)", g->x_c[i], g->y_c[j],
                     sim->scenario->initial.eta_m.place);
            return scales_check_level(&sim->scales, sim->scenario, "the initial level", level, where);
        }
    return STATUS_OK;
}

static Status check_initial_speeds(const Simulation *sim, bool along_x) {
    const Grid *g = sim->grid;
    const RunList cells = along_x ? g->cells_u : g->cells_v;
    const double *velocity = along_x ? sim->state->u : sim->state->v;
    const ScenarioInitial *initial = &sim->scenario->initial;
    char where[400];
    for (int n = 0; n < cells.count; n++)
        for (int i = cells.run[n].i0, j = cells.run[n].j; i < cells.run[n].i1; i++) {
            const double speed = velocity[AT(*g, i, j, cells.run[n].k)];
            if (!(fabs(speed) > sim->scales.speed_given)) continue;
            snprintf(where, sizeof where, "at %.6g, %.6g (%.300s)", along_x ? g->x_u[i] : g->x_c[i],
                     along_x ? g->y_c[j] : g->y_v[j], (along_x ? initial->u_m_s : initial->v_m_s).place);
            return scales_check_speed(&sim->scales, sim->scenario, "the initial velocity", speed, where);
        }
    return STATUS_OK;
}

/* Levels, depths and velocities of the scenario's initial section. Collective. */
static Status initial_state(Simulation *sim) {
    const ScenarioInitial *initial = &sim->scenario->initial;
    const Grid *g = sim->grid;
    State *s = sim->state;
    double *plane = field2_create(g);
    Status status = initial_fill_2d(&initial->eta_m, "eta_m", g, 'c', sim->scenario, plane);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            ptrdiff_t m = AT2(*g, i, j);
            s->depth[m] = g->area[m] > 0 ? fmax(0.0, plane[m] - g->bed[m]) : 0.0;
        }
    field2_destroy(g, &plane);
    TRY(status);
    TRY(status_agree(g->comm, check_initial_levels(sim)));
    TRY(initial_fill_3d(&initial->u_m_s, "u_m_s", NULL, g, 'u', s->depth, sim->scenario, s->u));
    TRY(initial_fill_3d(&initial->v_m_s, "v_m_s", NULL, g, 'v', s->depth, sim->scenario, s->v));
    TRY(status_agree(g->comm, check_initial_speeds(sim, true)));
    return status_agree(g->comm, check_initial_speeds(sim, false));
}

/* What follows from the depth: the level everywhere, the ghosts. */
static Status complete_levels(Simulation *sim, bool restarted) {
    const Grid *g = sim->grid;
    State *s = sim->state;
    halo_exchange(sim->halo, 1, &s->depth, 0, NULL);
    exec_wait(sim->exec);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            ptrdiff_t m = AT2(*g, i, j);
            s->eta[m] = g->bed[m] + s->depth[m];
        }
    TRY(boundaries_advance(sim->boundaries, s->time));
    if (restarted)
        boundaries_resume(sim->boundaries);
    else
        boundaries_begin(sim->boundaries, s->eta);
    boundaries_set_ghosts(sim->boundaries, s->eta, s->depth);
    return STATUS_OK;
}

static void exchange_state(Simulation *sim) {
    State *s = sim->state;
    halo_exchange(sim->halo, 4, (double *[]){s->depth_u, s->depth_v, s->eta, s->increment}, 4,
                  (double *[]){s->u, s->v, s->flux_u, s->flux_v});
    halo_exchange(sim->halo, 0, NULL, 1, &s->flux_w);
    if (sim->smooth)
        halo_exchange(sim->halo, 6,
                      (double *[]){sim->smooth, sim->resolved, sim->u.quickening, sim->v.quickening,
                                   sim->u.gain, sim->v.gain},
                      0, NULL);
    if (!s->vertical_viscosity) return;
    halo_exchange(sim->halo, 0, NULL, 1, &s->vertical_viscosity);
    boundaries_copy_inside(sim->boundaries, s->vertical_viscosity);
}

static double total_volume(const Simulation *sim) {
    double volume;
    sums_of_products(sim->exec, sim->grid, 1, (const double *[]){sim->grid->counted_area},
                     (const double *[]){sim->state->depth}, &volume);
    return volume;
}

/* Faces of the initial state: their depths, and the velocities of dry ones. */
static void start_faces(Simulation *sim) {
    const Grid *g = sim->grid;
    State *s = sim->state;
    const double dt = sim->dt, gravity = sim->scenario->physics.gravity_m_s2;
    FaceDepth depth_u = {grid_view(g),      1,          dt,   gravity, s->depth,  s->eta, g->bed, g->bed_u,
                         sim->u.flux_total, s->depth_u, NULL, NULL,    s->depth_u};
    FaceDepth depth_v = {grid_view(g),      g->row,     dt,   gravity, s->depth,  s->eta, g->bed, g->bed_v,
                         sim->v.flux_total, s->depth_v, NULL, NULL,    s->depth_v};
    face_depth(sim->exec, g->faces_u, depth_u);
    face_depth(sim->exec, g->faces_v, depth_v);
    exec_wait(sim->exec);
    Faces *faces[] = {&sim->u, &sim->v};
    const RunList *parts[] = {&g->cells_u, &g->cells_v};
    for (int c = 0; c < 2; c++)
        for (int n = 0; n < parts[c]->count; n++) {
            Run r = parts[c]->run[n];
            for (int i = r.i0; i < r.i1; i++) {
                ptrdiff_t m = AT2(*g, i, r.j), mk = AT(*g, i, r.j, r.k);
                double share = faces[c]->width[m] * faces[c]->phi[mk] * faces[c]->depth[m];
                if (share <= 0) faces[c]->velocity[mk] = 0;
                faces[c]->flux[mk] = share * faces[c]->velocity[mk];
            }
        }
}

/* w of the start. */
static void start_w(Simulation *sim) {
    const State *s = sim->state;
    if (!sim->pressure) return;
    simulation_find_w(sim);
    pressure_start(sim->pressure, sim->exec, s->depth, (PressureState){s->w, s->q, s->inertia});
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
                                    .max_iterations = solver->surface_max_iterations};
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
    if (p->side_walls == WALLS_NO_SLIP && is_viscous(sim)) {
        sim->u.coast = coast_create(g, true);
        sim->v.coast = coast_create(g, false);
    }
    for (int c = 0; c < 2; c++) {
        if (p->scheme == SCHEME_SPLIT)
            TRY(split_momentum_create(g, c == 0, scenario_lines_tolerance(sim->scenario), &sim->split[c]));
        if (p->scheme == SCHEME_MATM)
            TRY(implicit_momentum_create(g, sim->exec, c == 0, (MatmStep)solver->momentum_variant,
                                         (MatmPrecision)solver->momentum_precision,
                                         solver->momentum_tolerance, solver->momentum_max_iterations,
                                         c == 0 ? &sim->u : &sim->v, &sim->implicit[c]));
    }
    if (is_viscous(sim) && (p->scheme == SCHEME_EXPLICIT_Z || p->pressure == PRESSURE_NONHYDROSTATIC))
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
    const CompactAdvectionOptions options = {sim->grid->dx_c[0], sim->grid->dy_c[0],
                                             p->side_walls == WALLS_NO_SLIP, p->filter,
                                             scenario_lines_tolerance(sim->scenario)};
    return compact_advection_create(sim->grid, &options, &sim->u, &sim->v, &sim->compact);
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

/* All that steps work with. Collective. */
static Status create_parts(Simulation *sim, const Scenario *scenario, MPI_Comm comm) {
    TRY(terrain_create(scenario, comm, sim->exec, sim->around, &sim->grid, &sim->ground_note));
    TRY(seam_cover(scenario, sim->grid));
    const Grid *g = sim->grid;
    sim->scales = scales_of(scenario, g);
    TRY(forcing_create(scenario, g, &sim->forcing));
    TRY(state_create(g, &sim->state));
    if (forcing_has_air_pressure(sim->forcing)) state_make(sim->state, STATE_air_pressure, 0);
    sim->state->dry_depth = scenario->output_dry_depth_m;
    sim->state->start = scenario->time.start;
    sim->state->time = scenario->time.from_s;
    TRY(roughness_create(scenario, sim->state));
    TRY(brakes_create(scenario, sim->state));
    tracers_declare(scenario, sim->state);
    turbulence_begin(scenario, sim->state);
    begin_horizontal_viscosity(sim);
    TRY(rivers_create(scenario, g, &sim->rivers));
    TRY(boundaries_create(scenario, sim->state, &sim->boundaries));
    rivers_each_column(sim->rivers, boundaries_leave, sim->boundaries);
    TRY(create_surface(sim));
    TRY(halo_create(g, EXCHANGED_LEVELS_2D + EXCHANGED_FIELDS_3D * g->n3, &sim->halo));
    sim->potential = equilibrium_tide_create(scenario, g);
    if (sim->potential) state_make(sim->state, STATE_equilibrium, 0);
    TRY(wind_waves_create(scenario, sim->forcing, sim->halo, sim->state, &sim->waves));
    const bool rotates = scenario->physics.coriolis != CORIOLIS_NONE;
    faces_create(g, sim->state, rotates, true, &sim->u);
    faces_create(g, sim->state, rotates, false, &sim->v);
    TRY(create_scheme(sim));
    keep_pull(sim);
    create_centred(sim);
    if (rotates && scenario->physics.scheme != SCHEME_PRESCRIBED)
        sim->rotation = rotation_create(g, scenario->time.step_s);
    TRY(create_compact_advection(sim));
    TRY(create_pressure(sim));
    for (int n = 0; own_plane(sim, n); n++) *own_plane(sim, n) = field2_create(g);
    TRY(exchange_create(scenario, g, sim->forcing, sim->exec, &sim->exchange));
    if (sim->exchange && sim->state->temperature >= 0) {
        state_make(sim->state, STATE_heat_flux, 0);
        state_make(sim->state, STATE_ice, 0);
    }
    sim->from_air.tracer = ALLOCATE(sim->state->n_tracers + 1, double);
    tally_create(g, &sim->tally);
    TRY(tracers_create(scenario, sim->state, sim->rivers, sim->boundaries, sim->exec, &sim->tracers));
    TRY(nudging_create(scenario, sim->state, &sim->nudging));
    TRY(status_agree(comm, reactions_create(scenario, sim->state, sim->tracers, sim->exec, &sim->reactions)));
    TRY(reactions_open_inputs(sim->reactions));
    sim->events = events_create(scenario, sim->state, sim->exec);
    return STATUS_OK;
}

/* The state at the start, and what follows from it. Collective. */
static Status begin(Simulation *sim) {
    TRY(initial_state(sim));
    /* for the first record of the output; steps read their own */
    const double now = sim->state->time;
    TRY(forcing_update(sim->forcing, now, sim->state->stress_u, sim->state->stress_v,
                       sim->state->air_pressure));
    TRY(complete_levels(sim, false));
    TRY(wind_waves_update(sim->waves, now));
    if (sim->potential) equilibrium_tide_fill(sim->potential, now, sim->state->equilibrium);
    start_faces(sim);
    time_step_start(sim);
    exchange_state(sim);
    start_w(sim);
    TRY(tracers_begin(sim->tracers, sim->scenario));
    if (sim->scenario->physics.density.equation != DENSITY_CONSTANT) state_make(sim->state, STATE_density, 0);
    TRY(density_create(sim->scenario, sim->exec, sim->state, &sim->density));
    simulation_weigh(sim, sim->state->time);
    sim->ledger.initial_m3 = sim->ledger.volume_m3 = total_volume(sim);
    events_step(sim->events, 0);
    return STATUS_OK;
}

/* A finer grid inside, and the state of this one under it. */
static Status begin_zoom(Simulation *sim) {
    if (!sim->scenario->zoom.has_box) return STATUS_OK;
    TRY(seam_create(sim, &sim->seam));
    seam_return(sim->seam);
    start_faces(sim);
    exchange_state(sim);
    simulation_weigh(sim, sim->state->time);
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
    ATTEMPT(begin(sim));
    ATTEMPT(begin_zoom(sim));
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
    ATTEMPT(begin(sim));
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
    wind_waves_destroy(&sim->waves);
    state_destroy(&sim->state); /* others find the grid through it */
    equilibrium_tide_destroy(&sim->potential);
    memory_free(sim->from_air.tracer);
    tally_destroy(&sim->tally);
    forcing_destroy(&sim->forcing);
    rivers_destroy(&sim->rivers);
    boundaries_destroy(&sim->boundaries);
    surface_destroy(&sim->surface);
    pressure_destroy(&sim->pressure);
    halo_destroy(&sim->halo);
    grid_destroy(&sim->grid);
    if (!sim->around) exec_destroy(&sim->exec);
    memory_free(sim->ground_note);
    memory_free(sim);
    *simulation = NULL;
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
    pressure_find_w(sim->exec, sim->grid->blocks_c,
                    (FindW){grid_view(sim->grid), sim->u, sim->v, s->depth, sim->source,
                            sim->scenario->physics.nonhydrostatic_depth_m, s->w});
}

void simulation_weigh(Simulation *sim, double time) {
    find_horizontal_viscosity(sim);
    if (sim->density)
        density_update(sim->density, sim->scenario, sim->exec, sim->halo, sim->boundaries, time, sim->state);
}

StateNumber *simulation_numbers(Simulation *sim, StepLengths *steps, int *count) {
    Ledger *ledger = &sim->ledger;
    const StateNumber own[] = {{"ledger_initial_m3", &ledger->initial_m3},
                               {"ledger_volume_m3", &ledger->volume_m3},
                               {"ledger_sources_m3", &ledger->sources_m3},
                               {"ledger_air_m3", &ledger->air_m3},
                               {"ledger_boundaries_m3", &ledger->boundaries_m3},
                               {"last_step_s", &steps->last},
                               {"next_step_s", &steps->wanted},
                               {.name = "entering_1_s", .value = &sim->report.entering, .may_lack = true},
                               {.name = "given", .value = &sim->given, .may_lack = true}};
    const int n_own = sizeof own / sizeof *own;
    const int n_tracers = tracers_number_count(sim->tracers);
    *count = n_own + n_tracers + reactions_number_count(sim->reactions);
    StateNumber *all = ALLOCATE(*count, StateNumber);
    memcpy(all, own, sizeof own);
    tracers_numbers(sim->tracers, all + n_own);
    reactions_numbers(sim->reactions, all + n_own + n_tracers);
    return all;
}

Status simulation_resume(Simulation *sim, StepLengths steps) {
    time_step_resume(sim, steps);
    CHECK(sim->given >= 0 && sim->given < (double)(UINT64_C(1) << GIVEN_COUNT), STATUS_BAD_INPUT,
          "the restart file is damaged: %g is not a valid code of the forcing set from outside", sim->given);
    sim->awaited = (uint64_t)sim->given;
    TRY(complete_levels(sim, true));
    exchange_state(sim);
    tracers_take_stock(sim->tracers);
    simulation_weigh(sim, sim->state->time);
    return STATUS_OK;
}

Status simulation_take_changes(Simulation *sim, bool flow) {
    Ledger *ledger = &sim->ledger;
    exec_wait(sim->exec);
    sim->has_digest = false;
    if (flow) {
        TRY(complete_levels(sim, true));
        start_faces(sim);
        exchange_state(sim);
        const double volume = total_volume(sim);
        ledger->sources_m3 += volume - ledger->volume_m3;
        ledger->volume_m3 = volume;
    }
    TRY(tracers_take_changes(sim->tracers));
    simulation_weigh(sim, sim->state->time);
    return STATUS_OK;
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
        .error_m3 = l->volume_m3 - l->initial_m3 - l->sources_m3 - l->air_m3 - l->boundaries_m3,
        .surface_iterations = sim->report.surface.iterations,
        .surface_residual = sim->report.surface.residual,
        .momentum_iterations = {sim->report.momentum[0].iterations, sim->report.momentum[1].iterations},
        .momentum_residual = {sim->report.momentum[0].residual, sim->report.momentum[1].residual},
        .digest = sim->has_digest ? sim->digest : 0,
        .tracers = tracers_accounts(sim->tracers),
        .events = events_sizes(sim->events),
        .by_process = reactions_gains(sim->reactions),
        .processes = reactions_totals(sim->reactions)};
    if (sim->seam) seam_add(sim->seam, &row);
    return row;
}
