/* SPDX-License-Identifier: Apache-2.0
 *
 * MATM on several ranks: the bits of the iterates are those of one rank, for every D and step and every way
 * to cut the grid; ranks that sweep alone come to the same solution.
 *
 * ctest: ranks 1 4, ctest: further ranks 2 3 6
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/matm/coarse_grid.h"
#include "numerics/matm/matm.h"
#include "tests/support/ranks.h"
#include "tests/support/solve.h"
#include "tests/support/systems.h"
#include "tests/support/thorough.h"

static Exec exec = {.device = DEVICE_CPU};
static MPI_Comm comm; /* of all; no argument of a kernel may hold what is static */
static int ranks;

enum { NX = 61, NY = 29, NZ = 3 };

static int sea(int i, int j) {
    if (i > 30 && i < 40 && j > 12 && j < 26) return 0;
    if (i < 5 && j < 14) return 0;
    return (int)(6 * test_number(9, i / 3, j / 2, 0)) % (NZ + 1);
}

static int basin(int i, int j) {
    (void)i, (void)j;
    return NZ;
}

static int cells_of(const SystemShape *shape) {
    return shape->nx * shape->ny * shape->nz;
}

/* x after some iterations, on the whole grid: the same on all ranks. */
static double *whole(const TestSystem *t) {
    const Grid *g = t->grid;
    double *all = ALLOCATE(cells_of(&t->shape), double);
    for (int k = 0; k < (t->shape.flat ? 1 : t->shape.nz); k++)
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++)
                all[(k * g->ny + g->j_first + j) * g->nx + g->i_first + i] = t->x[AT(*g, i, j, k)];
    int size;
    MPI_Comm_size(g->comm, &size);
    if (size > 1) MPI_Allreduce(MPI_IN_PLACE, all, cells_of(&t->shape), MPI_DOUBLE, MPI_SUM, g->comm);
    return all;
}

/* In a corner of the sea only, so that some ranks begin with zeros and others do not. */
static void begin_in_a_corner(TestSystem *t) {
    const Grid *g = t->grid;
    const RunList runs = t->shape.flat ? g->columns : g->cells;
    for (int n = 0; n < runs.count; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++)
            if (g->i_first + i < 10 && g->j_first + runs.run[n].j < 10)
                t->x[AT(*g, i, runs.run[n].j, runs.run[n].k)] = 0.1;
}

