/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of all tracers: the terms of tracers.h, in their order.
 */
#include "model/tracers/tracers_internal.h"

#include "gpu/device.h"
#include "numerics/grid/traffic.h"

static Transport transport_of(const Tracers *t, const WaterMoved *moved, int first, int count) {
    const State *s = t->state;
    Transport transport = {.g = grid_view(s->grid),
                           .dt = moved->dt,
                           .depth = moved->depth_before,
                           .depth_new = s->depth,
                           .flux_u = s->flux_u,
                           .flux_v = s->flux_v,
                           .flux_w = s->flux_w,
                           .source = moved->source,
                           .source_in = moved->source_in,
                           .sloping = s->grid->axes.along_bed,
                           .narrows = moved->wide != NULL,
                           .hot = t->hot,
                           .count = count};
    for (int n = 0; n < count; n++)
        transport.tracer[n] = (Carried){.c = s->tracer[first + n].c,
                                        .load = t->part[first + n].load,
                                        .carried = t->part[first + n].carried,
                                        .least_ever = t->part[first + n].least_ever,
                                        .most_ever = t->part[first + n].most_ever};
    passes_lend(t->passes, &transport);
    return transport;
}

/* What rivers and open boundaries bring, and the values of neighbours. */
static void exchange_values(Tracers *t, const WaterMoved *moved) {
    const int count = t->state->n_tracers;
    double **fields = t->exchanged;
    for (int n = 0; n < count; n++) {
        rivers_carry(t->rivers, n, moved->time, t->part[n].load, t->part[n].carried);
        boundaries_set_tracer(t->boundaries, n, moved->time, moved->dt, t->state);
        fields[2 * n] = t->part[n].load;
        fields[2 * n + 1] = t->part[n].carried;
        fields[2 * count + n] = t->state->tracer[n].c;
    }
    if (t->watch.values) t->watch.values(t->watch.context);
    halo_exchange(t->halo, 2 * count, fields, count, fields + 2 * count);
}

