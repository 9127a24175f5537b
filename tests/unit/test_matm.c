/* SPDX-License-Identifier: Apache-2.0
 *
 * MATM on small systems, against elimination: every D and step, self-adjoint and not, on seas with islands,
 * one cell wide in any direction, of single cells, and almost all land; and the theory's bound on iterations.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/float_control.h"
#include "base/memory.h"
#include "numerics/grid/traffic.h"
#include "numerics/matm/matm.h"
#include "tests/support/solve.h"
#include "tests/support/systems.h"

static Exec exec = {.device = DEVICE_CPU};

/* ---- seas ---- */

static int box(int i, int j) {
    (void)i, (void)j;
    return 4;
}
static int island(int i, int j) {
    if (i > 4 && i < 8 && j > 2 && j < 6) return 0;
    return 1 + (i + 2 * j) % 4;
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
static int channel(int i, int j) {
    (void)i;
    return j == 2 ? 3 : 0;
}

typedef struct Sea {
    const char *name;
    int nx, ny, nz;
    int (*levels)(int i, int j);
} Sea;

static const Sea SEAS[] = {
    {"box", 9, 7, 4, box},
    {"island", 13, 9, 4, island},
    {"ragged", 17, 11, 4, ragged},
    {"one row", 19, 1, 4, box},
    {"one column of cells", 1, 19, 4, box},
    {"one level", 12, 10, 1, ragged},
    {"channel", 21, 5, 3, channel},
    {"single cells", 20, 8, 4, single_cells},
    {"almost all land", 26, 19, 3, almost_land},
};
enum { SEA_COUNT = (int)(sizeof SEAS / sizeof *SEAS) };

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
                         .seed = 11};
}

static void solves(const char *name, const SystemShape *shape, const MatmOptions *options, int most) {
    TestSystem *t = test_system_create(MPI_COMM_WORLD, shape, 0, 0);
    double *expected = test_system_solution(t);
    Matm *matm = NULL;
    assert_int_equal(matm_create(t->grid, exec, options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-12, most);
    const double off = test_difference(t, t->x, expected);
    if (!report.converged || !(off < 1e-10))
        fail_msg("%s (%s): %d iterations, residual %.1e, end %d, off by %.1e", name, matm_choice(matm),
                 report.iterations, report.residual, report.end, off);
    matm_destroy(&matm);
    test_field_destroy(t, &expected);
    test_system_destroy(&t);
}

static void solves_all(MatmOptions options, bool two_ways, int most) {
    for (int n = 0; n < SEA_COUNT; n++)
        for (int flat = 0; flat < 2; flat++) {
            SystemShape shape = shape_of(&SEAS[n], flat, two_ways);
            options.flat = flat;
            solves(SEAS[n].name, &shape, &options, most);
        }
}

static void test_paper(void **unused) {
    (void)unused;
    solves_all((MatmOptions){.step = MATM_STEP_PAPER}, false, 3000);
    solves_all((MatmOptions){.step = MATM_STEP_PAPER}, true, 3000);
    solves_all((MatmOptions){.step = MATM_STEP_PAPER, .omega = 3}, false, 3000);
}

static void test_conjugate(void **unused) {
    (void)unused;
    for (int d = MATM_D_AUTO; d <= MATM_D_LINES; d++)
        solves_all((MatmOptions){.step = MATM_STEP_CONJUGATE, .diagonal = (MatmDiagonal)d}, false, 200);
    solves_all((MatmOptions){.step = MATM_STEP_CONJUGATE, .correction = MATM_CORRECTION_COLUMNS}, false, 200);
    solves_all((MatmOptions){.step = MATM_STEP_CONJUGATE, .correction = MATM_CORRECTION_NONE, .omega = 5},
               false, 200);
}

static void test_not_self_adjoint(void **unused) {
    (void)unused;
    for (int d = MATM_D_AUTO; d <= MATM_D_LINES; d++) {
        solves_all((MatmOptions){.step = MATM_STEP_BICGSTAB, .diagonal = (MatmDiagonal)d}, true, 300);
        solves_all((MatmOptions){.step = MATM_STEP_LEAST_RESIDUAL, .diagonal = (MatmDiagonal)d}, true, 2000);
        solves_all((MatmOptions){.step = MATM_STEP_IN_PLACE, .diagonal = (MatmDiagonal)d}, true, 3000);
    }
    solves_all((MatmOptions){0}, true, 3000);
}

static void test_others_on_self_adjoint(void **unused) {
    (void)unused;
    solves_all((MatmOptions){.step = MATM_STEP_BICGSTAB}, false, 300);
    solves_all((MatmOptions){.step = MATM_STEP_LEAST_RESIDUAL}, false, 2000);
    solves_all((MatmOptions){.step = MATM_STEP_IN_PLACE}, false, 3000);
}

static SolveReport report_of(const SystemShape *shape, const char *choice, bool chosen) {
    TestSystem *t = test_system_create(MPI_COMM_WORLD, shape, 0, 0);
    const MatmOptions options = {0};
    Matm *matm = NULL;
    assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    if ((strstr(matm_choice(matm), choice) != NULL) != chosen)
        fail_msg("excess %g: %s", shape->excess, matm_choice(matm));
    const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-9, 100);
    matm_destroy(&matm);
    test_system_destroy(&t);
    return report;
}

