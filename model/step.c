/* SPDX-License-Identifier: Apache-2.0
 *
 * One time step, in the order in which it happens.
 */
#include "model/simulation.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/layers/adaptive.h"
#include "model/momentum/fall.h"
#include "model/momentum/front.h"
#include "model/momentum/smooth.h"
#include "model/seam/seam.h"
#include "model/stock.h"
#include "model/time_step.h"
#include <math.h>

/* Heat, rain, evaporation, what soaks away: changes the state before anything moves. */
static Status exchange_columns(Simulation *sim, double time) {
    State *s = sim->state;
    if (!sim->exchange && !sim->infiltration) return STATUS_OK;
    if (sim->exchange && sim->reactions) reactions_shade(sim->reactions);
    if (sim->exchange) TRY(exchange_apply(sim->exchange, time, sim->dt, s, sim->tally, &sim->from_air));
    if (sim->infiltration)
        infiltration_apply(sim->infiltration, sim->dt, sim->exchange ? exchange_rain(sim->exchange) : NULL,
                           sim->tally);
    if (sim->subgrid)
        subgrid_levels(sim->exec, sim->grid->columns, subgrid_columns(sim->subgrid, s->depth, s->eta, NULL));
    halo_exchange(sim->halo, 2, (double *[]){s->depth, s->eta}, 0, NULL);
    return STATUS_OK;
}

/* Heights and what depths did in the last step; of ghosts, whose ground is even, they are depth and increment. */
static void begin_subgrid(const Simulation *sim) {
    const Grid *g = sim->grid;
    const State *s = sim->state;
    Subgrid *inside = sim->subgrid;
    if (!inside) return;
    const SubgridColumns args = subgrid_columns(inside, s->depth, s->eta, s->increment);
    subgrid_begin(sim->exec, g->columns, args);
    subgrid_beside(sim->exec, inside->beside, args);
    halo_exchange(sim->halo, 3, (double *[]){inside->height, inside->rise, inside->share}, 0, NULL);
    subgrid_find_ways(inside, sim->exec, sim->halo, s->eta);
    if (!inside->thick) return;
    subgrid_thicknesses(inside, sim->exec, sim->halo, s->depth, inside->thick_before);
    field2_copy(sim->exec, g, inside->face_u.hydraulic, inside->hydraulic_before[0]);
    field2_copy(sim->exec, g, inside->face_v.hydraulic, inside->hydraulic_before[1]);
}

/* How thick the water is for what goes on down its columns. */
static TurbulentDepths depths_of_layers(const Simulation *sim) {
    const Subgrid *inside = sim->subgrid;
    if (!inside || !inside->thick)
        return (TurbulentDepths){sim->next_depth, sim->next_depth_u, sim->next_depth_v, sim->state->depth};
    return (TurbulentDepths){inside->thick_before, inside->hydraulic_before[0], inside->hydraulic_before[1],
                             inside->thick};
}

/* And for what goes on between them, where the water carries something. */
static void find_thicknesses(const Simulation *sim) {
    const Subgrid *inside = sim->subgrid;
    if (!inside) return;
    if (sim->state->n_tracers > 0) subgrid_sides(inside, sim->exec, sim->state->depth);
    if (inside->thick) subgrid_thicknesses(inside, sim->exec, sim->halo, sim->state->depth, inside->thick);
}

/* What the bed feels, on faces of other ranks. */
static void find_drag_around(const Simulation *sim) {
    const Subgrid *inside = sim->subgrid;
    if (!tracers_need_drag(sim->tracers)) return;
    double *fields[] = {sim->u.drag, sim->v.drag, NULL, NULL};
    const bool parted = subgrid_has_flanks(sim->subgrid);
    if (parted) fields[2] = sim->subgrid->face_u.narrow, fields[3] = sim->subgrid->face_v.narrow;
    halo_exchange(sim->halo, parted ? 4 : 2, fields, 0, NULL);
    if (inside)
        halo_exchange(sim->halo, 2, (double *[]){inside->face_u.hydraulic, inside->face_v.hydraulic}, 0,
                      NULL);
}

