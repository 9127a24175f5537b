/* SPDX-License-Identifier: Apache-2.0
 *
 * The drag laws at published points, their caps, and the direction the wind blows from.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/forcing/direction.h"
#include "model/forcing/wind_drag.h"
#include "tests/support/near.h"

static double cd(WindDrag law, double speed) {
    return wind_drag_coefficient((WindStress){law, 1.3e-3, 33, 1.22 / 1008, 0}, speed);
}

static void laws_have_their_published_values(void **state) {
    (void)state;
    assert_near(cd(WIND_DRAG_CONSTANT, 20), 1.3e-3, 0);
    assert_near(cd(WIND_DRAG_LARGE_POND, 2), 1.2e-3, 0);
    assert_near(cd(WIND_DRAG_LARGE_POND, 10), 1.2e-3, 0);
    assert_near(cd(WIND_DRAG_LARGE_POND, 20), 1.79e-3, 1e-15);
    assert_near(cd(WIND_DRAG_SMITH_BANKE, 10), 1.29e-3, 1e-15);
    assert_near(cd(WIND_DRAG_WU, 10), 1.45e-3, 1e-15);
    assert_near(cd(WIND_DRAG_GARRATT, 10), 1.42e-3, 1e-15);
    assert_near(cd(WIND_DRAG_AZOV, 6.59), 0.0088, 0);
    assert_near(cd(WIND_DRAG_AZOV, 6.6), 0.0026, 0);
    assert_near(cd(WIND_DRAG_AZOV, 30), 0.0026, 0);
}

/* 1e3 Cd of neutral air at 10 m as the COARE 3.5 program of its authors has it, air of 20 degrees C at 45 N. */
static void coare_has_its_authors_drag(void **state) {
    (void)state;
    const double published[][2] = {{3.010072, 0.9163410}, {5.006742, 0.9230675}, {8.004181, 1.135567},
                                   {10.003334, 1.321424}, {15.002348, 1.826819}, {20.001936, 2.352912},
                                   {25.001717, 2.733693}, {30.001577, 3.128945}};
    for (int n = 0; n < 8; n++)
        assert_near(1e3 * cd(WIND_DRAG_COARE35, published[n][0]), published[n][1], 1e-3);
}

/* From a breeze to far beyond the strongest wind; the roughness is written out here. */
static void coare_drag_is_that_of_its_roughness(void **state) {
    (void)state;
    for (double w = 0.2; w < 80; w *= 1.01) {
        const double friction = w * sqrt(coare_drag(w, 9.80665, 1.5e-5));
        const double charnock = 0.0017 * (w < 19 ? w : 19) - 0.005;
        const double rough = charnock * friction * friction / 9.80665 + 0.11 * 1.5e-5 / friction;
        assert_near(friction / KARMAN * log(10 / rough) / w, 1, 1e-11);
    }
}

static void large_pond_is_continuous(void **state) {
    (void)state;
    for (double w = 0; w < 40; w += 0.01)
        assert_near(cd(WIND_DRAG_LARGE_POND, w), cd(WIND_DRAG_LARGE_POND, w + 0.01), 1e-6);
}

static void coefficients_stop_growing_at_the_cap(void **state) {
    (void)state;
    const WindDrag laws[] = {WIND_DRAG_LARGE_POND, WIND_DRAG_SMITH_BANKE, WIND_DRAG_WU, WIND_DRAG_GARRATT,
                             WIND_DRAG_COARE35};
    for (int n = 0; n < 5; n++) {
        assert_true(cd(laws[n], 32.9) < cd(laws[n], 33));
        assert_near(cd(laws[n], 33), cd(laws[n], 60), 0);
    }
}

static void stress_is_density_drag_and_speed(void **state) {
    (void)state;
    WindStress s = {WIND_DRAG_CONSTANT, 2e-3, 33, 1.25 / 1000, 0};
    /* |W| = 5: 1.25e-3 * 2e-3 * 5 = 1.25e-5 per m/s */
    assert_near(wind_stress_factor(s, 3, -4), 1.25e-5, 1e-20);
    assert_near(wind_stress_factor(s, 0, 0), 0, 0);
}

/* On the profile of neutral air the stress does not depend on the height at which its wind is given. */
static void a_wind_from_a_mast_is_taken_to_10_m(void **state) {
    (void)state;
    const WindDrag laws[] = {WIND_DRAG_CONSTANT, WIND_DRAG_LARGE_POND, WIND_DRAG_WU};
    for (int n = 0; n < 3; n++)
        for (double z = 1; z < 100; z *= 3) {
            const WindStress at_10 = {laws[n], 2e-3, 33, 1e-3, 0},
                             at_z = {laws[n], 2e-3, 33, 1e-3, log(z / 10)};
            const double there = 17 * (1 + sqrt(wind_drag_coefficient(at_10, 17)) / KARMAN * log(z / 10));
            assert_near(wind_stress_factor(at_z, there, 0) * there, wind_stress_factor(at_10, 17, 0) * 17,
                        1e-9);
        }
}

static void winds_come_from_where_they_blow(void **state) {
    (void)state;
    double u, v;
    direction_wind(10, 270, &u, &v);
    assert_true(u == 10 && v == 0);
    direction_wind(10, 0, &u, &v);
    assert_true(u == 0 && v == -10);
    direction_wind(10, 450, &u, &v); /* 90: from the east */
    assert_true(u == -10 && v == 0);
    direction_wind(10, -180, &u, &v);
    assert_true(u == 0 && v == 10);
    for (double from = -720; from <= 720; from += 0.37) {
        const double radians = from * (3.14159265358979323846 / 180);
        direction_wind(1, from, &u, &v);
        assert_near(u, -sin(radians), 4e-15);
        assert_near(v, -cos(radians), 4e-15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_have_their_published_values),
        cmocka_unit_test(coare_has_its_authors_drag),
        cmocka_unit_test(coare_drag_is_that_of_its_roughness),
        cmocka_unit_test(large_pond_is_continuous),
        cmocka_unit_test(coefficients_stop_growing_at_the_cap),
        cmocka_unit_test(stress_is_density_drag_and_speed),
        cmocka_unit_test(a_wind_from_a_mast_is_taken_to_10_m),
        cmocka_unit_test(winds_come_from_where_they_blow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