/* Solves all systems, where steps of columns do not by other steps; alone those whose columns are held firmly. */
static void test_columns_alone(void **unused) {
    (void)unused;
    solves_all((MatmOptions){.step = MATM_STEP_COLUMNS}, false, 300);
    SystemShape shape = shape_of(&SEAS[2], false, false);
    shape.vertical = 1e8, shape.excess = 1e6;
    const SolveReport firm = report_of(&shape, "columns alone (", true);
    assert_int_equal(firm.end, SOLVE_REACHED);
    assert_int_equal(firm.iterations, 2);
    shape.excess = 10;
    (void)report_of(&shape, "columns alone (", false);
}

/* Corrected are columns that are held by few couplings to their neighbours, which are 0.5 to 1.5 in the mean. */
static void test_choice_of_correction(void **unused) {
    SystemShape shape = shape_of(&SEAS[0], false, false);
    (void)unused;
    shape.vertical = 1e6, shape.excess = 0.1;
    assert_true(report_of(&shape, "correction by columns, in mixed precision", true).converged);
    shape.excess = 100;
    assert_true(report_of(&shape, "correction by columns", false).converged);
    (void)report_of(&shape, "conjugate gradients, in mixed precision", true);
}

/* To the same residual; rounding makes for a few iterations more. */
static void test_single_precision(void **unused) {
    (void)unused;
    MatmOptions options = {.precision = MATM_PRECISION_SINGLE};
    static const MatmStep steps[2][3] = {{MATM_STEP_PAPER, MATM_STEP_CONJUGATE, MATM_STEP_BICGSTAB},
                                         {MATM_STEP_LEAST_RESIDUAL, MATM_STEP_BICGSTAB, MATM_STEP_IN_PLACE}};
    for (int two_ways = 0; two_ways < 2; two_ways++)
        for (int n = 0; n < 3; n++)
            for (int d = MATM_D_AUTO; d <= MATM_D_LINES; d++) {
                options.step = steps[two_ways][n];
                options.diagonal = (MatmDiagonal)d;
                solves_all(options, two_ways, 3000);
            }
    options = (MatmOptions){.precision = MATM_PRECISION_SINGLE, .correction = MATM_CORRECTION_COLUMNS};
    solves_all(options, false, 200);
}

/* In a sea whose waves lose nine tenths from cell to cell: what would be below 1e-38 in single precision is 0 (flush.h). */
static void test_single_precision_ends(void **unused) {
    (void)unused;
    if (FLOAT_FLUSHES == 0) skip(); /* not every processor is told so */
    const Sea sea = {"long", 90, 3, 1, box};
    SystemShape shape = shape_of(&sea, true, false);
    shape.excess = 10;
    TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    const Grid *g = t->grid;
    Matm *matm = NULL;
    const MatmOptions options = {.flat = true, .precision = MATM_PRECISION_SINGLE};
    assert_int_equal(matm_create(g, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    double least = 1;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) t->rhs[AT2(*g, i, j)] = i == 0;
    (void)test_solve(matm, t->rhs, t->x, 1e-4, 20);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const double size = fabs(t->x[AT2(*g, i, j)]);
            if (size > 0) least = fmin(least, size);
        }
    if (!(least > 1e-39 && least < 1e-36)) fail_msg("the smallest number is %g", least);
    matm_destroy(&matm);
    test_system_destroy(&t);
}

static int iterations_in(const SystemShape *shape, MatmPrecision precision) {
    TestSystem *t = test_system_create(MPI_COMM_WORLD, shape, 0, 0);
    Matm *matm = NULL;
    const MatmOptions options = {
        .step = MATM_STEP_CONJUGATE, .diagonal = MATM_D_LINES, .precision = precision, .omega = 2};
    assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    assert_true((strstr(matm_choice(matm), "mixed") != NULL) == (precision == MATM_PRECISION_MIXED));
    const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-9, 500);
    assert_int_equal(report.end, SOLVE_REACHED);
    matm_destroy(&matm);
    test_system_destroy(&t);
    return report.iterations;
}

/* Iterations of double precision, though single precision hardly tells that columns are held. */
static void test_mixed_precision(void **unused) {
    (void)unused;
    MatmOptions options = {.precision = MATM_PRECISION_MIXED, .diagonal = MATM_D_LINES};
    for (options.correction = MATM_CORRECTION_AUTO; options.correction <= MATM_CORRECTION_COLUMNS;
         options.correction++)
        solves_all(options, false, 200);
    SystemShape shape = shape_of(&SEAS[0], false, false);
    shape.excess = 1e-4;
    for (shape.vertical = 10; shape.vertical < 1e5; shape.vertical *= 10) {
        const int doubles = iterations_in(&shape, MATM_PRECISION_DOUBLE);
        const int mixed = iterations_in(&shape, MATM_PRECISION_MIXED);
        const int single = iterations_in(&shape, MATM_PRECISION_SINGLE);
        if (abs(mixed - doubles) > 1 || mixed >= single)
            fail_msg("vertical couplings of %g: %d iterations in double precision, %d in mixed, %d in single",
                     shape.vertical, doubles, mixed, single);
    }
}

static void scale_operator(TestSystem *t, double factor) {
    double *all[] = {t->centre, t->side[0], t->side[1], t->side[2]};
    const Grid *g = t->grid;
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < g->n3; k++)
            for (int j = 0; j <= g->n2; j++)
                for (int i = 0; i <= g->n1; i++) all[n][AT(*g, i, j, k)] *= factor;
}

