/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/pipeline.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/messages.h"
#include "numerics/cluster/fragments.h"
#include "numerics/cluster/graph.h"
#include "numerics/grid/traffic.h"
#include "numerics/matm/lane_exchange.h"
#include <math.h>

enum { TAG_ALONG_X = 21, TAG_ALONG_Y = 22 };

struct Pipeline {
    const LaneLayout *layout;
    bool joined;
    int patch;                         /* within which sweeps stay; 0: they pass all */
    Graph graph;                       /* this rank's part of it */
    FragmentPlace *place;              /* of its fragments */
    Real *out_x, *out_y, *in_x, *in_y; /* messages */
    SweepState state;
    bool by_kernels; /* the present sweep is */
    MPI_Request *request;
    int requests;
};

static Status message_create(const LaneLayout *layout, int cells, Real **out) {
    const size_t numbers = ((size_t)cells + 8) * (size_t)layout->levels;
    return messages_allocate(layout->exec, numbers * sizeof(Real), (void **)out);
}

/* What is to be swept in a column of the whole grid; 0: land. Coarse grids know no land. */
static double cells_in(const void *context, int i, int j) {
    const LaneLayout *layout = context;
    const Grid *grid = layout->grid;
    const ptrdiff_t place = AT2(*grid, i - grid->i_first, j - grid->j_first);
    if (!grid->area || layout->levels == 1) return grid->area ? grid->area[place] > 0 : layout->levels;
    return grid->area[place] > 0 ? fmax(1, layout->levels - grid->bottom_c[place]) : 0;
}

/* This rank's fragments, and where they are. */
static void find_fragments(Pipeline *p) {
    const LaneLayout *layout = p->layout;
    const Decomposition *d = &layout->grid->decomposition;
    const Cuts cuts = decomposition_cuts(d);
    const int rank = d->first[d->rank_y] + d->rank_x;
    int64_t columns, cells;
    grid_count(layout->grid, &columns, &cells);
    const SweepShape shape =
        sweep_shape(&cuts, p->patch, &d->machine, (double)(layout->levels == 1 ? columns : cells),
                    (double)layout->levels * (double)sizeof(Real), 1);
    const int messages = sweep_messages(&shape);
    const GraphProblem problem = {.cuts = &cuts,
                                  .finer = 1,
                                  .messages = messages,
                                  .stretches = p->joined ? sweep_stretches(&shape, messages) : 1,
                                  .patch = p->patch,
                                  .in_patches = p->patch > 0,
                                  .cells = cells_in,
                                  .context = layout,
                                  .first_rank = rank,
                                  .end_rank = rank + 1,
                                  .giving = true};
    const GraphPart part = graph_part(&problem, rank);
    p->graph = graph_create(&problem);
    p->place = ALLOCATE(p->graph.fragments + 1, FragmentPlace);
    for (int n = 0; n < p->graph.fragments; n++) p->place[n] = fragment_place(&part, p->graph.fragment[n].k);
}

static int most_given(const Graph *graph) {
    const int up = graph->given[GRAPH_FORWARD].first[graph->fragments],
              down = graph->given[GRAPH_BACKWARD].first[graph->fragments];
    return up > down ? up : down;
}

Status pipeline_create(const LaneLayout *layout, int patch, Pipeline **out) {
    Pipeline *p = *out = ALLOCATE(1, Pipeline);
    Status status;
    p->layout = layout;
    p->joined = decomposition_ranks(&layout->grid->decomposition) > 1;
    p->patch = patch;
    find_fragments(p);
    ATTEMPT(message_create(layout, layout->n2, &p->out_x));
    ATTEMPT(message_create(layout, layout->n1, &p->out_y));
    ATTEMPT(message_create(layout, layout->n2, &p->in_x));
    ATTEMPT(message_create(layout, layout->n1, &p->in_y));
    p->state = sweep_state_create(layout);
    p->request = ALLOCATE(most_given(&p->graph) + 1, MPI_Request);
    return STATUS_OK;
cleanup:
    pipeline_destroy(out);
    return status;
}

