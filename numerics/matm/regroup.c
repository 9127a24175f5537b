/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/regroup.h"

#include "base/memory.h"
#include "numerics/grid/traffic.h"
#include "numerics/matm/coarse_grid.h"
#include "numerics/matm/lane_exchange.h"

enum { TAG_THERE = 31, TAG_BACK = 32 };

/* Cells of the whole grid: from <= index < to. */
typedef struct Rectangle {
    int from[2], to[2];
} Rectangle;

/* What one rank sends to another. */
typedef struct Parcel {
    int rank;
    Rectangle cells;
    ptrdiff_t place; /* numbers of one field before it in the message */
} Parcel;

typedef struct Way {
    int given, taken, tag;
    Parcel *give, *take;
} Way;

struct Regroup {
    const LaneLayout *part, *work;
    Way there, back;
    bool everywhere; /* every rank works on the whole */
    int rank, ranks;
    Real *out, *in;
    MPI_Request *request;
    int *lengths, *places;
};

/* ---- who has what ---- */

static Rectangle rectangle_of(const Decomposition *d, int rank) {
    const int *x, *y;
    decomposition_rectangle(d, rank, &x, &y);
    return (Rectangle){{x[0], y[0]}, {x[1], y[1]}};
}

static Rectangle with_edges(Rectangle r) {
    for (int n = 0; n < 2; n++) r.from[n]--, r.to[n]++;
    return r;
}

/* With what lies beyond the whole grid. */
static Rectangle with_rim(Rectangle r, const int whole[2]) {
    for (int n = 0; n < 2; n++) {
        r.from[n] -= r.from[n] == 0;
        r.to[n] += r.to[n] == whole[n];
    }
    return r;
}

static bool common(const Rectangle *a, const Rectangle *b, Rectangle *out) {
    for (int n = 0; n < 2; n++) {
        out->from[n] = a->from[n] > b->from[n] ? a->from[n] : b->from[n];
        out->to[n] = a->to[n] < b->to[n] ? a->to[n] : b->to[n];
        if (out->from[n] >= out->to[n]) return false;
    }
    return true;
}

static ptrdiff_t numbers_in(const Rectangle *r, int levels) {
    return (ptrdiff_t)(r->to[0] - r->from[0]) * (r->to[1] - r->from[1]) * levels;
}

static ptrdiff_t total_of(const Parcel *parcel, int count, int levels) {
    return count ? parcel[count - 1].place + numbers_in(&parcel[count - 1].cells, levels) : 0;
}

static void add(Parcel *list, int *count, int rank, const Rectangle *cells, int levels) {
    list[*count] = (Parcel){rank, *cells, total_of(list, *count, levels)};
    ++*count;
}

/* What this rank's part gives to the fewer ones, or takes from them. */
static void find_own(Regroup *r, const Decomposition *fewer) {
    const Grid *g = r->part->grid;
    const int count = decomposition_ranks(fewer), whole[2] = {g->nx, g->ny}, levels = r->part->levels;
    const Rectangle own = rectangle_of(&g->decomposition, r->rank), around = with_edges(own);
    r->there.give = ALLOCATE(count, Parcel);
    r->back.take = ALLOCATE(count, Parcel);
    for (int n = 0; n < count; n++) {
        const int rank = r->everywhere ? r->rank : coarse_grid_worker(&g->decomposition, fewer, n);
        const Rectangle theirs = rectangle_of(fewer, n), wide = with_rim(theirs, whole);
        Rectangle cells;
        if (common(&own, &theirs, &cells)) add(r->there.give, &r->there.given, rank, &cells, levels);
        if (common(&around, &wide, &cells)) add(r->back.take, &r->back.taken, rank, &cells, levels);
    }
}

/* What this rank, one of the fewer, takes from all parts and gives back. */
static void find_work(Regroup *r, const Decomposition *fewer) {
    const Grid *g = r->part->grid;
    const int whole[2] = {g->nx, g->ny}, levels = r->part->levels;
    const Rectangle work = rectangle_of(fewer, fewer->first[fewer->rank_y] + fewer->rank_x);
    const Rectangle wide = with_rim(work, whole);
    r->there.take = ALLOCATE(r->ranks, Parcel);
    r->back.give = ALLOCATE(r->ranks, Parcel);
    for (int n = 0; n < r->ranks; n++) {
        const Rectangle part = rectangle_of(&g->decomposition, n), around = with_edges(part);
        Rectangle cells;
        if (common(&part, &work, &cells)) add(r->there.take, &r->there.taken, n, &cells, levels);
        if (r->everywhere && n != r->rank) continue;
        if (common(&around, &wide, &cells)) add(r->back.give, &r->back.given, n, &cells, levels);
    }
}

static ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b) {
    return a > b ? a : b;
}