static int iterations_of_scaled(const SystemShape *shape, const MatmOptions *options, double factor) {
    TestSystem *t = test_system_create(MPI_COMM_WORLD, shape, 0, 0);
    Matm *matm = NULL;
    scale_operator(t, factor);
    assert_int_equal(matm_create(t->grid, exec, options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    const int iterations = test_solve(matm, t->rhs, t->x, 1e-9, 500).iterations;
    matm_destroy(&matm);
    test_system_destroy(&t);
    return iterations;
}

/* Operators whose numbers single precision does not have are solved in double precision, whatever is asked for. */
static void test_numbers_beyond_single_precision(void **unused) {
    static const double factors[] = {1e-40, 1e-20, 1e20, 1e40};
    static const MatmPrecision asked[] = {MATM_PRECISION_AUTO, MATM_PRECISION_SINGLE, MATM_PRECISION_MIXED};
    MatmOptions options = {.step = MATM_STEP_CONJUGATE, .diagonal = MATM_D_LINES};
    SystemShape shape = shape_of(&SEAS[0], false, false);
    (void)unused;
    shape.nx = shape.ny = 20;
    shape.excess = 1e-4, shape.vertical = 1000;
    for (int n = 0; n < 8; n++) {
        const double factor = factors[n / 2];
        options.correction = n % 2 ? MATM_CORRECTION_COLUMNS : MATM_CORRECTION_NONE;
        options.precision = MATM_PRECISION_DOUBLE;
        const int doubles = iterations_of_scaled(&shape, &options, factor);
        for (int p = 0; p < 3; p++) {
            options.precision = asked[p];
            const int iterations = iterations_of_scaled(&shape, &options, factor);
            if (iterations != doubles)
                fail_msg("couplings times %g, precision %d: %d iterations, in double precision %d", factor,
                         (int)asked[p], iterations, doubles);
        }
    }
}

/* Asked at once for about as much as single precision has, a solve in place ends that part where its residual no
 * longer falls, and goes on from what is left. */
static void test_in_place_at_once(void **unused) {
    (void)unused;
    SystemShape shape = shape_of(&SEAS[0], false, true);
    shape.excess = 1e-3;
    for (shape.vertical = 10; shape.vertical < 1e6; shape.vertical *= 10) {
        TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
        Matm *matm = NULL;
        const MatmOptions options = {
            .step = MATM_STEP_IN_PLACE, .diagonal = MATM_D_LINES, .precision = MATM_PRECISION_SINGLE};
        assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
        assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
        const SolveReport report = test_solve(matm, t->rhs, t->x, 6e-7, 300);
        if (!report.converged || report.iterations > 50)
            fail_msg("vertical couplings of %g: %d iterations, residual %.1e", shape.vertical,
                     report.iterations, report.residual);
        matm_destroy(&matm);
        test_system_destroy(&t);
    }
}

/* Couplings of 1 and a centre that exceeds them by less than single precision can tell: it gives way to
 * double. */
static void test_single_precision_gives_way(void **unused) {
    (void)unused;
    SystemShape shape = shape_of(&SEAS[0], false, false);
    shape.even = true;
    shape.excess = 1e-9;
    shape.vertical = 1;
    TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    double *expected = test_system_solution(t);
    Matm *matm = NULL;
    const MatmOptions options = {.precision = MATM_PRECISION_SINGLE};
    assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-6, 500);
    if (report.end != SOLVE_REACHED || !(test_difference(t, t->x, expected) < 1e-4))
        fail_msg("residual %.1e after %d iterations, off by %.1e", report.residual, report.iterations,
                 test_difference(t, t->x, expected));
    matm_destroy(&matm);
    test_field_destroy(t, &expected);
    test_system_destroy(&t);
}

static void test_many_grids(void **unused) {
    (void)unused;
    for (int precision = MATM_PRECISION_DOUBLE; precision <= MATM_PRECISION_SINGLE; precision++)
        for (int lines = 0; lines < 2; lines++) {
            const MatmOptions options = {.grids = MATM_GRIDS_MANY,
                                         .diagonal = lines ? MATM_D_LINES : MATM_D_DIAGONAL,
                                         .precision = (MatmPrecision)precision};
            solves_all(options, false, 100);
        }
    const Sea sea = {"periodic", 16, 9, 4, island};
    SystemShape shape = shape_of(&sea, false, false);
    shape.periodic_x = true;
    solves(sea.name, &shape, &(MatmOptions){.grids = MATM_GRIDS_MANY}, 100);
}

/* Twice as many cells each way: one grid needs more iterations, many grids hardly. */
static void test_many_grids_do_not_mind_size(void **unused) {
    (void)unused;
    int iterations[3];
    for (int n = 0; n < 3; n++) {
        const int size = 16 << n;
        const SystemShape shape = {
            .nx = size, .ny = size, .nz = 4, .levels = box, .even = true, .seed = 3, .excess = 1e-4};
        TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
        Matm *matm = NULL;
        assert_int_equal(matm_create(t->grid, exec, &(MatmOptions){.grids = MATM_GRIDS_MANY}, &matm),
                         STATUS_OK);
        assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
        const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-10, 200);
        assert_int_equal(report.end, SOLVE_REACHED);
        iterations[n] = report.iterations;
        matm_destroy(&matm);
        test_system_destroy(&t);
    }
    if (!(iterations[2] <= iterations[0] + 12 && iterations[2] <= 36))
        fail_msg("%d, %d, %d iterations", iterations[0], iterations[1], iterations[2]);
}

