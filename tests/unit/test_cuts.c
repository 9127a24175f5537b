/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts of a grid: as good as the best of all that there are, where these can be counted; even where the water
 * is not; in proportion to speeds; and halos are weighed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/grid/cut_trials.h"
#include <math.h>
#include <stdlib.h>

enum { NX = 48, NY = 18, GRAIN = 8, THINNEST = 3 };

typedef double Weight(int i, int j, int nx, int ny);

static double even(int i, int j, int nx, int ny) {
    (void)i, (void)j, (void)nx, (void)ny;
    return 10;
}

/* A narrow sea from the south-western corner to the north-eastern one. */
static double diagonal(int i, int j, int nx, int ny) {
    return fabs((double)i / nx - (double)j / ny) < 0.15 ? 10 : 0;
}

/* Islands and depths without order, the same in every run. */
static double ragged(int i, int j, int nx, int ny) {
    (void)ny;
    const unsigned n = (unsigned)(j * nx + i) * 2654435761u >> 16;
    return n % 3 == 0 ? 0 : n % 17;
}

static double *weights(int nx, int ny, Weight *weight) {
    double *w = ALLOCATE((size_t)nx * (size_t)ny, double);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) w[j * nx + i] = weight(i, j, nx, ny);
    return w;
}

static CutProblem problem_of(int nx, int ny, const double *weight) {
    return (CutProblem){
        .nx = nx, .ny = ny, .weight = weight, .kind = CUTS_STRAIGHT, .grain = GRAIN, .thinnest = THINNEST};
}

/* t of the busiest rank, straight from its definition. */
static double busiest(const CutProblem *p, int px, int py, const int *x, const int *y) {
    double worst = 0;
    for (int b = 0; b < py; b++)
        for (int a = 0; a < px; a++) {
            double t = 0;
            for (int j = y[b]; j < y[b + 1]; j++)
                for (int i = x[a]; i < x[a + 1]; i++) t += p->weight[j * p->nx + i];
            if (p->speed) t /= p->speed[b * px + a];
            t += p->edge[0] * ((a > 0) + (a < px - 1)) * (y[b + 1] - y[b]) +
                 p->edge[1] * ((b > 0) + (b < py - 1)) * (x[a + 1] - x[a]);
            worst = fmax(worst, t);
        }
    return worst;
}

/* The least of all straight cuts, by trying them: up to three parts along x, three along y. */
static double least(const CutProblem *p, int px, int py) {
    double best = HUGE_VAL;
    for (int x1 = GRAIN; x1 < p->nx; x1 += GRAIN)
        for (int x2 = px > 2 ? x1 + GRAIN : p->nx; x2 <= p->nx - (px > 2 ? THINNEST : 0); x2 += GRAIN)
            for (int y1 = THINNEST; y1 <= p->ny - THINNEST; y1++)
                for (int y2 = py > 2 ? y1 + THINNEST : p->ny; y2 <= p->ny - (py > 2 ? THINNEST : 0); y2++) {
                    const int x[4] = {0, px > 1 ? x1 : p->nx, x2, p->nx};
                    const int y[4] = {0, py > 1 ? y1 : p->ny, y2, p->ny};
                    best = fmin(best, busiest(p, px, py, x, y));
                }
    return best;
}

static void check(const CutProblem *p, int px, int py, double most) {
    Cuts cuts;
    assert_true(cuts_find(p, px * py, px, py, &cuts));
    assert_true(cuts.ranks_x == px && cuts.ranks_y == py);
    assert_true(cuts.x[0] == 0 && cuts.x[px] == p->nx && cuts.y[0] == 0 && cuts.y[py] == p->ny);
    for (int n = 0; n < px; n++) assert_true(cuts.x[n] % GRAIN == 0 && cuts.x[n + 1] - cuts.x[n] >= THINNEST);
    for (int n = 0; n < py; n++) assert_true(cuts.y[n + 1] - cuts.y[n] >= THINNEST);
    const double found = busiest(p, px, py, cuts.x, cuts.y), best = least(p, px, py);
    assert_true(fabs(found - cuts.busiest) <= 1e-9 * found);
    assert_true(found >= best * (1 - 1e-12));
    if (found > most * best) fail_msg("%d x %d: %g, but %g is possible", px, py, found, best);
    cuts_release(&cuts);
}

