/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/pipeline.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/messages.h"
#include "numerics/cluster/fragments.h"
#include "numerics/grid/traffic.h"
#include "numerics/matm/lane_exchange.h"

enum { TAG_ALONG_X = 21, TAG_ALONG_Y = 22 };

/* A rank that the present sweep comes from, or goes to, along y, with the own columns from <= i < until beside it. */
typedef struct RowNeighbour {
    int rank, from, until;
    int n1, n2, first; /* its shape; its first column in own numbers */
} RowNeighbour;

struct Pipeline {
    const LaneLayout *layout;
    bool joined;
    int patch;     /* within which sweeps stay; 0: they pass all */
    int bundle;    /* groups whose columns travel together */
    int stretches; /* into which the steps are cut */
    int from, to;  /* along x: ranks that the present sweep comes from and goes to */
    RowNeighbour *from_y, *to_y;
    int n_from_y, n_to_y;
    Real *out_x, *out_y, *in_x, *in_y; /* messages */
    SweepState state;
    bool by_kernels;   /* the present sweep is */
    int got_y, gave_y; /* how much of the rows at the edges has been received, has been sent */
    MPI_Request *request;
    int requests;
};

static Status message_create(const LaneLayout *layout, int cells, Real **out) {
    const size_t numbers = ((size_t)cells + 8) * (size_t)layout->levels;
    return messages_allocate(layout->exec, numbers * sizeof(Real), (void **)out);
}

/* Into how many messages a sweep is cut, and how many stretches. */
static int messages_of(const LaneLayout *layout, int patch, int *stretches) {
    const Decomposition *d = &layout->grid->decomposition;
    const Cuts cuts = decomposition_cuts(d);
    int64_t columns, cells;
    grid_count(layout->grid, &columns, &cells);
    const SweepShape shape =
        sweep_shape(&cuts, patch, &d->machine, (double)(layout->levels == 1 ? columns : cells),
                    (double)layout->levels * (double)sizeof(Real), 1);
    const int messages = sweep_messages(&shape);
    *stretches = sweep_stretches(&shape, messages);
    return messages;
}

Status pipeline_create(const LaneLayout *layout, int patch, Pipeline **out) {
    const Decomposition *d = &layout->grid->decomposition;
    int stretches;
    const int messages = messages_of(layout, patch, &stretches);
    Pipeline *p = *out = ALLOCATE(1, Pipeline);
    Status status;
    p->layout = layout;
    p->joined = decomposition_ranks(d) > 1;
    p->patch = patch;
    p->stretches = p->joined ? stretches : 1;
    p->bundle = (layout->groups + messages - 1) / messages;
    ATTEMPT(message_create(layout, layout->n2, &p->out_x));
    ATTEMPT(message_create(layout, layout->n1, &p->out_y));
    ATTEMPT(message_create(layout, layout->n2, &p->in_x));
    ATTEMPT(message_create(layout, layout->n1, &p->in_y));
    p->state = sweep_state_create(layout);
    const int most = d->south.count > d->north.count ? d->south.count : d->north.count;
    p->from_y = ALLOCATE(most + 1, RowNeighbour);
    p->to_y = ALLOCATE(most + 1, RowNeighbour);
    p->request = ALLOCATE(layout->groups + p->stretches + most + 2, MPI_Request);
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
    memory_free((*pipeline)->from_y);
    memory_free((*pipeline)->to_y);
    memory_free((*pipeline)->request);
    memory_free(*pipeline);
    *pipeline = NULL;
}

/* ---- messages ---- */

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

/* Stretch c of a part with n2 rows lies between the lines i + j = edge(c) and edge(c + 1). */
static int edge_of(const Pipeline *p, int n2, int c) {
    return stretch_edge(p->layout->n1, n2, p->stretches, c);
}

static int edge_of_neighbour(const Pipeline *p, const RowNeighbour *of, int c) {
    return stretch_edge(of->n1, of->n2, p->stretches, c);
}