/* Wind, air pressure, rivers and boundary levels at the new time. */
static Status force(Simulation *sim, double time) {
    State *s = sim->state;
    /* For those that read what rivers and open boundaries had in the step before: here nothing new is under way, so
     * that a GPU has ended with what a step does, and nobody waits. */
    exec_wait(sim->exec);
    /* second order in the step: what drives the water is that of its middle */
    const double driven = sim->smooth ? time - 0.5 * sim->dt : time;
    TRY(forcing_update(sim->forcing, driven, s->stress_u, s->stress_v, s->air_pressure));
    if (sim->potential) equilibrium_tide_fill(sim->potential, driven, s->equilibrium);
    TRY(exchange_columns(sim, time));
    TRY(wind_waves_update(sim->waves, time));
    TRY(boundaries_advance(sim->boundaries, time));
    TRY(structures_advance(sim->structures, time, sim->dt));
    rivers_apply(sim->rivers, time, sim->dt, s->depth, sim->source, sim->source_in);
    boundaries_soak(sim->boundaries, sim->dt, s->eta, s->depth, sim->source, sim->source_in);
    boundaries_raise_ghosts(sim->boundaries, s->eta, s->increment);
    double *planes[] = {s->stress_u, s->stress_v, sim->source, sim->source_in};
    halo_exchange(sim->halo, 4, planes, 0, NULL);
    begin_subgrid(sim);
    return STATUS_OK;
}

/* Drag of the faces of one component. */
static void prepare_drag(const Simulation *sim, const Momentum *m) {
    const RunList faces = m->faces.along == 1 ? sim->grid->faces_u : sim->grid->faces_v;
    if (sim->subgrid)
        subgrid_drag_prepare(sim->subgrid, sim->exec, faces, m);
    else
        bed_drag_prepare(sim->exec, faces, *m);
}

/* u*, v*: everything but the change of the surface. */
static Status predict(Simulation *sim) {
    const Grid *g = sim->grid;
    const State *s = sim->state;
    wind_waves_drift(sim->waves, s->time + sim->dt, sim->dt, &sim->u, &sim->v);
    Momentum u = simulation_momentum(sim, true), v = simulation_momentum(sim, false);
    const int stages =
        sim->stages ? viscous_stages_choose(sim->stages, sim->exec, sim->report.entering, &u, &v) : 0;
    prepare_drag(sim, &u);
    prepare_drag(sim, &v);
    if (sim->pressure) {
        pressure_begin(sim->pressure, sim->exec, &u, (PressureState){s->w, s->q, s->inertia});
        pressure_advance_fluxes(sim->pressure, sim->exec, &u, &v);
    }
    if (sim->compact) compact_advection_update(sim->compact, sim->halo, &sim->u, &sim->v);
    if (sim->pressure) pressure_predict(sim->pressure, sim->exec, &u, s->w, s->q);
    if (sim->pressure) pressure_spread_w(sim->pressure, sim->exec, &u, stages);
    momentum_predict_both(sim->exec, g, u, v);
    boundaries_impose(sim->boundaries, (Waves){sim->dt, sim->dt_before, u.slope_gravity},
                      (OpenWater){s->density, u.anomaly, u.pressure, u.density}, sim->state, &sim->u,
                      &sim->v);
    if (sim->driven) seam_impose(sim->driven); /* before viscosity and rotation, which feel it, too */
    if (sim->implicit[0]) {
        TRY(implicit_momentum_solve(sim->implicit[0], sim->exec, u, &sim->report.momentum[0]));
        TRY(implicit_momentum_solve(sim->implicit[1], sim->exec, v, &sim->report.momentum[1]));
    }
    if (sim->split[0]) {
        TRY(split_momentum_solve(sim->split[0], sim->exec, u));
        TRY(split_momentum_solve(sim->split[1], sim->exec, v));
    }
    if (stages > 0 && !sim->implicit[0] && !sim->split[0] && !sim->scenario->physics.compact_viscosity) {
        viscous_stages_act(sim->stages, stages, sim->exec, sim->halo, &u, &v);
        sim->u.predicted = u.faces.predicted;
        sim->v.predicted = v.faces.predicted;
    }
    if (sim->rotation) rotation_centre(sim->rotation, sim->exec, sim->halo, u, v);
    const Momentum predicted = simulation_momentum(sim, true), across = simulation_momentum(sim, false);
    boundaries_brake(sim->boundaries, &predicted);
    TRY(nudging_brake(sim->nudging, s->time + sim->dt, sim->dt, &sim->u, &sim->v));
    structures_impose(sim->structures, &predicted);
    subgrid_limit_crests(sim->subgrid, sim->exec, &predicted, &across);
    double *planes[] = {sim->u.flux_predicted, sim->u.conductance, sim->v.flux_predicted, sim->v.conductance};
    halo_exchange(sim->halo, 4, planes, 0, NULL);
    return STATUS_OK;
}

