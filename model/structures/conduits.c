/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/conduits_internal.h"
#include "model/structures/culvert.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include <math.h>

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

Status conduits_create(const Scenario *scenario, const State *state, const Subgrid *subgrid, Conduits **out) {
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
                      .held = ALLOCATE(ends, double),
                      .told = ALLOCATE(CONDUIT_FACTS * ends + numbers, double)};
    if (subgrid) all->inside = subgrid->column;
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
    memory_free(all->held);
    memory_free(all->told);
    memory_free(all);
    *conduits = NULL;
}

/* ---- what is told ---- */

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

ConduitFacts conduits_facts(const Conduits *all, int n) {
    const Conduit *c = conduit_of(all, n);
    const double crown = fmax(c->invert[0], c->invert[1]) + c->is->culvert_m[1];
    return (ConduitFacts){.length = c->length,
                          .invert = {c->invert[0], c->invert[1]},
                          .bed = {all->bed[c->column[0]], all->bed[c->column[1]]},
                          .level = {seen_level(all, c, 0), seen_level(all, c, 1)},
                          .drowned = c->is->kind == STRUCTURE_CULVERT
                                         ? culvert_discharge(c->is, c->invert, c->length, crown + 1, crown,
                                                             all->scenario->physics.gravity_m_s2)
                                         : 0};
}

void conduits_numbers(Conduits *all, int n, double *values[2]) {
    Conduit *c = conduit_of(all, n);
    values[0] = &c->on, values[1] = &c->discharge;
}