static double *iterate(MPI_Comm of, const SystemShape *shape, const MatmOptions *options, int ranks_x,
                       int ranks_y, double tolerance, int iterations, SolveReport *report) {
    TestSystem *t = test_system_create(of, shape, ranks_x, ranks_y);
    t->grid->exec = exec;
    Matm *matm = NULL;
    begin_in_a_corner(t);
    assert_int_equal(matm_create(t->grid, exec, options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    *report = test_solve(matm, t->rhs, t->x, tolerance, iterations);
    /* again from there, with the w that the first solve found */
    if (iterations < 100) *report = test_solve(matm, t->rhs, t->x, tolerance, iterations);
    exec_wait(exec);
    double *x = whole(t);
    matm_destroy(&matm);
    test_system_destroy(&t);
    return x;
}

static double largest_difference(const SystemShape *shape, const double *a, const double *b) {
    double most = 0;
    for (int n = 0; n < cells_of(shape); n++) {
        const double off = fabs(a[n] - b[n]);
        if (!(off <= most)) most = off;
    }
    return most;
}

/* Whether this shape's turn has come: for a merge one of `shapes`, among the long tests all of them. */
static bool has_its_turn(int shapes) {
    static int turn;
    return thorough() || turn++ % shapes == 0;
}

/* The ranks compute on `exec`, one rank alone on the processor. */
static void same_bits(const SystemShape *shape, const MatmOptions *options) {
    const Exec given = exec;
    SolveReport alone, together;
    exec = (Exec){.device = DEVICE_CPU};
    SystemShape whole = *shape;
    whole.strips = NULL;
    double *expected = iterate(MPI_COMM_SELF, &whole, options, 1, 1, 1e-30, 2, &alone);
    exec = given;
    for (int ranks_x = shape->strips ? ranks : 1; ranks_x <= ranks; ranks_x++) {
        if (ranks % ranks_x || (!shape->strips && !has_its_turn(2))) continue;
        const int ranks_y = shape->strips ? shape->n_strips : ranks / ranks_x;
        double *x = shape->strips ? iterate(comm, shape, options, 0, 0, 1e-30, 2, &together)
                                  : iterate(comm, shape, options, ranks_x, ranks_y, 1e-30, 2, &together);
        const double off = largest_difference(shape, x, expected);
        if (off != 0 || alone.residual != together.residual)
            fail_msg("step %d, D %d, %d x %d ranks%s: off by %.1e, residual %a and %a", options->step,
                     options->diagonal, ranks_x, ranks_y, shape->cuts == CUTS_STRIPS ? " in strips" : "", off,
                     alone.residual, together.residual);
        memory_free(x);
    }
    memory_free(expected);
}

/* Ranks of very different speed, so that the cuts of one strip lie far from those of the next. */
static void same_bits_in_strips(SystemShape shape, const MatmOptions *options) {
    static const double speed[8] = {1, 4, 2, 0.7, 3, 1, 0.6, 5};
    shape.cuts = CUTS_STRIPS;
    shape.speed = speed;
    if (ranks > 3) same_bits(&shape, options);
    const int strips[2][4] = {{0, 1, ranks},
                              {0, ranks - 1, ranks}}; /* a device of one rank, and one of the others */
    for (int n = 0; n < 2 && ranks > 2; n++) {
        shape.strips = strips[n], shape.n_strips = 2;
        if (has_its_turn(3)) same_bits(&shape, options);
    }
}

static SystemShape shape_of(bool flat, bool two_ways, bool periodic) {
    return (SystemShape){.nx = NX,
                         .ny = NY,
                         .nz = NZ,
                         .levels = periodic ? basin : sea,
                         .flat = flat,
                         .two_ways = two_ways,
                         .flow = 1,
                         .vertical = 3,
                         .excess = 0.05,
                         .seed = 4,
                         .periodic_x = periodic};
}

static void test_same_bits(void **unused) {
    (void)unused;
    for (int flat = 0; flat < 2; flat++)
        for (int two_ways = 0; two_ways < 2; two_ways++)
            for (int step = MATM_STEP_PAPER; step <= MATM_STEP_IN_PLACE; step++)
                for (int d = MATM_D_DIAGONAL; d <= MATM_D_LINES; d++) {
                    /* those that choose differently */
                    if (d == MATM_D_PIVOTS && (step != MATM_STEP_CONJUGATE || two_ways)) continue;
                    if (d == MATM_D_LINES && (flat || step == MATM_STEP_PAPER)) continue;
                    const SystemShape shape = shape_of(flat, two_ways, false);
                    MatmOptions options = {.flat = flat,
                                           .step = (MatmStep)step,
                                           .diagonal = (MatmDiagonal)d,
                                           .precision = MATM_PRECISION_DOUBLE};
                    same_bits(&shape, &options);
                    same_bits_in_strips(shape, &options);
                    options.precision = MATM_PRECISION_SINGLE;
                    same_bits(&shape, &options);
                }
}

/* In patches whose borders are cuts, or not. */
static void test_same_bits_in_patches(void **unused) {
    (void)unused;
    for (int flat = 0; flat < 2; flat++)
        for (int d = MATM_D_DIAGONAL; d <= MATM_D_LINES; d++)
            for (int two_ways = 0; two_ways < 2; two_ways++) {
                if ((d == MATM_D_LINES && flat) || (d == MATM_D_PIVOTS && two_ways)) continue;
                SystemShape shape = shape_of(flat, two_ways, d == MATM_D_LINES);
                shape.patch = d == MATM_D_DIAGONAL ? 8 : d == MATM_D_PIVOTS ? 16 : 24;
                MatmOptions options = {.flat = flat,
                                       .step = two_ways ? MATM_STEP_BICGSTAB : MATM_STEP_CONJUGATE,
                                       .diagonal = (MatmDiagonal)d,
                                       .precision = flat ? MATM_PRECISION_SINGLE : MATM_PRECISION_DOUBLE};
                same_bits(&shape, &options);
                same_bits_in_strips(shape, &options);
            }
}

static void test_same_bits_with_correction(void **unused) {
    (void)unused;
    const SystemShape shape = shape_of(false, false, false);
    same_bits(&shape, &(MatmOptions){.correction = MATM_CORRECTION_COLUMNS});
}

static void test_same_bits_in_mixed_precision(void **unused) {
    (void)unused;
    for (int patch = 0; patch <= 8; patch += 8)
        for (int c = MATM_CORRECTION_NONE; c <= MATM_CORRECTION_COLUMNS; c++) {
            SystemShape shape = shape_of(false, false, patch > 0);
            const MatmOptions options = {
                .diagonal = MATM_D_LINES, .precision = MATM_PRECISION_MIXED, .correction = (MatmCorrection)c};
            shape.patch = patch;
            same_bits(&shape, &options);
            same_bits_in_strips(shape, &options);
        }
}

static void test_same_bits_with_many_grids(void **unused) {
    (void)unused;
    for (int flat = 0; flat < 2; flat++)
        for (int precision = MATM_PRECISION_DOUBLE; precision <= MATM_PRECISION_SINGLE; precision++)
            for (int d = MATM_D_DIAGONAL; d <= MATM_D_LINES; d += MATM_D_LINES - MATM_D_DIAGONAL) {
                if (flat && d == MATM_D_LINES) continue;
                SystemShape shape = shape_of(flat, false, false);
                shape.vertical = 1;
                same_bits(&shape, &(MatmOptions){.flat = flat,
                                                 .grids = MATM_GRIDS_MANY,
                                                 .diagonal = (MatmDiagonal)d,
                                                 .precision = (MatmPrecision)precision});
                same_bits_in_strips(shape, &(MatmOptions){.flat = flat,
                                                          .grids = MATM_GRIDS_MANY,
                                                          .diagonal = (MatmDiagonal)d,
                                                          .precision = (MatmPrecision)precision});
            }
}

/* So large that some ranks, but not each for itself, take over the coarse grids of the others. */
static void test_same_bits_while_ranks_rest(void **unused) {
    int fewer[2];
    (void)unused;
    if (ranks < 6) return;
    for (int periodic = 0; periodic < 2; periodic++) {
        SystemShape shape = shape_of(true, false, false);
        shape.nx = periodic ? 92 : 91;
        shape.ny = 901;
        shape.periodic_x = periodic;
        const MatmOptions options = {.flat = true, .grids = MATM_GRIDS_MANY};
        TestSystem *t = test_system_create(comm, &shape, ranks, 1);
        Grid half = coarse_grid_halved(t->grid, false);
        assert_true(coarse_grid_fewer(&half, 1, fewer));
        assert_true(fewer[0] > 1 && fewer[0] < ranks);
        coarse_grid_release(&half);
        test_system_destroy(&t);
        if (periodic)
            same_bits(&shape, &options);
        else
            same_bits_in_strips(shape, &options);
    }
}

static void test_same_bits_across_a_seam(void **unused) {
    (void)unused;
    for (int two_ways = 0; two_ways < 2; two_ways++)
        for (int step = MATM_STEP_AUTO; step <= MATM_STEP_IN_PLACE; step++) {
            const SystemShape shape = shape_of(false, two_ways, true);
            same_bits(&shape, &(MatmOptions){.step = (MatmStep)step});
            same_bits_in_strips(shape, &(MatmOptions){.step = (MatmStep)step});
        }
}

/* Every rank an emulated device: sweeps in pieces of launches, edges through messages. */
static void test_same_bits_on_devices(void **unused) {
    (void)unused;
    static const struct {
        bool flat, two_ways, periodic;
        MatmOptions options;
    } cases[] = {
        {false, false, false, {.step = MATM_STEP_CONJUGATE, .diagonal = MATM_D_DIAGONAL}},
        {false, false, false, {.step = MATM_STEP_CONJUGATE, .diagonal = MATM_D_LINES}},
        {true, false, false, {.flat = true}},
        {false, true, true, {.step = MATM_STEP_IN_PLACE, .diagonal = MATM_D_LINES}},
        {true, true, true, {.flat = true, .step = MATM_STEP_BICGSTAB}},
        {false, false, false, {.correction = MATM_CORRECTION_COLUMNS}},
        {false, false, false, {.grids = MATM_GRIDS_MANY}},
        {false, false, false, {.step = MATM_STEP_COLUMNS}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        assert_int_equal(exec_create("emu", 0, 3 + n, &exec), STATUS_OK);
        const SystemShape shape = shape_of(cases[n].flat, cases[n].two_ways, cases[n].periodic);
        same_bits(&shape, &cases[n].options);
        same_bits_in_strips(shape, &cases[n].options);
        SystemShape in_patches = shape;
        in_patches.patch = 16;
        if (n < 2) same_bits(&in_patches, &cases[n].options);
        exec_destroy(&exec);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_same_bits_in_patches),
        cmocka_unit_test(test_same_bits_with_correction),
        cmocka_unit_test(test_same_bits_in_mixed_precision),
        cmocka_unit_test(test_same_bits_with_many_grids),
        cmocka_unit_test(test_same_bits_while_ranks_rest),
        cmocka_unit_test(test_same_bits_across_a_seam),
        cmocka_unit_test(test_same_bits_on_devices),
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &ranks);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Comm_free(&comm);
    return ranks_finish(failed);
}
