/* SPDX-License-Identifier: Apache-2.0
 *
 * The limited slope: the central difference where the profile is smooth, twice the smaller difference where
 * it is steep, nothing at extremes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "numerics/limiter.h"

static void smooth_profiles_keep_the_central_slope(void **state) {
    (void)state;
    assert_true(limited_slope(1, 1) == 1);
    assert_true(limited_slope(1, 2) == 1.5);
    assert_true(limited_slope(2, 1) == 1.5);
    assert_true(limited_slope(1, 3) == 2); /* the steepest of these: 2 is also twice the smaller one */
}

static void steep_profiles_get_twice_the_smaller_difference(void **state) {
    (void)state;
    assert_true(limited_slope(1, 100) == 2);
    assert_true(limited_slope(100, 1) == 2);
}

static void extremes_are_flat(void **state) {
    (void)state;
    assert_true(limited_slope(1, -1) == 0);
    assert_true(limited_slope(-3, 1) == 0);
    assert_true(limited_slope(0, 5) == 0);
    assert_true(limited_slope(5, 0) == 0);
}

static void falling_profiles_mirror_rising_ones(void **state) {
    (void)state;
    for (double back = 0.1; back < 5; back += 0.3)
        for (double forth = 0.1; forth < 5; forth += 0.7)
            assert_true(limited_slope(-back, -forth) == -limited_slope(back, forth));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_profiles_keep_the_central_slope),
        cmocka_unit_test(steep_profiles_get_twice_the_smaller_difference),
        cmocka_unit_test(extremes_are_flat),
        cmocka_unit_test(falling_profiles_mirror_rising_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