/* Along one direction nothing is better, but for the precision of the search; along both at most a tenth is. */
static void cuts_are_as_good_as_the_best(void **state) {
    static const double speeds[9] = {1, 2, 0.5, 1, 1, 3, 0.25, 1, 2};
    Weight *const seas[] = {even, diagonal, ragged};
    (void)state;
    for (int sea = 0; sea < 3; sea++)
        for (int edge = 0; edge < 2; edge++)
            for (int fast = 0; fast < 2; fast++) {
                double *w = weights(NX, NY, seas[sea]);
                CutProblem p = problem_of(NX, NY, w);
                p.edge[0] = 5 * edge, p.edge[1] = 3 * edge;
                p.speed = fast ? speeds : NULL;
                check(&p, 3, 1, 1.001);
                check(&p, 1, 3, 1.001);
                check(&p, 2, 2, 1.1);
                check(&p, 3, 3, 1.1);
                memory_free(w);
            }
}

static double triangle(int i, int j, int nx, int ny) {
    return (double)i / nx > (double)j / ny ? 10 : 0;
}

/* Cuts by the sums over rows and columns alone leave the busiest of 8 x 8 ranks with 2.77 times the mean. */
static void ranks_share_a_triangle(void **state) {
    (void)state;
    enum { N = 256 };
    double *w = weights(N, N, triangle);
    CutProblem p = problem_of(N, N, w);
    Cuts cuts;
    assert_true(cuts_find(&p, 64, 8, 8, &cuts));
    assert_true(cuts_imbalance(&p, &cuts) < 1.85);
    cuts_release(&cuts);
    memory_free(w);
}

/* The least of all cuts in two strips of two ranks. */
static double least_in_strips(const CutProblem *p) {
    double best = HUGE_VAL;
    for (int y1 = THINNEST; y1 <= p->ny - THINNEST; y1++) {
        double worst = 0;
        for (int q = 0; q < 2; q++) {
            double strip = HUGE_VAL;
            for (int x1 = GRAIN; x1 <= p->nx - THINNEST; x1 += GRAIN) {
                CutProblem one = *p; /* this strip's two ranks, whatever the others' */
                const double speed[4] = {q == 0 && p->speed ? p->speed[0]
                                         : q == 0           ? 1
                                                            : 1e300,
                                         q == 0 && p->speed ? p->speed[1]
                                         : q == 0           ? 1
                                                            : 1e300,
                                         q == 1 && p->speed ? p->speed[2]
                                         : q == 1           ? 1
                                                            : 1e300,
                                         q == 1 && p->speed ? p->speed[3]
                                         : q == 1           ? 1
                                                            : 1e300};
                one.speed = speed;
                strip = fmin(strip, busiest(&one, 2, 2, (int[]){0, x1, p->nx}, (int[]){0, y1, p->ny}));
            }
            worst = fmax(worst, strip);
        }
        best = fmin(best, worst);
    }
    return best;
}

/* Without edges, which would be counted in either strip. */
static void strips_are_as_good_as_the_best(void **state) {
    static const double speeds[4] = {1, 3, 0.5, 2};
    Weight *const seas[] = {even, diagonal, ragged};
    (void)state;
    for (int sea = 0; sea < 3; sea++)
        for (int fast = 0; fast < 2; fast++) {
            double *w = weights(NX, NY, seas[sea]);
            CutProblem p = problem_of(NX, NY, w);
            Cuts cuts;
            p.kind = CUTS_STRIPS;
            p.speed = fast ? speeds : NULL;
            assert_true(cuts_find(&p, 4, 2, 2, &cuts));
            const double best = least_in_strips(&p);
            if (!(fabs(cuts.busiest - best) <= 1e-3 * best))
                fail_msg("sea %d: %g, but %g is possible", sea, cuts.busiest, best);
            cuts_release(&cuts);
            memory_free(w);
        }
}