void pipeline_destroy(Pipeline **pipeline) {
    if (!*pipeline) return;
    const Exec exec = (*pipeline)->layout->exec;
    messages_free(exec, (*pipeline)->out_x);
    messages_free(exec, (*pipeline)->out_y);
    messages_free(exec, (*pipeline)->in_x);
    messages_free(exec, (*pipeline)->in_y);
    sweep_state_release(&(*pipeline)->state);
    graph_release(&(*pipeline)->graph);
    memory_free((*pipeline)->place);
    memory_free((*pipeline)->request);
    memory_free(*pipeline);
    *pipeline = NULL;
}

/* ---- messages ---- */

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

static void copy_edge(const Pipeline *p, void *x, bool column, int place, int from, int to, Real *message,
                      bool pack) {
    if (p->by_kernels)
        device_copy_edge(p->layout, x, column, place, from, to, message, pack);
    else
        (void)lanes_copy_edge(p->layout, x, column, place, from, to, message, pack);
}

/* Where a message lies in a buffer for a whole edge, in own rows or columns. */
typedef struct Extent {
    int from, to, count, tag;
    Real *message;
} Extent;

static Extent extent_of(const Pipeline *p, const GraphMessage *m, Real *buffer) {
    const LaneLayout *layout = p->layout;
    const int first = m->along_x ? layout->grid->j_first : layout->grid->i_first, from = m->from - first;
    return (Extent){from, m->until - first, (m->until - m->from) * layout->levels,
                    m->along_x ? TAG_ALONG_X : TAG_ALONG_Y, buffer + (ptrdiff_t)from * layout->levels};
}

static void receive(Pipeline *p, void *x, const GraphMessage *m, bool forward) {
    const LaneLayout *layout = p->layout;
    const Extent e = extent_of(p, m, m->along_x ? p->in_x : p->in_y);
    const double start = traffic_now();
    MPI_Recv(e.message, e.count, MPI_REAL_OF_LANES, m->rank, e.tag, layout->grid->comm, MPI_STATUS_IGNORE);
    traffic.waited += traffic_now() - start;
    const int place = forward ? -1 : m->along_x ? layout->n1 : layout->n2;
    copy_edge(p, x, m->along_x, place, e.from, e.to, e.message, false);
}

static void send(Pipeline *p, void *x, const GraphMessage *m, bool forward) {
    const LaneLayout *layout = p->layout;
    const Extent e = extent_of(p, m, m->along_x ? p->out_x : p->out_y);
    const int place = !forward ? 0 : m->along_x ? layout->n1 - 1 : layout->n2 - 1;
    copy_edge(p, x, m->along_x, place, e.from, e.to, e.message, true);
    if (p->by_kernels) exec_wait(layout->exec);
    MPI_Isend(e.message, e.count, MPI_REAL_OF_LANES, m->rank, e.tag, layout->grid->comm,
              &p->request[p->requests++]);
}

void pipeline_clear_inflow(const Pipeline *p, Lanes *swept, bool forward) {
    const LaneLayout *layout = p->layout;
    const Grid *grid = layout->grid;
    const Decomposition *d = &grid->decomposition;
    const bool first_x = forward ? d->rank_x == 0 : d->rank_x == d->ranks_x - 1;
    const bool first_y = forward ? d->rank_y == 0 : d->rank_y == d->ranks_y - 1;
    const bool border_x = cuts_on_border(p->patch, forward ? grid->i_first : grid->i_first + grid->n1);
    const bool border_y = cuts_on_border(p->patch, forward ? grid->j_first : grid->j_first + grid->n2);
    if (first_x ? grid->axes.periodic_x : border_x)
        lanes_clear_edges(layout, swept, true, forward ? -1 : layout->n1, 0, 1);
    if (first_y ? grid->axes.periodic_y : border_y)
        lanes_clear_edges(layout, swept, false, forward ? -1 : layout->n2, 0, 1);
}