static void copy_edge(const Pipeline *p, void *x, bool column, int place, int from, int to, Real *message,
                      bool pack) {
    if (p->by_kernels)
        device_copy_edge(p->layout, x, column, place, from, to, message, pack);
    else
        (void)lanes_copy_edge(p->layout, x, column, place, from, to, message, pack);
}

static void receive(Pipeline *p, void *x, bool column, int place, int from, int to, int rank) {
    const LaneLayout *layout = p->layout;
    Real *message = (column ? p->in_x : p->in_y) + (ptrdiff_t)from * layout->levels;
    const double start = traffic_now();
    MPI_Recv(message, (to - from) * layout->levels, MPI_REAL_OF_LANES, rank,
             column ? TAG_ALONG_X : TAG_ALONG_Y, layout->grid->comm, MPI_STATUS_IGNORE);
    traffic.waited += traffic_now() - start;
    copy_edge(p, x, column, place, from, to, message, false);
}

static void send(Pipeline *p, void *x, bool column, int place, int from, int to, int rank) {
    const LaneLayout *layout = p->layout;
    Real *message = (column ? p->out_x : p->out_y) + (ptrdiff_t)from * layout->levels;
    copy_edge(p, x, column, place, from, to, message, true);
    if (p->by_kernels) exec_wait(layout->exec);
    MPI_Isend(message, (to - from) * layout->levels, MPI_REAL_OF_LANES, rank,
              column ? TAG_ALONG_X : TAG_ALONG_Y, layout->grid->comm, &p->request[p->requests++]);
}

static void receive_columns(Pipeline *p, void *x, int g, int place) {
    const int g0 = g - g % p->bundle, j0 = 8 * g0, j1 = clamp(8 * (g0 + p->bundle), 0, p->layout->n2);
    if (p->from != MPI_PROC_NULL) receive(p, x, true, place, j0, j1, p->from);
}

static void send_columns(Pipeline *p, void *x, int g, int place) {
    const int g0 = g - g % p->bundle, j0 = 8 * g0, j1 = clamp(8 * (g0 + p->bundle), 0, p->layout->n2);
    if (p->to != MPI_PROC_NULL) send(p, x, true, place, j0, j1, p->to);
}

/* Columns from <= i < until of row j to those whom they concern. */
static void send_row(Pipeline *p, void *x, int j, int from, int until) {
    for (int n = 0; n < p->n_to_y; n++) {
        const RowNeighbour *to = &p->to_y[n];
        const int i0 = clamp(from, to->from, to->until), i1 = clamp(until, to->from, to->until);
        if (i0 < i1) send(p, x, false, j, i0, i1, to->rank);
    }
}

static int row_neighbours(const Pipeline *p, const DecompositionSide *side, RowNeighbour *out) {
    const Grid *grid = p->layout->grid;
    const Decomposition *d = &grid->decomposition;
    for (int n = 0; n < side->count; n++) {
        const RankBeside beside = decomposition_beside(d, side, n, 0);
        const int *cut_x = decomposition_cut_x(d, side->strip) + beside.rank - d->first[side->strip];
        out[n] = (RowNeighbour){.rank = beside.rank,
                                .from = beside.take[0],
                                .until = beside.take[1],
                                .n1 = cut_x[1] - cut_x[0],
                                .n2 = d->cut_y[side->strip + 1] - d->cut_y[side->strip],
                                .first = cut_x[0] - grid->i_first};
    }
    return side->count;
}

/* ---- forward ---- */

/* The row south of the own ones, as far east as stretch c needs it; it comes in the pieces in which its ranks
 * finish it. */
