/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/pipeline.h"

#include "base/memory.h"
#include "numerics/matm/exchange.h"
#include <math.h>

enum { TAG_ALONG_X = 21, TAG_ALONG_Y = 22 };

/* What a message costs beside its length, in cells that could have been swept meanwhile. */
static const double MESSAGE_IN_CELLS = 1000;

struct Pipeline {
    const LaneLayout *layout;
    bool joined;
    int bundle;    /* groups whose columns travel together */
    int stretches; /* into which the steps are cut */
    int from, to;  /* along x: ranks that the present sweep comes from and goes to */
    int from_y, to_y;
    Real *out_x, *out_y, *in; /* messages */
    int got_y, gave_y;        /* how much of the rows at the edges has been received, has been sent */
    MPI_Request *request;
    int requests;
};

Status pipeline_create(const LaneLayout *layout, bool joined, Pipeline **out) {
    const Grid *grid = layout->grid;
    const Decomposition *d = &grid->decomposition;
    int64_t columns, cells;
    grid_count(grid, &columns, &cells);
    const int most = d->ranks_x > d->ranks_y ? d->ranks_x : d->ranks_y;
    const double work = (double)(layout->levels == 1 ? columns : cells) / (d->ranks_x * d->ranks_y);
    const int messages = 1 + (int)sqrt((most - 1) * work / MESSAGE_IN_CELLS); /* least (m + ranks - 1) / m */
    Pipeline *p = ALLOCATE(1, Pipeline);
    p->layout = layout;
    p->joined = joined && d->ranks_x * d->ranks_y > 1;
    p->stretches = p->joined && d->ranks_y > d->ranks_x ? messages + 1 : 1;
    p->bundle = (layout->groups + messages - 1) / messages;
    p->out_x = ALLOCATE((layout->n2 + 8) * layout->levels, Real);
    p->out_y = ALLOCATE((layout->n1 + 8) * layout->levels, Real);
    p->in = ALLOCATE(layout->message_size, Real);
    p->request = ALLOCATE(layout->groups + p->stretches + 2, MPI_Request);
    *out = p;
    return STATUS_OK;
}

void pipeline_destroy(Pipeline **pipeline) {
    if (!*pipeline) return;
    memory_free((*pipeline)->out_x);
    memory_free((*pipeline)->out_y);
    memory_free((*pipeline)->in);
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
    const int lines = p->layout->n1 + n2 + 7;
    return c == p->stretches ? lines + 8 : (int)((int64_t)lines * c / p->stretches);
}

static void receive_columns(Pipeline *p, Lanes *x, int g, int place) {
    const LaneLayout *layout = p->layout;
    const int g0 = g - g % p->bundle, j0 = 8 * g0, j1 = clamp(8 * (g0 + p->bundle), 0, layout->n2);
    if (p->from == MPI_PROC_NULL) return;
    MPI_Recv(p->in, (j1 - j0) * layout->levels, MPI_REAL_OF_LANES, p->from, TAG_ALONG_X, layout->grid->comm,
             MPI_STATUS_IGNORE);
    lanes_copy_column(layout, x, place, j0, j1, p->in, false);
}

static void send_columns(Pipeline *p, Lanes *x, int g, int place) {
    const LaneLayout *layout = p->layout;
    const int g0 = g - g % p->bundle, j0 = 8 * g0, j1 = clamp(8 * (g0 + p->bundle), 0, layout->n2);
    if (p->to == MPI_PROC_NULL) return;
    Real *message = p->out_x + (ptrdiff_t)j0 * layout->levels;
    const ptrdiff_t count = lanes_copy_column(layout, x, place, j0, j1, message, true);
    MPI_Isend(message, (int)count, MPI_REAL_OF_LANES, p->to, TAG_ALONG_X, layout->grid->comm,
              &p->request[p->requests++]);
}

