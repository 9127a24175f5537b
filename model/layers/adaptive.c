/* SPDX-License-Identifier: Apache-2.0 */
#include "model/layers/adaptive.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/layers/layers_kernels.h"
#include <math.h>

static bool moves(const Simulation *sim) {
    return sim->state->layer_share != NULL;
}

static Monitor monitor_of(const Simulation *sim, double elapsed) {
    const State *s = sim->state;
    const ScenarioAdapt *from = &sim->scenario->grid.adapt;
    const double moved = elapsed / from->relaxation_s, cells = from->smoothing_cells;
    return (Monitor){
        .g = grid_view(sim->grid),
        .depth = s->depth,
        .density = s->density,
        .u = s->u,
        .v = s->v,
        .share = s->layer_share,
        .moved = moved,
        .drawn = fmin(0.125, cells * cells * moved),
        .of_density = from->density,
        .of_shear = from->shear,
        .of_surface = from->surface,
        .of_bed = from->bed,
        .of_rest = 1 - (from->density + from->shear + from->surface + from->bed),
        .zone = from->zone_m,
        .thinnest = from->thinnest_part,
    };
}

/* In the pieces that a kernel takes. */
static void reshare_all(Exec exec, BlockList blocks, Reshare r, double *const *means, int count) {
    for (; count > MOST_RESHARED; count -= MOST_RESHARED, means += MOST_RESHARED) {
        Reshare part = r;
        part.means = MOST_RESHARED, part.fluxes = part.at_interfaces = 0, part.ends = false;
        for (int n = 0; n < MOST_RESHARED; n++) part.field[n] = means[n];
        reshare(exec, blocks, part);
    }
    const int last = r.fluxes + r.at_interfaces;
    if (count + last > MOST_RESHARED) {
        Reshare part = r;
        part.means = count, part.fluxes = part.at_interfaces = 0, part.ends = false;
        for (int n = 0; n < count; n++) part.field[n] = means[n];
        reshare(exec, blocks, part);
        count = 0;
    }
    for (int n = last - 1; n >= 0; n--) r.field[count + n] = r.field[n];
    for (int n = 0; n < count; n++) r.field[n] = means[n];
    r.means = count;
    r.ends = true;
    reshare(exec, blocks, r);
}

static void reshare_columns(Simulation *sim) {
    Grid *g = sim->grid;
    State *s = sim->state;
    double *sides[] = {s->tke, s->dissipation, s->vertical_viscosity, s->vertical_diffusivity};
    double **means = ALLOCATE(s->n_tracers + 1, double *);
    for (int n = 0; n < s->n_tracers; n++) means[n] = s->tracer[n].c;
    Reshare r = {.g = grid_view(g),
                 .bottom = g->bottom_c,
                 .own_area = g->own_area,
                 .phi = g->phi_c,
                 .share = s->layer_share};
    for (int n = 0; n < 4; n++)
        if (sides[n]) r.field[r.at_interfaces++] = sides[n];
    reshare_all(sim->exec, g->blocks_c, r, means, s->n_tracers);
    memory_free(means);
}

/* Shares of columns everywhere, then those of faces; with what is on these, unless it is there already. */
static void reshare_faces(Simulation *sim, bool with_flow) {
    Grid *g = sim->grid;
    State *s = sim->state;
    halo_exchange(sim->halo, 0, NULL, 1, &g->phi_c);
    boundaries_copy_inside(sim->boundaries, g->phi_c);
    for (int c = 0; c < 2; c++) {
        const Faces *f = c == 0 ? &sim->u : &sim->v;
        double *drift = c == 0 ? s->stokes_u : s->stokes_v;
        double *means[] = {f->velocity, drift};
        Reshare r = {.g = grid_view(g),
                     .bottom = f->bottom,
                     .phi = c == 0 ? g->phi_u : g->phi_v,
                     .along = f->along,
                     .fluxes = with_flow,
                     .field = {f->flux}};
        reshare_all(sim->exec, c == 0 ? g->blocks_u : g->blocks_v, r, means, !with_flow ? 0 : drift ? 2 : 1);
    }
    double *fields[] = {g->phi_u, g->phi_v, s->u, s->v, s->flux_u, s->flux_v, s->stokes_u, s->stokes_v};
    halo_exchange(sim->halo, 0, NULL, s->stokes_u ? 8 : 6, fields);
}

void adaptive_begin(Simulation *sim) {
    if (sim->scenario->grid.layers != LAYERS_ADAPTIVE) return;
    state_make(sim->state, STATE_layer_share, 0);
    monitor_shares(sim->exec, sim->grid->blocks_c, monitor_of(sim, 0));
    reshare_columns(sim);
    reshare_faces(sim, false);
    exec_wait(sim->exec);
}

void adaptive_resume(Simulation *sim) {
    Grid *g = sim->grid;
    if (!moves(sim)) return;
    field3_copy(sim->exec, g, sim->state->layer_share, g->phi_c);
    reshare_faces(sim, false);
    exec_wait(sim->exec);
}

static void move(Simulation *sim, double elapsed) {
    monitor_shares(sim->exec, sim->grid->blocks_c, monitor_of(sim, elapsed));
    reshare_columns(sim);
    reshare_faces(sim, true);
}

bool adaptive_settle(Simulation *sim) {
    enum { MOVES = 30 };
    const double long_time = 0.3 * sim->scenario->grid.adapt.relaxation_s;
    if (!moves(sim)) return false;
    for (int n = 0; n < MOVES; n++) {
        move(sim, long_time);
        simulation_weigh(sim, sim->state->time);
    }
    exec_wait(sim->exec);
    return true;
}

bool adaptive_step(Simulation *sim, double time) {
    const double every = sim->scenario->grid.adapt.every_s, before = sim->state->time;
    if (!moves(sim)) return false;
    const double elapsed = every > 0 ? every * (floor(time / every) - floor(before / every)) : sim->dt;
    if (!(elapsed > 0)) return false;
    move(sim, elapsed);
    if (sim->state->vertical_viscosity) {
        halo_exchange(sim->halo, 0, NULL, 1, &sim->state->vertical_viscosity);
        boundaries_copy_inside(sim->boundaries, sim->state->vertical_viscosity);
    }
    return true;
}
