/* SPDX-License-Identifier: Apache-2.0
 *
 * MATM on the emulated device: every kernel of every variant, in both precisions, gives the bits of the
 * processor, for random tiles, few blocks alive and every order of threads that the seeds draw. ctest: thorough
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/matm/matm.h"
#include "tests/support/solve.h"
#include "tests/support/systems.h"
#include "tests/support/thorough.h"

#ifndef TESTED_DEVICE
#define TESTED_DEVICE "emu" /* tests/gpu/test_matm.c has another */
#endif

static MPI_Comm comm;

/* ---- seas: tiles that do not divide them, one cell wide, single cells, almost all land ---- */

static int box(int i, int j) {
    (void)i, (void)j;
    return 4;
}
static int ragged(int i, int j) {
    return (int)(6 * test_number(5, i, j, 0)) % 5;
}
static int single_cells(int i, int j) {
    if (j == 3 && (i == 10 || i == 11)) return 2; /* the pair without which a grid is refused */
    return (i % 4 == 1 && j % 3 == 0) ? 1 + i % 4 : 0;
}
static int almost_land(int i, int j) {
    return i == 18 && j >= 9 && j <= 10 ? 3 : 0;
}

typedef struct Sea {
    const char *name;
    int nx, ny, nz;
    int (*levels)(int i, int j);
    bool periodic;
    int patch; /* sweeps stay in squares of so many cells; 0: no */
} Sea;

static const Sea SEAS[] = {
    {"ragged", 13, 27, 4, ragged, false},
    {"one row", 19, 1, 4, box, false},
    {"one column", 1, 19, 4, box, false},
    {"single cells", 20, 8, 4, single_cells, false},
    {"almost all land", 26, 19, 3, almost_land, false},
    {"periodic", 16, 9, 4, box, true},
};
enum { SEA_COUNT = (int)(sizeof SEAS / sizeof *SEAS) };

typedef struct Solved {
    double *x, omega;
    SolveReport first, second;
    ptrdiff_t count;
} Solved;

