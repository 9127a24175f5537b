/* SPDX-License-Identifier: Apache-2.0
 *
 * What passes between air and water: published values, signs, and pieces that have to fit together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/exchange/bulk_lanes.h"
#include "tests/support/near.h"

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
    assert_near(kondo_neutral(1).drag, 1.08e-3, 1e-9);
    assert_near(kondo_neutral(1).heat, 1.185e-3, 1e-9);
    assert_near(kondo_neutral(1).moisture, 1.23e-3, 1e-9);
    assert_near(kondo_neutral(10).drag, 1.45e-3, 1e-9);
    assert_near(kondo_neutral(10).heat, 1.243e-3, 1e-6);
    assert_near(kondo_neutral(10).moisture, 1.274e-3, 1e-6);
    const double ends[] = {2.2, 5, 8, 25};
    for (int n = 0; n < 4; n++) {
        KondoNeutral below = kondo_neutral(ends[n] - 1e-9), above = kondo_neutral(ends[n]);
        assert_near(below.drag, above.drag, 2e-6);
        assert_near(below.heat, above.heat, 3e-6);
        assert_near(below.moisture, above.moisture, 3e-6);
    }
}

static const AirHeights all_at_10_m = {10, 10, 10}, as_usual = {10, 2, 2};

static void warm_water_is_stirred_and_cold_water_covered(void **state) {
    (void)state;
    TransferCoefficients neutral = kondo_transfer(5, 0, all_at_10_m),
                         warm = kondo_transfer(5, 5, all_at_10_m), cold = kondo_transfer(5, -5, all_at_10_m),
                         colder = kondo_transfer(0.5, -10, all_at_10_m);
    assert_near(neutral.heat, kondo_neutral(5).heat, 1e-15);
    assert_near(neutral.moisture, kondo_neutral(5).moisture, 1e-15);
    assert_true(warm.heat > 1.2 * neutral.heat && cold.heat < 0.8 * neutral.heat);
    assert_true(colder.heat == 0 && colder.moisture == 0);
    assert_near(warm.heat / neutral.heat, 1 + 0.63 * sqrt(0.2 * 0.2 / 0.21), 1e-12);
}

/* In neutral air, the logarithmic profiles of one flux: whatever the heights, the flux is that of 10 m. */
static void heights_do_not_change_a_neutral_flux(void **state) {
    (void)state;
    const double wind = 7, excess = 1e-9;
    const KondoNeutral c = kondo_neutral(wind);
    const double heights[][3] = {{10, 2, 2}, {3, 2, 4}, {20, 5, 1}, {40, 12, 30}};
    for (int n = 0; n < 4; n++) {
        const AirHeights h = {heights[n][0], heights[n][1], heights[n][2]};
        const double there = wind * (1 + sqrt(c.drag) / KARMAN * log(h.wind / 10));
        const double warmth = excess * (1 + c.heat / (KARMAN * sqrt(c.drag)) * log(h.temperature / 10));
        const double vapour = 1 + c.moisture / (KARMAN * sqrt(c.drag)) * log(h.humidity / 10);
        const TransferCoefficients k = kondo_transfer(there, warmth, h);
        assert_near(k.heat * there * warmth / (c.heat * wind * excess), 1, 1e-4); /* s_0 is not quite 0 */
        assert_near(k.moisture * there * vapour / (c.moisture * wind), 1, 1e-4);
    }
}

/* s_0 by hand: all at 2 m, and air at 2 m below a wind at 10 m. */
static void stability_counts_the_heights(void **state) {
    (void)state;
    const double wind = 4, excess = -3;
    const TransferCoefficients low = kondo_transfer(wind, excess, (AirHeights){2, 2, 2}),
                               neutral = kondo_transfer(wind, 0, (AirHeights){2, 2, 2});
    const double tens = 1 + log10(5);
    assert_near(low.heat / neutral.heat, kondo_stability(excess / (wind * wind * tens * tens)), 1e-13);
    const KondoNeutral c = kondo_neutral(wind);
    const double more = 1 / (1 + c.heat / (KARMAN * sqrt(c.drag)) * log(0.2));
    const double mixed = kondo_transfer(wind, excess, as_usual).heat / kondo_transfer(wind, 0, as_usual).heat;
    assert_true(more > 1.14 && more < 1.18);
    assert_near(mixed, kondo_stability(excess * more / (wind * wind)), 1e-13);
}

/* Heat per excess temperature and wind by COARE 3.5 without cool skin (U at 10 m, T and relative humidity 80 % at
 * 2 m, air of 20 degrees C, 1013.25 hPa, 45 N, boundary layer of 600 m): the independent measure of a light wind
 * over cold and warm water. */
