/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/tracers.h"

#include "base/memory.h"
#include "model/forcing/initial_field.h"
#include "model/tracers/brought.h"
#include "model/tracers/diffusion.h"
#include "model/tracers/implicit_transport.h"
#include "model/tracers/substeps.h"
#include "numerics/grid/halo.h"
#include "numerics/grid/sums.h"
#include <math.h>

enum { NUMBERS = 4 }; /* of a tracer, in restarts */

/* What one tracer needs beside its values. */
typedef struct Part {
    const Value *initial;
    Carried carried;        /* all but `before`, which is the state's */
    double *load, *brought; /* 2-D: load and carried of the above */
    double start, sources, air, boundaries;
    double settling, ageing, decay; /* [m s-1], [units s-1], [s-1] */
    const Value *initial_bed;
    Bed bed;
    char *number_names[NUMBERS];
} Part;

struct Tracers {
    State *state;
    Exec exec;
    Rivers *rivers;
    Boundaries *boundaries;
    Brought *brought;
    Halo *halo;
    Part *part;
    TracerAccount *account;
    bool corrected;              /* beyond the low order */
    ImplicitTransport *implicit; /* NULL: explicit */
    TracerDiffusion *diffusion;  /* along the layers; NULL: none */
    bool van_leer;               /* the low order with slopes */
    double *out;
    double *reach, *mean, *least, *most; /* 2-D */
    double *stress;                      /* at the bed, 2-D; NULL where no tracer has a bed [Pa] */
    double density, full_stress_depth;   /* [kg m-3], [m] */
    int *cell_rows, *face_rows;          /* where the rows of blocks_c and faces begin */
    BlockList faces; /* blocks with a cell or face of this rank, the far edges' included */
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
        const char *units = t->kind == TRACER_AGE         ? "s"
                            : t->kind == TRACER_SUSPENDED ? "kg m-3"
                            : t->units                    ? t->units
                                                          : "1";
        state_add_tracer(state, t->name, units, words, NULL);
        if (t->kind == TRACER_SUSPENDED) state_add_bed(state);
        memory_free(words);
    }
}

static const Value *initial_value(const Scenario *s, const State *state, int tracer) {
    if (tracer == state->temperature) return &s->initial.temperature_C;
    if (tracer == state->salinity) return &s->initial.salinity;
    return &s->tracers[tracer - (state->n_tracers - s->n_tracers)].initial;
}

static double **fields_of(Carried *c, int n) {
    double **all[] = {&c->low,
                      &c->after,
                      &c->correction[ALONG_X],
                      &c->correction[ALONG_Y],
                      &c->correction[ALONG_Z],
                      &c->room_above,
                      &c->room_below,
                      &c->now,
                      &c->next,
                      &c->guess,
                      &c->left};
    return n < 11 ? all[n] : NULL;
}

static void part_create(Tracers *t, const Scenario *scenario, int n) {
    static const char *const what[NUMBERS] = {"initial", "sources", "air", "boundaries"};
    const Grid *g = t->state->grid;
    Part *p = &t->part[n];
    p->initial = initial_value(scenario, t->state, n);
    const int own = n - (t->state->n_tracers - scenario->n_tracers);
    if (own >= 0) {
        const ScenarioTracer *tracer = &scenario->tracers[own];
        p->settling = tracer->settling_m_s;
        p->decay = tracer->decay_1_s;
        p->ageing = tracer->kind == TRACER_AGE ? 1 : 0;
        p->initial_bed = &tracer->initial_bed_kg_m2;
        p->bed = (Bed){t->state->tracer[n].bed, tracer->erosion_kg_m2_s, tracer->critical_erosion_Pa,
                       tracer->critical_deposition_Pa};
        if (p->bed.store && !t->stress) t->stress = field2_create(g);
    }
    p->load = field2_create(g);
    p->brought = field2_create(g);
    p->carried.load = p->load;
    p->carried.carried = p->brought;
    for (int m = 0; m < (t->corrected ? 7 : 2); m++) *fields_of(&p->carried, m) = field3_create(g);
    for (int m = 0; m < NUMBERS; m++)
        p->number_names[m] = memory_format("ledger_%s_of_%s", what[m], t->state->tracer[n].name);
}

