/* SPDX-License-Identifier: Apache-2.0
 *
 * Eigenvalues of the closed operators, on every segment of up to 64 points: what grows in time, and what does
 * not, under which treatment of the ends.
 *
 *     first derivative at coasts, inflow held      f_t = -f_x, f(first) = 0: all real parts below 0
 *     the same, both ends held                     neutral: real parts are 0 to rounding
 *     first derivative around                      neutral
 *     skew-symmetric transport between mirrors     any velocity that is 0 on the walls: neutral
 *     the same at coasts                           a velocity of one sign: neutral; of changing signs: not
 *                                                  (see the test)
 *     second derivative at coasts, both ends held  real, below 0
 *     second derivative at mirrors                 those of its waves: real, at most 0
 *     filter                                       real, from 0 to 1
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/dense.h"
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI   3.14159265358979323846
#define MOST 64

static double matrix[MOST * MOST], other[MOST * MOST], real[MOST], imaginary[MOST];

typedef struct Bounds {
    double least, most; /* real parts */
    double turning;     /* largest imaginary part */
} Bounds;

/* Of the rows and columns first .. last of an n by n matrix. */
static Bounds eigenvalues(int n, const double *a, int first, int last) {
    static double part[MOST * MOST];
    const int m = last - first + 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) part[i * m + j] = a[(first + i) * n + first + j];
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', m, part, m, real, imaginary, NULL, 1, NULL, 1),
                     0);
    Bounds b = {INFINITY, -INFINITY, 0};
    for (int i = 0; i < m; i++) {
        b.least = fmin(b.least, real[i]);
        b.most = fmax(b.most, real[i]);
        b.turning = fmax(b.turning, fabs(imaginary[i]));
    }
    return b;
}

static void compact(CompactOperator kind, CompactEnd end, int n, bool periodic, double *to) {
    dense_compact(&(CompactScheme){kind, end, 1, 0}, n, periodic, to);
}

static void negate(int n) {
    for (int i = 0; i < n * n; i++) matrix[i] = -matrix[i];
}

static void transport_from_an_inflow_decays(void **state) {
    (void)state;
    double slowest = -INFINITY;
    for (int n = 2; n <= MOST; n++) {
        compact(COMPACT_FIRST, END_COAST, n, false, matrix);
        negate(n);
        const Bounds b = eigenvalues(n, matrix, 1, n - 1);
        slowest = fmax(slowest, b.most);
        assert_true(b.most < 0);
    }
    print_message("inflow held: largest real part %.2e\n", slowest);
    assert_true(slowest < -1e-5);
}

static void transport_between_held_ends_is_neutral(void **state) {
    (void)state;
    for (int n = 3; n <= MOST; n++) {
        compact(COMPACT_FIRST, END_COAST, n, false, matrix);
        const Bounds b = eigenvalues(n, matrix, 1, n - 2);
        assert_true(b.most < 1e-13 && b.least > -1e-13);
    }
}

static void transport_around_is_neutral(void **state) {
    (void)state;
    for (int n = 3; n <= MOST; n++) {
        compact(COMPACT_FIRST, END_COAST, n, true, matrix);
        const Bounds b = eigenvalues(n, matrix, 0, n - 1);
        assert_true(b.most < 1e-13 && b.least > -1e-13);
    }
}

static double random_velocity(void) {
    return 2.0 * rand() / RAND_MAX - 1;
}

/* (diag(u) D + D' diag(u)) / 2 into `matrix`, where D is there and D' in `other`. */
static void make_transport(int n, const double *u) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = -0.5 * (u[i] * matrix[i * n + j] + other[i * n + j] * u[j]);
}

static void transport_between_mirrors_is_neutral(void **state) {
    (void)state;
    double u[MOST];
    srand(1);
    for (int n = 3; n <= MOST; n++)
        for (int is_even = 0; is_even < 2; is_even++) {
            for (int i = 0; i < n; i++) u[i] = i == 0 || i == n - 1 ? 0 : random_velocity();
            /* what is carried may be even or odd, and its product with the odd velocity is the other */
            compact(COMPACT_FIRST, is_even ? END_EVEN_NODE : END_ODD_NODE, n, false, matrix);
            compact(COMPACT_FIRST, is_even ? END_ODD_NODE : END_EVEN_NODE, n, false, other);
            make_transport(n, u);
            const Bounds b = eigenvalues(n, matrix, 0, n - 1);
            assert_true(b.most < 1e-13 && b.least > -1e-13);
        }
}