static void test_seam(void **unused) {
    (void)unused;
    const Sea sea = {"periodic", 16, 9, 4, box};
    for (int two_ways = 0; two_ways < 2; two_ways++)
        for (int step = MATM_STEP_AUTO; step <= MATM_STEP_IN_PLACE; step++) {
            SystemShape shape = shape_of(&sea, false, two_ways);
            shape.periodic_x = true;
            solves(sea.name, &shape, &(MatmOptions){.step = (MatmStep)step}, 3000);
        }
}

/* The ghost cells of open boundaries hold given values, which the solution must see. */
static void test_ghosts(void **unused) {
    (void)unused;
    const Sea sea = {"ghosts", 12, 5, 1, box};
    SystemShape shape = shape_of(&sea, true, false);
    TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    const Grid *g = t->grid;
    for (int j = 0; j < g->n2; j++) { /* x = 3 everywhere solves it */
        const ptrdiff_t m = AT2(*g, 0, j);
        t->side[0][m] = 0.7;
        t->centre[m] += 0.7;
        t->x[m - 1] = 3;
    }
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, g->columns.run[n].j);
            t->rhs[m] = 3 * (t->centre[m] - t->side[0][m] - t->side[0][m + 1] - t->side[1][m] -
                             t->side[1][m + g->row]);
        }
    Matm *matm = NULL;
    assert_int_equal(matm_create(g, exec, &(MatmOptions){.flat = true}, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-13, 100);
    assert_true(report.converged);
    for (int j = 0; j < g->n2; j++)
        for (int i = -1; i < g->n1; i++) assert_true(fabs(t->x[AT2(*g, i, j)] - 3) < 1e-11);
    matm_destroy(&matm);
    test_system_destroy(&t);
}

/* ---- equation 5, written out with dense matrices ---- */

typedef struct Dense {
    int n;
    double *a, *b, *number;
    double *x;
    double omega;
} Dense;

/* y = part of A times v: rows below (-1), above (1) or all (0) of the diagonal; of the self-adjoint part
 * (sign 1), the skew part (-1) or A (0). */
static void times(const Dense *d, int part, int sign, const double *v, double *y) {
    for (int r = 0; r < d->n; r++) {
        y[r] = 0;
        const int first = part > 0 ? r + 1 : 0, end = part < 0 ? r : d->n;
        for (int c = first; c < end; c++) {
            const double a = d->a[r * d->n + c], at = d->a[c * d->n + r];
            y[r] += (sign == 0 ? a : 0.5 * (a + sign * at)) * v[c];
        }
    }
}

static double dot(const Dense *d, const double *x, const double *y) {
    double sum = 0;
    for (int r = 0; r < d->n; r++) sum += x[r] * y[r];
    return sum;
}

static double diagonal(const Dense *d, int r) {
    return d->a[r * d->n + r];
}

/* y = B x and v = B^-1 x, B = (D + w R1) D^-1 (D + w R2) */
static void times_b(const Dense *d, const double *x, double *y) {
    double t[128], u[128];
    times(d, 1, 1, x, t);
    for (int r = 0; r < d->n; r++) u[r] = (1 + 0.5 * d->omega) * x[r] + d->omega * t[r] / diagonal(d, r);
    times(d, -1, 1, u, t);
    for (int r = 0; r < d->n; r++) y[r] = (1 + 0.5 * d->omega) * diagonal(d, r) * u[r] + d->omega * t[r];
}

static void solve_b(const Dense *d, const double *x, double *v) {
    double y[128];
    const double h = 1 + 0.5 * d->omega;
    for (int r = 0; r < d->n; r++) {
        y[r] = x[r];
        for (int c = 0; c < r; c++) y[r] -= d->omega * 0.5 * (d->a[r * d->n + c] + d->a[c * d->n + r]) * y[c];
        y[r] /= h * diagonal(d, r);
    }
    for (int r = d->n - 1; r >= 0; r--) {
        v[r] = diagonal(d, r) * y[r];
        for (int c = r + 1; c < d->n; c++)
            v[r] -= d->omega * 0.5 * (d->a[r * d->n + c] + d->a[c * d->n + r]) * v[c];
        v[r] /= h * diagonal(d, r);
    }
}

static void equation_5(Dense *d) {
    double r[128], w[128], a0w[128], a1w[128], bw[128], image[128], r2w[128], dw[128];
    times(d, 0, 0, d->x, r);
    for (int n = 0; n < d->n; n++) r[n] -= d->b[n];
    solve_b(d, r, w);
    times(d, 0, 1, w, a0w);
    times(d, 0, -1, w, a1w);
    times_b(d, w, bw);
    solve_b(d, a0w, image);
    const double of_a0 = dot(d, image, a0w);
    solve_b(d, a1w, image);
    const double of_a1 = dot(d, image, a1w);
    const double a0 = dot(d, a0w, w), s2 = 1 - a0 * a0 / (of_a0 * dot(d, bw, w)), k2 = of_a1 / of_a0;
    const double theta = (1 - sqrt(s2 * k2 / (1 + k2))) / (1 + k2 * (1 - s2));
    const double tau = theta * a0 / of_a0;
    times(d, 1, 1, w, r2w);
    for (int n = 0; n < d->n; n++) {
        r2w[n] = (r2w[n] + 0.5 * diagonal(d, n) * w[n]) / sqrt(diagonal(d, n));
        dw[n] = sqrt(diagonal(d, n)) * w[n];
        d->x[n] -= tau * w[n];
    }
    d->omega = fmin(fmax(sqrt(dot(d, dw, dw) / dot(d, r2w, r2w)), 2), 50);
}