/* Where corrections may be made and bounds be looked for: not on land, not beyond open edges. */
static void set_reach(Tracers *t) {
    const Grid *g = t->state->grid;
    for (ptrdiff_t m = -g->origin2; m < g->size2 - g->origin2; m++) t->reach[m] = g->n3;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++)
            if (g->own_area[AT2(*g, i, j)] > 0) t->reach[AT2(*g, i, j)] = g->bottom_c[AT2(*g, i, j)];
    halo_exchange(t->halo, 1, &t->reach, 0, NULL);
    exec_wait(t->exec);
}

static void find_face_blocks(Tracers *t) {
    const Grid *g = t->state->grid;
    t->faces.block = ALLOCATE((size_t)(g->n2 + 1) * (size_t)(g->n1 / BLOCK + 1), Block);
    for (int j = 0; j <= g->n2; j++)
        for (int i0 = 0; i0 <= g->n1; i0 += BLOCK) {
            bool water = false;
            for (int i = i0; i < i0 + BLOCK && i <= g->n1; i++) water |= t->reach[AT2(*g, i, j)] < g->n3;
            if (water) t->faces.block[t->faces.count++] = (Block){i0, j};
        }
}

/* Where each of the rows begins in a list; one more for the end. To be freed. */
static int *find_rows(BlockList list, int rows) {
    int *starts = ALLOCATE((size_t)rows + 1, int);
    for (int n = 0; n < list.count; n++) starts[list.block[n].j + 1]++;
    for (int j = 0; j < rows; j++) starts[j + 1] += starts[j];
    return starts;
}

Status tracers_create(const Scenario *scenario, State *state, Rivers *rivers, Boundaries *boundaries,
                      Exec exec, Tracers **out) {
    const Grid *g = state->grid;
    Tracers *t = *out = ALLOCATE(1, Tracers);
    *t = (Tracers){.state = state, .exec = exec, .rivers = rivers, .boundaries = boundaries};
    const bool implicit = scenario->physics.tracer_scheme == TRACERS_MATM;
    t->corrected = implicit || scenario->physics.tracer_scheme == TRACERS_FCT;
    t->van_leer = scenario->physics.tracer_scheme == TRACERS_VAN_LEER;
    t->density = scenario->physics.water_density_kg_m3;
    t->full_stress_depth = fmax(scenario->physics.full_stress_depth_m, 1e-9);
    t->part = ALLOCATE(state->n_tracers + 1, Part);
    t->account = ALLOCATE(state->n_tracers + 1, TracerAccount);
    for (int n = 0; n < state->n_tracers; n++) part_create(t, scenario, n);
    double **planes[] = {&t->reach, &t->mean, &t->least, &t->most};
    for (int n = 0; n < 4; n++) *planes[n] = field2_create(g);
    t->out = field3_create(g);
    TRY(status_agree(g->comm, rivers_add_tracers(rivers, scenario, state)));
    TRY(status_agree(g->comm, boundaries_add_tracers(boundaries, scenario, state)));
    TRY(brought_create(g, rivers, boundaries, &t->brought));
    TRY(halo_create(g, (state->n_tracers + 1) * g->n3, &t->halo));
    set_reach(t);
    find_face_blocks(t);
    if (implicit) {
        TRY(implicit_transport_create(g, exec, t->halo, scenario->solver.tracers_tolerance,
                                      scenario->solver.tracers_max_iterations, &t->implicit));
        for (int n = 0; n < state->n_tracers; n++) t->part[n].carried.left = field3_create(g);
    }
    t->cell_rows = find_rows(g->blocks_c, g->n2);
    t->face_rows = find_rows(t->faces, g->n2 + 1);
    const double diffusivity = scenario->physics.tracer_diffusivity_m2_s;
    if ((diffusivity > 0 || state->horizontal_viscosity) && state->n_tracers > 0)
        TRY(tracer_diffusion_create(state, t->reach, t->halo, diffusivity, scenario->physics.tracer_prandtl,
                                    &t->diffusion));
    return STATUS_OK;
}