static void receive_row(Pipeline *p, Lanes *x, int j, int i0, int i1) {
    const LaneLayout *layout = p->layout;
    if (i0 >= i1) return;
    MPI_Recv(p->in, (i1 - i0) * layout->levels, MPI_REAL_OF_LANES, p->from_y, TAG_ALONG_Y, layout->grid->comm,
             MPI_STATUS_IGNORE);
    lanes_copy_row(layout, x, j, i0, i1, p->in, false);
}

static void send_row(Pipeline *p, Lanes *x, int j, int i0, int i1) {
    const LaneLayout *layout = p->layout;
    if (i0 >= i1) return;
    Real *message = p->out_y + (ptrdiff_t)i0 * layout->levels;
    const ptrdiff_t count = lanes_copy_row(layout, x, j, i0, i1, message, true);
    MPI_Isend(message, (int)count, MPI_REAL_OF_LANES, p->to_y, TAG_ALONG_Y, layout->grid->comm,
              &p->request[p->requests++]);
}

static int rows_of(const Decomposition *d, int rank_y) {
    const int y = (rank_y + d->ranks_y) % d->ranks_y;
    return d->cut_y[y + 1] - d->cut_y[y];
}

/* ---- forward ---- */

/* The row south of the own ones, as far east as stretch c needs it; it comes in the pieces in which its rank
 * finishes it. */
static void await_south(Pipeline *p, Lanes *x, int c) {
    const LaneLayout *layout = p->layout;
    const Decomposition *d = &layout->grid->decomposition;
    if (p->from_y == MPI_PROC_NULL) return;
    const int rows = rows_of(d, d->rank_y - 1);
    const int needed = clamp(edge_of(p, layout->n2, c + 1), 0, layout->n1);
    for (int their = 0; p->got_y < needed; their++) {
        const int until = clamp(edge_of(p, rows, their + 1) - (rows - 1), 0, layout->n1);
        if (until <= p->got_y) continue;
        receive_row(p, x, -1, p->got_y, until);
        p->got_y = until;
    }
}

static void pass_north(Pipeline *p, Lanes *x, int c) {
    const LaneLayout *layout = p->layout;
    const int until = clamp(edge_of(p, layout->n2, c + 1) - (layout->n2 - 1), 0, layout->n1);
    if (p->to_y != MPI_PROC_NULL) send_row(p, x, layout->n2 - 1, p->gave_y, until);
    p->gave_y = until > p->gave_y ? until : p->gave_y;
}

/* Seams of periodic directions are not passed: there the sweep begins and ends. */
static void set_course(Pipeline *p, bool forward) {
    const Decomposition *d = &p->layout->grid->decomposition;
    const int west = p->joined && d->rank_x > 0 ? d->west : MPI_PROC_NULL;
    const int east = p->joined && d->rank_x < d->ranks_x - 1 ? d->east : MPI_PROC_NULL;
    const int south = p->joined && d->rank_y > 0 ? d->south : MPI_PROC_NULL;
    const int north = p->joined && d->rank_y < d->ranks_y - 1 ? d->north : MPI_PROC_NULL;
    p->from = forward ? west : east;
    p->to = forward ? east : west;
    p->from_y = forward ? south : north;
    p->to_y = forward ? north : south;
    p->requests = 0;
    p->got_y = p->gave_y = forward ? 0 : p->layout->n1;
}

void pipeline_clear_inflow(const Pipeline *p, Lanes *swept, bool forward) {
    const LaneLayout *layout = p->layout;
    const Grid *grid = layout->grid;
    const Decomposition *d = &grid->decomposition;
    const bool first_x = forward ? d->rank_x == 0 : d->rank_x == d->ranks_x - 1;
    const bool first_y = forward ? d->rank_y == 0 : d->rank_y == d->ranks_y - 1;
    if (first_x ? grid->axes.periodic_x : !p->joined)
        for (int j = 0; j < layout->n2; j++) {
            Real *cell = lane_cell(layout, swept, forward ? -1 : layout->n1, j);
            for (int k = 0; k < layout->levels; k++) cell[8 * k] = 0;
        }
    if (first_y ? grid->axes.periodic_y : !p->joined)
        for (int i = 0; i < layout->n1; i++) {
            Real *cell = lane_cell(layout, swept, i, forward ? -1 : layout->n2);
            for (int k = 0; k < layout->levels; k++) cell[8 * k] = 0;
        }
}