/* Straight cuts leave the busiest with more than 1.5 times the mean. */
static void strips_share_a_triangle(void **state) {
    (void)state;
    enum { N = 256 };
    double *w = weights(N, N, triangle);
    CutProblem p = problem_of(N, N, w);
    Cuts cuts;
    p.kind = CUTS_STRIPS;
    assert_true(cuts_find(&p, 64, 8, 8, &cuts));
    assert_false(cuts.straight);
    double all = 0, own = 0, worst = 0;
    for (int q = 0; q < 8; q++) {
        const int *x = cuts_of_strip(&cuts, q);
        assert_true(x[0] == 0 && x[8] == N && cuts.y[0] == 0 && cuts.y[8] == N);
        for (int a = 0; a < 8; a++, own = 0) {
            assert_true(x[a] % GRAIN == 0 && x[a + 1] - x[a] >= THINNEST);
            for (int j = cuts.y[q]; j < cuts.y[q + 1]; j++)
                for (int i = x[a]; i < x[a + 1]; i++) own += w[j * N + i];
            worst = fmax(worst, own);
            all += own;
        }
    }
    assert_true(fabs(worst - cuts.busiest) <= 1e-9 * worst);
    assert_true(fabs(cuts_imbalance(&p, &cuts) - 64 * worst / all) < 1e-9);
    if (!(64 * worst / all < 1.3)) fail_msg("%g times the mean work", 64 * worst / all);
    cuts_release(&cuts);
    p.kind = CUTS_BEST; /* nothing speaks against strips but more neighbours */
    assert_true(cuts_find(&p, 64, 8, 8, &cuts));
    assert_false(cuts.straight);
    cuts_release(&cuts);
    int node[64];
    p.kind = CUTS_BY_SPEED; /* ranks are alike: straight on one node, the best on two */
    p.node = node;
    for (int nodes = 1; nodes <= 2; nodes++) {
        for (int n = 0; n < 64; n++) node[n] = n * nodes / 64;
        assert_true(cuts_find(&p, 64, 8, 8, &cuts));
        assert_int_equal(cuts.straight, nodes == 1);
        cuts_release(&cuts);
    }
    p.meeting[LINK_INSIDE] = 1e6;
    assert_true(cuts_find(&p, 64, 8, 8, &cuts));
    assert_true(cuts.straight);
    cuts_release(&cuts);
    memory_free(w);
}

static void ranks_beside_are_found(void **state) {
    const int x[] = {0, 16, 24, 32};
    int count;
    (void)state;
    assert_true(cuts_beside(x, 3, 8, 24, &count) == 0 && count == 2);
    assert_true(cuts_beside(x, 3, 0, 16, &count) == 0 && count == 1);
    assert_true(cuts_beside(x, 3, 16, 32, &count) == 1 && count == 2);
    assert_true(cuts_beside(x, 3, 0, 32, &count) == 0 && count == 3);
}

/* A sea that leans to the north-east: cuts in strips follow it, and a sweep waits for more ranks. */
static double leaning(int i, int j, int nx, int ny) {
    (void)ny;
    return i >= j && i < j + nx / 2 ? 10 : 0;
}

static void sweeps_that_wait_speak_against_strips(void **state) {
    (void)state;
    enum { N = 256 };
    double *w = weights(N, N, leaning);
    CutProblem p = problem_of(N, N, w);
    p.kind = CUTS_BEST;
    for (int stage = 0; stage < 2; stage++) {
        Cuts cuts;
        p.stage[LINK_INSIDE] = p.stage[LINK_BETWEEN] = stage * 1e6; /* more than all the work */
        assert_true(cuts_find(&p, 64, 8, 8, &cuts));
        assert_true(cuts.straight == (stage == 1));
        cuts_release(&cuts);
    }
    memory_free(w);
}