static void test_equation_5(void **unused) {
    (void)unused;
    const Sea sea = {"small", 6, 5, 3, island};
    for (int two_ways = 0; two_ways < 2; two_ways++)
        for (int most = 1; most <= 8; most++) {
            SystemShape shape = shape_of(&sea, false, two_ways);
            shape.flow = 5;
            TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
            Dense dense = {.omega = 2};
            dense.n = test_system_matrix(t, &dense.a, &dense.b, &dense.number);
            assert_true(dense.n <= 128);
            double x[128] = {0};
            dense.x = x;
            for (int n = 0; n < most; n++) equation_5(&dense);
            Matm *matm = NULL;
            assert_int_equal(matm_create(t->grid, exec, &(MatmOptions){.step = MATM_STEP_PAPER}, &matm),
                             STATUS_OK);
            assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
            (void)test_solve(matm, t->rhs, t->x, 1e-30, most);
            if (fabs(matm_omega(matm) - dense.omega) > 1e-10 * dense.omega)
                fail_msg("omega %.15g, not %.15g", matm_omega(matm), dense.omega);
            double *expected = test_field_create(t);
            const RunList runs = t->grid->cells;
            for (int r = 0; r < runs.count; r++)
                for (int i = runs.run[r].i0; i < runs.run[r].i1; i++) {
                    const ptrdiff_t m = AT(*t->grid, i, runs.run[r].j, runs.run[r].k);
                    expected[m] = x[(int)dense.number[m]];
                }
            assert_true(test_difference(t, t->x, expected) < 1e-11);
            test_field_destroy(t, &expected);
            test_field_destroy(t, &dense.number);
            memory_free(dense.a);
            memory_free(dense.b);
            matm_destroy(&matm);
            test_system_destroy(&t);
        }
}

/* ---- the theory's rate, from extreme eigenvalues ---- */

typedef void DenseMap(const Dense *d, const double *x, double *y);

/* M = B^-1 A0 has the eigenvalues gamma_1 ... gamma_2 > 0 and is self-adjoint in (A0 x, y). */
static void times_m(const Dense *d, const double *x, double *y) {
    double t[128] = {0};
    times(d, 0, 1, x, t);
    solve_b(d, t, y);
}

static void times_a0(const Dense *d, const double *x, double *y) {
    times(d, 0, 1, x, y);
}

/* The largest eigenvalue of shift - map or, shift 0, of map, which is self-adjoint in (weight x, y) and has
 * no negative ones: by powers. */
static double largest(const Dense *d, DenseMap *map, double shift, DenseMap *weight) {
    double x[128], y[128], wx[128], value = 0;
    for (int n = 0; n < d->n; n++) x[n] = test_number(77, n, 0, 0) - 0.4;
    for (int turn = 1; turn <= 4000; turn++) {
        map(d, x, y);
        for (int n = 0; n < d->n && shift > 0; n++) y[n] = shift * x[n] - y[n];
        if (turn % 50 == 0) {
            const double before = value;
            weight(d, x, wx);
            value = dot(d, y, wx) / dot(d, x, wx);
            if (fabs(value - before) < 1e-12 * value) return value;
        }
        const double size = sqrt(dot(d, y, y));
        for (int n = 0; n < d->n; n++) x[n] = y[n] / size;
    }
    return value;
}

/* (A0 B^-1 A0)^-1 (A1* B^-1 A1): its largest eigenvalue is the most of k^2. A0^-1 by conjugate gradients. */
static void solve_a0(const Dense *d, const double *b, double *x) {
    double r[128], p[128], q[128], rr = dot(d, b, b);
    const double goal = 1e-30 * rr;
    for (int n = 0; n < d->n; n++) {
        x[n] = 0;
        r[n] = p[n] = b[n];
    }
    for (int turn = 0; turn < 10 * d->n && rr > goal; turn++) {
        times_a0(d, p, q);
        const double step = rr / dot(d, p, q), old = rr;
        for (int n = 0; n < d->n; n++) {
            x[n] += step * p[n];
            r[n] -= step * q[n];
        }
        rr = dot(d, r, r);
        for (int n = 0; n < d->n; n++) p[n] = r[n] + rr / old * p[n];
    }
}

static void times_k2(const Dense *d, const double *x, double *y) {
    double t[128] = {0}, u[128];
    times(d, 0, -1, x, t);
    solve_b(d, t, u);
    times(d, 0, -1, u, t); /* A1* = -A1 */
    for (int n = 0; n < d->n; n++) t[n] = -t[n];
    solve_a0(d, t, u);
    times_b(d, u, t);
    solve_a0(d, t, y);
}

static void weight_k2(const Dense *d, const double *x, double *y) { /* A0 B^-1 A0 */
    double t[128] = {0};
    times_m(d, x, t);
    times(d, 0, 1, t, y);
}

/* What is left of the residual in the norm of B^-1 after `most` iterations of the program. */
static double left_after(const TestSystem *t, const Dense *d, int most) {
    double x[128], r[128], v[128];
    Matm *matm = NULL;
    const MatmOptions options = {.step = MATM_STEP_PAPER, .omega = d->omega};
    double *field = test_field_create(t);
    assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    if (most > 0) (void)test_solve(matm, t->rhs, field, 1e-30, most);
    const RunList runs = t->grid->cells;
    for (int n = 0; n < runs.count; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++) {
            const ptrdiff_t m = AT(*t->grid, i, runs.run[n].j, runs.run[n].k);
            x[(int)d->number[m]] = field[m];
        }
    times(d, 0, 0, x, r);
    for (int n = 0; n < d->n; n++) r[n] -= d->b[n];
    solve_b(d, r, v);
    matm_destroy(&matm);
    test_field_destroy(t, &field);
    return sqrt(dot(d, r, v));
}