void tracers_destroy(Tracers **tracers) {
    Tracers *t = *tracers;
    if (!t) return;
    const Grid *g = t->state->grid;
    tracer_diffusion_destroy(&t->diffusion);
    implicit_transport_destroy(&t->implicit);
    for (int n = 0; n < t->state->n_tracers; n++) {
        Part *p = &t->part[n];
        for (int m = 0; fields_of(&p->carried, m); m++) field3_destroy(g, fields_of(&p->carried, m));
        field2_destroy(g, &p->load);
        field2_destroy(g, &p->brought);
        for (int m = 0; m < NUMBERS; m++) memory_free(p->number_names[m]);
    }
    double **planes[] = {&t->reach, &t->mean, &t->least, &t->most};
    for (int n = 0; n < 4; n++) field2_destroy(g, planes[n]);
    field2_destroy(g, &t->stress);
    field3_destroy(g, &t->out);
    memory_free(t->faces.block);
    memory_free(t->cell_rows);
    memory_free(t->face_rows);
    halo_destroy(&t->halo);
    brought_destroy(&t->brought);
    memory_free(t->part);
    memory_free(t->account);
    memory_free(t);
    *tracers = NULL;
}

/* ---- accounts ---- */

static void find_bounds(const Tracers *t, TracerAccount *account) {
    const Grid *g = t->state->grid;
    double bounds[2] = {-INFINITY, -INFINITY}; /* -least, most */
    tracer_bounds(t->exec, g->columns, (TracerBounds){g->row, t->least, t->most}, bounds);
    MPI_Allreduce(MPI_IN_PLACE, bounds, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    account->least = -bounds[0];
    account->most = bounds[1];
}

static double volume(const Tracers *t) {
    double sum;
    sums_of_products(t->exec, t->state->grid, 1, (const double *[]){t->state->grid->own_area},
                     (const double *[]){t->state->depth}, &sum);
    return sum;
}

/* What there is of each, against what there should be, after a step of `dt`; 0: none. */
static void take_stock(Tracers *t, double dt) {
    const State *s = t->state;
    const Grid *g = s->grid;
    for (int n = 0; n < s->n_tracers; n++) {
        TracerAccount *a = &t->account[n];
        Part *p = &t->part[n];
        tracer_contents(t->exec, g->blocks_c,
                        (Contents){*g, s->depth, s->tracer[n].c, t->mean, t->least, t->most});
        sums_of_products(t->exec, g, 1, (const double *[]){g->own_area}, (const double *[]){t->mean},
                         &a->content);
        if (p->bed.store)
            sums_of_products(t->exec, g, 1, (const double *[]){g->own_area}, (const double *[]){p->bed.store},
                             &a->bed);
        if (dt > 0 && p->ageing + p->decay > 0)
            p->sources += dt * (p->ageing * volume(t) - p->decay * a->content);
        a->sources = p->sources;
        a->air = p->air;
        a->boundaries = p->boundaries;
        a->error = a->content + a->bed - p->start - p->sources - p->air - p->boundaries;
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
        double *values[NUMBERS] = {&p->start, &p->sources, &p->air, &p->boundaries};
        for (int m = 0; m < NUMBERS; m++) *out++ = (RestartNumber){p->number_names[m], values[m]};
    }
}

void tracers_add_from_air(Tracers *t, const double *amounts) {
    for (int n = 0; n < t->state->n_tracers; n++) {
        t->part[n].air += amounts[n];
        halo_exchange(t->halo, 0, NULL, 1, &t->state->tracer[n].c);
    }
}

/* ---- beginning ---- */

static void exchange_values(const Tracers *t) {
    for (int n = 0; n < t->state->n_tracers; n++) halo_exchange(t->halo, 0, NULL, 1, &t->state->tracer[n].c);
}

void tracers_exchange(Tracers *t) {
    exchange_values(t);
    take_stock(t, 0);
}

bool tracers_need_drag(const Tracers *t) {
    return t->stress != NULL;
}

static Status fill_bed(const Part *p, const Grid *g, const char *name, double start) {
    double *bed = p->bed.store;
    if (!bed) return STATUS_OK;
    TRY(initial_fill_2d(p->initial_bed, name, g, 'c', start, bed));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++)
            if (!(g->area[AT2(*g, i, j)] > 0)) bed[AT2(*g, i, j)] = 0;
    return STATUS_OK;
}

