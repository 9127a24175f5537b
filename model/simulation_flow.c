/* SPDX-License-Identifier: Apache-2.0 */
#include "model/simulation_internal.h"

#include "model/momentum/coast.h"
#include "settings/line_choice.h"

enum { EXCHANGED_LEVELS_2D = 8, EXCHANGED_FIELDS_3D = 4 };

/* The fields that a step makes on one component's faces. */
static double **face_planes(Faces *f, int n) {
    double **all[] = {&f->drag,       &f->friction, &f->theta,   &f->flux_predicted, &f->conductance,
                      &f->flux_total, &f->limit,    &f->fastest, &f->excess,         &f->entering};
    return n < 10 ? all[n] : NULL;
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

Status simulation_create_flow(Simulation *sim) {
    const Grid *g = sim->grid;
    const Scenario *scenario = sim->scenario;
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

void simulation_destroy_momentum(Simulation *sim) {
    faces_destroy(sim->grid, &sim->u);
    faces_destroy(sim->grid, &sim->v);
    for (int c = 0; c < 2; c++) {
        implicit_momentum_destroy(&sim->implicit[c]);
        split_momentum_destroy(&sim->split[c]);
    }
    viscous_stages_destroy(&sim->stages);
    compact_advection_destroy(&sim->compact);
    rotation_destroy(&sim->rotation);
}