/* With nu = gamma_2 / gamma_1 and k^2 as above, nu* = nu (sqrt(1 + k^2) + k)^2, every step leaves at most
 * (nu* - 1) / (nu* + 1) of |r|, in the norm of B^-1; k = 0 where A is self-adjoint. */
static void test_rate_of_the_theory(void **unused) {
    (void)unused;
    const Sea sea = {"small", 6, 5, 3, island};
    static const double omegas[] = {1, 2, 4}, flows[] = {0, 1, 5};
    for (int w = 0; w < 3; w++)
        for (int f = 0; f < 3; f++) {
            SystemShape shape = shape_of(&sea, false, flows[f] > 0);
            shape.flow = flows[f];
            TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
            Dense d = {.omega = omegas[w]};
            d.n = test_system_matrix(t, &d.a, &d.b, &d.number);
            assert_true(d.n <= 128);
            const double most = largest(&d, times_m, 0, times_a0);
            const double least = 1.01 * most - largest(&d, times_m, 1.01 * most, times_a0);
            const double k = flows[f] > 0 ? sqrt(fmax(0, largest(&d, times_k2, 0, weight_k2))) : 0;
            const double root = sqrt(1 + k * k) + k, nu = most / least * root * root;
            const double rate = (nu - 1) / (nu + 1);
            assert_true(least > 0 && rate > 0.1 && rate < 1);
            double before = left_after(t, &d, 0), slowest = 0;
            for (int n = 1; n <= 15; n++) {
                const double left = left_after(t, &d, n);
                slowest = fmax(slowest, left / before);
                before = left;
            }
            if (!(slowest <= rate * (1 + 1e-6)))
                fail_msg("w %g, flow %g: a step left %.4f, the theory allows %.4f (k %.3f)", omegas[w],
                         flows[f], slowest, rate, k);
            if (!(slowest > 0.3 * rate)) fail_msg("left %.4f of %.4f: not a test", slowest, rate);
            test_field_destroy(t, &d.number);
            memory_free(d.a);
            memory_free(d.b);
            test_system_destroy(&t);
        }
}

static int full(int i, int j) {
    (void)i, (void)j;
    return 1;
}

/* Poisson's equation on N x N cells between walls that hold 0: with eta = sin^2(pi / 2 (N + 1)) and the best
 * w = 1 / sin(pi / 2 (N + 1)) the error of the residual's B^-1 norm falls by (1 - xi) / (1 + xi) per step,
 * xi = 2 sqrt(eta) / (1 + sqrt(eta)) (Samarskii, Nikolaev, chapter X). Norms differ by at most the root of
 * the condition of B, (1 + w / 2 + w)^2. */
static void test_bound_of_the_theory(void **unused) {
    (void)unused;
    for (int size = 8; size <= 32; size *= 2) {
        SystemShape shape = {
            .nx = size, .ny = size, .nz = 1, .levels = full, .flat = true, .even = true, .seed = 3};
        TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
        for (int j = 0; j < size; j++)
            for (int i = 0; i < size; i++) t->centre[AT2(*t->grid, i, j)] = 4;
        const double root = sin(acos(-1.0) / (2 * (size + 1))), xi = 2 * root / (1 + root);
        const double omega = 1 / root, rate = (1 - xi) / (1 + xi), norms = 1 + 1.5 * omega;
        const double bound = (log(1e-6) - log(norms)) / log(rate);
        Matm *matm = NULL;
        const MatmOptions options = {.flat = true, .step = MATM_STEP_PAPER, .omega = omega};
        assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
        assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
        const SolveReport report = test_solve(matm, t->rhs, t->x, 1e-6, 10000);
        assert_int_equal(report.end, SOLVE_REACHED);
        if (!(report.iterations <= bound))
            fail_msg("%d x %d: %d iterations, the theory allows %.1f", size, size, report.iterations, bound);
        matm_destroy(&matm);
        test_system_destroy(&t);
    }
}