Status tracers_begin(Tracers *t, const Scenario *scenario) {
    const State *s = t->state;
    const double start = scenario->time.start;
    for (int n = 0; n < s->n_tracers; n++)
        TRY(initial_fill_3d(t->part[n].initial, s->tracer[n].name, s->grid, 'c', s->depth, start,
                            s->tracer[n].c));
    for (int n = 0; n < s->n_tracers; n++) TRY(fill_bed(&t->part[n], s->grid, s->tracer[n].bed_name, start));
    tracers_exchange(t);
    for (int n = 0; n < s->n_tracers; n++) {
        t->part[n].start = t->account[n].content + t->account[n].bed;
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
                           .reach = t->reach,
                           .out = t->out,
                           .count = count};
    for (int n = 0; n < count; n++) {
        transport.tracer[n] = t->part[first + n].carried;
        transport.tracer[n].before = s->tracer[first + n].c;
    }
    return transport;
}

static void exchange(const Tracers *t, const Transport *a, bool low) {
    double *fields[2 * MOST_CARRIED];
    int count = 0;
    for (int n = 0; n < a->count; n++) {
        fields[count++] = low ? a->tracer[n].low : a->tracer[n].room_above;
        if (!low) fields[count++] = a->tracer[n].room_below;
    }
    halo_exchange(t->halo, 0, NULL, count, fields);
}

/* Hot cells and their neighbours, in small steps. */
static void small_steps(Tracers *t, Transport *a, int first, const Substeps *substeps) {
    enum { FIRST_OF_SMALL = 7, FIELDS = 11 };
    for (int n = 0; n < a->count; n++) {
        Carried *fields = &t->part[first + n].carried;
        for (int m = FIRST_OF_SMALL; m < FIELDS; m++) {
            double **field = fields_of(fields, m);
            if (!*field) *field = field3_create(t->state->grid);
            *fields_of(&a->tracer[n], m) = *field;
        }
    }
    substeps_do(substeps, t->exec, t->halo, a, t->corrected);
}

/* The blocks of row j. */
static BlockList row_of(BlockList all, const int *starts, int j, int rows) {
    if (j < 0 || j >= rows) return (BlockList){NULL, 0};
    return (BlockList){all.block + starts[j], starts[j + 1] - starts[j]};
}

/* The passes one behind the other, each as soon as the rows that it needs are there, so that what they hand
 * on stays in the cache. Where no halo is exchanged. */
static void transport_by_rows(const Tracers *t, const Transport *a, bool low_is_there) {
    const Grid *g = t->state->grid;
    const BlockList cells = g->blocks_c;
    for (int j = 0; j < g->n2 + 3; j++) {
        if (!low_is_there) transport_low(t->exec, row_of(cells, t->cell_rows, j, g->n2), *a);
        transport_correction(t->exec, row_of(t->faces, t->face_rows, j - 1, g->n2 + 1), *a);
        transport_room(t->exec, row_of(cells, t->cell_rows, j - 2, g->n2), *a);
        transport_after(t->exec, row_of(cells, t->cell_rows, j - 3, g->n2), *a);
    }
}

/* The low order and its slopes, row by row, where nothing needs small steps. */
static void low_with_slopes(const Tracers *t, const Transport *a) {
    const int rows = t->state->grid->n2;
    for (int j = 0; j < rows; j++) {
        const BlockList row = row_of(t->state->grid->blocks_c, t->cell_rows, j, rows);
        transport_low(t->exec, row, *a);
        transport_van_leer(t->exec, row, *a);
    }
}

/* From `before` to `after`, or to `low` where that is all. */
static void transport(Tracers *t, Transport *a, int first, const Substeps *substeps) {
    const Grid *g = t->state->grid;
    if (t->van_leer && substeps->parts == 0 && t->exec.device == DEVICE_CPU) {
        low_with_slopes(t, a);
        return;
    }
    const Decomposition *d = &g->decomposition;
    /* for a GPU row by row would be many launches of little work; nothing there stays in a cache */
    const bool alone = d->ranks_x * d->ranks_y == 1 && !g->axes.periodic_x && !g->axes.periodic_y &&
                       t->exec.device == DEVICE_CPU;
    const bool all_low = !t->corrected || !alone || substeps->parts > 0;
    if (all_low) transport_low(t->exec, g->blocks_c, *a);
    if (substeps->parts > 0) small_steps(t, a, first, substeps);
    if (t->van_leer) transport_van_leer(t->exec, g->blocks_c, *a);
    if (t->corrected && alone) transport_by_rows(t, a, all_low);
    if (!t->corrected || alone) return;
    exchange(t, a, true);
    transport_correction(t->exec, t->faces, *a);
    transport_room(t->exec, g->blocks_c, *a);
    exchange(t, a, false);
    transport_after(t->exec, g->blocks_c, *a);
}