static double work_of(const CutProblem *p, const Cuts *cuts, int rank) {
    const int a = rank % cuts->ranks_x, b = rank / cuts->ranks_x;
    double sum = 0;
    for (int j = cuts->y[b]; j < cuts->y[b + 1]; j++)
        for (int i = cuts->x[a]; i < cuts->x[a + 1]; i++) sum += p->weight[j * p->nx + i];
    return sum;
}

static void fast_ranks_get_more(void **state) {
    (void)state;
    enum { N = 240 };
    const double speeds[3] = {4, 1, 1};
    double *w = weights(N, N, even);
    CutProblem p = problem_of(N, N, w);
    Cuts cuts;
    p.speed = speeds;
    assert_true(cuts_find(&p, 3, 1, 3, &cuts));
    for (int rank = 0; rank < 3; rank++)
        assert_true(fabs(work_of(&p, &cuts, rank) / (10.0 * N * N) - speeds[rank] / 6) < 0.01);
    assert_true(cuts_imbalance(&p, &cuts) < 1.02);
    cuts_release(&cuts);
    memory_free(w);
}

/* A square sea: squares send less than strips, unless sweeps would wait. */
static void halos_and_sweeps_decide_the_shape(void **state) {
    (void)state;
    enum { N = 256 };
    double *w = weights(N, N, even);
    CutProblem p = problem_of(N, N, w);
    Cuts cuts;
    p.edge[0] = p.edge[1] = 5;
    p.swept = 0.5;
    assert_true(cuts_find(&p, 16, 0, 0, &cuts));
    assert_true(cuts.ranks_x == 1 || cuts.ranks_y == 1);
    cuts_release(&cuts);
    p.swept = p.edge[0] = p.edge[1] = 0;
    p.stage[LINK_INSIDE] = p.stage[LINK_BETWEEN] = 100; /* nothing else speaks for squares */
    assert_true(cuts_find(&p, 16, 0, 0, &cuts));
    assert_true(cuts.ranks_x == 4 && cuts.ranks_y == 4);
    cuts_release(&cuts);
    p.stage[LINK_INSIDE] = p.stage[LINK_BETWEEN] = 0;
    p.edge[0] = p.edge[1] = 5;
    assert_true(cuts_find(&p, 16, 0, 0, &cuts));
    assert_true(cuts.ranks_x == 4 && cuts.ranks_y == 4);
    cuts_release(&cuts);
    memory_free(w);
}

/* Sweeps that stay within patches wait for nobody if cuts lie on their borders. */
static void cuts_lie_on_borders_of_patches(void **state) {
    (void)state;
    enum { PATCH = 16, N = 8 * PATCH, SHAPE = 4 };
    static int gaps[] = {0, 10, 26, 32, 48, 49, /* of the second strip: */ 0, 16, 32, 48, 64, 80},
               fives[] = {0, 5, 10};
    const Cuts gapped = {.ranks_y = 2, .first = fives, .x = gaps, .y = gaps};
    int chain[2];
    double *w = weights(N, N, triangle);
    CutProblem p = problem_of(N, N, w);
    Cuts cuts;
    cuts_chains(&gapped, 0, chain);
    assert_true(chain[0] == 5 && chain[1] == 2);
    cuts_chains(&gapped, PATCH, chain);
    assert_true(chain[0] == 3 && chain[1] == 2); /* along x: 0 to 10, 26 and 32 */
    p.swept = 0.3;
    p.stage[LINK_INSIDE] = p.stage[LINK_BETWEEN] = 1000;
    for (int patch = 0; patch <= PATCH; patch += PATCH) {
        p.patch = patch;
        assert_true(cuts_find(&p, SHAPE * SHAPE, SHAPE, SHAPE, &cuts));
        cuts_chains(&cuts, PATCH, chain);
        assert_int_equal(cuts.x[SHAPE], N);
        assert_int_equal(cuts.y[SHAPE], N);
        if (patch)
            assert_true(chain[0] == 1 && chain[1] == 1);
        else
            assert_true(chain[0] > 1 || chain[1] > 1);
        cuts_release(&cuts);
    }
    memory_free(w);
}

