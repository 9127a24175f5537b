/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways through the pixels of a cell, in which many are alike (model/subgrid/ways.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/subgrid/ways.h"

enum { COLUMNS = 6, ROWS = 3, PIXELS = COLUMNS * ROWS };

static const double LEVEL = 5, APART = 0.3;

/* The lowest way to each pixel of a cell; of one that is turned by 180 degrees, and the ways turned back. */
static void find(const double height[PIXELS], bool turned, double pass[PIXELS]) {
    double given[PIXELS], found[PIXELS];
    Ways *ways = ways_create(PIXELS);
    for (int n = 0; n < PIXELS; n++) given[n] = height[turned ? PIXELS - 1 - n : n];
    ways_find(ways, given, COLUMNS, ROWS, LEVEL, APART, found);
    for (int n = 0; n < PIXELS; n++) pass[n] = found[turned ? PIXELS - 1 - n : n];
    ways_destroy(&ways);
}

/* The main water has pixel `main`; at the pool it must stand as high as the bank. */
static void expect(const double height[PIXELS], int main, int pool, double bank) {
    for (int turned = 0; turned < 2; turned++) {
        double pass[PIXELS];
        find(height, turned, pass);
        assert_true(pass[main] == height[main]);
        assert_true(pass[pool] == bank);
    }
}

static void of_two_waters_as_large_the_fuller_one_is_the_main_one(void **state) {
    (void)state;
    expect((double[PIXELS]){1, 1, 1, 1, 1, 1, -1, -1, 1, 1, -2, -2, 1, 1, 1, 1, 1, 1}, 11, 6, 1);
    expect((double[PIXELS]){1, 1, 1, 1, 1, 1, -2, -2, 1, 1, -1, -1, 1, 1, 1, 1, 1, 1}, 6, 11, 1);
}

static void ways_begin_at_all_of_the_lowest_pixels(void **state) {
    (void)state;
    expect((double[PIXELS]){1, 1, 1, 1, 1, 1, -2, -2, -1, -1, -2, -2, 1, 1, 1, 1, 1, 1}, 6, 8, -1);
    expect((double[PIXELS]){1, 1, 1, 1, 1, 1, -2, -2, -1, -1, -2, -2, 1, 1, 1, 1, 1, 1}, 11, 9, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_waters_as_large_the_fuller_one_is_the_main_one),
        cmocka_unit_test(ways_begin_at_all_of_the_lowest_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
