/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/tracers.h"

#include "base/memory.h"
#include "model/forcing/forcing.h"
#include "model/tracers/transport.h"
#include "numerics/grid/halo.h"
#include "numerics/grid/sums.h"
#include <math.h>

enum { NUMBERS = 3 }; /* of a tracer, in restarts */

/* What one tracer needs beside its values. */
typedef struct Part {
    const Value *initial;
    double *next, *guess;   /* 3-D; guess only where a step needs sweeps */
    double *load, *carried; /* 2-D */
    double start, sources, boundaries;
    char *number_names[NUMBERS];
} Part;

struct Tracers {
    State *state;
    Exec exec;
    Rivers *rivers;
    Boundaries *boundaries;
    Halo *halo;
    Part *part;
    TracerAccount *account;
    double *theta;
    double *mean, *least, *most; /* 2-D */
};

/* ---- making ---- */

void tracers_declare(const Scenario *s, State *state) {
    if (s->initial.temperature_C.kind != VALUE_ABSENT) {
        state->temperature = state->n_tracers;
        state_add_tracer(state, "temperature", "degree_C", "temperature of the water",
                         "sea_water_temperature");
    }
    if (s->initial.salinity.kind != VALUE_ABSENT) {
        state->salinity = state->n_tracers;
        state_add_tracer(state, "salinity", "1e-3", "salinity of the water", "sea_water_salinity");
    }
    for (int n = 0; n < s->n_tracers; n++) {
        const ScenarioTracer *t = &s->tracers[n];
        char *words = memory_format("%s, carried by the water", t->name);
        state_add_tracer(state, t->name, t->units ? t->units : "1", words, NULL);
        memory_free(words);
    }
}

static const Value *initial_value(const Scenario *s, const State *state, int tracer) {
    if (tracer == state->temperature) return &s->initial.temperature_C;
    if (tracer == state->salinity) return &s->initial.salinity;
    return &s->tracers[tracer - (state->n_tracers - s->n_tracers)].initial;
}

static void part_create(Tracers *t, const Scenario *scenario, int n) {
    static const char *const what[NUMBERS] = {"initial", "sources", "boundaries"};
    const Grid *g = t->state->grid;
    Part *p = &t->part[n];
    p->initial = initial_value(scenario, t->state, n);
    p->next = field3_create(g);
    p->load = field2_create(g);
    p->carried = field2_create(g);
    for (int m = 0; m < NUMBERS; m++)
        p->number_names[m] = memory_format("ledger_%s_of_%s", what[m], t->state->tracer[n].name);
}

Status tracers_create(const Scenario *scenario, State *state, Rivers *rivers, Boundaries *boundaries,
                      Exec exec, Tracers **out) {
    const Grid *g = state->grid;
    Tracers *t = *out = ALLOCATE(1, Tracers);
    *t = (Tracers){.state = state, .exec = exec, .rivers = rivers, .boundaries = boundaries};
    t->part = ALLOCATE(state->n_tracers + 1, Part);
    t->account = ALLOCATE(state->n_tracers + 1, TracerAccount);
    for (int n = 0; n < state->n_tracers; n++) part_create(t, scenario, n);
    double **planes[] = {&t->mean, &t->least, &t->most};
    for (int n = 0; n < 3; n++) *planes[n] = field2_create(g);
    t->theta = field3_create(g);
    for (ptrdiff_t m = -g->origin3; m < g->size3 - g->origin3; m++) t->theta[m] = 1.0;
    for (ptrdiff_t m = -g->origin3; state->vertical_diffusivity && m < g->size3 - g->origin3; m++)
        state->vertical_diffusivity[m] = scenario->physics.viscosity_m2_s;
    TRY(status_agree(g->comm, rivers_add_tracers(rivers, scenario, state)));
    TRY(status_agree(g->comm, boundaries_add_tracers(boundaries, scenario, state)));
    return halo_create(g, (state->n_tracers + 1) * g->n3, &t->halo);
}

void tracers_destroy(Tracers **tracers) {
    Tracers *t = *tracers;
    if (!t) return;
    const Grid *g = t->state->grid;
    for (int n = 0; n < t->state->n_tracers; n++) {
        Part *p = &t->part[n];
        field3_destroy(g, &p->next);
        field3_destroy(g, &p->guess);
        field2_destroy(g, &p->load);
        field2_destroy(g, &p->carried);
        for (int m = 0; m < NUMBERS; m++) memory_free(p->number_names[m]);
    }
    double **planes[] = {&t->mean, &t->least, &t->most};
    for (int n = 0; n < 3; n++) field2_destroy(g, planes[n]);
    field3_destroy(g, &t->theta);
    halo_destroy(&t->halo);
    memory_free(t->part);
    memory_free(t->account);
    memory_free(t);
    *tracers = NULL;
}

/* ---- accounts ---- */

static void find_bounds(const Tracers *t, TracerAccount *account) {
    const Grid *g = t->state->grid;
    double bounds[2] = {-INFINITY, -INFINITY}; /* -least, most */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            bounds[0] = fmax(bounds[0], -t->least[AT2(*g, i, j)]);
            bounds[1] = fmax(bounds[1], t->most[AT2(*g, i, j)]);
        }
    MPI_Allreduce(MPI_IN_PLACE, bounds, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    account->least = -bounds[0];
    account->most = bounds[1];
}

