/* SPDX-License-Identifier: Apache-2.0
 *
 * Roots, logarithms and exponentials with the same bits everywhere, against the C library's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/elementary.h"

static void assert_close(double found, double expected, double tolerance) {
    assert_true(fabs(found - expected) <= tolerance * fabs(expected));
}

static void exponentials_are_right_to_the_last_digits(void **state) {
    (void)state;
    for (double x = -700; x < 709; x += 0.0137) assert_close(elementary_exp(x), exp(x), 4e-16);
    for (double x = -1e-3; x < 1e-3; x += 1e-7) assert_close(elementary_exp(x), exp(x), 4e-16);
}

static void exponentials_have_ends(void **state) {
    (void)state;
    assert_true(elementary_exp(0) == 1 && elementary_exp(-0.0) == 1);
    assert_true(elementary_exp(-1e9) == 0);
    assert_true(isfinite(elementary_exp(1e9)));
    assert_true(isnan(elementary_exp(NAN)));
}

/* Through expm1, which loses nothing where x is small. */
static void bernoulli_is_right(void **state) {
    (void)state;
    for (double x = 1e-18; x < 700; x *= 1.0137) {
        assert_close(elementary_bernoulli(x), x / expm1(x), 1e-15);
        assert_close(elementary_expm1(-x), expm1(-x), 1e-15);
    }
    assert_true(elementary_bernoulli(0) == 1 && elementary_bernoulli(1e300) < 1e-5);
}

static void logarithms_are_right(void **state) {
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.37) assert_close(elementary_log(x), log(x), 1e-15);
    for (double x = 0.5; x < 2; x += 1e-3)
        if (fabs(x - 1) > 1e-2) assert_close(elementary_log(x), log(x), 1e-14);
}

static void angles_are_right(void **state) {
    (void)state;
    for (double x = 1e-9; x < 1e100; x *= 1.0137) {
        assert_close(elementary_atan(x), atan(x), 1e-15);
        assert_true(elementary_atan(-x) == -elementary_atan(x));
    }
    assert_true(elementary_atan(0) == 0);
}

static void powers_are_right(void **state) {
    (void)state;
    for (double x = 1e-9; x < 1e9; x *= 1.37)
        for (double p = -3; p < 3; p += 0.37) assert_close(elementary_power(x, p), pow(x, p), 3e-14);
}

static void roots_are_right(void **state) {
    (void)state;
    for (double x = 1e-200; x < 1e200; x *= 1.37) assert_close(elementary_cbrt(x), cbrt(x), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_are_right_to_the_last_digits),
        cmocka_unit_test(exponentials_have_ends),
        cmocka_unit_test(bernoulli_is_right),
        cmocka_unit_test(logarithms_are_right),
        cmocka_unit_test(angles_are_right),
        cmocka_unit_test(powers_are_right),
        cmocka_unit_test(roots_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