static void swap(double **a, double **b) {
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* Where the flow is smooth, with order 2. */
static void find_smooth(const Simulation *sim, double *depth) {
    const Grid *g = sim->grid;
    const ScenarioPhysics *p = &sim->scenario->physics;
    if (!sim->smooth) return;
    halo_exchange(sim->halo, 2, (double *[]){depth, sim->state->eta}, 0, NULL); /* ghosts of other ranks */
    smooth_find(sim->exec, g->columns,
                (Smooth){grid_view(g), sim->dt, p->gravity_m_s2, fmax(p->full_stress_depth_m, 1e-9), g->dx_c,
                         g->dy_c, depth, sim->state->eta, sim->state->increment,
                         sim->subgrid ? sim->subgrid->share : NULL, sim->smooth, sim->resolved});
    halo_exchange(sim->halo, 2, (double *[]){sim->smooth, sim->resolved}, 0, NULL);
}

/* What order 2 wants to know of the step. */
static void keep_gains(const Simulation *sim) {
    const Grid *g = sim->grid;
    const Faces *u = &sim->u, *v = &sim->v;
    if (!sim->smooth) return;
    gain_keep(sim->exec, g->faces_u,
              (Gain){grid_view(g), sim->dt, u->spacing, u->width, u->depth, sim->next_depth_u, u->theta,
                     u->mean, u->flux_total, u->quickening, u->gain});
    gain_keep(sim->exec, g->faces_v,
              (Gain){grid_view(g), sim->dt, v->spacing, v->width, v->depth, sim->next_depth_v, v->theta,
                     v->mean, v->flux_total, v->quickening, v->gain});
    halo_exchange(sim->halo, 4, (double *[]){u->quickening, v->quickening, u->gain, v->gain}, 0, NULL);
}

/* Moving depths of the faces that go with `depth` and the new level. */
static void find_face_depths(Simulation *sim, double *depth) {
    const Grid *g = sim->grid;
    double *eta = sim->state->eta;
    const double dt = sim->dt, gravity = sim->scenario->physics.gravity_m_s2;
    boundaries_set_ghosts(sim->boundaries, eta, depth);
    find_smooth(sim, depth);
    subgrid_or_even_depths(
        sim->subgrid, sim->exec, g,
        (FaceDepth){grid_view(g), 1, dt, gravity, depth, eta, g->bed, g->bed_u, sim->u.flux_total,
                    sim->u.depth, sim->resolved, sim->state->increment, sim->next_depth_u},
        (FaceDepth){grid_view(g), g->row, dt, gravity, depth, eta, g->bed, g->bed_v, sim->v.flux_total,
                    sim->v.depth, sim->resolved, sim->state->increment, sim->next_depth_v});
    structures_close(sim->structures, eta, depth, &sim->u, &sim->v, sim->next_depth_u, sim->next_depth_v);
    if (sim->structures) subgrid_resume(sim->subgrid, sim->exec, sim->next_depth_u, sim->next_depth_v);
}

/* Makes the flow that surface and momentum have left free of divergence; new depth and level again. */
static Status correct_pressure(Simulation *sim) {
    State *s = sim->state;
    if (!sim->pressure) return STATUS_OK;
    find_face_depths(sim, sim->next_depth);
    halo_exchange(sim->halo, 2, (double *[]){sim->next_depth_u, sim->next_depth_v}, 0, NULL);
    TRY(pressure_solve(sim->pressure, sim->exec,
                       (PressureStep){sim->dt, simulation_theta(sim, sim->dt), &sim->u, &sim->v, s->increment,
                                      sim->next_depth, sim->next_depth_u, sim->next_depth_v, sim->source,
                                      s->q, s->step == 0},
                       &sim->report.pressure));
    sim->report.surface.limited_sweeps += surface_settle(sim->surface, sim->exec, sim->dt, s->depth, &sim->u,
                                                         &sim->v, sim->source, sim->next_depth, s->eta);
    return STATUS_OK;
}

/* New velocities stand in `predicted`, where the old ones go. */
static void swap_velocities(Simulation *sim) {
    swap(&sim->state->u, &sim->u.predicted);
    swap(&sim->state->v, &sim->v.predicted);
    sim->u.velocity = sim->state->u;
    sim->v.velocity = sim->state->v;
}

/* Depths of cells and faces, velocities and fluxes after the step; the old depth ends in next_depth. */
static void move(Simulation *sim) {
    const Grid *g = sim->grid;
    State *s = sim->state;
    swap(&s->depth, &sim->next_depth);
    boundaries_carry_out(sim->boundaries, s->eta);
    find_face_depths(sim, s->depth);
    keep_gains(sim);
    const double gravity = sim->scenario->physics.gravity_m_s2;
    const double slope_gravity = simulation_slope_gravity(sim);
    const double *before = sim->subgrid ? sim->subgrid->height : sim->next_depth;
    const LayerFluxes layers = sim->density ? FLUXES_OF_NEW_VELOCITIES : FLUXES_BY_THETA;
    momentum_update(sim->exec, g->blocks_u,
                    (MomentumUpdate){grid_view(g), sim->u, sim->state->increment, before, sim->next_depth_u,
                                     slope_gravity, layers});
    momentum_update(sim->exec, g->blocks_v,
                    (MomentumUpdate){grid_view(g), sim->v, sim->state->increment, before, sim->next_depth_v,
                                     slope_gravity, layers});
    if (!sim->pressure) {
        const bool carried = sim->scenario->physics.advection != ADVECTION_NONE;
        fall_limit(
            sim->exec, g->faces_u,
            (Fall){grid_view(g), sim->u, s->v, sim->dt, gravity, carried, s->eta, before, s->increment});
        fall_limit(
            sim->exec, g->faces_v,
            (Fall){grid_view(g), sim->v, s->u, sim->dt, gravity, carried, s->eta, before, s->increment});
    }
    /* the new velocities of the faces behind */
    if (sim->subgrid) halo_exchange(sim->halo, 0, NULL, 2, (double *[]){sim->u.predicted, sim->v.predicted});
    front_start(sim->exec, g->faces_u, (Front){grid_view(g), sim->u, sim->next_depth_u, s->eta, gravity});
    front_start(sim->exec, g->faces_v, (Front){grid_view(g), sim->v, sim->next_depth_v, s->eta, gravity});
    structures_start(sim->structures, s->eta, s->depth, &sim->u, &sim->v);
    swap(&s->depth_u, &sim->next_depth_u);
    swap(&s->depth_v, &sim->next_depth_v);
    swap_velocities(sim);
    sim->u.depth = s->depth_u;
    sim->v.depth = s->depth_v;
    halo_exchange(sim->halo, 2, (double *[]){s->depth_u, s->depth_v}, 4,
                  (double *[]){s->u, s->v, s->flux_u, s->flux_v});
}

/* The same where the flow is given and levels stay as they are. */
static void prescribe(Simulation *sim, double time) {
    const Grid *g = sim->grid;
    State *s = sim->state;
    field2_copy(sim->exec, g, s->depth, sim->next_depth);
    field2_copy(sim->exec, g, s->depth_u, sim->next_depth_u);
    field2_copy(sim->exec, g, s->depth_v, sim->next_depth_v);
    swap_velocities(sim);
    prescribed_flow(sim->prescribed, time, &sim->u, &sim->v);
    halo_exchange(sim->halo, 0, NULL, 4, (double *[]){s->u, s->v, s->flux_u, s->flux_v});
    bed_drag_prepare(sim->exec, g->faces_u, simulation_momentum(sim, true));
    bed_drag_prepare(sim->exec, g->faces_v, simulation_momentum(sim, false));
}

static void find_vertical_flux(Simulation *sim) {
    const Grid *g = sim->grid;
    State *s = sim->state;
    vertical_flux(sim->exec, g->blocks_c,
                  (VerticalFlux){grid_view(g), sim->dt, s->flux_u, s->flux_v, sim->next_depth, s->depth,
                                 sim->source, s->flux_w});
    const int planes = turbulence_needs_friction(sim->scenario) ? 2 : 0;
    halo_exchange(sim->halo, planes, (double *[]){sim->u.friction, sim->v.friction}, 1, &s->flux_w);
    simulation_find_w(sim);
}

/* Viscosity and diffusivity for the next step. */
static void mix(Simulation *sim) {
    State *s = sim->state;
    if (!s->vertical_viscosity) return;
    turbulence_step(sim->scenario, sim->dt, sim->exec, s, &sim->u, &sim->v, depths_of_layers(sim));
    halo_exchange(sim->halo, 0, NULL, 1, &s->vertical_viscosity);
    boundaries_copy_inside(sim->boundaries, s->vertical_viscosity);
}

static WaterMoved water_moved(const Simulation *sim, double time) {
    const Subgrid *inside = sim->subgrid;
    return (WaterMoved){.time = time,
                        .dt = sim->dt,
                        .depth_before = sim->next_depth,
                        .source = sim->source,
                        .source_in = sim->source_in,
                        .drag_u = sim->u.drag,
                        .drag_v = sim->v.drag,
                        .flanks_u = subgrid_flanks(sim->subgrid, &sim->u),
                        .flanks_v = subgrid_flanks(sim->subgrid, &sim->v),
                        .sunk = inside ? inside->sunk : NULL,
                        .wide = inside ? inside->wide : NULL,
                        .thick_u = sim->u.thick,
                        .thick_v = sim->v.thick};
}

/* Tracers towards given values, before the water moves them. */
static Status nudge(Simulation *sim, const WaterMoved *moved) {
    if (!sim->nudging) return STATUS_OK;
    const int count = sim->state->n_tracers;
    ExactSum **sum = ALLOCATE(count + 1, ExactSum *);
    for (int n = 0; n < count; n++) sum[n] = tracers_ask_nudged(sim->tracers, n, sim->tally);
    const Status status = nudging_apply(sim->nudging, moved->time, moved->dt, moved->depth_before, sum);
    memory_free(sum);
    return status;
}

/* Adds the time since `before` to a phase; returns the time now. */
static double clock_phase(Simulation *sim, Phase phase, double before) {
    if (sim->wait_for_phases) exec_wait(sim->exec);
    double now = MPI_Wtime();
    sim->seconds[phase] += now - before;
    return now;
}

/* One solution of the surface; `again`: another in this step, with the same depths and conductances. */
static Status solve_surface(Simulation *sim, bool again) {
    const State *s = sim->state;
    SurfaceReport report, *all = &sim->report.surface;
    if (again) surface_solve_again(sim->surface);
    TRY(surface_solve(sim->surface, sim->exec, sim->dt, s->depth, &sim->u, &sim->v, sim->source, s->increment,
                      sim->next_depth, s->eta, &report));
    if (again) {
        report.newton += all->newton;
        report.iterations += all->iterations;
        report.converged &= all->converged;
    }
    *all = report;
    return STATUS_OK;
}

/* The level, with what rotation does to the flow that it drives, and with the culverts' flow that it drives. */
static Status find_surface(Simulation *sim, double time) {
    const int passes = rotation_passes(sim->rotation, sim->dt);
    (void)structures_flow(sim->structures, 0, time, sim->dt, sim->state->depth, sim->source);
    for (int done = 0; done < passes; done++) {
        if (done > 0) {
            rotation_follow(sim->rotation, sim->exec, sim->halo, simulation_momentum(sim, true),
                            simulation_momentum(sim, false), done - 1);
            halo_exchange(sim->halo, 2, (double *[]){sim->u.flux_predicted, sim->v.flux_predicted}, 0, NULL);
        }
        TRY(solve_surface(sim, done > 0));
    }
    for (int tries = 1; structures_flow(sim->structures, tries, time, sim->dt, sim->next_depth, sim->source);
         tries++)
        TRY(solve_surface(sim, true));
    return STATUS_OK;
}

/* Where the water goes, by its own equations. */
static Status flow(Simulation *sim, double time, double *clock) {
    TRY(predict(sim));
    *clock = clock_phase(sim, PHASE_MOMENTUM, *clock);
    TRY(find_surface(sim, time));
    *clock = clock_phase(sim, PHASE_SURFACE, *clock);
    TRY(correct_pressure(sim));
    *clock = clock_phase(sim, PHASE_PRESSURE, *clock);
    move(sim);
    if (structures_pour(sim->structures, sim->next_depth, sim->source))
        halo_exchange(sim->halo, 1, &sim->next_depth, 0, NULL);
    *clock = clock_phase(sim, PHASE_MOVE, *clock);
    return STATUS_OK;
}

Status simulation_step(Simulation *sim) {
    State *s = sim->state;
    double time = time_step_begin(sim), clock = MPI_Wtime();
    sim->has_digest = false;
    sim->changed = 0;
    TRY(force(sim, time));
    clock = clock_phase(sim, PHASE_FORCING, clock);
    if (sim->prescribed) {
        prescribe(sim, time - 0.5 * sim->dt);
        clock = clock_phase(sim, PHASE_MOMENTUM, clock);
    } else
        TRY(flow(sim, time, &clock));
    if (sim->seam) TRY(seam_fit(sim->seam));
    find_vertical_flux(sim);
    find_thicknesses(sim);
    clock = clock_phase(sim, PHASE_VERTICAL, clock);
    find_drag_around(sim);
    const WaterMoved moved = water_moved(sim, time);
    TRY(nudge(sim, &moved)); /* before the finer grid learns what flows into it */
    TRY(sim->seam ? seam_move_tracers(sim->seam, &moved, sim->tally)
                  : tracers_step(sim->tracers, &moved, sim->tally));
    if (sim->reactions) {
        tally_answer(sim->tally);
        stock_close_tracers(sim);
        TRY(reactions_step(sim->reactions, sim->forcing, sim->exchange, time, sim->dt));
    }
    clock = clock_phase(sim, PHASE_TRACERS, clock);
    if (sim->seam) seam_return(sim->seam);
    structures_gather(sim->structures);
    simulation_weigh(sim, time);
    mix(sim);
    if (adaptive_step(sim, time)) {
        find_vertical_flux(sim);
        simulation_weigh(sim, time);
    }
    clock = clock_phase(sim, PHASE_TURBULENCE, clock);
    s->step++;
    s->time = time;
    events_step(sim->events, sim->dt);
    stock_take(sim);
    time_step_end(sim);
    (void)clock_phase(sim, PHASE_STOCK, clock);
    return STATUS_OK;
}
