/* SPDX-License-Identifier: Apache-2.0
 *
 * The scales of seas: a flume, a shallow sea, an ocean with an island, a dam on flat ground; levels and speeds
 * beyond them are refused, or warned of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "model/momentum/momentum.h"
#include "model/scales.h"
#include "settings/doubt.h"
#include "tests/support/bed_grid.h"
#include "tests/support/messages.h"
#include "tests/support/near.h"
#include "tests/support/ranks.h"
#include <math.h>

static double shallowest, deepest; /* ground */

static double slope(int i, int j) {
    (void)j;
    return deepest + (shallowest - deepest) * i / 7;
}

static Scales scales(double cell, double from, double to, char *allow) {
    double levels[] = {fmin(0.5 * from, -0.01), 0};
    const Axes axes = {.nx = 8, .ny = 2, .nz = 1, .step_x = cell, .step_y = cell, .interfaces = levels};
    const Scenario scenario = {.physics.gravity_m_s2 = 9.81, .allow = &allow, .n_allow = allow ? 1 : 0};
    deepest = from, shallowest = to;
    Grid *g = bed_grid(MPI_COMM_SELF, &axes, slope, 0);
    const Scales s = scales_of(&scenario, g);
    grid_destroy(&g);
    return s;
}

static void follow_the_ground(void **state) {
    (void)state;
    const Scales flume = scales(0.1, -0.2, -0.2, NULL), azov = scales(4e3, -14, 3, NULL),
                 ocean = scales(1e4, -5000, 20, NULL);
    const Scales dam = scales(100, 0, 0, NULL);
    assert_near(flume.level_given, 0.4, 1e-12);
    assert_near(flume.level, 0.8, 1e-12);
    assert_near(flume.speed, 5 * sqrt(9.81 * 0.2), 1e-12);
    assert_near(azov.lowest, -14, 0);
    assert_near(azov.highest_ground, 3, 0);
    assert_near(azov.level_given, 34, 1e-12);
    assert_true(ocean.speed == IMPOSSIBLE_SPEED);
    assert_near(dam.level_given, 20, 1e-12); /* 10 m of water on ground at the datum */
}

static void are_refused_or_allowed(void **state) {
    (void)state;
    char *allow = (char[]){"scales"};
    const Scenario strict = {0}, lenient = {.allow = &allow, .n_allow = 1};
    const Scales s = scales(0.1, -0.2, -0.2, NULL), open = scales(0.1, -0.2, -0.2, allow);
    assert_int_equal(scales_check_level(&s, &strict, "the level", 0.39, "here"), STATUS_OK);
    assert_int_equal(scales_check_level(&s, &strict, "the level", 46, "here"), STATUS_BAD_INPUT);
    messages_expect("the level is 46 m here");
    assert_int_equal(scales_check_speed(&s, &strict, "the flow", -6, "here"), STATUS_OK);
    assert_int_equal(scales_check_speed(&s, &strict, "the flow", -8, "here"), STATUS_BAD_INPUT);
    messages_expect("the flow is -8 m/s here");
    assert_int_equal(scales_check_level(&open, &lenient, "the level", 46, "here"), STATUS_OK);
    assert_int_equal(error_count(), 0);
    assert_true(isinf(open.level) && open.speed == IMPOSSIBLE_SPEED);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follow_the_ground),
        cmocka_unit_test(are_refused_or_allowed),
    };
    MPI_Init(&argc, &argv);
    log_start(0);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