/* A fragment: groups g0 <= g < g1, where from <= s + 8 g < until. */
typedef void Part(const void *context, int g0, int g1, int from, int until);

/* The graph in its order: each fragment awaits its messages, is worked on, and gives what others await. */
static void walk(Pipeline *p, bool forward, Part *part, const void *context, void *swept) {
    const GraphWay way = forward ? GRAPH_FORWARD : GRAPH_BACKWARD;
    const GraphMessages *awaited = &p->graph.awaited[way], *given = &p->graph.given[way];
    const int fragments = p->graph.fragments;
    p->requests = 0;
    for (int turn = 0; turn < fragments; turn++) {
        const int n = forward ? turn : fragments - 1 - turn;
        const FragmentPlace *place = &p->place[n];
        for (int m = awaited->first[n]; m < awaited->first[n + 1]; m++)
            receive(p, swept, &awaited->message[m], forward);
        part(context, place->rows[0] / 8, (place->rows[1] + 7) / 8, place->lines[0], place->lines[1]);
        for (int m = given->first[n]; m < given->first[n + 1]; m++)
            send(p, swept, &given->message[m], forward);
    }
    traffic_wait_all(p->requests, p->request);
}

static void count_sweep(const Pipeline *p, double start) {
    traffic.sweeps++;
    traffic.sweeps_in_patches += p->patch > 0;
    traffic.swept += p->layout->levels * (int)sizeof(Real);
    traffic.swept_levels += p->layout->levels;
    traffic.sweep_seconds += traffic_clock() - start;
}

/* A processor's parts are groups, one after the other. */
typedef struct Steps {
    const LaneLayout *layout;
    SweepSteps *fragment;
    const void *context;
} Steps;

static void sweep_group(const Steps *steps, int g, int from, int until) {
    const int s0 = clamp(from - 8 * g, 0, steps->layout->steps);
    const int s1 = clamp(until - 8 * g, 0, steps->layout->steps);
    if (s0 < s1) steps->fragment(steps->context, g, s0, s1);
}

static void groups_up(const void *context, int g0, int g1, int from, int until) {
    for (int g = g0; g < g1; g++) sweep_group(context, g, from, until);
}

static void groups_down(const void *context, int g0, int g1, int from, int until) {
    for (int g = g1 - 1; g >= g0; g--) sweep_group(context, g, from, until);
}

static void sweep_by_host(Pipeline *p, bool forward, const Steps *steps, Lanes *swept) {
    const double start = traffic_clock();
    exec_wait(p->layout->exec); /* the host will read */
    p->by_kernels = false;
    walk(p, forward, forward ? groups_up : groups_down, steps, swept);
    count_sweep(p, start);
}

void pipeline_forward(Pipeline *p, SweepSteps *fragment, const void *context, Lanes *swept) {
    sweep_by_host(p, true, &(Steps){p->layout, fragment, context}, swept);
}

void pipeline_backward(Pipeline *p, SweepSteps *fragment, const void *context, Lanes *swept) {
    sweep_by_host(p, false, &(Steps){p->layout, fragment, context}, swept);
}

/* ---- on a device ---- */

static void launch_part(const void *context, int g0, int g1, int from, int until) {
    device_sweep(context, g0, g1, from, until);
}

void pipeline_rests(Pipeline *p, const int *rests) {
    p->state.rests = rests;
}

void pipeline_sweep(Pipeline *p, DeviceSweep sweep) {
    sweep.layout = p->layout;
    sweep.state = &p->state;
    const double start = traffic_clock();
    if (p->joined) exec_wait(p->layout->exec); /* for what reads messages */
    p->by_kernels = true;
    walk(p, sweep.kind == SWEEP_FORWARD || sweep.kind == SWEEP_UP, launch_part, &sweep, sweep.out);
    count_sweep(p, start);
}
