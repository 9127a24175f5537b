/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/cluster/graph.h"

#include "base/memory.h"
#include "numerics/cluster/fragments.h"
#include <math.h>
#include <stdint.h>

enum { GROUP_ROWS = 8, AWAITED = 0, GIVEN = 1, KINDS = 2 };

static int least(int a, int b) {
    return a < b ? a : b;
}
static int most(int a, int b) {
    return a > b ? a : b;
}

/* ---- the parts of ranks and their fragments ---- */

GraphPart graph_part(const GraphProblem *problem, int rank) {
    const Cuts *cuts = problem->cuts;
    const int q = cuts_strip_of(cuts->first, cuts->ranks_y, rank), p = rank - cuts->first[q];
    const int *x = cuts_of_strip(cuts, q) + p, *y = cuts->y + q, finer = problem->finer;
    GraphPart part = {.rank = rank,
                      .p = p,
                      .q = q,
                      .first = {finer * x[0], finer * y[0]},
                      .n1 = finer * (x[1] - x[0]),
                      .n2 = finer * (y[1] - y[0]),
                      .stretches = problem->stretches};
    const int groups = (part.n2 + GROUP_ROWS - 1) / GROUP_ROWS;
    const int bundle = (groups + problem->messages - 1) / problem->messages;
    part.bundle = GROUP_ROWS * bundle;
    part.fragments = part.stretches > 1 ? part.stretches : (groups + bundle - 1) / bundle;
    return part;
}

static int stretch_of(const GraphPart *part, int line) {
    const int lines = stretch_edge(part->n1, part->n2, 1, 1), stretches = part->stretches;
    int c = least((int)((int64_t)line * stretches / lines), stretches - 1);
    while (c > 0 && stretch_edge(part->n1, part->n2, stretches, c) > line) c--;
    while (c < stretches - 1 && stretch_edge(part->n1, part->n2, stretches, c + 1) <= line) c++;
    return c;
}

int fragment_at(const GraphPart *part, int i, int j) {
    return part->stretches > 1 ? stretch_of(part, i + j) : j / part->bundle;
}

FragmentPlace fragment_place(const GraphPart *part, int k) {
    const int n1 = part->n1, n2 = part->n2, lowest = -GROUP_ROWS * ((n2 + GROUP_ROWS - 1) / GROUP_ROWS);
    FragmentPlace place = {{0, n2}, {lowest, stretch_edge(n1, n2, 1, 1)}};
    if (part->stretches > 1) {
        if (k > 0) place.lines[0] = stretch_edge(n1, n2, part->stretches, k);
        place.lines[1] = stretch_edge(n1, n2, part->stretches, k + 1);
    } else {
        place.rows[0] = k * part->bundle;
        place.rows[1] = least(place.rows[0] + part->bundle, n2);
    }
    return place;
}

/* ---- their cells ---- */

/* The part of n x n cells that lie on lines i + j < line. */
static double part_below(double n, double line) {
    const double l = fmin(fmax(line, 0), 2 * n - 1), beyond = 2 * n - 1 - l;
    return (l <= n ? 0.5 * l * (l + 1) : n * n - 0.5 * beyond * (beyond + 1)) / (n * n);
}

/* Of a column of the cuts at (i, j) of the part, which stands for finer x finer ones. */
static void spread(const GraphPart *part, int finer, int i, int j, double cells, double *of) {
    const bool lines = part->stretches > 1;
    const int begin = fragment_at(part, i, j), end = fragment_at(part, i + finer - 1, j + finer - 1);
    for (int k = begin; k <= end; k++) {
        const FragmentPlace place = fragment_place(part, k);
        const int *range = lines ? place.lines : place.rows;
        const double low = range[0] - (lines ? i + j : j), high = range[1] - (lines ? i + j : j);
        of[k] += cells * (lines ? part_below(finer, high) - part_below(finer, low)
                                : (fmin(high, finer) - fmax(low, 0)) / finer);
    }
}

static void count_cells(const GraphProblem *problem, const GraphPart *part, double *of) {
    const int finer = problem->finer, i0 = part->first[0] / finer, j0 = part->first[1] / finer;
    for (int j = 0; j < part->n2 / finer; j++)
        for (int i = 0; i < part->n1 / finer; i++) {
            const double cells = problem->cells(problem->context, i0 + i, j0 + j);
            if (cells > 0) spread(part, finer, finer * i, finer * j, cells, of);
        }
}

/* ---- messages ---- */

/* Between two parts, the lower to the west or south; the places are rows or columns of the whole grid. */
typedef struct Border {
    GraphPart lower, upper;
    bool along_x, on_border;
    int at, from,
        until; /* its column or row, in those of the cuts; from the first to the last place that both have */
} Border;