/* Two solves of some iterations, with an operator renewed between them. */
static Solved solve(const char *device, uint64_t seed, const SystemShape *shape, const MatmOptions *options,
                    int iterations) {
    Exec exec;
    Solved s = {0};
    assert_int_equal(exec_create(device, 0, seed, &exec), STATUS_OK);
    TestSystem *t = test_system_create(comm, shape, 0, 0);
    t->grid->exec = exec;
    Matm *matm = NULL;
    assert_int_equal(matm_create(t->grid, exec, options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    s.first = test_solve(matm, t->rhs, t->x, 1e-30, iterations);
    exec_wait(exec);
    const RunList runs = shape->flat ? t->grid->columns : t->grid->cells;
    for (int n = 0; n < runs.count; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++)
            t->centre[AT(*t->grid, i, runs.run[n].j, runs.run[n].k)] *= 1.01;
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    s.second = test_solve(matm, t->rhs, t->x, 1e-30, iterations);
    exec_wait(exec);
    s.omega = matm_omega(matm);
    const int levels = shape->flat ? 1 : t->grid->n3;
    s.x = malloc((size_t)t->grid->n1 * (size_t)t->grid->n2 * (size_t)levels * sizeof(double));
    for (int k = 0; k < levels; k++)
        for (int j = 0; j < t->grid->n2; j++)
            for (int i = 0; i < t->grid->n1; i++) s.x[s.count++] = t->x[AT(*t->grid, i, j, k)];
    matm_destroy(&matm);
    test_system_destroy(&t);
    exec_destroy(&exec);
    return s;
}

static SystemShape shape_of(const Sea *sea, bool flat, bool two_ways) {
    return (SystemShape){.nx = sea->nx,
                         .ny = sea->ny,
                         .nz = sea->nz,
                         .levels = sea->levels,
                         .flat = flat,
                         .two_ways = two_ways,
                         .flow = 1,
                         .vertical = 3,
                         .excess = 0.05,
                         .seed = 11,
                         .periodic_x = sea->periodic,
                         .patch = sea->patch};
}

static void same_bits(const Sea *sea, MatmOptions options, bool two_ways, int seeds) {
    SystemShape shape = shape_of(sea, options.flat, two_ways);
    if (options.grids == MATM_GRIDS_MANY) shape.vertical = 1;
    Solved cpu = solve("cpu", 0, &shape, &options, 2);
    for (int seed = 1; seed <= seeds; seed++) {
        Solved emu = solve(TESTED_DEVICE, (uint64_t)(100 * seeds + seed), &shape, &options, 2);
        double most = 0;
        for (ptrdiff_t n = 0; n < cpu.count; n++) most = fmax(most, fabs(cpu.x[n] - emu.x[n]));
        const bool same = memcmp(cpu.x, emu.x, (size_t)cpu.count * sizeof(double)) == 0 &&
                          cpu.omega == emu.omega && cpu.first.residual == emu.first.residual &&
                          cpu.second.residual == emu.second.residual &&
                          cpu.second.iterations == emu.second.iterations;
        if (!same)
            fail_msg(
                "%s%s, step %d, D %d, %s, precision %d, grids %d, seed %d: off by %.1e, w %.17g and %.17g, "
                "residuals %a %a and %a %a",
                sea->name, options.flat ? " (flat)" : "", options.step, options.diagonal,
                two_ways ? "both" : "self-adjoint", options.precision, options.grids, seed, most, cpu.omega,
                emu.omega, cpu.first.residual, emu.first.residual, cpu.second.residual, emu.second.residual);
        free(emu.x);
    }
    free(cpu.x);
}

/* To a tolerance, a few times from the same x: what the device is expected to need is wrong at first, then known.
 * Flat seas once, in single precision, with waves from the first cells alone. */
static int solve_again(const char *device, const SystemShape *shape, double *x, uint64_t *waits) {
    const int solves = shape->flat ? 1 : 3;
    Exec exec;
    assert_int_equal(exec_create(device, 0, 5, &exec), STATUS_OK);
    TestSystem *t = test_system_create(comm, shape, 0, 0);
    t->grid->exec = exec;
    Matm *matm = NULL;
    const MatmOptions options = {.step = MATM_STEP_CONJUGATE,
                                 .diagonal = MATM_D_DIAGONAL,
                                 .omega = 2,
                                 .flat = shape->flat,
                                 .precision = shape->flat ? MATM_PRECISION_SINGLE : MATM_PRECISION_DOUBLE};
    const Grid *g = t->grid;
    assert_int_equal(matm_create(g, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    for (int j = 0; shape->flat && j < g->n2; j++)
        for (int i = 1; i < g->n1; i++) t->rhs[AT2(*g, i, j)] = 0;
    const size_t bytes =
        (size_t)(shape->flat ? g->size2 - g->origin2 : g->size3 - g->origin3) * sizeof(double);
    int iterations = 0;
    for (int n = 0; n < solves; n++) {
        exec_wait(exec);
        memset(t->x, 0, bytes);
        const uint64_t before = exec_waits();
        iterations = test_solve(matm, t->rhs, t->x, 1e-8, 1000).iterations;
        *waits = exec_waits() - before;
    }
    exec_wait(exec);
    memcpy(x, t->x, bytes);
    matm_destroy(&matm);
    test_system_destroy(&t);
    exec_destroy(&exec);
    return iterations;
}

static void test_scalars_stay_on_the_device(void **unused) {
    (void)unused;
    enum { ROOM = 100000 };
    static double of_cpu[ROOM], of_device[ROOM];
    uint64_t waits;
    const SystemShape shape = shape_of(&SEAS[0], false, false);
    const int expected = solve_again("cpu", &shape, of_cpu, &waits);
    const int found = solve_again(TESTED_DEVICE, &shape, of_device, &waits);
    assert_int_equal(expected, found);
    assert_memory_equal(of_cpu, of_device, sizeof of_cpu);
    assert_true(expected >= 6);
    /* what it begins with, and the end; where the host has the scalars, two an iteration */
    if (waits > 5) fail_msg("%d waits for %d iterations", (int)waits, found);
}

/* Below 1e-38 they are 0 (flush.h), in the iterations that are launched after the first ones, too. */
static void test_small_numbers_on_the_device(void **unused) {
    (void)unused;
    enum { ROOM = 10000 };
    static double of_cpu[ROOM], of_device[ROOM];
    uint64_t waits;
    SystemShape shape = shape_of(&(Sea){"long", 400, 3, 1, box, false, 0}, true, false);
    shape.excess = 0.2;
    assert_true(solve_again("cpu", &shape, of_cpu, &waits) > 4);
    (void)solve_again(TESTED_DEVICE, &shape, of_device, &waits);
    assert_memory_equal(of_cpu, of_device, sizeof of_cpu);
}

/* Each sea in one precision, and in the other with the next options; for a merge they take turns in pairs. */
static void all_seas(MatmOptions options, bool two_ways, int seeds) {
    static int turn;
    const bool all = thorough() || strcmp(TESTED_DEVICE, "emu") != 0;
    for (int n = 0; n < SEA_COUNT; n++) {
        if (!all && (n + turn) / 2 % (2 * SANITIZED_TURNS)) continue;
        options.precision = (n + turn) % 2 ? MATM_PRECISION_SINGLE : MATM_PRECISION_DOUBLE;
        same_bits(&SEAS[n], options, two_ways, seeds);
    }
    turn++;
}

static void test_points(void **unused) {
    (void)unused;
    all_seas((MatmOptions){.step = MATM_STEP_PAPER}, false, 1);
    all_seas((MatmOptions){.step = MATM_STEP_PAPER}, true, 1);
    all_seas((MatmOptions){.step = MATM_STEP_CONJUGATE, .diagonal = MATM_D_DIAGONAL}, false, 1);
    all_seas((MatmOptions){.step = MATM_STEP_BICGSTAB, .diagonal = MATM_D_DIAGONAL}, true, 1);
    all_seas((MatmOptions){.step = MATM_STEP_IN_PLACE, .diagonal = MATM_D_DIAGONAL}, true, 1);
    all_seas((MatmOptions){.step = MATM_STEP_IN_PLACE, .diagonal = MATM_D_DIAGONAL}, false, 1);
}

static void test_pivots(void **unused) {
    (void)unused;
    all_seas((MatmOptions){.step = MATM_STEP_CONJUGATE, .diagonal = MATM_D_PIVOTS}, false, 1);
}

static void test_flat(void **unused) {
    (void)unused;
    all_seas((MatmOptions){.flat = true}, false, 1);
    all_seas((MatmOptions){.flat = true, .step = MATM_STEP_PAPER}, false, 1);
    all_seas((MatmOptions){.flat = true}, true, 1);
    all_seas((MatmOptions){.flat = true, .step = MATM_STEP_LEAST_RESIDUAL}, true, 1);
}

static void test_lines(void **unused) {
    (void)unused;
    all_seas((MatmOptions){.step = MATM_STEP_CONJUGATE, .diagonal = MATM_D_LINES}, false, 1);
    all_seas((MatmOptions){.step = MATM_STEP_LEAST_RESIDUAL, .diagonal = MATM_D_LINES}, true, 1);
    all_seas((MatmOptions){.step = MATM_STEP_IN_PLACE, .diagonal = MATM_D_LINES}, true, 1);
    all_seas((MatmOptions){.step = MATM_STEP_IN_PLACE, .diagonal = MATM_D_LINES}, false, 1);
}

static void test_correction(void **unused) {
    (void)unused;
    all_seas((MatmOptions){.step = MATM_STEP_CONJUGATE, .correction = MATM_CORRECTION_COLUMNS}, false, 1);
    all_seas((MatmOptions){.step = MATM_STEP_COLUMNS}, false, 1);
}

static void test_mixed_precision(void **unused) {
    (void)unused;
    for (int n = 0; n < SEA_COUNT; n++)
        same_bits(&SEAS[n],
                  (MatmOptions){.diagonal = MATM_D_LINES,
                                .precision = MATM_PRECISION_MIXED,
                                .correction = n % 2 ? MATM_CORRECTION_NONE : MATM_CORRECTION_COLUMNS},
                  false, 1);
}

static void test_many_grids(void **unused) {
    (void)unused;
    all_seas((MatmOptions){.grids = MATM_GRIDS_MANY, .diagonal = MATM_D_DIAGONAL}, false, 1);
    all_seas((MatmOptions){.grids = MATM_GRIDS_MANY, .diagonal = MATM_D_LINES}, false, 1);
    all_seas((MatmOptions){.flat = true, .grids = MATM_GRIDS_MANY}, false, 1);
}

static void test_patches(void **unused) {
    (void)unused;
    const Sea sea = {"patches", 21, 27, 4, ragged, false, 8};
    for (MatmPrecision precision = MATM_PRECISION_DOUBLE; precision <= MATM_PRECISION_SINGLE; precision++)
        same_bits(&sea, (MatmOptions){.step = MATM_STEP_CONJUGATE, .precision = precision}, false, 1);
    same_bits(&sea, (MatmOptions){.step = MATM_STEP_BICGSTAB, .diagonal = MATM_D_LINES}, true, 1);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars_stay_on_the_device),
        cmocka_unit_test(test_small_numbers_on_the_device),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_pivots),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_correction),
        cmocka_unit_test(test_mixed_precision),
        cmocka_unit_test(test_many_grids),
        cmocka_unit_test(test_patches),
    };
    MPI_Init(&argc, &argv);
    Exec exec;
    if (exec_create(TESTED_DEVICE, 0, 0, &exec) != STATUS_OK) return MPI_Finalize(), 77; /* there is none */
    exec_destroy(&exec);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* which is static data, and no argument of a kernel holds that */
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failed;
}