/* What there is of each, against what there should be. */
static void take_stock(Tracers *t) {
    const State *s = t->state;
    const Grid *g = s->grid;
    for (int n = 0; n < s->n_tracers; n++) {
        TracerAccount *a = &t->account[n];
        const Part *p = &t->part[n];
        tracer_contents(t->exec, g->blocks_c,
                        (Contents){*g, s->depth, s->tracer[n].c, t->mean, t->least, t->most});
        sums_of_products(t->exec, g, 1, (const double *[]){g->own_area}, (const double *[]){t->mean},
                         &a->content);
        a->sources = p->sources;
        a->boundaries = p->boundaries;
        a->error = a->content - p->start - p->sources - p->boundaries;
        find_bounds(t, a);
    }
}

const TracerAccount *tracers_accounts(const Tracers *t) {
    return t->account;
}

int tracers_number_count(const Tracers *t) {
    return NUMBERS * t->state->n_tracers;
}

void tracers_numbers(Tracers *t, RestartNumber *out) {
    for (int n = 0; n < t->state->n_tracers; n++) {
        Part *p = &t->part[n];
        double *values[NUMBERS] = {&p->start, &p->sources, &p->boundaries};
        for (int m = 0; m < NUMBERS; m++) *out++ = (RestartNumber){p->number_names[m], values[m]};
    }
}

/* ---- beginning ---- */

void tracers_exchange(Tracers *t) {
    for (int n = 0; n < t->state->n_tracers; n++) halo_exchange(t->halo, 0, NULL, 1, &t->state->tracer[n].c);
    take_stock(t);
}

Status tracers_begin(Tracers *t, const Scenario *scenario) {
    const State *s = t->state;
    (void)scenario;
    for (int n = 0; n < s->n_tracers; n++)
        TRY(status_agree(s->grid->comm, value_fill_3d(t->part[n].initial, s->tracer[n].name, s->grid,
                                                      s->depth, s->tracer[n].c)));
    tracers_exchange(t);
    for (int n = 0; n < s->n_tracers; n++) {
        t->part[n].start = t->account[n].content;
        t->account[n].error = 0;
    }
    return STATUS_OK;
}

/* ---- a step ---- */

static Transport transport_of(const Tracers *t, const WaterMoved *moved, int first, int count) {
    const State *s = t->state;
    Transport transport = {.g = *s->grid,
                           .dt = moved->dt,
                           .depth = moved->depth_before,
                           .depth_new = s->depth,
                           .flux_u = s->flux_u,
                           .flux_v = s->flux_v,
                           .flux_w = s->flux_w,
                           .source = moved->source,
                           .source_in = moved->source_in,
                           .theta = t->theta,
                           .count = count};
    for (int n = 0; n < count; n++) {
        const Part *p = &t->part[first + n];
        transport.tracer[n] = (Carried){s->tracer[first + n].c, p->next, p->guess, p->load, p->carried};
    }
    return transport;
}

/* Does water enter the cell that carries, in part, the donor's new value? */
static bool needs_sweeps(const Tracers *t, ptrdiff_t m) {
    const State *s = t->state;
    const Grid *g = s->grid;
    const double *theta = t->theta;
    return (s->flux_u[m] > 0 && theta[m - 1] < 1) || (s->flux_u[m + 1] < 0 && theta[m + 1] < 1) ||
           (s->flux_v[m] > 0 && theta[m - g->row] < 1) ||
           (s->flux_v[m + g->row] < 0 && theta[m + g->row] < 1) ||
           (s->flux_w[m] > 0 && theta[m - g->plane] < 1) ||
           (s->flux_w[m + g->plane] < 0 && theta[m + g->plane] < 1);
}

/* `run` has room for all cells of the grid's lists, one by one. */
static RunList cells_to_sweep(const Tracers *t) {
    const Grid *g = t->state->grid;
    RunList list = {0};
    for (int n = 0; n < g->cells.count; n++) {
        const Run r = g->cells.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            if (!needs_sweeps(t, AT(*g, i, r.j, r.k))) continue;
            if (list.count % 256 == 0) list.run = ENLARGE(list.run, list.count + 256, Run);
            list.run[list.count++] = (Run){i, i + 1, r.j, r.k};
        }
    }
    list.elements = list.count;
    return list;
}

enum { MOST_SWEEPS = 200 };

/* One sweep; returns whether a value changed by more than round-off of the field. */
static bool sweep(Tracers *t, const Transport *transport, int first, RunList cells) {
    const Grid *g = t->state->grid;
    int changed = 0;
    transport_sweep(t->exec, cells, *transport);
    for (int n = 0; n < transport->count; n++) {
        Part *p = &t->part[first + n];
        const double size = fmax(fabs(t->account[first + n].least), fabs(t->account[first + n].most));
        for (int r = 0; r < cells.count; r++) {
            const ptrdiff_t m = AT(*g, cells.run[r].i0, cells.run[r].j, cells.run[r].k);
            changed |= fabs(p->next[m] - p->guess[m]) > 1e-16 * size;
            p->guess[m] = p->next[m];
        }
        halo_exchange(t->halo, 0, NULL, 1, &p->guess);
    }
    MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, g->comm);
    return changed;
}

