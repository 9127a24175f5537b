/* SPDX-License-Identifier: Apache-2.0 */
#include "model/simulation_internal.h"

#include "gpu/device.h"
#include "model/forcing/initial_field.h"
#include "model/given.h"
#include "model/layers/adaptive.h"
#include "model/seam/seam.h"
#include "model/time_step.h"
#include "numerics/grid/sums.h"
#include <math.h>

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
    if (sim->subgrid) {
        subgrid_fill(sim->exec, g->columns, subgrid_columns(sim->subgrid, s->depth, NULL, NULL));
        halo_exchange(sim->halo, 1, &s->depth, 0, NULL);
        exec_wait(sim->exec);
    }
    TRY(initial_fill_3d(&initial->u_m_s, "u_m_s", NULL, g, 'u', s->depth, NULL, NULL, sim->scenario, s->u));
    TRY(initial_fill_3d(&initial->v_m_s, "v_m_s", NULL, g, 'v', s->depth, NULL, NULL, sim->scenario, s->v));
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
    if (sim->subgrid) {
        subgrid_levels(sim->exec, g->columns, subgrid_columns(sim->subgrid, s->depth, s->eta, NULL));
        double *uneven = (double *)(uintptr_t)sim->subgrid->column.first; /* of ghosts for momentum/fall.h */
        halo_exchange(sim->halo, 2, (double *[]){s->eta, uneven}, 0, NULL);
        exec_wait(sim->exec);
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
    /* none before, with ground inside cells, whose kernel asks for those of faces around */
    const double *before_u = sim->subgrid ? NULL : s->depth_u, *before_v = sim->subgrid ? NULL : s->depth_v;
    const FaceDepth depth_u = {grid_view(g), 1,      dt,        gravity,           s->depth,
                               s->eta,       g->bed, g->bed_u,  sim->u.flux_total, before_u,
                               NULL,         NULL,   s->depth_u};
    const FaceDepth depth_v = {grid_view(g), g->row, dt,        gravity,           s->depth,
                               s->eta,       g->bed, g->bed_v,  sim->v.flux_total, before_v,
                               NULL,         NULL,   s->depth_v};
    subgrid_or_even_depths(sim->subgrid, sim->exec, g, depth_u, depth_v);
    structures_close(sim->structures, s->eta, s->depth, &sim->u, &sim->v, s->depth_u, s->depth_v);
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

/* Their heights are those of the water inside cells. */
static Status begin_tracers(Simulation *sim) {
    const Grid *g = sim->grid;
    if (!sim->subgrid) return tracers_begin(sim->tracers, NULL, sim->scenario);
    double *below = field3_create(g);
    subgrid_heights(sim->subgrid, sim->exec, sim->halo, sim->state->depth, below);
    exec_wait(sim->exec);
    const Status status = tracers_begin(sim->tracers, below, sim->scenario);
    field3_destroy(g, &below);
    return status;
}

/* The sea of the scenario's initial section, on the layers that there are. */
static Status fill_sea(Simulation *sim) {
    TRY(initial_state(sim));
    /* for the first record of the output; steps read their own */
    const double now = sim->state->time;
    TRY(forcing_update(sim->forcing, now, sim->state->stress_u, sim->state->stress_v,
                       sim->state->air_pressure));
    TRY(complete_levels(sim, false));
    TRY(wind_waves_update(sim->waves, now));
    if (sim->potential) equilibrium_tide_fill(sim->potential, now, sim->state->equilibrium);
    start_faces(sim);
    structures_look(sim->structures);
    time_step_start(sim);
    exchange_state(sim);
    start_w(sim);
    TRY(begin_tracers(sim));
    if (sim->scenario->physics.density.equation != DENSITY_CONSTANT && !sim->state->density)
        state_make(sim->state, STATE_density, 0);
    density_destroy(sim->grid, &sim->density);
    TRY(density_create(sim->scenario, sim->exec, sim->subgrid, sim->halo, sim->state, &sim->density));
    simulation_weigh(sim, sim->state->time);
    return STATUS_OK;
}

Status simulation_begin(Simulation *sim) {
    enum { PASSES = 2 }; /* layers find the stratification that they then hold in full */
    adaptive_begin(sim);
    TRY(fill_sea(sim));
    for (int pass = 0; pass < PASSES && adaptive_settle(sim); pass++) TRY(fill_sea(sim));
    sim->ledger.initial_m3 = sim->ledger.volume_m3 = total_volume(sim);
    events_step(sim->events, 0);
    return STATUS_OK;
}

Status simulation_begin_zoom(Simulation *sim) {
    if (!sim->scenario->zoom.has_box) return STATUS_OK;
    TRY(seam_create(sim, &sim->seam));
    seam_return(sim->seam);
    start_faces(sim);
    exchange_state(sim);
    simulation_weigh(sim, sim->state->time);
    return STATUS_OK;
}

Status simulation_resume(Simulation *sim, StepLengths steps) {
    time_step_resume(sim, steps);
    CHECK(sim->given >= 0 && sim->given < (double)(UINT64_C(1) << GIVEN_COUNT), STATUS_BAD_INPUT,
          "the restart file is damaged: %g is not a valid code of the forcing set from outside", sim->given);
    sim->awaited = (uint64_t)sim->given;
    adaptive_resume(sim);
    TRY(complete_levels(sim, true));
    subgrid_resume(sim->subgrid, sim->exec, sim->u.depth, sim->v.depth);
    TRY(structures_advance(sim->structures, sim->state->time, 0));
    structures_close(sim->structures, sim->state->eta, sim->state->depth, &sim->u, &sim->v, sim->u.depth,
                     sim->v.depth);
    structures_look(sim->structures);
    exchange_state(sim);
    tracers_take_stock(sim->tracers);
    simulation_weigh(sim, sim->state->time);
    return STATUS_OK;
}

Status simulation_take_changes(Simulation *sim, bool flow) {
    Ledger *ledger = &sim->ledger;
    exec_wait(sim->exec);
    sim->has_digest = false;
    sim->changed = 1;
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
