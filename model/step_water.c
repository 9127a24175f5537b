/* SPDX-License-Identifier: Apache-2.0 */
#include "model/step_water.h"

#include "gpu/device.h"
#include "model/momentum/fall.h"
#include "model/momentum/front.h"
#include "model/momentum/smooth.h"
#include "model/seam/seam.h"
#include <math.h>

/* Drag of the faces of one component. */
static void prepare_drag(const Simulation *sim, const Momentum *m) {
    const RunList faces = m->faces.along == 1 ? sim->grid->faces_u : sim->grid->faces_v;
    if (sim->subgrid)
        subgrid_drag_prepare(sim->subgrid, sim->exec, faces, m);
    else
        bed_drag_prepare(sim->exec, faces, *m);
}

Status step_predict(Simulation *sim) {
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

Status step_find_surface(Simulation *sim, double time) {
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

Status step_correct_pressure(Simulation *sim) {
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

/* `before`: heights of columns when the step began. */
static void start_fronts(Simulation *sim, const double *before) {
    const Grid *g = sim->grid;
    const State *s = sim->state;
    const double gravity = sim->scenario->physics.gravity_m_s2;
    const Front u = {grid_view(g), sim->u, sim->next_depth_u, s->eta, sim->dt, gravity, s->depth, before},
                v = {grid_view(g), sim->v, sim->next_depth_v, s->eta, sim->dt, gravity, s->depth, before};
    /* the new velocities of the faces behind */
    if (sim->subgrid) halo_exchange(sim->halo, 0, NULL, 2, (double *[]){sim->u.predicted, sim->v.predicted});
    front_start(sim->exec, g->faces_u, u);
    front_start(sim->exec, g->faces_v, v);
    if (!sim->subgrid) return;
    front_over_film(sim->exec, g->faces_u, u);
    front_over_film(sim->exec, g->faces_v, v);
}

void step_move(Simulation *sim) {
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
        const double *uneven = sim->subgrid ? sim->subgrid->column.first : NULL;
        fall_limit(sim->exec, g->faces_u,
                   (Fall){grid_view(g), sim->u, s->v, sim->v.flux_total, sim->dt, gravity, carried, s->eta,
                          before, s->increment, uneven});
        fall_limit(sim->exec, g->faces_v,
                   (Fall){grid_view(g), sim->v, s->u, sim->u.flux_total, sim->dt, gravity, carried, s->eta,
                          before, s->increment, uneven});
    }
    start_fronts(sim, before);
    structures_start(sim->structures, s->eta, s->depth, &sim->u, &sim->v);
    swap(&s->depth_u, &sim->next_depth_u);
    swap(&s->depth_v, &sim->next_depth_v);
    swap_velocities(sim);
    sim->u.depth = s->depth_u;
    sim->v.depth = s->depth_v;
    halo_exchange(sim->halo, 2, (double *[]){s->depth_u, s->depth_v}, 4,
                  (double *[]){s->u, s->v, s->flux_u, s->flux_v});
}

void step_prescribe(Simulation *sim, double time) {
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