static void sweep_until_settled(Tracers *t, Transport *transport, int first, RunList cells) {
    const Grid *g = t->state->grid;
    for (int n = 0; n < transport->count; n++) {
        Part *p = &t->part[first + n];
        if (!p->guess) p->guess = field3_create(g);
        transport->tracer[n].guess = p->guess;
        for (ptrdiff_t m = -g->origin3; m < g->size3 - g->origin3; m++) p->guess[m] = p->next[m];
        halo_exchange(t->halo, 0, NULL, 1, &p->guess);
    }
    for (int n = 0; n < MOST_SWEEPS; n++)
        if (!sweep(t, transport, first, cells)) return;
}

/* What sources bring to a column, and take from it. */
typedef struct Brought {
    const Transport *transport;
    const Carried *tracer;
    ExactSum *sum;
} Brought;

static void add_brought(void *context, ptrdiff_t column) {
    const Brought *b = context;
    const Transport *a = b->transport;
    const Carried *t = b->tracer;
    const double out = a->source_in[column] - a->source[column];
    for (int k = (int)a->g.bottom_c[column]; k < a->g.n3; k++) {
        const ptrdiff_t m = column + k * a->g.plane;
        const double in = t->load[column] + (a->source_in[column] - t->carried[column]) * t->before[m];
        const double leaves = a->theta[m] * t->before[m] + (1 - a->theta[m]) * t->after[m];
        exact_sum_add(b->sum, a->g.phi_c[m] * in);
        exact_sum_add(b->sum, -a->g.phi_c[m] * (out * leaves));
    }
}

static void keep_account(Tracers *t, const Transport *a, int first) {
    ExactSum sum[2 * MOST_CARRIED] = {0};
    for (int n = 0; n < a->count; n++) {
        Brought brought = {a, &a->tracer[n], &sum[2 * n]};
        rivers_each_column(t->rivers, add_brought, &brought);
        brought.sum = &sum[2 * n + 1];
        boundaries_each_soaked(t->boundaries, add_brought, &brought);
        boundaries_tracer_inflow(t->boundaries, a->flux_u, a->flux_v, a->tracer[n].before, a->tracer[n].after,
                                 a->theta, &sum[2 * n + 1]);
    }
    for (int n = 0; n < 2 * a->count; n++) exact_sum_normalise(&sum[n]);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2 * a->count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, a->g.comm);
    for (int n = 0; n < a->count; n++) {
        t->part[first + n].sources += a->dt * exact_sum_value(&sum[2 * n]);
        t->part[first + n].boundaries += a->dt * exact_sum_value(&sum[2 * n + 1]);
    }
}

/* Some of the tracers, from the old values to the new ones. */
static void carry(Tracers *t, const WaterMoved *moved, int first, int count, RunList to_sweep, bool sweeps) {
    State *s = t->state;
    const Grid *g = s->grid;
    Transport transport = transport_of(t, moved, first, count);
    Mixing mixing = {
        .g = *g, .dt = moved->dt, .depth = s->depth, .diffusivity = s->vertical_diffusivity, .count = count};
    transport_start(t->exec, g->blocks_c, transport);
    if (sweeps) sweep_until_settled(t, &transport, first, to_sweep);
    keep_account(t, &transport, first);
    for (int n = 0; n < count; n++) {
        Part *p = &t->part[first + n];
        double *kept = s->tracer[first + n].c;
        s->tracer[first + n].c = p->next;
        p->next = kept;
        mixing.c[n] = s->tracer[first + n].c;
    }
    mix_columns(t->exec, g->blocks_c, mixing);
}

void tracers_step(Tracers *t, const WaterMoved *moved) {
    State *s = t->state;
    const Grid *g = s->grid;
    if (s->n_tracers == 0) return;
    for (int n = 0; n < s->n_tracers; n++) {
        rivers_carry(t->rivers, n, moved->time, t->part[n].load, t->part[n].carried);
        boundaries_set_tracer(t->boundaries, n, moved->time, moved->dt, s);
    }
    transport_shares(t->exec, g->blocks_c, transport_of(t, moved, 0, 0));
    halo_exchange(t->halo, 0, NULL, 1, &t->theta);
    RunList to_sweep = cells_to_sweep(t);
    int sweeps = to_sweep.count > 0;
    MPI_Allreduce(MPI_IN_PLACE, &sweeps, 1, MPI_INT, MPI_MAX, g->comm);
    for (int first = 0; first < s->n_tracers; first += MOST_CARRIED) {
        int left = s->n_tracers - first;
        carry(t, moved, first, left < MOST_CARRIED ? left : MOST_CARRIED, to_sweep, sweeps);
    }
    memory_free(to_sweep.run);
    tracers_exchange(t);
}
