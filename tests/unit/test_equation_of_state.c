/* SPDX-License-Identifier: Apache-2.0
 *
 * The equations of state at published points.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/density/equation_of_state.h"
#include "tests/support/near.h"

static const LinearDensity line = {1010, 2e-4, 7.5e-4, 10, 12};

static void the_linear_equation_is_a_line(void **state) {
    (void)state;
    assert_near(density_linear(line, 10, 12), 1010, 0);
    assert_near(density_linear(line, 15, 12), 1010 * (1 - 1e-3), 1e-12);
    assert_near(density_linear(line, 10, 14), 1010 * (1 + 1.5e-3), 1e-12);
}

/* Unesco technical papers 44, table of check values at one atmosphere. */
static void eos80_has_its_check_values(void **state) {
    (void)state;
    assert_near(density_eos80(5, 0), 999.96675, 5e-6);
    assert_near(density_eos80(25, 0), 997.04796, 5e-6);
    assert_near(density_eos80(5, 35), 1027.67547, 1e-5);
    assert_near(density_eos80(25, 35), 1023.34306, 5e-6);
}

/* The same table at 10000 dbar, where temperatures are those in situ; and of the bulk modulus [bar]. */
static void eos80_has_its_check_values_under_pressure(void **state) {
    (void)state;
    const double check[][4] = {{0, 5, 1044.12802, 0},
                               {0, 25, 1037.90204, 0},
                               {35, 5, 1069.48914, 0},
                               {35, 25, 1062.53817, 27108.94504}};
    for (int n = 0; n < 4; n++) {
        const double modulus = eos80_bulk_modulus(check[n][1], check[n][0], 1000);
        assert_near(density_eos80(check[n][1], check[n][0]) / (1 - 1000 / modulus), check[n][2], 1e-5);
        if (check[n][3] > 0) assert_near(modulus, check[n][3], 1e-5);
    }
    assert_near(eos80_bulk_modulus(5, 0, 0), 20337.80375, 1e-5);
}

/* Unesco 44: the lapse rate, and water of 40 degrees at 10000 dbar has the potential temperature 36.89073. */
static void deep_water_is_warmed_by_pressure(void **state) {
    (void)state;
    assert_near(eos80_lapse(40, 40, 10000), 3.255976e-4, 1e-10);
    assert_near(eos80_temperature(36.89073, 40, 10000), 40, 0.01); /* second order */
    assert_near(eos80_temperature(8, 35, 0), 8, 0);
}

/* By how much more 1000 dbar compress water of the Conservative Temperature 4 deg C than of 12, S_A 35.16504 g/kg
 * (Gibbs SeaWater library 3.6.23): the same from the potential temperatures and the practical salinity. */
static void cold_water_is_softer(void **state) {
    (void)state;
    const double softer = 0.1839090, metres = 1e7 / (1020 * 9.80665);
    const double eos80 = (density_eos80_at(4.0051584, 35, 1000) - density_eos80(4.0051584, 35)) -
                         (density_eos80_at(12.0108048, 35, 1000) - density_eos80(12.0108048, 35));
    const double teos10 = (density_teos10(4, 35.16504, metres) - density_teos10(4, 35.16504, 0)) -
                          (density_teos10(12, 35.16504, metres) - density_teos10(12, 35.16504, 0));
    assert_near(eos80, softer, 2e-3);
    assert_near(teos10, softer, 2e-3);
}

/* The paper's: S 30 g/kg, T 10 deg C, 1000 m: r_0 = 4.59763035, r = 1022.85377. */
static void teos10_has_its_check_value(void **state) {
    (void)state;
    assert_near(density_teos10(10, 30, 1000), 1022.85377, 5e-6);
}

/* Values of the Gibbs SeaWater library 3.6 (its own fit, of specific volume) at the surface. */
static void teos10_is_what_others_compute(void **state) {
    (void)state;
    assert_near(density_teos10(5, 0, 0), 999.97166058, 3e-4);
    assert_near(density_teos10(10, 5, 0), 1003.63841547, 3e-4);
    assert_near(density_teos10(20, 10, 0), 1005.91840576, 3e-4);
    assert_near(density_teos10(25, 15, 0), 1008.44538364, 3e-4);
    assert_near(density_teos10(10, 30, 0), 1022.95682863, 3e-4);
    assert_near(density_teos10(15, 35, 0), 1025.84762218, 3e-4);
}

/* Conservative temperature and density at the surface of practical salinity and potential temperature (Gibbs
 * SeaWater library 3.6.23, without the anomaly of composition). */
static void teos10_takes_what_is_observed(void **state) {
    (void)state;
    const double point[][4] = {{0, 25, 26.2834738446, 997.04817591},  {10, 25, 25.9187819695, 1004.55525083},
                               {11, 4, 4.1838457575, 1008.73696522},  {18, 12, 12.3293334047, 1013.42615821},
                               {35, 10, 9.9898117272, 1026.95411133}, {35, 28, 28.0059478882, 1022.39516446}};
    for (int n = 0; n < 6; n++) {
        const double salinity = teos10_salinity(point[n][0]), potential = point[n][1];
        assert_near(teos10_temperature(potential, salinity), point[n][2], 1e-9);
        assert_near(teos10_potential(point[n][2], salinity), potential, 1e-7);
        assert_near(density_teos10_practical(potential, point[n][0], 0), point[n][3], 3e-4);
    }
}

static void fresh_water_is_densest_at_four_degrees(void **state) {
    (void)state;
    assert_true(density_eos80(4, 0) > density_eos80(3, 0) && density_eos80(4, 0) > density_eos80(5, 0));
    assert_true(density_teos10(4, 0, 0) > density_teos10(3, 0, 0) &&
                density_teos10(4, 0, 0) > density_teos10(5, 0, 0));
}

/* Round-off below zero must not become no number. */
static void a_salinity_below_zero_counts_as_fresh(void **state) {
    (void)state;
    assert_near(density_eos80(10, -1e-18), density_eos80(10, 0), 0);
    assert_near(density_teos10(10, -1e-18, 0), density_teos10(10, 0, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_linear_equation_is_a_line),
        cmocka_unit_test(eos80_has_its_check_values),
        cmocka_unit_test(eos80_has_its_check_values_under_pressure),
        cmocka_unit_test(deep_water_is_warmed_by_pressure),
        cmocka_unit_test(cold_water_is_softer),
        cmocka_unit_test(teos10_has_its_check_value),
        cmocka_unit_test(teos10_is_what_others_compute),
        cmocka_unit_test(teos10_takes_what_is_observed),
        cmocka_unit_test(fresh_water_is_densest_at_four_degrees),
        cmocka_unit_test(a_salinity_below_zero_counts_as_fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
