/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of fragments of a sweep, over seas with random coasts and cuts: each cell is in one fragment; whatever a cell
 * reads from another rank has arrived before its fragment's turn; what one rank gives, the other awaits, and no more than
 * that. Forward and back, in bundles and in stretches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/cluster/graph.h"
#include <math.h>

enum { NX = 64, NY = 45, STRIPS = 3, MOST_RANKS = 12, CELLS = NX * NY };

typedef struct Sea {
    double cells[CELLS]; /* 0: land */
    int first[STRIPS + 1], x[MOST_RANKS + STRIPS], y[STRIPS + 1];
    Cuts cuts;
} Sea;

static unsigned int seed = 1;
static int draw(int below) {
    seed = seed * 1103515245u + 12345u;
    return (int)(seed >> 16) % below;
}

static double cells_of(const void *context, int i, int j) {
    const Sea *sea = context;
    assert_true(i >= 0 && i < NX && j >= 0 && j < NY);
    return sea->cells[j * NX + i];
}

/* Ranks in strips with cuts of their own, and islands that may cut off whole fragments. */
static void sea_draw(Sea *sea) {
    int ranks = 0;
    for (int q = 0; q < STRIPS; q++) {
        const int in_strip = 1 + draw(4);
        int *x = sea->x + ranks + q;
        sea->y[q] = q * NY / STRIPS;
        sea->first[q] = ranks;
        for (int p = 0; p <= in_strip; p++) x[p] = p * NX / in_strip / 8 * 8;
        if (in_strip > 1 && draw(2)) x[1] += 8;
        ranks += in_strip;
    }
    sea->y[STRIPS] = NY, sea->first[STRIPS] = ranks;
    sea->cuts = (Cuts){.ranks_x = 4, .ranks_y = STRIPS, .first = sea->first, .x = sea->x, .y = sea->y};
    for (int n = 0; n < CELLS; n++) sea->cells[n] = 1 + draw(5);
    for (int islands = draw(5); islands > 0; islands--) {
        const int i0 = draw(NX), j0 = draw(NY), i1 = i0 + draw(NX), j1 = j0 + draw(20);
        for (int j = j0; j < j1 && j < NY; j++)
            for (int i = i0; i < i1 && i < NX; i++) sea->cells[j * NX + i] = 0;
    }
}

static int rank_at(const Cuts *cuts, int i, int j) {
    int q = 0, p = 0;
    while (cuts->y[q + 1] <= j) q++;
    while (cuts_of_strip(cuts, q)[p + 1] <= i) p++;
    return cuts->first[q] + p;
}

/* What has arrived where. */
typedef struct Walk {
    const Sea *sea;
    const GraphProblem *problem;
    const Graph *graph;
    GraphWay way;
    bool done[CELLS], *arrived; /* of each rank, the cells of others */
    int messages;
} Walk;

/* The giver has done its fragment, and gives just this. */
static void check_given(const Walk *w, const GraphMessage *m, int taker, int k) {
    const Graph *g = w->graph;
    const GraphMessages *given = &g->given[w->way];
    int found = 0;
    for (int n = 0; n < g->fragments; n++) {
        if (g->fragment[n].rank != m->rank || g->fragment[n].k != m->k) continue;
        for (int at = given->first[n]; at < given->first[n + 1]; at++) {
            const GraphMessage *other = &given->message[at];
            found += other->rank == taker && other->k == k && other->from == m->from &&
                     other->until == m->until && other->along_x == m->along_x;
        }
    }
    assert_int_equal(found, 1);
}

static void take(Walk *w, const GraphMessage *m, int taker, int k) {
    const GraphPart part = graph_part(w->problem, taker);
    const bool forward = w->way == GRAPH_FORWARD;
    int dry_ends = 0;
    check_given(w, m, taker, k);
    for (int n = m->from; n < m->until; n++) {
        const int i = !m->along_x ? n : forward ? part.first[0] - 1 : part.first[0] + part.n1;
        const int j = m->along_x ? n : forward ? part.first[1] - 1 : part.first[1] + part.n2;
        const int own = m->along_x ? j * NX + (forward ? i + 1 : i - 1) : (forward ? j + 1 : j - 1) * NX + i;
        const bool water = w->sea->cells[j * NX + i] > 0 && w->sea->cells[own] > 0;
        assert_int_equal(rank_at(&w->sea->cuts, i, j), m->rank);
        assert_true(w->done[j * NX + i] || !(w->sea->cells[j * NX + i] > 0));
        dry_ends += (n == m->from || n == m->until - 1) && !water;
        w->arrived[taker * CELLS + j * NX + i] = true;
    }
    assert_int_equal(dry_ends, 0);
    w->messages++;
}

