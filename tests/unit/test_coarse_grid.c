/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ranks work on a coarse grid: all where they pay; fewer, and the better for it, where sweeps would wait; each for
 * itself where the grid is small. Their parts are whole groups of cells, and no two of them the same rank.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/cluster/fragments.h"
#include "numerics/matm/coarse_grid.h"

static Grid grid_of(int nx, int ny, int ranks_x, int ranks_y) {
    Grid g = {.nx = nx, .ny = ny};
    g.decomposition = (Decomposition){
        .ranks_x = ranks_x, .ranks_y = ranks_y, .straight = true, .machine = MACHINE_OF_TODAY};
    g.decomposition.first = ALLOCATE(ranks_y + 1, int);
    for (int q = 0; q <= ranks_y; q++) g.decomposition.first[q] = q * ranks_x;
    int *x = g.decomposition.cut_x = ALLOCATE((ranks_x + 1) * ranks_y, int);
    int *y = g.decomposition.cut_y = ALLOCATE(ranks_y + 1, int);
    for (int q = 0; q < ranks_y; q++)
        for (int p = 0; p <= ranks_x; p++) x[q * (ranks_x + 1) + p] = nx * p / ranks_x;
    for (int q = 0; q <= ranks_y; q++) y[q] = ny * q / ranks_y;
    return g;
}

static bool fewer(int nx, int ny, int ranks_x, int ranks_y, int shape[2]) {
    Grid g = grid_of(nx, ny, ranks_x, ranks_y);
    const bool is = coarse_grid_fewer(&g, 1, shape);
    coarse_grid_release(&g);
    return is;
}

/* Where a message takes as long as a thousand cells. */
static double cost_of(int ranks_x, int ranks_y, double cells) {
    const SweepShape shape = {
        .chain = {ranks_x, ranks_y}, .work = cells / (ranks_x * ranks_y), .message = 1000};
    return sweep_cost(&shape);
}

static void test_who_works(void **unused) {
    int shape[2];
    (void)unused;
    assert_false(fewer(40, 30, 1, 1, shape));
    assert_false(fewer(2000, 2000, 2, 2, shape)); /* a million cells for each */
    assert_true(fewer(40, 30, 2, 2, shape));      /* a thousand for all */
    assert_int_equal(shape[0] * shape[1], 1);
    assert_true(fewer(700, 550, 32, 32, shape));
    assert_true(shape[0] > 1 && shape[0] < 32 && shape[1] > 1 && shape[1] < 32);
    assert_true(1.5 * cost_of(shape[0], shape[1], 700 * 550) < cost_of(32, 32, 700 * 550));
    /* thin parts, of cells enough for some ranks */
    assert_true(fewer(46, 601, 6, 1, shape));
    assert_true(shape[0] > 1 && shape[0] < 6 && shape[1] == 1);
}

/* A sweep takes longer on one rank than on two only where it has much to do. */
static void test_costs(void **unused) {
    (void)unused;
    assert_true(cost_of(1, 1, 5e3) == 5e3);
    assert_true(cost_of(2, 1, 5e3) > 5e3);
    assert_true(cost_of(2, 1, 1e6) < 0.6e6);
    assert_true(cost_of(2, 1, 1e6) > 0.5e6);
    assert_true(cost_of(100, 100, 1e6) > 199 * 1e3); /* the fill */
}

static void test_parts(void **unused) {
    (void)unused;
    for (int py = 1; py < 7; py++)
        for (int px = 1; px < 7; px++) {
            Grid all = grid_of(113, 97, 7, 6);
            int first[7];
            Decomposition some = {.ranks_x = px, .ranks_y = py, .first = first};
            for (int q = 0; q <= py; q++) first[q] = q * px;
            int seen[42] = {0};
            for (int n = 0; n < px * py; n++) {
                const int worker = coarse_grid_worker(&all.decomposition, &some, n);
                assert_true(worker >= 0 && worker < 42);
                assert_int_equal(seen[worker]++, 0);
            }
            coarse_grid_release(&all);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_works),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
