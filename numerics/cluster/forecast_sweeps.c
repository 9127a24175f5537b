/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps of a forecast: they walk the graph of fragments, each of which begins when the one before it is done and the messages
 * that it awaits have arrived.
 */
#include "numerics/cluster/forecast_internal.h"

#include "base/memory.h"
#include <math.h>
#include <stddef.h>

/* Packing and unpacking what is sent, beside the message itself: two copies [s a byte]. */
static const double SECONDS_COPIED = 0.4e-9;

/* What is swept in a column of the problem; 0: land. */
static double cells_in(const void *context, int i, int j) {
    const ForecastProblem *problem = context;
    const double weight = problem->cut->weight[(ptrdiff_t)j * problem->cut->nx + i];
    return !(weight > 0) ? 0 : problem->profile.levels > 1 ? weight - problem->surface_work : 1;
}

static double bytes_of(const ForecastClocks *c, const GraphMessage *m) {
    return c->problem->profile.sweep_bytes * (m->until - m->from);
}

/* A rank has half of a message's latency with it, and copies it. */
static double giving(const ForecastClocks *c, const GraphMessage *m, int taker) {
    return 0.5 * forecast_latency(forecast_link(c, m->rank, taker)) + SECONDS_COPIED * bytes_of(c, m);
}

static ptrdiff_t place_of(const ForecastClocks *c, int rank, int k) {
    return (ptrdiff_t)rank * c->fragments + k;
}

/* What the givers of a way spend, who are met by what others await. */
static double *find_giving(const ForecastClocks *c, const GraphMessages *awaited, bool in_patches) {
    const Graph *g = &c->of->graph;
    double *out = ALLOCATE((size_t)c->of->ranks * (size_t)c->fragments, double);
    for (int n = 0; n < g->fragments; n++)
        for (int at = awaited->first[n]; at < awaited->first[n + 1]; at++) {
            const GraphMessage *m = &awaited->message[at];
            if (in_patches && m->on_border) continue;
            out[place_of(c, m->rank, m->k)] += giving(c, m, g->fragment[n].rank);
        }
    return out;
}

/* The longest way through the graph; `stage`, of each fragment of each rank, is 0. */
static int find_stages(const ForecastClocks *c, double *stage) {
    const Graph *g = &c->of->graph;
    double last = 0, before = 0;
    for (int n = 0; n < g->fragments; n++) {
        const Fragment *fragment = &g->fragment[n];
        double own = n > 0 && g->fragment[n - 1].rank == fragment->rank ? before : 0;
        for (int at = g->awaited[0].first[n]; at < g->awaited[0].first[n + 1]; at++)
            own = fmax(own, stage[place_of(c, g->awaited[0].message[at].rank, g->awaited[0].message[at].k)]);
        stage[place_of(c, fragment->rank, fragment->k)] = before = own + 1;
        last = fmax(last, before);
    }
    return (int)last;
}

void forecast_find_graph(ForecastClocks *c) {
    Forecast *f = c->of;
    const GraphProblem problem = {.cuts = c->cuts,
                                  .finer = (int)c->problem->finer,
                                  .messages = f->messages,
                                  .stretches = f->stretches,
                                  .patch = c->problem->cut->patch,
                                  .cells = cells_in,
                                  .context = c->problem,
                                  .end_rank = f->ranks};
    const Graph *g = &f->graph;
    f->graph = graph_create(&problem);
    f->begin = ALLOCATE(g->fragments + 1, double), f->end = ALLOCATE(g->fragments + 1, double);
    c->cells = ALLOCATE(f->ranks, double);
    for (int n = 0; n < f->ranks; n++) {
        const int fragments = graph_part(&problem, n).fragments;
        c->fragments = fragments > c->fragments ? fragments : c->fragments;
    }
    for (int n = 0; n < g->fragments; n++) c->cells[g->fragment[n].rank] += g->fragment[n].cells;
    c->done = ALLOCATE((size_t)f->ranks * (size_t)c->fragments, double);
    f->stages = find_stages(c, c->done);
    for (int way = 0; way < GRAPH_WAYS; way++)
        for (int patches = 0; patches <= (problem.patch > 0); patches++)
            c->giving[way][patches] = find_giving(c, &g->awaited[way], patches);
}

/* When all that the fragment awaits is here, not before `begin`. */
static double arrivals(ForecastClocks *c, int fragment, GraphWay way, double begin) {
    const GraphMessages *awaited = &c->of->graph.awaited[way];
    const int rank = c->of->graph.fragment[fragment].rank;
    for (int n = awaited->first[fragment]; n < awaited->first[fragment + 1]; n++) {
        const GraphMessage *m = &awaited->message[n];
        const ClusterLink *link = forecast_link(c, rank, m->rank);
        const double bytes = bytes_of(c, m);
        if (c->in_patches && m->on_border) continue;
        begin = fmax(begin, c->done[place_of(c, m->rank, m->k)] + 0.5 * forecast_latency(link) +
                                forecast_passing(link, bytes));
        c->of->rank[m->rank].sent_bytes += bytes;
    }
    return begin;
}

/* Rank after rank, from the corner where the sweep begins: no fragment comes before those that it needs. */
static void sweep(ForecastClocks *c, GraphWay way) {
    const Graph *g = &c->of->graph;
    const double *giving_of = c->giving[way][c->in_patches && c->problem->cut->patch > 0];
    for (int turn = 0; turn < g->fragments; turn++) {
        const int n = way == GRAPH_FORWARD ? turn : g->fragments - 1 - turn;
        const Fragment *fragment = &g->fragment[n];
        const ptrdiff_t place = place_of(c, fragment->rank, fragment->k);
        ForecastRank *rank = &c->of->rank[fragment->rank];
        const double begin = arrivals(c, n, way, c->now[fragment->rank]), sending = giving_of[place];
        const double work = c->swept[fragment->rank] * fragment->cells / c->cells[fragment->rank];
        if (c->draw) c->of->begin[n] = begin, c->of->end[n] = begin + work;
        c->done[place] = c->now[fragment->rank] = begin + work + sending;
        rank->computing += work;
        rank->sending += sending;
    }
    c->draw = false;
}

void forecast_solve(ForecastClocks *c) {
    const StepProfile *profile = &c->problem->profile;
    const int sweeps = (int)lround(profile->sweeps), sums = (int)lround(profile->sums);
    int summed = 0;
    for (int n = 0; n < sweeps; n++) {
        c->in_patches = n < (int)lround(profile->sweeps_in_patches);
        sweep(c, n % 2 == 0 ? GRAPH_FORWARD : GRAPH_BACKWARD);
        for (; summed < (int64_t)sums * (n + 1) / sweeps; summed++) forecast_add_up(c);
    }
    for (; summed < sums; summed++) forecast_add_up(c);
}