/* Says so when it cannot: a singular system, too few iterations, no right-hand side, not a number. */
static void test_ends(void **unused) {
    (void)unused;
    SystemShape shape = shape_of(&SEAS[1], false, false);
    TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    Matm *matm = NULL;
    assert_int_equal(matm_create(t->grid, exec, &(MatmOptions){0}, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    SolveReport report = test_solve(matm, t->rhs, t->x, 1e-12, 2);
    assert_int_equal(report.end, SOLVE_LIMIT);
    assert_int_equal(report.iterations, 2);
    assert_false(report.converged);
    report = test_solve(matm, t->rhs, t->x, 1e-30, 1000);
    assert_int_equal(report.end, SOLVE_STAGNATED);
    assert_true(report.residual < 1e-13);
    double *zero = test_field_create(t), *x = test_field_create(t);
    report = test_solve(matm, zero, x, 1e-12, 100);
    assert_int_equal(report.end, SOLVE_REACHED);
    assert_int_equal(report.iterations, 0);
    t->rhs[AT(*t->grid, 0, 0, 3)] = NAN;
    report = test_solve(matm, t->rhs, t->x, 1e-12, 100);
    assert_int_equal(report.end, SOLVE_BROKE);
    assert_false(report.converged);
    test_field_destroy(t, &zero);
    test_field_destroy(t, &x);
    matm_destroy(&matm);
    test_system_destroy(&t);
}

/* ---- memory that is not there ---- */

static size_t refused; /* [bytes], with the line before a block */

static void *refusing_get(size_t bytes, bool single) {
    (void)single;
    void *block = bytes == refused ? NULL : aligned_alloc(64, (bytes + 63) / 64 * 64);
    return block ? memset(block, 0, bytes) : NULL;
}

static void refusing_put(void *block, size_t bytes) {
    (void)bytes;
    free(block);
}

static size_t message_bytes(int cells, int levels, size_t number) {
    return 64 + (size_t)(cells + 8) * (size_t)levels * number;
}

/* Creations that fail are said by who first needs what they create, and can be tried again. Messages have
 * sizes that nothing else has here: multiples of an odd number. */
static void test_memory_that_is_not_there(void **unused) {
    (void)unused;
    static const MemorySource source = {refusing_get, refusing_put};
    SystemShape shape = shape_of(&SEAS[2], false, false); /* 17 x 11 x 4 */
    shape.nz = 3;
    TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    Matm *matm = NULL;
    SolveReport report;
    assert_int_equal(matm_create(t->grid, exec, &(MatmOptions){.precision = MATM_PRECISION_SINGLE}, &matm),
                     STATUS_OK);
    (void)memory_use_source(&source);
    refused = message_bytes(17, 3, sizeof(float));
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_FAILED);
    assert_int_equal(error_count(), 1);
    refused = message_bytes(17, 3, sizeof(double)); /* of the solver in double precision */
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    assert_int_equal(matm_solve(matm, t->rhs, t->x, 1e-30, 1000, &report), STATUS_FAILED);
    assert_int_equal(error_count(), 2);
    error_clear();
    refused = 0;
    assert_true(test_solve(matm, t->rhs, t->x, 1e-12, 1000).converged);
    matm_destroy(&matm);
    (void)memory_use_source(NULL);
    test_system_destroy(&t);
}

/* ---- patches ---- */

enum { PATCH = 8 };

/* In which square of so many columns and rows each row of the dense matrix is. */
static int *places_of(const TestSystem *t, const double *number, int n, int side) {
    const RunList runs = t->grid->cells;
    int *place = ALLOCATE(n, int);
    for (int r = 0; r < runs.count; r++)
        for (int i = runs.run[r].i0; i < runs.run[r].i1; i++)
            place[(int)number[AT(*t->grid, i, runs.run[r].j, runs.run[r].k)]] =
                i / side + 100 * (runs.run[r].j / side);
    return place;
}

/* Pivots of the modified factorisation (matrix.c) by the dense matrix. */
static void dense_pivots(int n, const double *a, double *d) {
    for (int r = 0; r < n; r++) {
        d[r] = a[r * n + r];
        for (int c = 0; c < r; c++) {
            double above = 0;
            for (int u = c + 1; u < n && a[r * n + c] != 0; u++) above -= a[c * n + u];
            d[r] += 0.99 * a[r * n + c] * above / d[c];
        }
    }
}

/* x = M^-1 x by elimination, which M does not survive. */
static void dense_solve(int n, double *m, double *x) {
    for (int c = 0; c < n; c++)
        for (int r = c + 1; r < n; r++) {
            const double factor = m[r * n + c] / m[c * n + c];
            if (factor == 0) continue;
            for (int u = c; u < n; u++) m[r * n + u] -= factor * m[c * n + u];
            x[r] -= factor * x[c];
        }
    for (int r = n - 1; r >= 0; r--) {
        for (int c = r + 1; c < n; c++) x[r] -= m[r * n + c] * x[c];
        x[r] /= m[r * n + r];
    }
}

/* The entries of a dense matrix that are D's (diagonal `d`; of lines, the couplings within a column as well), and
 * with `below` or `above` those on that side of it. */
static double *dense_part(int n, const double *a, const double *d, const int *column, bool below,
                          bool above) {
    double *m = ALLOCATE((size_t)n * (size_t)n, double);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (r == c)
                m[r * n + c] = d[r];
            else if (column && column[r] == column[c] ? true : c < r ? below : above)
                m[r * n + c] = a[r * n + c];
    return m;
}

/* x = (D + U)^-1 D (D + L)^-1 x: one application of B^-1, its factor left out. */
static void dense_inverse(int n, const double *a, const double *d, const int *column, double *x) {
    double *lower = dense_part(n, a, d, column, true, false),
           *upper = dense_part(n, a, d, column, false, true);
    double *middle = dense_part(n, a, d, column, false, false), *image = ALLOCATE(n, double);
    dense_solve(n, lower, x);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) image[r] += middle[r * n + c] * x[c];
    dense_solve(n, upper, image);
    for (int r = 0; r < n; r++) x[r] = image[r];
    memory_free(lower);
    memory_free(upper);
    memory_free(middle);
    memory_free(image);
}

