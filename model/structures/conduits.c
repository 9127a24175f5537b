/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/conduits.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/forcing/series.h"
#include "model/structures/conduits_kernels.h"
#include "model/structures/culvert.h"
#include <math.h>

typedef struct Conduit {
    const ScenarioStructure *is;
    int number;       /* of the structure */
    int column[2];    /* of its inlet, of its outlet */
    double invert[2]; /* [m] */
    double length;    /* [m] */
    double on;        /* 1: the pump runs */
    double discharge; /* of the last step [m3 s-1] */
    double level[2];  /* before it [m] */
    Series *capacity; /* of a pump */
} Conduit;

struct Conduits {
    const Scenario *scenario; /* not owned, as the next */
    const State *state;
    Conduit *conduit;
    int count, columns, n_tracers;
    RunList list;
    ConduitColumn *column; /* pinned, as the next; on all ranks, in one order */
    double *mean;          /* [tracer][column] */
    double *area, *bed;    /* of the columns */
    double *told;          /* what owners tell: level, depth, means */
};

/* ---- making ---- */

/* The number of the column at a point; a new one if no end lies there yet. Collective. */
static Status add_end(Conduits *all, Conduit *c, int end) {
    const Grid *g = all->state->grid;
    const ScenarioStructure *s = c->is;
    const double *point = s->line[end == 0 ? 0 : s->n_line - 1];
    GridPlace found;
    int rank;
    MPI_Comm_rank(g->comm, &rank);
    TRY(grid_locate(g, point[0], point[1], &found));
    CHECK(!found.far, STATUS_BAD_INPUT,
          "%s: the %s of \"%s\" is %.1f km from the nearest wet cell, more than a few cells: check its "
          "position",
          s->place, end == 0 ? "inlet" : "outlet", s->name, found.distance_m / 1e3);
    if (found.distance_m > 0)
        log_warn("the %s of \"%s\" lies in no wet cell: moved %.4g m to the nearest one",
                 end == 0 ? "inlet" : "outlet", s->name, found.distance_m);
    const bool mine = found.rank == rank;
    const ptrdiff_t m = mine ? AT2(*g, found.i, found.j) : -1;
    double facts[2] = {mine ? g->area[m] : 0, mine ? g->bed[m] : 0};
    int same = -1;
    for (int n = 0; n < all->columns && mine; n++)
        if (all->column[n].m == m) same = n;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MAX, g->comm);
    MPI_Allreduce(MPI_IN_PLACE, facts, 2, MPI_DOUBLE, MPI_SUM, g->comm);
    c->column[end] = same >= 0 ? same : all->columns++;
    all->column[c->column[end]] = (ConduitColumn){.m = m};
    all->area[c->column[end]] = facts[0], all->bed[c->column[end]] = facts[1];
    c->invert[end] = s->has_inverts ? s->invert_m[end] : facts[1];
    return STATUS_OK;
}

static Status add_conduit(Conduits *all, const ScenarioStructure *s, int number) {
    const Grid *g = all->state->grid;
    Conduit *c = &all->conduit[all->count++];
    *c = (Conduit){.is = s, .number = number};
    for (int end = 0; end < 2; end++) TRY(add_end(all, c, end));
    CHECK(c->column[0] != c->column[1], STATUS_BAD_INPUT,
          "%s: both ends of \"%s\" lie in one cell: its line is too short for this grid", s->place, s->name);
    for (int n = 1; n < s->n_line; n++)
        c->length +=
            axes_distance_m(&g->axes, s->line[n - 1][0], s->line[n - 1][1], s->line[n][0], s->line[n][1]);
    if (s->kind == STRUCTURE_CULVERT) return STATUS_OK;
    c->on = s->start_above_m <= PUMP_ALWAYS;
    return status_agree(
        g->comm, series_create(&s->capacity_m3_s, "capacity", &g->axes, 0, 0, all->scenario, &c->capacity));
}

Status conduits_create(const Scenario *scenario, const State *state, Conduits **out) {
    const Exec exec = state->grid->exec;
    Status status;
    int count = 0;
    *out = NULL;
    for (int n = 0; n < scenario->n_structures; n++) count += is_conduit(&scenario->structures[n]);
    if (count == 0) return STATUS_OK;
    const size_t ends = (size_t)(2 * count), numbers = ends * (size_t)(state->n_tracers + 1);
    Conduits *all = *out = ALLOCATE(1, Conduits);
    *all = (Conduits){.scenario = scenario,
                      .state = state,
                      .n_tracers = state->n_tracers,
                      .conduit = ALLOCATE(count, Conduit),
                      .area = ALLOCATE(ends, double),
                      .bed = ALLOCATE(ends, double),
                      .told = ALLOCATE(2 * ends + numbers, double)};
    ATTEMPT(status_agree(state->grid->comm,
                         pinned_allocate(exec, ends * sizeof *all->column, (void **)&all->column)));
    ATTEMPT(status_agree(state->grid->comm,
                         pinned_allocate(exec, numbers * sizeof *all->mean, (void **)&all->mean)));
    for (int n = 0; n < scenario->n_structures; n++)
        if (is_conduit(&scenario->structures[n])) ATTEMPT(add_conduit(all, &scenario->structures[n], n));
    all->list = flat_list(all->columns);
    return STATUS_OK;
cleanup:
    conduits_destroy(out);
    return status;
}

