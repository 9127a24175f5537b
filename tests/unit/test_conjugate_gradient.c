/* SPDX-License-Identifier: Apache-2.0
 *
 * Both solvers by conjugate gradients take the iterations of the textbook, done here with dense matrices: the same number
 * of them to each tolerance, and the same x after each.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/krylov/matrix_free.h"
#include "tests/support/systems.h"

enum { MOST = 200 };
#define ROUND_OFF 1e-13 /* of the largest x */

static const Exec exec = {.device = DEVICE_CPU};

static int ragged(int i, int j) {
    return (int)(5 * test_number(5, i, j, 0));
}

/* A system, also as dense numbers. */
typedef struct Dense {
    TestSystem *system;
    int n;
    double *matrix, *rhs, *number;
} Dense;

static Dense dense_create(bool flat) {
    const SystemShape shape = {
        .nx = 13, .ny = 9, .nz = 4, .levels = ragged, .flat = flat, .vertical = 3, .excess = 0.1, .seed = 2};
    Dense d = {.system = test_system_create(MPI_COMM_SELF, &shape, 0, 0)};
    d.n = test_system_matrix(d.system, &d.matrix, &d.rhs, &d.number);
    return d;
}

static void dense_destroy(Dense *d) {
    memory_free(d->matrix);
    memory_free(d->rhs);
    test_field_destroy(d->system, &d->number);
    test_system_destroy(&d->system);
}

static double product(const Dense *d, const double *a, const double *b) {
    double sum = 0;
    for (int m = 0; m < d->n; m++) sum += a[m] * b[m];
    return sum;
}

static void multiply(const Dense *d, const double *x, double *y) {
    for (int m = 0; m < d->n; m++) y[m] = product(d, d->matrix + (ptrdiff_t)m * d->n, x);
}

/* From x on, with the diagonal as preconditioner, until |r| <= goal; returns the iterations. */
static int textbook(const Dense *d, double *x, double goal, int most) {
    double *r = ALLOCATE(4 * d->n, double), *z = r + d->n, *p = z + d->n, *q = p + d->n, last = 0;
    int count = 0;
    multiply(d, x, q);
    for (int m = 0; m < d->n; m++) r[m] = d->rhs[m] - q[m], p[m] = 0;
    for (; count < most && sqrt(product(d, r, r)) > goal; count++) {
        for (int m = 0; m < d->n; m++) z[m] = r[m] / d->matrix[(ptrdiff_t)m * d->n + m];
        const double rz = product(d, r, z);
        for (int m = 0; m < d->n; m++) p[m] = z[m] + (count > 0 ? rz / last : 0) * p[m];
        multiply(d, p, q);
        const double step = rz / product(d, p, q);
        for (int m = 0; m < d->n; m++) x[m] += step * p[m], r[m] -= step * q[m];
        last = rz;
    }
    memory_free(r);
    return count;
}

/* The numbers of a field, in the order of the matrix; `put`: the other way. */
static void move(const Dense *d, double *field, double *numbers, bool put) {
    const Grid *g = d->system->grid;
    const RunList runs = d->system->shape.flat ? g->columns : g->cells;
    for (int n = 0; n < runs.count; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++) {
            const ptrdiff_t m =
                d->system->shape.flat ? AT2(*g, i, runs.run[n].j) : AT(*g, i, runs.run[n].j, runs.run[n].k);
            double *number = &numbers[(int)d->number[m]];
            if (put)
                field[m] = *number;
            else
                *number = field[m];
        }
}

static double difference(const Dense *d, const double *a, const double *b) {
    double most = 0, size = 0;
    for (int m = 0; m < d->n; m++) most = fmax(most, fabs(a[m] - b[m])), size = fmax(size, fabs(b[m]));
    return most / size;
}

/* ---- an operator that is known by what it does ---- */

static void sum_by_columns(const Dense *d, const double *x, const double *y, double *xy) {
    const Grid *g = d->system->grid;
    field2_fill(g, xy, 0);
    for (int n = 0; n < g->cells.count; n++)
        for (int i = g->cells.run[n].i0, j = g->cells.run[n].j; i < g->cells.run[n].i1; i++) {
            const ptrdiff_t m = AT(*g, i, j, g->cells.run[n].k);
            xy[AT2(*g, i, j)] += x[m] * y[m];
        }
}

static void apply(void *context, double *x, double *y, double *xy) {
    const Dense *d = context;
    double *numbers = ALLOCATE(2 * d->n, double);
    move(d, x, numbers, false);
    multiply(d, numbers, numbers + d->n);
    move(d, y, numbers + d->n, true);
    sum_by_columns(d, x, y, xy);
    memory_free(numbers);
}