void regroup_create(const LaneLayout *part, const LaneLayout *work, const Decomposition *fewer, int fields,
                    Regroup **out) {
    Regroup *r = *out = ALLOCATE(1, Regroup);
    const Decomposition *d = &part->grid->decomposition;
    const int levels = part->levels;
    r->part = part;
    r->work = work;
    r->rank = d->first[d->rank_y] + d->rank_x;
    r->ranks = decomposition_ranks(d);
    r->everywhere = coarse_grid_is_everywhere(fewer);
    r->there.tag = TAG_THERE;
    r->back.tag = TAG_BACK;
    find_own(r, fewer);
    if (work) find_work(r, fewer);
    r->out = ALLOCATE(larger(fields * total_of(r->there.give, r->there.given, levels),
                             total_of(r->back.give, r->back.given, levels)) +
                          1,
                      Real);
    r->in = ALLOCATE(larger(fields * total_of(r->there.take, r->there.taken, levels),
                            total_of(r->back.take, r->back.taken, levels)) +
                         1,
                     Real);
    r->request = ALLOCATE(r->there.given + r->there.taken + r->back.given + r->back.taken, MPI_Request);
    r->lengths = ALLOCATE(2 * r->ranks, int);
    r->places = r->lengths + r->ranks;
}

void regroup_destroy(Regroup **regroup) {
    Regroup *r = *regroup;
    if (!r) return;
    Way *way[] = {&r->there, &r->back};
    for (int n = 0; n < 2; n++) memory_free(way[n]->give), memory_free(way[n]->take);
    memory_free(r->out);
    memory_free(r->in);
    memory_free(r->request);
    memory_free(r->lengths);
    memory_free(r);
    *regroup = NULL;
}

/* ---- messages ---- */

static void copy(const LaneLayout *layout, const Parcel *p, int fields, Lanes *const *x, Real *message,
                 bool pack) {
    const Grid *g = layout->grid;
    const Rectangle *r = &p->cells;
    for (int f = 0; f < fields; f++)
        for (int j = r->from[1]; j < r->to[1]; j++)
            message += lanes_copy_edge(layout, x[f], false, j - g->j_first, r->from[0] - g->i_first,
                                       r->to[0] - g->i_first, message, pack);
}

/* Where this rank takes what it gives to itself. */
static Real *own_place(const Regroup *r, const Way *way, int fields) {
    int n = 0;
    while (way->take[n].rank != r->rank) n++;
    return r->in + fields * way->take[n].place;
}

static void pack(const Regroup *r, const Way *way, const LaneLayout *layout, int fields, Lanes *const *from) {
    for (int n = 0; n < way->given; n++) {
        const Parcel *p = &way->give[n];
        Real *message = p->rank == r->rank && !(way == &r->there && r->everywhere)
                            ? own_place(r, way, fields)
                            : r->out + fields * p->place;
        copy(layout, p, fields, from, message, true);
    }
}

static void unpack(const Regroup *r, const Way *way, const LaneLayout *layout, int fields, Lanes *const *to) {
    for (int n = 0; n < way->taken; n++)
        copy(layout, &way->take[n], fields, to, r->in + fields * way->take[n].place, false);
}

/* What is packed, to whom it is for. */
static void exchange(Regroup *r, const Way *way, int fields) {
    const MPI_Comm comm = r->part->grid->comm;
    const int levels = r->part->levels;
    int requests = 0;
    for (int n = 0; n < way->taken; n++) {
        const Parcel *p = &way->take[n];
        if (p->rank == r->rank) continue;
        MPI_Irecv(r->in + fields * p->place, (int)(fields * numbers_in(&p->cells, levels)), MPI_REAL_OF_LANES,
                  p->rank, way->tag, comm, &r->request[requests++]);
    }
    for (int n = 0; n < way->given; n++) {
        const Parcel *p = &way->give[n];
        if (p->rank == r->rank) continue;
        MPI_Isend(r->out + fields * p->place, (int)(fields * numbers_in(&p->cells, levels)),
                  MPI_REAL_OF_LANES, p->rank, way->tag, comm, &r->request[requests++]);
    }
    traffic_wait_all(requests, r->request);
}

static void give_to_all(Regroup *r, int fields) {
    const Way *way = &r->there;
    const int levels = r->part->levels;
    for (int n = 0; n < way->taken; n++) {
        const Parcel *p = &way->take[n];
        r->lengths[p->rank] = (int)(fields * numbers_in(&p->cells, levels));
        r->places[p->rank] = (int)(fields * p->place);
    }
    const double start = traffic_now();
    MPI_Allgatherv(r->out, (int)(fields * total_of(way->give, way->given, levels)), MPI_REAL_OF_LANES, r->in,
                   r->lengths, r->places, MPI_REAL_OF_LANES, r->part->grid->comm);
    traffic.waited += traffic_now() - start;
}

void regroup_there(Regroup *r, int fields, Lanes *const *from, Lanes *const *to) {
    exec_wait(r->part->exec);
    pack(r, &r->there, r->part, fields, from);
    if (r->everywhere)
        give_to_all(r, fields);
    else
        exchange(r, &r->there, fields);
    if (r->work) unpack(r, &r->there, r->work, fields, to);
}

void regroup_back(Regroup *r, Lanes *from, Lanes *to) {
    exec_wait(r->part->exec);
    if (r->work) pack(r, &r->back, r->work, 1, &from);
    exchange(r, &r->back, 1);
    unpack(r, &r->back, r->part, 1, &to);
}