static void work(Walk *w, const Fragment *f) {
    const GraphPart part = graph_part(w->problem, f->rank);
    const FragmentPlace place = fragment_place(&part, f->k);
    const int step = w->way == GRAPH_FORWARD ? -1 : 1;
    double cells = 0;
    for (int j = place.rows[0]; j < place.rows[1]; j++)
        for (int i = 0; i < part.n1; i++) {
            const int x = part.first[0] + i, y = part.first[1] + j;
            const int beside[2][2] = {{x + step, y}, {x, y + step}};
            if (i + j < place.lines[0] || i + j >= place.lines[1]) continue;
            assert_int_equal(fragment_at(&part, i, j), f->k);
            assert_false(w->done[y * NX + x]);
            cells += w->sea->cells[y * NX + x];
            for (int n = 0; n < 2 && w->sea->cells[y * NX + x] > 0; n++) {
                const int a = beside[n][0], b = beside[n][1];
                if (a < 0 || a >= NX || b < 0 || b >= NY || !(w->sea->cells[b * NX + a] > 0)) continue;
                if (rank_at(&w->sea->cuts, a, b) != f->rank)
                    assert_true(w->arrived[f->rank * CELLS + b * NX + a]);
                else if (fragment_at(&part, a - part.first[0], b - part.first[1]) != f->k)
                    assert_true(w->done[b * NX + a]);
            }
        }
    for (int j = place.rows[0]; j < place.rows[1]; j++)
        for (int i = 0; i < part.n1; i++)
            if (i + j >= place.lines[0] && i + j < place.lines[1])
                w->done[(part.first[1] + j) * NX + part.first[0] + i] = true;
    assert_true(cells > 0 && fabs(cells - f->cells) < 1e-9);
}

static void walk_through(const Sea *sea, const GraphProblem *problem, const Graph *g, GraphWay way) {
    Walk w = {.sea = sea, .problem = problem, .graph = g, .way = way};
    const GraphMessages *awaited = &g->awaited[way];
    w.arrived = ALLOCATE(MOST_RANKS * CELLS, bool);
    for (int turn = 0; turn < g->fragments; turn++) {
        const int n = way == GRAPH_FORWARD ? turn : g->fragments - 1 - turn;
        for (int at = awaited->first[n]; at < awaited->first[n + 1]; at++)
            take(&w, &awaited->message[at], g->fragment[n].rank, g->fragment[n].k);
        work(&w, &g->fragment[n]);
    }
    for (int n = 0; n < CELLS; n++) assert_true(w.done[n] || !(sea->cells[n] > 0));
    assert_int_equal(w.messages, g->given[way].first[g->fragments]);
    memory_free(w.arrived);
}

static GraphProblem problem_of(const Sea *sea, int messages, bool stretches) {
    return (GraphProblem){.cuts = &sea->cuts,
                          .finer = 1,
                          .messages = messages,
                          .stretches = stretches && messages > 1 ? messages + 1 : 1,
                          .cells = cells_of,
                          .context = sea,
                          .end_rank = cuts_ranks(&sea->cuts),
                          .giving = true};
}

static void whatever_is_read_has_arrived(void **state) {
    static const int messages[] = {1, 2, 5, 40};
    (void)state;
    int64_t dry = 0;
    for (int turn = 0; turn < 60; turn++) {
        Sea sea;
        sea_draw(&sea);
        const GraphProblem problem = problem_of(&sea, messages[turn % 4], turn / 4 % 2);
        Graph g = graph_create(&problem);
        walk_through(&sea, &problem, &g, GRAPH_FORWARD);
        walk_through(&sea, &problem, &g, GRAPH_BACKWARD);
        dry += g.dry;
        graph_release(&g);
    }
    assert_true(dry > 0);
}

/* The part of one rank, as sweeps make it, is that of the whole graph. */
static void each_rank_finds_its_own_part(void **state) {
    (void)state;
    Sea sea;
    sea_draw(&sea);
    GraphProblem problem = problem_of(&sea, 5, true);
    Graph all = graph_create(&problem);
    int n = 0;
    for (int rank = 0; rank < cuts_ranks(&sea.cuts); rank++) {
        problem.first_rank = rank, problem.end_rank = rank + 1;
        Graph own = graph_create(&problem);
        for (int m = 0; m < own.fragments; m++, n++) {
            assert_int_equal(own.fragment[m].rank, all.fragment[n].rank);
            assert_int_equal(own.fragment[m].k, all.fragment[n].k);
            for (int way = 0; way < GRAPH_WAYS; way++)
                assert_int_equal(own.awaited[way].first[m + 1] - own.awaited[way].first[m],
                                 all.awaited[way].first[n + 1] - all.awaited[way].first[n]);
        }
        graph_release(&own);
    }
    assert_int_equal(n, all.fragments);
    graph_release(&all);
}

/* Columns that stand for several have as much to sweep, and borders of patches are passed by nobody. */
static void columns_may_stand_for_several(void **state) {
    (void)state;
    for (int stretches = 0; stretches < 2; stretches++) {
        Sea sea;
        sea_draw(&sea);
        GraphProblem problem = problem_of(&sea, 7, stretches);
        double whole = 0, found = 0;
        problem.finer = 3;
        for (int n = 0; n < CELLS; n++) whole += sea.cells[n];
        Graph g = graph_create(&problem);
        for (int n = 0; n < g.fragments; n++) found += g.fragment[n].cells;
        assert_true(fabs(found - whole) < 1e-9 * whole);
        graph_release(&g);
        problem.finer = 1, problem.patch = 1, problem.in_patches = true;
        g = graph_create(&problem);
        assert_int_equal(g.awaited[GRAPH_FORWARD].first[g.fragments], 0);
        graph_release(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_read_has_arrived),
        cmocka_unit_test(each_rank_finds_its_own_part),
        cmocka_unit_test(columns_may_stand_for_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
