/* SPDX-License-Identifier: Apache-2.0
 *
 * The time left: exact at a steady pace, a range that holds the truth when the pace changes, and no longer than it was
 * after the machine slept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "program/pace.h"

static void note(Pace *pace, int steps, double took_s) {
    for (int n = 0; n < steps; n++) pace_note(pace, took_s, 120);
}

static void steady(void **state) {
    (void)state;
    Pace pace = {.steps = 0};
    double left[2];
    pace_left(&pace, 86400, left);
    assert_true(left[0] == 0 && left[1] == 0);
    note(&pace, 1, 5); /* the first step, which chooses solvers */
    note(&pace, 100, 0.01);
    pace_left(&pace, 1000 * 120, left);
    assert_float_equal(left[0], 10, 1e-9);
    assert_float_equal(left[1], 10, 1e-9);
}

/* From 0.01 s a step to 0.03 s: 30 s are left for 1000 steps. */
static void others_come(void **state) {
    (void)state;
    Pace pace = {.steps = 0};
    double left[2];
    note(&pace, 1000, 0.01);
    note(&pace, 300, 0.03);
    pace_left(&pace, 1000 * 120, left);
    assert_in_range((int)left[0], 10, 24);
    assert_in_range((int)left[1], 27, 31);
    note(&pace, 20000, 0.03); /* the usual pace by now */
    pace_left(&pace, 1000 * 120, left);
    assert_in_range((int)(left[0] + 0.5), 28, 30);
    assert_true(left[1] == left[0]);
}

static void sleeps(void **state) {
    (void)state;
    Pace pace = {.steps = 0};
    double left[2];
    note(&pace, 6000, 0.01);
    note(&pace, 1, 36000);
    note(&pace, 3000, 0.01);
    pace_left(&pace, 1000 * 120, left);
    assert_true(left[0] >= 9.9 && left[1] <= 21);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steady), cmocka_unit_test(others_come),
                                       cmocka_unit_test(sleeps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