void pipeline_forward(Pipeline *p, Fragment *fragment, const void *context, Lanes *swept) {
    const LaneLayout *layout = p->layout;
    const int groups = layout->groups, steps = layout->steps;
    set_course(p, true);
    for (int c = 0; c < p->stretches; c++)
        for (int g = 0; g < groups; g++) {
            const int s0 = c == 0 ? 0 : clamp(edge_of(p, layout->n2, c) - 8 * g, 0, steps);
            const int s1 = clamp(edge_of(p, layout->n2, c + 1) - 8 * g, 0, steps);
            if (g == 0) await_south(p, swept, c);
            if (s0 == 0 && s1 > 0 && g % p->bundle == 0) receive_columns(p, swept, g, -1);
            if (s0 < s1) fragment(context, g, s0, s1);
            const bool ends_bundle = g % p->bundle == p->bundle - 1 || g == groups - 1;
            if (s0 < s1 && s1 == steps && ends_bundle) send_columns(p, swept, g, layout->n1 - 1);
            if (g == groups - 1) pass_north(p, swept, c);
        }
    MPI_Waitall(p->requests, p->request, MPI_STATUSES_IGNORE);
}

/* ---- backward ---- */

static void await_north(Pipeline *p, Lanes *x, int c) {
    const LaneLayout *layout = p->layout;
    const Decomposition *d = &layout->grid->decomposition;
    if (p->from_y == MPI_PROC_NULL) return;
    const int rows = rows_of(d, d->rank_y + 1);
    const int edge = c == 0 ? 0 : edge_of(p, layout->n2, c);
    const int needed = clamp(edge - (layout->n2 - 1), 0, layout->n1);
    for (int their = p->stretches - 1; p->got_y > needed; their--) {
        const int from = their == 0 ? 0 : clamp(edge_of(p, rows, their), 0, layout->n1);
        if (from >= p->got_y) continue;
        receive_row(p, x, layout->n2, from, p->got_y);
        p->got_y = from;
    }
}

static void pass_south(Pipeline *p, Lanes *x, int c) {
    const LaneLayout *layout = p->layout;
    const int from = c == 0 ? 0 : clamp(edge_of(p, layout->n2, c), 0, layout->n1);
    if (p->to_y != MPI_PROC_NULL) send_row(p, x, 0, from, p->gave_y);
    p->gave_y = from < p->gave_y ? from : p->gave_y;
}

void pipeline_backward(Pipeline *p, Fragment *fragment, const void *context, Lanes *swept) {
    const LaneLayout *layout = p->layout;
    const int groups = layout->groups, steps = layout->steps;
    set_course(p, false);
    for (int c = p->stretches - 1; c >= 0; c--)
        for (int g = groups - 1; g >= 0; g--) {
            const int s0 = c == 0 ? 0 : clamp(edge_of(p, layout->n2, c) - 8 * g, 0, steps);
            const int s1 = clamp(edge_of(p, layout->n2, c + 1) - 8 * g, 0, steps);
            const bool begins_bundle = g % p->bundle == p->bundle - 1 || g == groups - 1;
            if (g == groups - 1) await_north(p, swept, c);
            if (s0 < s1 && s1 == steps && begins_bundle) receive_columns(p, swept, g, layout->n1);
            if (s0 < s1) fragment(context, g, s0, s1);
            if (s0 < s1 && s0 == 0 && g % p->bundle == 0) send_columns(p, swept, g, 0);
            if (g == 0) pass_south(p, swept, c);
        }
    MPI_Waitall(p->requests, p->request, MPI_STATUSES_IGNORE);
}