/* A message, and the fragment of the present rank. */
typedef struct Passed {
    int k;
    GraphMessage message;
} Passed;

typedef struct PassedList {
    Passed *passed;
    int count, room;
} PassedList;

/* What grows while the graph is made. */
typedef struct Maker {
    const GraphProblem *problem;
    Graph graph;
    int room, messages[KINDS][GRAPH_WAYS], message_room[KINDS][GRAPH_WAYS];
    PassedList list[KINDS][GRAPH_WAYS]; /* of the present rank */
} Maker;

/* The line i + j of a part at the first place of its side on a border. */
static int side_line(const GraphPart *part, const Border *b) {
    const bool upper_side = part->rank == b->lower.rank;
    return !upper_side ? 0 : b->along_x ? part->n1 - 1 : part->n2 - 1;
}

static int fragment_beside(const GraphPart *part, const Border *b, int place) {
    const int n = place - part->first[b->along_x], line = side_line(part, b);
    return b->along_x ? fragment_at(part, line, n) : fragment_at(part, n, line);
}

/* Where the cells of fragment k end on the border. */
static int side_end(const GraphPart *part, const Border *b, int k) {
    const FragmentPlace place = fragment_place(part, k);
    if (part->stretches > 1) return part->first[b->along_x] + place.lines[1] - side_line(part, b);
    return b->along_x ? part->first[1] + place.rows[1] : part->first[0] + part->n1;
}

static bool meets_water(const GraphProblem *p, const Border *b, int place) {
    const int n = place / p->finer;
    return b->along_x ? p->cells(p->context, b->at - 1, n) > 0 && p->cells(p->context, b->at, n) > 0
                      : p->cells(p->context, n, b->at - 1) > 0 && p->cells(p->context, n, b->at) > 0;
}

/* Shortens from <= n < until to where water meets water. */
static void trim(const GraphProblem *p, const Border *b, int *from, int *until) {
    const int finer = p->finer;
    while (*from < *until && !meets_water(p, b, *from)) *from = finer * (*from / finer + 1);
    while (*from < *until && !meets_water(p, b, *until - 1)) *until = (*until - 1) / finer * finer;
}

static void pass(PassedList *list, int k, const GraphMessage *message) {
    if (list->count == list->room) {
        list->room = 2 * list->room + 64;
        list->passed = ENLARGE(list->passed, list->room, Passed);
    }
    list->passed[list->count++] = (Passed){k, *message};
}

/* All messages of one way over a border, to the list of the present rank, which gives or takes. A piece of the border is given
 * when its fragment is done, and awaited by the first fragment that needs some of it. */
static void pass_over(const GraphProblem *p, const Border *b, GraphWay way, bool giving, PassedList *list) {
    const GraphPart *giver = way == GRAPH_FORWARD ? &b->lower : &b->upper;
    const GraphPart *taker = way == GRAPH_FORWARD ? &b->upper : &b->lower;
    const int rank = giving ? taker->rank : giver->rank;
    for (int place = b->from, next; place < b->until; place = next) {
        const int k = fragment_beside(giver, b, place);
        next = least(side_end(giver, b, k), b->until);
        int from = place, until = next;
        trim(p, b, &from, &until);
        if (from >= until) continue;
        const int needed_by = fragment_beside(taker, b, way == GRAPH_FORWARD ? from : until - 1);
        const int own = giving ? k : needed_by, other = giving ? needed_by : k;
        pass(list, own, &(GraphMessage){rank, other, from, until, b->along_x, b->on_border});
    }
}

/* All messages between the present rank and another; `upper`: the rank is. */
static void meet(Maker *m, const GraphPart *own, int other, bool along_x, bool upper) {
    const GraphProblem *p = m->problem;
    const GraphPart theirs = graph_part(p, other);
    Border b = {.lower = upper ? theirs : *own, .upper = upper ? *own : theirs, .along_x = along_x};
    const int own_end = own->first[along_x] + (along_x ? own->n2 : own->n1),
              their_end = theirs.first[along_x] + (along_x ? theirs.n2 : theirs.n1);
    b.at = b.upper.first[!along_x] / p->finer;
    b.on_border = cuts_on_border(p->patch, b.at);
    b.from = most(own->first[along_x], theirs.first[along_x]);
    b.until = least(own_end, their_end);
    if (b.on_border && p->in_patches) return;
    const GraphWay to_own = upper ? GRAPH_FORWARD : GRAPH_BACKWARD;
    pass_over(p, &b, to_own, false, &m->list[AWAITED][to_own]);
    if (p->giving) pass_over(p, &b, !to_own, true, &m->list[GIVEN][!to_own]);
}