static void precondition(void *context, double *r, double norm, double *z, double *rz) {
    const Dense *d = context;
    double *numbers = ALLOCATE(d->n, double);
    (void)norm;
    move(d, r, numbers, false);
    for (int m = 0; m < d->n; m++) numbers[m] /= d->matrix[(ptrdiff_t)m * d->n + m];
    move(d, z, numbers, true);
    sum_by_columns(d, r, z, rz);
    memory_free(numbers);
}

/* ---- tests ---- */

typedef SolveReport Solve(const Dense *d, double *x, double tolerance, int most);

static SolveReport solve_stencil(const Dense *d, double *x, double tolerance, int most) {
    ConjugateGradient *solver = NULL;
    assert_int_equal(conjugate_gradient_create(d->system->grid, &solver), STATUS_OK);
    const SolveReport report =
        conjugate_gradient_solve(solver, exec, &d->system->stencil, d->system->rhs, x, tolerance, most);
    conjugate_gradient_destroy(&solver);
    return report;
}

static SolveReport solve_free(const Dense *d, double *x, double tolerance, int most) {
    MatrixFree *solver = matrix_free_create(d->system->grid, exec);
    const FreeSystem system = {(void *)(uintptr_t)d, apply, precondition};
    const SolveReport report = matrix_free_solve(solver, &system, d->system->rhs, x, tolerance, most);
    matrix_free_destroy(&solver);
    return report;
}

static void takes_the_textbooks_iterations(bool flat, Solve *solve) {
    Dense d = dense_create(flat);
    double *numbers = ALLOCATE(2 * d.n, double), *expected = numbers + d.n;
    for (int exponent = 1; exponent <= 8;
         exponent++) { /* beyond, solvers start again from the true residual */
        const double tolerance = pow(10, -exponent);
        double *x = test_field_create(d.system);
        memset(expected, 0, (size_t)d.n * sizeof *expected);
        const int count = textbook(&d, expected, tolerance * sqrt(product(&d, d.rhs, d.rhs)), MOST);
        const SolveReport report = solve(&d, x, tolerance, MOST);
        move(&d, x, numbers, false);
        print_message("%.0e: %d iterations, %d of the textbook, x off by %.1e\n", tolerance,
                      report.iterations, count, difference(&d, numbers, expected));
        assert_true(report.converged && report.residual <= tolerance);
        assert_int_equal(report.iterations, count);
        assert_true(difference(&d, numbers, expected) < ROUND_OFF);
        test_field_destroy(d.system, &x);
    }
    memory_free(numbers);
    dense_destroy(&d);
}

static void of_a_stencil(void **state) {
    (void)state;
    takes_the_textbooks_iterations(true, solve_stencil);
}

static void without_a_matrix(void **state) {
    (void)state;
    takes_the_textbooks_iterations(false, solve_free);
}

/* Where the right-hand side is 0, as where only a level outside drives the sea, the first residual is the measure. */
static void without_a_right_hand_side(void **state) {
    (void)state;
    Dense d = dense_create(true);
    double *numbers = ALLOCATE(2 * d.n, double), *expected = numbers + d.n;
    for (int m = 0; m < d.n; m++) expected[m] = test_number(9, m, 0, 0), d.rhs[m] = 0;
    move(&d, d.system->rhs, d.rhs, true);
    move(&d, d.system->x, expected, true);
    multiply(&d, expected, numbers);
    const int count = textbook(&d, expected, 1e-6 * sqrt(product(&d, numbers, numbers)), MOST);
    const SolveReport report = solve_stencil(&d, d.system->x, 1e-6, MOST);
    assert_true(report.converged);
    assert_int_equal(report.iterations, count);
    memory_free(numbers);
    dense_destroy(&d);
}

/* The best multiple of the first x is taken before anything else. */
static void twice_the_solution_is_enough(void **state) {
    (void)state;
    Dense d = dense_create(false);
    double *x = test_system_solution(d.system), *solution = test_system_solution(d.system);
    for (ptrdiff_t m = 0; m < d.system->grid->size3; m++) x[m - d.system->grid->origin3] *= 2;
    assert_int_equal(solve_free(&d, x, 1e-9, MOST).iterations, 0);
    assert_true(test_difference(d.system, x, solution) < ROUND_OFF);
    test_field_destroy(d.system, &x);
    test_field_destroy(d.system, &solution);
    dense_destroy(&d);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_stencil),
        cmocka_unit_test(without_a_matrix),
        cmocka_unit_test(without_a_right_hand_side),
        cmocka_unit_test(twice_the_solution_is_enough),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