static void await_south(Pipeline *p, void *x, int c) {
    const LaneLayout *layout = p->layout;
    const int needed = clamp(edge_of(p, layout->n2, c + 1), 0, layout->n1);
    for (int n = 0; n < p->n_from_y; n++) {
        const RowNeighbour *from = &p->from_y[n];
        for (int their = 0; p->got_y < needed && p->got_y < from->until; their++) {
            const int finished = edge_of_neighbour(p, from, their + 1) - (from->n2 - 1);
            const int until = clamp(from->first + clamp(finished, 0, from->n1), from->from, from->until);
            if (until <= p->got_y) continue;
            receive(p, x, false, -1, p->got_y, until, from->rank);
            p->got_y = until;
        }
    }
}

static void pass_north(Pipeline *p, void *x, int c) {
    const LaneLayout *layout = p->layout;
    const int until = clamp(edge_of(p, layout->n2, c + 1) - (layout->n2 - 1), 0, layout->n1);
    send_row(p, x, layout->n2 - 1, p->gave_y, until);
    p->gave_y = until > p->gave_y ? until : p->gave_y;
}

/* Seams of periodic directions are not passed: there the sweep begins and ends. */
static void set_course(Pipeline *p, bool forward, bool by_kernels) {
    const Grid *grid = p->layout->grid;
    const Decomposition *d = &grid->decomposition;
    const int i0 = grid->i_first, i1 = i0 + grid->n1, j0 = grid->j_first, j1 = j0 + grid->n2;
    if (p->joined || !by_kernels) exec_wait(p->layout->exec); /* for what reads messages, or the host will */
    p->by_kernels = by_kernels;
    const int west = d->rank_x > 0 && !cuts_on_border(p->patch, i0) ? d->west : MPI_PROC_NULL;
    const int east = d->rank_x < d->ranks_x - 1 && !cuts_on_border(p->patch, i1) ? d->east : MPI_PROC_NULL;
    const DecompositionSide nobody = {0};
    const DecompositionSide *south = d->rank_y > 0 && !cuts_on_border(p->patch, j0) ? &d->south : &nobody;
    const DecompositionSide *north =
        d->rank_y < d->ranks_y - 1 && !cuts_on_border(p->patch, j1) ? &d->north : &nobody;
    p->from = forward ? west : east;
    p->to = forward ? east : west;
    p->n_from_y = row_neighbours(p, forward ? south : north, p->from_y);
    p->n_to_y = row_neighbours(p, forward ? north : south, p->to_y);
    p->requests = 0;
    p->got_y = p->gave_y = forward ? 0 : p->layout->n1;
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

/* Groups g0 <= g < g1 of stretch c, the last of which ends a bundle where its columns can be sent. */
typedef void Part(const void *context, int g0, int g1, int from, int until);

static void run_forward(Pipeline *p, Part *part, const void *context, void *swept, int at_once) {
    const LaneLayout *layout = p->layout;
    const int groups = layout->groups, steps = layout->steps;
    for (int c = 0; c < p->stretches; c++)
        for (int g = 0; g < groups; g += at_once) {
            const int from = c == 0 ? -8 * groups : edge_of(p, layout->n2, c),
                      until = edge_of(p, layout->n2, c + 1);
            const int end = g + at_once < groups ? g + at_once : groups;
            const bool begins = from - 8 * g <= 0 && until - 8 * g > 0;
            const int last = 8 * (end - 1);
            if (g == 0) await_south(p, swept, c);
            if (begins && g % p->bundle == 0) receive_columns(p, swept, g, -1);
            if (from - last < steps && until - 8 * g > 0) part(context, g, end, from, until);
            const bool ends = from - last < steps && until - last >= steps;
            if (ends && (end % p->bundle == 0 || end == groups))
                send_columns(p, swept, end - 1, layout->n1 - 1);
            if (end == groups) pass_north(p, swept, c);
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

/* A processor's part is one group. */
typedef struct Steps {
    const LaneLayout *layout;
    Fragment *fragment;
    const void *context;
} Steps;

static void sweep_group(const void *context, int g0, int g1, int from, int until) {
    const Steps *steps = context;
    (void)g1;
    const int s0 = clamp(from - 8 * g0, 0, steps->layout->steps);
    const int s1 = clamp(until - 8 * g0, 0, steps->layout->steps);
    if (s0 < s1) steps->fragment(steps->context, g0, s0, s1);
}

void pipeline_forward(Pipeline *p, Fragment *fragment, const void *context, Lanes *swept) {
    const Steps steps = {p->layout, fragment, context};
    const double start = traffic_clock();
    set_course(p, true, false);
    run_forward(p, sweep_group, &steps, swept, 1);
    count_sweep(p, start);
}

/* ---- backward ---- */

static void await_north(Pipeline *p, void *x, int c) {
    const LaneLayout *layout = p->layout;
    const int edge = c == 0 ? 0 : edge_of(p, layout->n2, c);
    const int needed = clamp(edge - (layout->n2 - 1), 0, layout->n1);
    for (int n = p->n_from_y - 1; n >= 0; n--) {
        const RowNeighbour *of = &p->from_y[n];
        for (int their = p->stretches - 1; p->got_y > needed && p->got_y > of->from; their--) {
            const int finished = their == 0 ? 0 : edge_of_neighbour(p, of, their);
            const int from = clamp(of->first + clamp(finished, 0, of->n1), of->from, of->until);
            if (from >= p->got_y) continue;
            receive(p, x, false, layout->n2, from, p->got_y, of->rank);
            p->got_y = from;
        }
    }
}

static void pass_south(Pipeline *p, void *x, int c) {
    const LaneLayout *layout = p->layout;
    const int from = c == 0 ? 0 : clamp(edge_of(p, layout->n2, c), 0, layout->n1);
    send_row(p, x, 0, from, p->gave_y);
    p->gave_y = from < p->gave_y ? from : p->gave_y;
}

static void run_backward(Pipeline *p, Part *part, const void *context, void *swept, int at_once) {
    const LaneLayout *layout = p->layout;
    const int groups = layout->groups, steps = layout->steps;
    for (int c = p->stretches - 1; c >= 0; c--)
        for (int g = (groups - 1) / at_once * at_once; g >= 0; g -= at_once) {
            const int from = c == 0 ? -8 * groups : edge_of(p, layout->n2, c),
                      until = edge_of(p, layout->n2, c + 1);
            const int end = g + at_once < groups ? g + at_once : groups;
            const int last = 8 * (end - 1);
            const bool begins = from - last < steps && until - last >= steps;
            if (end == groups) await_north(p, swept, c);
            if (begins && (end % p->bundle == 0 || end == groups))
                receive_columns(p, swept, end - 1, layout->n1);
            if (from - last < steps && until - 8 * g > 0) part(context, g, end, from, until);
            const bool ends = from - 8 * g <= 0 && until - 8 * g > 0;
            if (ends && g % p->bundle == 0) send_columns(p, swept, g, 0);
            if (g == 0) pass_south(p, swept, c);
        }
    traffic_wait_all(p->requests, p->request);
}

void pipeline_backward(Pipeline *p, Fragment *fragment, const void *context, Lanes *swept) {
    const Steps steps = {p->layout, fragment, context};
    const double start = traffic_clock();
    set_course(p, false, false);
    run_backward(p, sweep_group, &steps, swept, 1);
    count_sweep(p, start);
}

/* ---- on a device ---- */

static void launch_part(const void *context, int g0, int g1, int from, int until) {
    device_sweep(context, g0, g1, from, until);
}

void pipeline_rests(Pipeline *p, const int *rests) {
    p->state.rests = rests;
}

void pipeline_sweep(Pipeline *p, DeviceSweep sweep) {
    const bool forward = sweep.kind == SWEEP_FORWARD || sweep.kind == SWEEP_UP;
    sweep.layout = p->layout;
    sweep.state = &p->state;
    const double start = traffic_clock();
    set_course(p, forward, true);
    if (forward)
        run_forward(p, launch_part, &sweep, sweep.out, p->bundle);
    else
        run_backward(p, launch_part, &sweep, sweep.out, p->bundle);
    count_sweep(p, start);
}