static void kondo_is_near_coare_for_air_at_2_m(void **state) {
    (void)state;
    const double excess[] = {-4, -2, 2, 5}, wind[] = {3, 5, 8, 12, 20};
    const double coare[4][5] = {{0.359, 0.659, 1.051, 1.211, 1.354},
                                {0.602, 0.970, 1.180, 1.250, 1.364},
                                {1.667, 1.507, 1.352, 1.318, 1.385},
                                {1.899, 1.642, 1.416, 1.352, 1.398}};
    for (int e = 0; e < 4; e++)
        for (int w = 1; w < 5; w++) {
            const double heat = 1e3 * kondo_transfer(wind[w], excess[e] - 0.0196, as_usual).heat;
            assert_near(heat / coare[e][w], 1, 0.2);
        }
    /* gusts, which Kondo does not have, carry more below some 4 m/s */
    assert_true(kondo_transfer(3, -2, as_usual).heat < 0.602e-3);
}

static const BulkLaw laws[] = {BULK_COARE35, BULK_KONDO};

/* Over water of any salinity: salt lowers the vapour over it by 2 % at 35 g/kg. */
static void nothing_passes_in_balance(void **state) {
    (void)state;
    const double salinity[] = {0, 11, 35};
    Air air = {.pressure = 101325, .wind = 7, .height = as_usual, .cloudiness = 0.3};
    air.temperature = 18 - 2 * ADIABATIC_LAPSE;
    air.long_wave_down = STEFAN_BOLTZMANN * pow(18 + ZERO_CELSIUS, 4);
    for (int n = 0; n < 6; n++) {
        air.vapour = (1 - 0.02 * salinity[n / 2] / 35) * vapour_saturation(18);
        BulkFlux flux = bulk_flux(laws[n % 2], 0, &air, 18, salinity[n / 2]);
        assert_near(flux.sensible, 0, 1e-11);
        assert_near(flux.latent, 0, 1e-9);
        assert_near(flux.evaporation, 0, 1e-15);
        assert_near(flux.long_wave, 0, 1e-9);
    }
}

/* A summer day over a warm sea: every part of the usual size. */
static void a_summer_day_is_as_usual(void **state) {
    (void)state;
    Air air = {.temperature = 22, .pressure = 101325, .wind = 6, .height = as_usual};
    air.long_wave_down = -1;
    air.cloudiness = 0.2;
    air.vapour = vapour_saturation(16);
    for (int n = 0; n < 2; n++) {
        BulkFlux flux = bulk_flux(laws[n], 0, &air, 25, 35);
        assert_true(flux.sensible < -20 && flux.sensible > -45);
        assert_true(flux.latent < -140 && flux.latent > -250);
        assert_true(flux.long_wave < -60 && flux.long_wave > -110);
        assert_near(flux.latent, -latent_heat(25) * flux.evaporation, 1e-9);
        assert_true(flux.evaporation * 86400 > 4 && flux.evaporation * 86400 < 9); /* mm a day */
    }
}

/* Dew point and vapour undo each other. */
static void dew_points_are_of_saturation(void **state) {
    (void)state;
    for (double t = -40; t < 45; t += 2.5) assert_near(dew_point(vapour_saturation(t)), t, 1e-11);
}

/* The published formulae by hand: air of 20 degrees C with a dew point of 15, half clouded, over water of 22. */
static void skies_radiate_as_published(void **state) {
    (void)state;
    const double s = 5.670374419e-8, ta = 293.15, ts = 295.15, e = 6.112 * exp(17.62 * 15 / (243.12 + 15));
    Air air = {.temperature = 20, .long_wave_down = -1, .cloudiness = 0.5, .sky = SKY_BERLIAND};
    air.vapour = 100 * e;
    assert_near(long_wave_net(sky_over(&air), 22),
                -0.97 * s * pow(ta, 3) * (ta * (0.39 - 0.05 * sqrt(e)) * 0.6 + 4 * 2), 1e-9);
    air.sky = SKY_BIGNAMI;
    const double bignami =
        s * pow(ta, 4) * (0.653 + 0.00535 * e) * (1 + 0.1762 * 0.25) - 0.98 * s * pow(ts, 4);
    assert_near(long_wave_net(sky_over(&air), 22), bignami, 1e-9);
    air.sky = SKY_JOSEY;
    const double warmer = 10.77 * 0.25 + 2.34 * 0.5 - 18.44 + 0.84 * (-5 + 4.01);
    assert_near(long_wave_net(sky_over(&air), 22), 0.955 * s * pow(ta + warmer, 4) - 0.98 * s * pow(ts, 4),
                1e-8);
    for (int sky = SKY_BERLIAND; sky <= SKY_JOSEY; sky++) {
        air.sky = (SkyLaw)sky;
        const double half = long_wave_net(sky_over(&air), 22);
        assert_true(half < -45 && half > -110);
        air.cloudiness = 1;
        assert_true(long_wave_net(sky_over(&air), 22) > half + 15);
        air.cloudiness = 0.5;
    }
}

static void dew_warms(void **state) {
    (void)state;
    Air air = {.temperature = 20, .pressure = 101325, .wind = 4, .height = as_usual, .long_wave_down = 350};
    air.vapour = vapour_saturation(19);
    for (int n = 0; n < 2; n++) {
        BulkFlux flux = bulk_flux(laws[n], 0, &air, 10, 35);
        assert_true(flux.evaporation < 0 && flux.latent > 0 && flux.sensible > 0);
    }
}