/* Finds the cells that need small steps, or prepares the solver that needs none. */
static Status find_substeps(Tracers *t, const WaterMoved *moved, Substeps *out) {
    const Grid *g = t->state->grid;
    Transport water = transport_of(t, moved, 0, 0);
    *out = (Substeps){.parts = 0};
    water.out = t->implicit ? t->out : NULL;
    transport_outflow(t->exec, g->blocks_c, water);
    if (t->implicit) return implicit_transport_begin(t->implicit, t->exec, &water);
    double hot = 0;
    transport_hottest(t->exec, g->columns, water, &hot);
    traffic.sums++;
    traffic.summed++;
    MPI_Allreduce(MPI_IN_PLACE, &hot, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    if (!(hot > 0)) return STATUS_OK;
    if (!t->out) t->out = field3_create(g);
    water.out = t->out;
    transport_outflow(t->exec, g->blocks_c, water);
    halo_exchange(t->halo, 0, NULL, 1, &t->out);
    *out = substeps_find(t->state->grid, &water);
    return STATUS_OK;
}

/* The first `fields` of the whole fields. */
static void lend_whole_fields(Tracers *t, Transport *a, int fields) {
    a->out = t->out;
    for (int n = 0; n < a->count; n++)
        for (int m = 0; m < fields; m++) {
            double **field = tracers_whole_field(&t->whole[n], m);
            if (!*field) *field = field3_create(t->state->grid);
            *tracers_whole_field(&a->tracer[n], m) = *field;
        }
}

static int fields_of_small_steps(const Tracers *t) {
    return t->scheme == TRANSPORT_FCT ? WHOLE_FIELDS : FIELDS_OF_LOW;
}

static Status take_small_steps(Tracers *t, Transport *a, int first, const Substeps *substeps) {
    Unsettled unsettled;
    lend_whole_fields(t, a, fields_of_small_steps(t));
    TRY(substeps_do(substeps, t->state->grid, t->halo, a, t->scheme == TRANSPORT_FCT, &t->rings, &unsettled));
    unsettled.tracer += first;
    if (unsettled.change > t->unsettled.change) t->unsettled = unsettled;
    for (int n = 0; n < a->count; n++) { /* they have changed places */
        t->whole[n].now = a->tracer[n].now;
        t->whole[n].guess = a->tracer[n].guess;
    }
    return STATUS_OK;
}

/* Finds `now`, the low order of the implicit scheme. */
static Status solve_implicit(Tracers *t, Transport *a) {
    double *fields[MOST_CARRIED];
    lend_whole_fields(t, a, FIELDS_OF_IMPLICIT);
    for (int n = 0; n < a->count; n++) {
        TRY(implicit_transport_do(t->implicit, t->exec, a, n));
        fields[n] = a->tracer[n].now;
    }
    halo_exchange(t->halo, 0, NULL, a->count, fields);
    return STATUS_OK;
}

/* The terms of tracers.h, in their order, for some of the tracers. */
static Status step_terms(Tracers *t, const WaterMoved *moved, int first, int count, const Substeps *substeps,
                         Tally *tally) {
    Transport transport = transport_of(t, moved, first, count);
    Mixing columns = tracers_mixing(t, moved->dt, first, count);
    columns.sunk = moved->sunk, columns.wide = moved->wide;
    const bool flanks = columns.wide && t->stress;
    if (t->implicit) TRY(solve_implicit(t, &transport));
    if (substeps->parts > 0) TRY(take_small_steps(t, &transport, first, substeps));
    account_ask_flows(t, &transport, first, tally);
    if (t->watch.leaves) t->watch.leaves(t->watch.context, &transport, first);
    if (!t->diffusion && !t->levels && !flanks) /* row by row, so that the values stay in the cache */
        passes_do(t->passes, t->exec, &transport, substeps, &columns);
    else {
        passes_do(t->passes, t->exec, &transport, substeps, NULL);
        for (int n = 0; n < count; n++) {
            if (t->diffusion) tracer_diffusion_do(t->diffusion, t->exec, columns.c[n], t->spare);
            if (t->levels) level_mixer_do(t->levels, t->exec, moved->dt, columns.c[n]);
        }
        if (flanks) mix_flanks(t->exec, t->state->grid->columns, columns);
        mix_down(t->exec, t->state->grid->blocks_c, columns);
    }
    account_ask(t, first, count, tally);
    return STATUS_OK;
}

/* Small steps need whole fields of each tracer in a pass. */
static int few_at_once(const Tracers *t) {
    return t->at_once > FEW_CARRIED ? FEW_CARRIED : t->at_once;
}

Status tracers_step(Tracers *t, const WaterMoved *moved, Tally *tally) {
    State *s = t->state;
    const Grid *g = s->grid;
    t->dt = moved->dt;
    t->unsettled = (Unsettled){.change = 0};
    if (s->n_tracers == 0) return STATUS_OK;
    if (t->diffusion) TRY(tracer_diffusion_begin(t->diffusion, t->exec, moved->dt));
    level_mixer_begin(t->levels, t->exec);
    exchange_values(t, moved);
    Substeps substeps;
    TRY(find_substeps(t, moved, &substeps));
    if (t->stress)
        bed_stress(t->exec, g->columns,
                   (BedStress){grid_view(g), t->density, s->depth_u, s->depth_v, moved->thick_u,
                               moved->thick_v, moved->drag_u, moved->drag_v, moved->flanks_u, moved->flanks_v,
                               s->u, s->v, s->stokes_u, s->stokes_v, s->wave_stress, s->wave_x, s->wave_y,
                               t->stress});
    const int at_once = substeps.parts > 0 ? few_at_once(t) : t->at_once;
    for (int first = 0; first < s->n_tracers; first += at_once) {
        const int left = s->n_tracers - first;
        TRY(step_terms(t, moved, first, left < at_once ? left : at_once, &substeps, tally));
    }
    substeps_release(&substeps);
    return STATUS_OK;
}

int tracers_iterations(const Tracers *t) {
    return t->implicit ? implicit_transport_iterations(t->implicit) : 0;
}

Unsettled tracers_unsettled(const Tracers *t) {
    return t->unsettled;
}

Status tracers_memory_to_come(const Tracers *t, TracerMemory *out) {
    const Grid *g = t->state->grid;
    *out = (TracerMemory){0};
    if (t->state->n_tracers == 0 || t->implicit) return STATUS_OK;
    const int fields = 1 + few_at_once(t) * fields_of_small_steps(t);
    out->small_steps = (double)fields * (double)g->size3 * sizeof(double);
    return rings_memory(g, &out->rings);
}