static void meet_strip(Maker *m, const GraphPart *own, int strip, bool upper) {
    const Cuts *cuts = m->problem->cuts;
    int count;
    if (strip < 0 || strip >= cuts->ranks_y) return;
    const int *x = cuts_of_strip(cuts, own->q) + own->p;
    const int first = cuts_beside(cuts_of_strip(cuts, strip), cuts_in_strip(cuts, strip), x[0], x[1], &count);
    for (int n = first; n < first + count; n++) meet(m, own, cuts->first[strip] + n, false, upper);
}

/* Seams of periodic directions are not passed: there sweeps begin and end. */
static void meet_all(Maker *m, const GraphPart *own) {
    if (own->p > 0) meet(m, own, own->rank - 1, true, true);
    if (own->p < cuts_in_strip(m->problem->cuts, own->q) - 1) meet(m, own, own->rank + 1, true, false);
    meet_strip(m, own, own->q - 1, true);
    meet_strip(m, own, own->q + 1, false);
}

/* ---- the graph ---- */

/* The list of the present rank, sorted by fragments: number[k] is that of fragment k, -1 if it is left out. */
static void keep(Maker *m, int kind, GraphWay way, int fragments, const int *number) {
    PassedList *list = &m->list[kind][way];
    GraphMessages *to = kind == AWAITED ? &m->graph.awaited[way] : &m->graph.given[way];
    int *used = &m->messages[kind][way], *room = &m->message_room[kind][way];
    if (*used + list->count > *room) {
        *room = 2 * *room + list->count;
        to->message = ENLARGE(to->message, *room, GraphMessage);
    }
    int *next = ALLOCATE(fragments + 1, int);
    for (int n = 0; n < list->count; n++) next[list->passed[n].k + 1]++;
    next[0] = *used;
    for (int k = 0; k < fragments; k++) next[k + 1] += next[k];
    for (int k = 0; k < fragments; k++)
        if (number[k] >= 0) to->first[number[k]] = next[k];
    for (int n = 0; n < list->count; n++) {
        const Passed *passed = &list->passed[way == GRAPH_FORWARD ? n : list->count - 1 - n];
        to->message[next[passed->k]++] = passed->message;
    }
    *used += list->count;
    list->count = 0;
    memory_free(next);
}

static void add_rank(Maker *m, int rank) {
    Graph *g = &m->graph;
    const GraphPart part = graph_part(m->problem, rank);
    double *cells = ALLOCATE(part.fragments, double);
    int *number = ALLOCATE(part.fragments, int);
    count_cells(m->problem, &part, cells);
    meet_all(m, &part);
    for (int way = 0; way < GRAPH_WAYS; way++)
        for (int n = 0; n < m->list[AWAITED][way].count; n++) number[m->list[AWAITED][way].passed[n].k] = 1;
    if (g->fragments + part.fragments >= m->room) {
        m->room = 2 * m->room + part.fragments + 1;
        g->fragment = ENLARGE(g->fragment, m->room, Fragment);
        for (int way = 0; way < GRAPH_WAYS; way++) {
            g->awaited[way].first = ENLARGE(g->awaited[way].first, m->room, int);
            g->given[way].first = ENLARGE(g->given[way].first, m->room, int);
        }
    }
    for (int k = 0; k < part.fragments; k++) {
        number[k] = cells[k] > 0 || number[k] ? g->fragments++ : -1;
        g->dry += number[k] < 0;
        if (number[k] >= 0) g->fragment[number[k]] = (Fragment){rank, k, cells[k]};
    }
    for (int way = 0; way < GRAPH_WAYS; way++)
        for (int kind = 0; kind < KINDS; kind++) keep(m, kind, (GraphWay)way, part.fragments, number);
    memory_free(cells), memory_free(number);
}

Graph graph_create(const GraphProblem *problem) {
    Maker m = {.problem = problem};
    for (int rank = problem->first_rank; rank < problem->end_rank; rank++) add_rank(&m, rank);
    for (int way = 0; way < GRAPH_WAYS; way++) {
        m.graph.awaited[way].first[m.graph.fragments] = m.messages[AWAITED][way];
        m.graph.given[way].first[m.graph.fragments] = m.messages[GIVEN][way];
        for (int kind = 0; kind < KINDS; kind++) memory_free(m.list[kind][way].passed);
    }
    return m.graph;
}

void graph_release(Graph *g) {
    for (int way = 0; way < GRAPH_WAYS; way++) {
        memory_free(g->awaited[way].message), memory_free(g->awaited[way].first);
        memory_free(g->given[way].message), memory_free(g->given[way].first);
    }
    memory_free(g->fragment);
    *g = (Graph){0};
}
