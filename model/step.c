/* SPDX-License-Identifier: Apache-2.0
 *
 * One time step, in the order in which it happens.
 */
#include "model/simulation.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/layers/adaptive.h"
#include "model/seam/seam.h"
#include "model/step_water.h"
#include "model/stock.h"
#include "model/time_step.h"

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

/* Heights, what depths did in the last step, and where cells are wet; of ghosts, whose ground is even, heights and rises are depth and
 * increment. */
static void begin_subgrid(const Simulation *sim) {
    const Grid *g = sim->grid;
    const State *s = sim->state;
    Subgrid *inside = sim->subgrid;
    if (!inside) return;
    const SubgridColumns args = subgrid_columns(inside, s->depth, s->eta, s->increment);
    subgrid_begin(sim->exec, g->columns, args);
    subgrid_beside(sim->exec, inside->beside, args);
    double *found[] = {inside->height, inside->rise, inside->share, inside->middle[0], inside->middle[1]};
    halo_exchange(sim->halo, 5, found, 0, NULL);
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

/* Where the water goes, by its own equations. */
static Status flow(Simulation *sim, double time, double *clock) {
    TRY(step_predict(sim));
    *clock = clock_phase(sim, PHASE_MOMENTUM, *clock);
    TRY(step_find_surface(sim, time));
    *clock = clock_phase(sim, PHASE_SURFACE, *clock);
    TRY(step_correct_pressure(sim));
    *clock = clock_phase(sim, PHASE_PRESSURE, *clock);
    step_move(sim);
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
        step_prescribe(sim, time - 0.5 * sim->dt);
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
