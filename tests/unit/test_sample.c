/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of files at a point and a time: linear between two records and between four points, a mean rate for
 * what is accumulated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/forcing/sample.h"

/* Two by two points, west to east and south to north. */
static const double before[] = {10, 20, 30, 40}, after[] = {14, 24, 34, 44};
static int low = 0;
static double quarter = 0.25, half = 0.5;

static Sample sample(double part) {
    return (Sample){.before = before,
                    .after = after,
                    .part = part,
                    .low_x = &low,
                    .low_y = &low,
                    .part_x = &quarter,
                    .part_y = &half,
                    .nx = 2};
}

static void records_are_joined_by_a_line_in_time(void **state) {
    (void)state;
    const Sample first = sample(0), later = sample(0.25), last = sample(1);
    assert_true(sample_record(&first, 0) == 10);
    assert_true(sample_record(&later, 0) == 11);
    assert_true(sample_record(&last, 0) == 14);
}

/* 10 + 10/4 in the south, 30 + 10/4 in the north, half-way between both. */
static void points_are_joined_by_lines_in_space(void **state) {
    (void)state;
    const Sample first = sample(0), later = sample(0.5);
    assert_true(sample_at(&first, 0, 0, 0) == 22.5);
    assert_true(sample_at(&later, 0, 0, 0) == 24.5);
}

static void accumulated_values_become_rates(void **state) {
    (void)state;
    Sample s = sample(0.25);
    s.seconds = 7;
    assert_true(sample_record(&s, 0) == 2);
}

static void uniform_and_computed_fields_are_taken_as_they_are(void **state) {
    (void)state;
    const Sample uniform = {.uniform = 3}, computed = {.value = after};
    assert_true(sample_at(&uniform, 2, 0, 0) == 3);
    assert_true(sample_at(&computed, 2, 0, 0) == 34);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_joined_by_a_line_in_time),
        cmocka_unit_test(points_are_joined_by_lines_in_space),
        cmocka_unit_test(accumulated_values_become_rates),
        cmocka_unit_test(uniform_and_computed_fields_are_taken_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