/* Two nodes of a fast rank and seven slow ones, four of four and 32, three of eight alike. Strips of a node and device each give everybody his
 * share; so does what is chosen where nothing speaks against it, and no strip begins within a node's device. */
static void devices_have_strips_of_their_own(void **state) {
    static const int shapes[3][3] = {
        {2, 1, 7}, {4, 4, 32}, {3, 8, 0}}; /* nodes, fast and slow ranks of each */
    enum { N = 512, MOST = 144 };
    double *w = weights(N, N, even), speed[MOST];
    int node[MOST], first[MOST + 1], ranks = 0;
    (void)state;
    for (int n = 0; n < 3; n++, ranks = 0) {
        const int devices = 1 + (shapes[n][2] > 0), of_node = shapes[n][1] + shapes[n][2];
        for (int rank = 0; rank < shapes[n][0] * of_node; rank++, ranks++) {
            speed[rank] = rank % of_node < shapes[n][1] ? 1 : 0.1;
            node[rank] = rank / of_node;
        }
        CutProblem p = problem_of(N, N, w);
        Cuts cuts;
        p.kind = CUTS_BY_SPEED, p.speed = speed, p.node = node;
        CutTable t = cut_table_create(&p, false);
        for (int rank = 0; rank < ranks; rank++) t.speeds += speed[rank];
        const int strips = cuts_device_strips(&t, ranks, 1e9, first);
        assert_int_equal(strips, devices * shapes[n][0]);
        for (int q = 0; q <= strips; q++)
            assert_int_equal(first[q], q / devices * of_node + q % devices * shapes[n][1]);
        cuts_find_strips(&t, strips, first, &cuts);
        assert_true(cuts_ranks(&cuts) == ranks && cuts.ranks_y == strips);
        if (!(cuts_imbalance(&p, &cuts) < 1.1)) fail_msg("devices: %g", cuts_imbalance(&p, &cuts));
        cuts_release(&cuts);
        memory_free(t.sum);
        assert_true(cuts_find(&p, ranks, 0, 0, &cuts));
        if (!(cuts_imbalance(&p, &cuts) < 1.1)) fail_msg("chosen: %g", cuts_imbalance(&p, &cuts));
        cuts_release(&cuts);
    }
    memory_free(w);
}

static void too_many_ranks_are_noticed(void **state) {
    (void)state;
    double *w = weights(NX, NY, even);
    const CutProblem p = problem_of(NX, NY, w);
    Cuts cuts;
    assert_false(cuts_find(&p, 6 * 6 + 1, 0, 0, &cuts)); /* a prime: 37 strips */
    cuts_release(&cuts);
    assert_true(cuts_find(&p, 6 * 6, 0, 0, &cuts)); /* strips of 8 columns, and of 3 rows */
    cuts_release(&cuts);
    memory_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_as_good_as_the_best),
        cmocka_unit_test(ranks_share_a_triangle),
        cmocka_unit_test(strips_are_as_good_as_the_best),
        cmocka_unit_test(strips_share_a_triangle),
        cmocka_unit_test(ranks_beside_are_found),
        cmocka_unit_test(sweeps_that_wait_speak_against_strips),
        cmocka_unit_test(fast_ranks_get_more),
        cmocka_unit_test(halos_and_sweeps_decide_the_shape),
        cmocka_unit_test(cuts_lie_on_borders_of_patches),
        cmocka_unit_test(devices_have_strips_of_their_own),
        cmocka_unit_test(too_many_ranks_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