/* One application of the preconditioner, of a matrix whose couplings do not leave patches. */
static void applies_in_patches(MatmStep step, MatmDiagonal diagonal) {
    const Sea sea = {"patches", 19, 21, 3, island};
    SystemShape shape = shape_of(&sea, false, step == MATM_STEP_BICGSTAB);
    double *a, *x, *number;
    shape.patch = PATCH;
    TestSystem *t = test_system_create(MPI_COMM_SELF, &shape, 1, 1);
    const MatmOptions options = {.step = step,
                                 .diagonal = diagonal,
                                 .correction = MATM_CORRECTION_NONE,
                                 .grids = MATM_GRIDS_ONE,
                                 .precision = MATM_PRECISION_DOUBLE,
                                 .omega = 2};
    const int n = test_system_matrix(t, &a, &x, &number);
    int *patch = places_of(t, number, n, PATCH), *column = places_of(t, number, n, 1), left_out = 0;
    double *d = ALLOCATE(n, double), *z = test_field_create(t), worst = 0, most = 0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (patch[r] != patch[c] && a[r * n + c] != 0) a[r * n + c] = 0, left_out++;
    assert_true(left_out > 50);
    for (int r = 0; r < n; r++) d[r] = a[r * n + r];
    if (diagonal == MATM_D_PIVOTS) dense_pivots(n, a, d);
    dense_inverse(n, a, d, diagonal == MATM_D_LINES ? column : NULL, x);
    Matm *matm = NULL;
    assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
    assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
    matm_apply_inverse(matm, t->rhs, 1, z);
    const RunList runs = t->grid->cells;
    for (int r = 0; r < runs.count; r++)
        for (int i = runs.run[r].i0; i < runs.run[r].i1; i++) {
            const ptrdiff_t m = AT(*t->grid, i, runs.run[r].j, runs.run[r].k);
            worst = fmax(worst, fabs(z[m] - x[(int)number[m]]));
            most = fmax(most, fabs(x[(int)number[m]]));
        }
    assert_true(most > 0.1);
    if (!(worst < 1e-13 * most)) fail_msg("%s: off by %.1e of %.1e", matm_choice(matm), worst, most);
    matm_destroy(&matm);
    test_field_destroy(t, &z);
    test_field_destroy(t, &number);
    test_system_destroy(&t);
    memory_free(a);
    memory_free(x);
    memory_free(d);
    memory_free(patch);
    memory_free(column);
}

static void test_patches(void **unused) {
    (void)unused;
    applies_in_patches(MATM_STEP_CONJUGATE, MATM_D_DIAGONAL);
    applies_in_patches(MATM_STEP_CONJUGATE, MATM_D_PIVOTS);
    applies_in_patches(MATM_STEP_CONJUGATE, MATM_D_LINES);
    applies_in_patches(MATM_STEP_BICGSTAB, MATM_D_DIAGONAL);
    applies_in_patches(MATM_STEP_BICGSTAB, MATM_D_LINES);
}

/* An iteration waits for one sum, where the last solve says that there will be a next one. */
static void test_one_sum_an_iteration(void **unused) {
    (void)unused;
    for (int d = MATM_D_DIAGONAL; d <= MATM_D_LINES; d++)
        for (int p = MATM_PRECISION_DOUBLE; p <= MATM_PRECISION_SINGLE; p++) {
            SystemShape shape = shape_of(&SEAS[0], false, false);
            const MatmOptions options = {.step = MATM_STEP_CONJUGATE,
                                         .diagonal = (MatmDiagonal)d,
                                         .correction = MATM_CORRECTION_NONE,
                                         .grids = MATM_GRIDS_ONE,
                                         .precision = (MatmPrecision)p,
                                         .omega = 2};
            shape.patch = PATCH;
            shape.excess = 0.001;
            TestSystem *t = test_system_create(MPI_COMM_SELF, &shape, 1, 1);
            double *expected = test_system_solution(t), *x = test_field_create(t);
            Matm *matm = NULL;
            assert_int_equal(matm_create(t->grid, exec, &options, &matm), STATUS_OK);
            assert_int_equal(matm_setup(matm, &t->stencil), STATUS_OK);
            (void)test_solve(matm, t->rhs, t->x, 1e-11, 500);
            const int64_t before = traffic.sums;
            const SolveReport report = test_solve(matm, t->rhs, x, 1e-11, 500);
            const int sums = (int)(traffic.sums - before);
            if (!report.converged || report.iterations < 15 || sums > 1.5 * report.iterations)
                fail_msg("%s: %d sums in %d iterations", matm_choice(matm), sums, report.iterations);
            assert_true(test_difference(t, x, expected) < 1e-8);
            matm_destroy(&matm);
            test_field_destroy(t, &x);
            test_field_destroy(t, &expected);
            test_system_destroy(&t);
        }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_that_is_not_there),
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_conjugate),
        cmocka_unit_test(test_not_self_adjoint),
        cmocka_unit_test(test_others_on_self_adjoint),
        cmocka_unit_test(test_columns_alone),
        cmocka_unit_test(test_choice_of_correction),
        cmocka_unit_test(test_single_precision),
        cmocka_unit_test(test_single_precision_ends),
        cmocka_unit_test(test_mixed_precision),
        cmocka_unit_test(test_numbers_beyond_single_precision),
        cmocka_unit_test(test_single_precision_gives_way),
        cmocka_unit_test(test_many_grids),
        cmocka_unit_test(test_many_grids_do_not_mind_size),
        cmocka_unit_test(test_seam),
        cmocka_unit_test(test_in_place_at_once),
        cmocka_unit_test(test_ghosts),
        cmocka_unit_test(test_equation_5),
        cmocka_unit_test(test_rate_of_the_theory),
        cmocka_unit_test(test_bound_of_the_theory),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_patches),
        cmocka_unit_test(test_one_sum_an_iteration),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