void conduits_destroy(Conduits **conduits) {
    Conduits *all = *conduits;
    if (!all) return;
    const Exec exec = all->state->grid->exec;
    for (int n = 0; n < all->count; n++) series_destroy(&all->conduit[n].capacity);
    pinned_free(exec, all->column);
    pinned_free(exec, all->mean);
    memory_free(all->list.run);
    memory_free(all->conduit);
    memory_free(all->area);
    memory_free(all->bed);
    memory_free(all->told);
    memory_free(all);
    *conduits = NULL;
}

/* ---- a step ---- */

static ConduitColumns arguments(const Conduits *all, int tracer) {
    const State *s = all->state;
    return (ConduitColumns){.g = grid_view(s->grid),
                            .column = all->column,
                            .area = s->grid->area,
                            .depth = s->depth,
                            .eta = s->eta,
                            .c = tracer < 0 ? NULL : s->tracer[tracer].c,
                            .mean = all->mean + (tracer < 0 ? 0 : tracer * all->columns)};
}

/* What owners know of their columns, to all. Collective. */
static void learn(Conduits *all) {
    const Exec exec = all->state->grid->exec;
    const int columns = all->columns, count = columns * (2 + all->n_tracers);
    for (int t = all->n_tracers - 1; t >= -1; t--) conduits_tell(exec, all->list, arguments(all, t));
    exec_wait(exec);
    for (int n = 0; n < columns; n++) {
        const bool mine = all->column[n].m >= 0;
        all->told[n] = mine ? all->column[n].level : 0;
        all->told[columns + n] = mine ? all->column[n].depth : 0;
        for (int t = 0; t < all->n_tracers; t++)
            all->told[(2 + t) * columns + n] = mine ? all->mean[t * columns + n] : 0;
        all->column[n].out = all->column[n].in = 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, all->told, count, MPI_DOUBLE, MPI_SUM, all->state->grid->comm);
    for (int n = 0; n < columns * all->n_tracers; n++) all->mean[n] = 0;
}

/* [m3 s-1] from the inlet to the outlet, before limits. */
static double wished(Conduit *c, double time, double gravity) {
    const ScenarioStructure *s = c->is;
    if (s->kind == STRUCTURE_PUMP) {
        if (c->level[0] > s->start_above_m) c->on = 1;
        if (c->level[0] < s->stop_below_m) c->on = 0;
        return c->on > 0 ? fmax(0, series_at_or_nan(c->capacity, time)) : 0;
    }
    const bool back = c->level[1] > c->level[0];
    if (back && s->flap) return 0;
    const double q = culvert_discharge(s, c->invert, c->length, c->level[back], c->level[!back], gravity);
    return back ? -q : q;
}

/* A column's level after what has left and entered it so far. */
static double level_now(const Conduits *all, int column) {
    return all->told[column] + (all->column[column].in - all->column[column].out) / all->area[column];
}

/* What can pass of a volume [m3]: what its column has left; of a culvert at most what makes both levels equal, or the upper one
 * that of its floor, after the structures before it in the list. */
static double possible(const Conduits *all, const Conduit *c, double volume, int from, int to) {
    const double area = all->area[from];
    const double held = all->told[all->columns + from] * area * (1 - 1e-12) - all->column[from].out;
    if (c->is->kind == STRUCTURE_PUMP) return fmax(0, fmin(volume, held));
    const double high = level_now(all, from), above = high - fmax(c->invert[0], c->invert[1]);
    const double equal = (high - level_now(all, to)) / (1 / area + 1 / all->area[to]);
    return fmax(0, fmin(fmin(volume, held), fmin(equal, above * area)));
}

void conduits_look(Conduits *all) {
    if (!all) return;
    learn(all);
    for (int n = 0; n < all->count; n++) {
        Conduit *c = &all->conduit[n];
        for (int end = 0; end < 2; end++) c->level[end] = all->told[c->column[end]];
    }
}

void conduits_flow(Conduits *all, double time, double dt) {
    if (!all) return;
    const Exec exec = all->state->grid->exec;
    const int columns = all->columns;
    conduits_look(all);
    for (int n = 0; n < all->count; n++) {
        Conduit *c = &all->conduit[n];
        const double q = wished(c, time, all->scenario->physics.gravity_m_s2);
        const int from = c->column[q < 0], to = c->column[q >= 0];
        const double volume = possible(all, c, fabs(q) * dt, from, to);
        c->discharge = (q < 0 ? -volume : volume) / dt;
        all->column[from].out += volume;
        all->column[to].in += volume;
        for (int t = 0; t < all->n_tracers; t++)
            all->mean[t * columns + to] += volume * all->told[(2 + t) * columns + from];
    }
    for (int t = all->n_tracers - 1; t >= -1; t--) conduits_pour(exec, all->list, arguments(all, t));
}

static Conduit *conduit_of(const Conduits *all, int structure) {
    Conduit *c = all->conduit;
    while (c->number != structure) c++;
    return c;
}

/* NAN: the column is dry. */
static double seen_level(const Conduits *all, const Conduit *c, int end) {
    return all->told[all->columns + c->column[end]] > 0 ? c->level[end] : (double)NAN;
}

ConduitFlow conduits_flow_of(const Conduits *all, int n) {
    const Conduit *c = conduit_of(all, n);
    const bool pump = c->is->kind == STRUCTURE_PUMP;
    return (ConduitFlow){c->discharge,
                         {seen_level(all, c, 0), seen_level(all, c, 1)},
                         pump ? c->on : 1,
                         pump ? all->bed[c->column[0]] : fmax(c->invert[0], c->invert[1])};
}

double *conduits_on(Conduits *all, int n) {
    return &conduit_of(all, n)->on;
}
