/* SPDX-License-Identifier: Apache-2.0
 *
 * MATM on one layer of a sea with ragged coasts, at long steps, whose operator hardly exceeds its couplings:
 * pivots stay sound at coasts, many grids are taken where one would be slow, the choice follows from the
 * operator alone, and a solve that was begun badly is finished well.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numerics/matm/matm.h"
#include "tests/support/solve.h"
#include "tests/support/systems.h"

static const Exec exec = {.device = DEVICE_CPU};

/* Bays of 20 cells, and single cells of land and water along their coasts. */
static int bays(int i, int j) {
    const double land = sin(0.31 * i) * cos(0.27 * j) + 0.5 * (test_number(2, i, j, 0) - 0.5);
    return land < 0.45;
}

/* Channels one cell wide: few cells have four neighbours. */
static int channels(int i, int j) {
    return i % 5 == 0 || j % 5 == 0;
}

static TestSystem *sea(int (*levels)(int i, int j), double excess) {
    const SystemShape shape = {
        .nx = 90, .ny = 70, .nz = 1, .levels = levels, .flat = true, .excess = excess, .seed = 4};
    return test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
}

static Matm *solver(const TestSystem *t, MatmOptions options) {
    Matm *matm = NULL;
    options.flat = true;
    assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    return matm;
}

static int iterations_of(const TestSystem *t, MatmOptions options) {
    Matm *matm = solver(t, options);
    const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-10, 2000);
    assert_int_equal(report.end, SOLVE_REACHED);
    matm_destroy(&matm);
    return report.iterations;
}

/* Pivots that keep other row sums than those of A come close to 0 here, and with them hundreds of iterations. */
static void test_pivots(void **unused) {
    (void)unused;
    static const double excess[] = {1, 1e-2, 1e-4};
    static const int most[] = {14, 60, 200};
    for (int n = 0; n < 3; n++) {
        TestSystem *t = sea(bays, excess[n]);
        const int found =
            iterations_of(t, (MatmOptions){.diagonal = MATM_D_PIVOTS, .precision = MATM_PRECISION_DOUBLE});
        if (found > most[n]) fail_msg("excess %g: %d iterations, more than %d", excess[n], found, most[n]);
        test_system_destroy(&t);
    }
}

static void test_any_step(void **unused) {
    (void)unused;
    for (int precision = MATM_PRECISION_AUTO; precision <= MATM_PRECISION_SINGLE; precision++)
        for (double excess = 10; excess > 1e-4; excess /= 3) {
            TestSystem *t = sea(bays, excess);
            const int found = iterations_of(t, (MatmOptions){.precision = (MatmPrecision)precision});
            if (found > 35) fail_msg("excess %g, precision %d: %d iterations", excess, precision, found);
            test_system_destroy(&t);
        }
}

/* What was solved before does not matter: a run that goes on from a restart has not seen it. */
static void test_no_memory(void **unused) {
    (void)unused;
    TestSystem *now = sea(bays, 0.3), *before = sea(bays, 1e-4);
    for (int turn = 0; turn < 2; turn++) {
        Matm *fresh = solver(now, (MatmOptions){0}), *used = solver(before, (MatmOptions){0});
        double *x = test_field_create(now), *y = test_field_create(now);
        (void)test_solve(used, before->rhs, x, 1e-10, 2000);
        assert_int_equal(matm_setup(used, &now->stencil), STATUS_OK);
        test_field_destroy(now, &x);
        x = test_field_create(now);
        const SolveReport one = test_solve(fresh, now->rhs, y, 1e-10, 2000);
        const SolveReport two = test_solve(used, now->rhs, x, 1e-10, 2000);
        assert_int_equal(one.iterations, two.iterations);
        assert_true(test_difference(now, x, y) == 0);
        test_field_destroy(now, &x);
        test_field_destroy(now, &y);
        matm_destroy(&fresh);
        matm_destroy(&used);
        TestSystem *other = now;
        now = before;
        before = other;
    }
    test_system_destroy(&now);
    test_system_destroy(&before);
}

/* No cell is counted as stiff, and pivots are slow: many grids take over. */
static void test_finished_well(void **unused) {
    (void)unused;
    TestSystem *t = sea(channels, 1e-6);
    const int pivots =
        iterations_of(t, (MatmOptions){.diagonal = MATM_D_PIVOTS, .precision = MATM_PRECISION_DOUBLE});
    test_system_destroy(&t);
    for (int precision = MATM_PRECISION_DOUBLE; precision <= MATM_PRECISION_SINGLE; precision++) {
        t = sea(channels, 1e-6);
        const int found = iterations_of(t, (MatmOptions){.precision = (MatmPrecision)precision});
        if (!(pivots > 64 && found > 64 && found < 64 + 35))
            fail_msg("%d iterations with pivots, %d with the choice", pivots, found);
        test_system_destroy(&t);
    }
}

static bool goes_on(void *context, double residual) {
    double *told = context;
    told[0]++;
    told[1] = residual;
    return told[2] > 0;
}

/* Who watches may end a solve after its first part, in both precisions; who does not, gets the same bits. */
static void test_watched(void **unused) {
    (void)unused;
    for (int precision = MATM_PRECISION_DOUBLE; precision <= MATM_PRECISION_SINGLE; precision++) {
        TestSystem *t = sea(bays, 0.1);
        Matm *matm = solver(t, (MatmOptions){.precision = (MatmPrecision)precision});
        double told[3] = {0}, *x = test_field_create(t);
        const MatmWatch watch = {goes_on, told};
        SolveReport part, all;
        assert_int_equal(matm_solve_watched(matm, t->rhs, x, 1e-10, 2000, &watch, &part), STATUS_OK);
        assert_int_equal(part.end, SOLVE_ABANDONED);
        assert_true(told[0] == 1 && part.residual > 1e-8 && part.residual < 1e-4 && told[1] > 0);
        told[2] = 1;
        test_field_destroy(t, &x);
        x = test_field_create(t);
        assert_int_equal(matm_solve_watched(matm, t->rhs, x, 1e-10, 2000, &watch, &all), STATUS_OK);
        assert_int_equal(all.end, SOLVE_REACHED);
        assert_true(told[0] >= 2 && 3 * part.iterations < 2 * all.iterations && all.iterations <= 35);
        test_field_destroy(t, &x);
        matm_destroy(&matm);
        test_system_destroy(&t);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pivots),    cmocka_unit_test(test_any_step),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_finished_well),
        cmocka_unit_test(test_watched),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