/* The one-sided rows are not skew-symmetric, and a velocity that diverges from the coast finds out: with
 * sin(4 pi x) on 11 points a wave grows by 0.36 in the time in which the flow passes a spacing. So flow
 * between coasts uses mirrors, or a filter. */
static void transport_at_coasts_is_neutral_only_in_one_direction(void **state) {
    (void)state;
    double u[MOST], fastest = 0;
    for (int n = 5; n <= MOST; n++)
        for (int waves = 1; waves <= 4; waves += 3) {
            for (int i = 0; i < n; i++) u[i] = sin(waves * PI * i / (n - 1));
            u[0] = u[n - 1] = 0;
            compact(COMPACT_FIRST, END_COAST, n, false, matrix);
            memcpy(other, matrix, sizeof other);
            make_transport(n, u);
            const Bounds b = eigenvalues(n, matrix, 0, n - 1);
            if (waves == 1)
                assert_true(b.most < 1e-13);
            else
                fastest = fmax(fastest, b.most);
        }
    print_message("changing signs at coasts: largest real part %.2f\n", fastest);
    assert_true(fastest > 0.3 && fastest < 0.4);
}

static void second_derivative_at_coasts_decays(void **state) {
    (void)state;
    for (CompactOperator kind = COMPACT_SECOND; kind <= COMPACT_SECOND_FOURTH_ORDER; kind++)
        for (int n = 3; n <= MOST; n++) {
            compact(kind, END_COAST, n, false, matrix);
            const Bounds b = eigenvalues(n, matrix, 1, n - 2);
            const double slowest = PI * PI / ((n - 1) * (n - 1));
            assert_true(b.turning == 0 && b.most < -0.8 * slowest);
            if (n > 16) assert_true(fabs(b.most / slowest + 1) < 1e-4);
        }
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Mirrored lines have the waves of the line twice as long: their eigenvalues are known. */
static void second_derivative_at_mirrors_has_the_eigenvalues_of_its_waves(void **state) {
    (void)state;
    for (CompactEnd end = END_EVEN_NODE; end <= END_ODD_HALF; end++)
        for (int n = 2; n <= MOST; n++) {
            const bool half = end == END_EVEN_HALF || end == END_ODD_HALF;
            const bool odd = end == END_ODD_NODE || end == END_ODD_HALF;
            const int held = odd && !half ? 1 : 0, count = n - 2 * held;
            if (count < 1) continue;
            double exact[MOST];
            for (int m = 0; m < count; m++) {
                const double angle = PI * (odd ? m + 1 : m) / (half ? n : n - 1);
                exact[m] = (24.0 / 11 * (cos(angle) - 1) + 3.0 / 22 * (cos(2 * angle) - 1)) /
                           (1 + 4.0 / 11 * cos(angle));
            }
            compact(COMPACT_SECOND, end, n, false, matrix);
            const Bounds b = eigenvalues(n, matrix, held, n - 1 - held);
            assert_true(b.turning < 1e-6 && b.most < 1e-13);
            qsort(real, (size_t)count, sizeof(double), ascending);
            qsort(exact, (size_t)count, sizeof(double), ascending);
            for (int m = 0; m < count; m++) assert_true(fabs(real[m] - exact[m]) < 1e-12);
        }
}

static void the_filter_only_takes(void **state) {
    (void)state;
    const double parameter[] = {-0.45, 0, 0.3, 0.45, 0.49, 0.499};
    for (CompactEnd end = END_COAST; end <= END_ODD_HALF; end++)
        for (int a = 0; a < 6; a++)
            for (int n = 1; n <= MOST; n++) {
                dense_compact(&(CompactScheme){COMPACT_FILTER, end, 1, parameter[a]}, n, false, matrix);
                const Bounds b = eigenvalues(n, matrix, 0, n - 1);
                assert_true(b.turning < 1e-6 && b.least > -1e-12 && b.most < 1 + 1e-6);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transport_from_an_inflow_decays),
        cmocka_unit_test(transport_between_held_ends_is_neutral),
        cmocka_unit_test(transport_around_is_neutral),
        cmocka_unit_test(transport_between_mirrors_is_neutral),
        cmocka_unit_test(transport_at_coasts_is_neutral_only_in_one_direction),
        cmocka_unit_test(second_derivative_at_coasts_decays),
        cmocka_unit_test(second_derivative_at_mirrors_has_the_eigenvalues_of_its_waves),
        cmocka_unit_test(the_filter_only_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
