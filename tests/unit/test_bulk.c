/* SPDX-License-Identifier: Apache-2.0
 *
 * What passes between air and water: published values, signs, and pieces that have to fit together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/exchange/bulk.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Saturation over water, Goff and Gratch (Smithsonian tables) [Pa]. */
static void vapour_saturates_as_in_the_tables(void **state) {
    (void)state;
    assert_near(vapour_saturation(0), 610.8, 1.5);
    assert_near(vapour_saturation(10), 1227.2, 4);
    assert_near(vapour_saturation(20), 2337.3, 8);
    assert_near(vapour_saturation(30), 4243.0, 13);
}

/* Enthalpy of evaporation, IAPWS-95 [J kg-1]. */
static void evaporation_takes_less_heat_from_warmer_water(void **state) {
    (void)state;
    assert_near(latent_heat(0), 2500.9e3, 0.3e3);
    assert_near(latent_heat(10), 2477.2e3, 0.3e3);
    assert_near(latent_heat(20), 2453.5e3, 0.3e3);
    assert_near(latent_heat(30), 2429.8e3, 0.3e3);
}

/* Kondo's table of neutral coefficients, 10 m. */
static void coefficients_are_kondos(void **state) {
    (void)state;
    assert_near(transfer_neutral(1).heat, 1.185e-3, 1e-9);
    assert_near(transfer_neutral(1).moisture, 1.23e-3, 1e-9);
    assert_near(transfer_neutral(10).heat, 1.243e-3, 1e-6);
    assert_near(transfer_neutral(10).moisture, 1.274e-3, 1e-6);
    const double ends[] = {2.2, 5, 8, 25};
    for (int n = 0; n < 4; n++) {
        TransferCoefficients below = transfer_neutral(ends[n] - 1e-9), above = transfer_neutral(ends[n]);
        assert_near(below.heat, above.heat, 3e-6);
        assert_near(below.moisture, above.moisture, 3e-6);
    }
}

static void warm_water_is_stirred_and_cold_water_covered(void **state) {
    (void)state;
    TransferCoefficients neutral = transfer_coefficients(5, 0), warm = transfer_coefficients(5, 5),
                         cold = transfer_coefficients(5, -5), colder = transfer_coefficients(0.5, -10);
    assert_near(neutral.heat, transfer_neutral(5).heat, 1e-15);
    assert_true(warm.heat > 1.2 * neutral.heat && cold.heat < 0.8 * neutral.heat);
    assert_true(colder.heat == 0 && colder.moisture == 0);
    assert_near(warm.heat / neutral.heat, 1 + 0.63 * sqrt(0.2 * 0.2 / 0.21), 1e-12);
}

static void nothing_passes_in_balance(void **state) {
    (void)state;
    Air air = {.temperature = 18, .pressure = 101325, .wind = 7, .cloudiness = 0.3};
    air.vapour = 0.98 * vapour_saturation(18);
    air.long_wave_down = STEFAN_BOLTZMANN * pow(18 + ZERO_CELSIUS, 4);
    BulkFlux flux = bulk_flux(&air, 18);
    assert_near(flux.sensible, 0, 1e-12);
    assert_near(flux.latent, 0, 1e-9);
    assert_near(flux.evaporation, 0, 1e-15);
    assert_near(flux.long_wave, 0, 1e-9);
}

/* A summer day over a warm sea: every part of the usual size. */
static void a_summer_day_is_as_usual(void **state) {
    (void)state;
    Air air = {.temperature = 22, .pressure = 101325, .wind = 6, .long_wave_down = -1, .cloudiness = 0.2};
    air.vapour = vapour_saturation(16);
    BulkFlux flux = bulk_flux(&air, 25);
    assert_true(flux.sensible < -20 && flux.sensible > -45);
    assert_true(flux.latent < -140 && flux.latent > -240);
    assert_true(flux.long_wave < -60 && flux.long_wave > -110);
    assert_near(flux.latent, -latent_heat(25) * flux.evaporation, 1e-9);
    assert_true(flux.evaporation * 86400 > 4 && flux.evaporation * 86400 < 9); /* mm a day */
}

static void dew_warms(void **state) {
    (void)state;
    Air air = {.temperature = 20, .pressure = 101325, .wind = 4, .long_wave_down = 350};
    air.vapour = vapour_saturation(19);
    BulkFlux flux = bulk_flux(&air, 10);
    assert_true(flux.evaporation < 0 && flux.latent > 0 && flux.sensible > 0);
}

/* Paulson and Simpson, type I. */
static void light_fades_as_measured(void **state) {
    (void)state;
    const Light clear = {0.58, 0.35, 23};
    assert_near(light_at(clear, 0), 1, 0);
    assert_near(light_at(clear, 10), 0.42 * exp(-10.0 / 23), 1e-12);
    assert_true(light_at(clear, 1) < 0.5 && light_at(clear, 1) > 0.4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vapour_saturates_as_in_the_tables),
        cmocka_unit_test(evaporation_takes_less_heat_from_warmer_water),
        cmocka_unit_test(coefficients_are_kondos),
        cmocka_unit_test(warm_water_is_stirred_and_cold_water_covered),
        cmocka_unit_test(nothing_passes_in_balance),
        cmocka_unit_test(a_summer_day_is_as_usual),
        cmocka_unit_test(dew_warms),
        cmocka_unit_test(light_fades_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