/* The heat that leaves passes through a skin some tenths of a degree colder; less leaves then. */
static void a_cool_skin_gives_off_less(void **state) {
    (void)state;
    Air air = {.temperature = 22, .pressure = 101325, .wind = 6, .height = as_usual, .long_wave_down = 380};
    air.vapour = vapour_saturation(16);
    const BulkFlux bulk = bulk_flux(BULK_COARE35, 0, &air, 25, 35),
                   skin = bulk_flux(BULK_COARE35, 1, &air, 25, 35);
    const double deficit = (skin.long_wave - bulk.long_wave) / (4 * 0.97 * STEFAN_BOLTZMANN * pow(298, 3));
    assert_true(deficit > 0.15 && deficit < 0.4);
    assert_true(skin.latent > bulk.latent && skin.sensible > bulk.sensible);
    assert_true(skin.latent - bulk.latent < 20);
}

/* The columns of a block, stable and unstable, wet and dry ones, have the fluxes that each has alone. */
/* Calm air a little warmer than the water: turbulence dies down from round to round of COARE's iteration. */
static void calm_air_over_colder_water_is_no_danger(void **unused) {
    (void)unused;
    for (int skin = 0; skin < 2; skin++)
        for (int n = 0; n < 8000; n++) {
            const Air air = {.temperature = 20,
                             .pressure = 101325,
                             .vapour = 0.6 * vapour_saturation(20),
                             .height = as_usual,
                             .sun = n % 11 * 94,
                             .long_wave_down = n % 2 ? -1 : 350};
            const BulkFlux flux = bulk_flux(BULK_COARE35, skin, &air, 16 + n * 0.0005, n % 5 * 7);
            if (!(fabs(flux.sensible) + fabs(flux.latent) < 300 && fabs(flux.long_wave) < 300))
                fail_msg("water of %g: %g, %g, %g W/m2", 16 + n * 0.0005, flux.sensible, flux.latent,
                         flux.long_wave);
        }
}

static void a_block_is_its_columns(void **state) {
    (void)state;
    enum { CASES = 12 };
    for (int n = 0; n < 2 * CASES; n++) {
        AirLanes lanes = {.height = as_usual, .sky = SKY_JOSEY};
        double water[LANES], salinity[LANES];
        int wet[LANES];
        BulkLanes all;
        for (int l = 0; l < LANES; l++) {
            lanes.temperature[l] = 12 + (n < CASES ? n : (n * l) % CASES), lanes.pressure[l] = 101325;
            lanes.vapour[l] = vapour_saturation(lanes.temperature[l] - 3), lanes.wind[l] = 0.5 + l + 0.3 * n;
            lanes.long_wave_down[l] = l % 3 == 0 ? 350 : -1, lanes.cloudiness[l] = 0.1 * l;
            water[l] = 18 + 0.1 * l, salinity[l] = 2 * l, wet[l] = l != 3 || LANES == 1;
        }
        bulk_lanes(laws[n % 2], n % 3 == 0, &lanes, water, salinity, wet, &all);
        for (int l = 0; l < LANES; l++) {
            const Air air = air_of_lane(&lanes, l);
            const BulkFlux alone = bulk_flux(laws[n % 2], n % 3 == 0, &air, water[l], salinity[l]);
            if (!wet[l]) continue;
            assert_true(all.sensible[l] == alone.sensible && all.latent[l] == alone.latent);
            assert_true(all.long_wave[l] == alone.long_wave && all.evaporation[l] == alone.evaporation);
        }
    }
}

/* Paulson and Simpson, type I. */
static void light_fades_as_measured(void **state) {
    (void)state;
    const Light clear = {0.58, 0.35, 23};
    assert_near(light_at(clear, 0, 0), 1, 0);
    assert_near(light_at(clear, 10, 0), 0.42 * exp(-10.0 / 23), 1e-12);
    assert_true(light_at(clear, 1, 0) < 0.5 && light_at(clear, 1, 0) > 0.4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vapour_saturates_as_in_the_tables),
        cmocka_unit_test(evaporation_takes_less_heat_from_warmer_water),
        cmocka_unit_test(coefficients_are_kondos),
        cmocka_unit_test(warm_water_is_stirred_and_cold_water_covered),
        cmocka_unit_test(heights_do_not_change_a_neutral_flux),
        cmocka_unit_test(stability_counts_the_heights),
        cmocka_unit_test(kondo_is_near_coare_for_air_at_2_m),
        cmocka_unit_test(nothing_passes_in_balance),
        cmocka_unit_test(a_summer_day_is_as_usual),
        cmocka_unit_test(dew_points_are_of_saturation),
        cmocka_unit_test(skies_radiate_as_published),
        cmocka_unit_test(dew_warms),
        cmocka_unit_test(a_cool_skin_gives_off_less),
        cmocka_unit_test(calm_air_over_colder_water_is_no_danger),
        cmocka_unit_test(a_block_is_its_columns),
        cmocka_unit_test(light_fades_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