/* The same, implicit. */
static Status transport_implicit(Tracers *t, const Transport *a) {
    const BlockList cells = t->state->grid->blocks_c;
    for (int n = 0; n < a->count; n++) TRY(implicit_transport_do(t->implicit, t->exec, a, n));
    exchange(t, a, true);
    implicit_correction(t->exec, t->faces, *a);
    transport_room(t->exec, cells, *a);
    exchange(t, a, false);
    transport_after(t->exec, cells, *a);
    return STATUS_OK;
}

/* ---- what came and went ---- */

static void keep_account(Tracers *t, const Transport *a, int first) {
    ExactSum sum[2 * MOST_CARRIED] = {0};
    brought_add(t->brought, a, sum);
    for (int n = 0; n < 2 * a->count; n++) exact_sum_normalise(&sum[n]);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2 * a->count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, a->g.comm);
    for (int n = 0; n < a->count; n++) {
        t->part[first + n].sources += a->dt * exact_sum_value(&sum[2 * n]);
        t->part[first + n].boundaries += a->dt * exact_sum_value(&sum[2 * n + 1]);
    }
}

/* ---- all of it ---- */

/* Some of the tracers, from the old values to the new ones. */
static Status carry(Tracers *t, const WaterMoved *moved, int first, int count, const Substeps *substeps) {
    State *s = t->state;
    Transport a = transport_of(t, moved, first, count);
    Mixing mixing = {.g = *s->grid,
                     .dt = moved->dt,
                     .depth = s->depth,
                     .diffusivity = s->vertical_diffusivity,
                     .stress = t->stress,
                     .full_stress_depth = t->full_stress_depth,
                     .count = count};
    if (t->implicit)
        TRY(transport_implicit(t, &a));
    else
        transport(t, &a, first, substeps);
    keep_account(t, &a, first);
    for (int n = 0; n < count; n++) {
        Carried *fields = &t->part[first + n].carried;
        double **result = t->corrected ? &fields->after : &fields->low, *kept = s->tracer[first + n].c;
        s->tracer[first + n].c = *result;
        *result = kept;
        fields->now = a.tracer[n].now, fields->guess = a.tracer[n].guess; /* they have changed places */
        if (t->diffusion) tracer_diffusion_do(t->diffusion, t->exec, &s->tracer[first + n].c, result);
        mixing.c[n] = s->tracer[first + n].c;
        mixing.settling[n] = t->part[first + n].settling;
        mixing.ageing[n] = t->part[first + n].ageing;
        mixing.decay[n] = t->part[first + n].decay;
        mixing.bed[n] = t->part[first + n].bed;
    }
    mix_columns(t->exec, s->grid->blocks_c, mixing);
    return STATUS_OK;
}

Status tracers_step(Tracers *t, const WaterMoved *moved) {
    State *s = t->state;
    const Grid *g = s->grid;
    if (s->n_tracers == 0) return STATUS_OK;
    if (t->diffusion) TRY(tracer_diffusion_begin(t->diffusion, t->exec, moved->dt));
    for (int n = 0; n < s->n_tracers; n++) {
        rivers_carry(t->rivers, n, moved->time, t->part[n].load, t->part[n].brought);
        boundaries_set_tracer(t->boundaries, n, moved->time, moved->dt, s);
    }
    const Transport water = transport_of(t, moved, 0, 0);
    transport_outflow(t->exec, g->blocks_c, water);
    halo_exchange(t->halo, 0, NULL, 1, &t->out);
    Substeps substeps = t->implicit ? (Substeps){0} : substeps_find(&water);
    if (t->implicit) implicit_transport_begin(t->implicit, t->exec, &water);
    if (t->stress)
        bed_stress(t->exec, g->columns,
                   (BedStress){*g, t->density, s->depth_u, s->depth_v, moved->drag_u, moved->drag_v, s->u,
                               s->v, t->stress});
    for (int first = 0; first < s->n_tracers; first += MOST_CARRIED) {
        int left = s->n_tracers - first;
        TRY(carry(t, moved, first, left < MOST_CARRIED ? left : MOST_CARRIED, &substeps));
    }
    substeps_release(&substeps);
    exchange_values(t);
    take_stock(t, moved->dt);
    return STATUS_OK;
}
