/* SPDX-License-Identifier: Apache-2.0
 *
 * COARE 3.5 against the results of its authors' program, and its limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/exchange/coare_lanes.h"
#include "tests/support/near.h"

/* Their humidity (Buck 1981), constants and gravity of the latitude, so that only the iteration is compared. */
static double their_saturation(double temperature, double hpa) {
    return 6.1121 * exp(17.502 * temperature / (240.97 + temperature)) * (1.0007 + 3.46e-6 * hpa);
}

typedef struct Weather {
    double wind, air, humidity, hpa, water, sun, sky, latitude;
    AirHeights height;
} Weather;

static CoareState state_of(Weather w) {
    const double zero = 273.16, vapour = 0.01 * w.humidity * their_saturation(w.air, w.hpa),
                 wet = 0.98 * their_saturation(w.water, w.hpa), sine = sin(w.latitude * acos(-1) / 180);
    const double q = 0.62197 * vapour / (w.hpa - 0.378 * vapour),
                 q_water = 0.622 * wet / (w.hpa - 0.378 * wet);
    const double kelvin = w.water + zero, emitted = 0.97 * 5.67e-8 * pow(kelvin, 4);
    CoareState s = {.wind = w.wind, .air = w.air + zero, .heat_capacity = 1004.67, .height = w.height};
    s.density = 100 * w.hpa / (287.1 * s.air * (1 + 0.61 * q));
    s.viscosity = air_viscosity(w.air);
    s.excess = w.water - w.air - ADIABATIC_LAPSE * w.height.temperature;
    s.humidity = q_water - q;
    s.latent_heat = latent_heat(w.water);
    s.gravity = 9.7803267715 * (1 + 0.0052790414 * sine * sine);
    s.expansion = coare_expansion(w.water);
    s.sun = 0.945 * w.sun;
    s.long_wave = 0.97 * w.sky - emitted;
    s.long_wave_per_K = 4 * emitted / kelvin;
    s.humidity_per_K = 0.622 * s.latent_heat * q_water / (287.1 * kelvin * kelvin);
    return s;
}

/* Rows of test_35_data.txt and test_35_output_py_082020.txt of the COARE algorithm's archive at NOAA PSL: a ship in
 * the tropics, all at 16 m, cool skin; strongest and weakest wind, coldest and least cold skin, brightest sun. */
static void the_published_table_is_met(void **unused) {
    (void)unused;
    static const struct {
        double wind, air, humidity, hpa, water, sun, sky, latitude, friction, sensible, latent, skin;
    } row[] = {
        {9.90, 24.70, 90.30, 1008.0, 29.24, 18.00, 432.00, -1.72, 0.365407, 56.2608, 233.6566, 0.264027},
        {3.30, 27.20, 70.91, 1008.0, 29.15, 0.00, 410.00, -1.72, 0.111417, 7.9138, 115.2079, 0.410246},
        {1.10, 27.40, 77.40, 1008.0, 29.14, 960.00, 412.00, -1.72, 0.049307, 4.1046, 49.9310, 0.209720},
        {0.80, 28.90, 69.74, 1008.0, 29.23, 301.00, 410.00, -1.72, 0.036086, -0.2553, 37.2372, 0.292897},
        {0.50, 27.10, 81.40, 1008.0, 29.58, 930.00, 415.00, -1.71, 0.035500, 5.2213, 41.3288, 0.190251},
    };
    for (size_t n = 0; n < sizeof row / sizeof row[0]; n++) {
        CoareState s = state_of((Weather){row[n].wind,
                                          row[n].air,
                                          row[n].humidity,
                                          row[n].hpa,
                                          row[n].water,
                                          row[n].sun,
                                          row[n].sky,
                                          row[n].latitude,
                                          {16, 16, 16}});
        s.cool_skin = 1;
        const CoareScales scales = coare_scales(&s);
        const double passing = -s.density * scales.friction;
        assert_near(scales.friction / row[n].friction, 1, 1e-3);
        assert_near(passing * s.heat_capacity * scales.temperature, row[n].sensible, 0.01);
        assert_near(passing * s.latent_heat * scales.humidity, row[n].latent, 0.1);
        assert_near(scales.skin, row[n].skin, 1e-3);
    }
}

/* The same program for other heights, stable air and gales; 1013.25 hPa, 45 N, no cool skin. */
static void any_heights_and_weather(void **unused) {
    (void)unused;
    static const struct {
        double z_wind, z_air, z_humidity, wind, air, water, humidity, friction, sensible, latent;
    } row[] = {
        {10, 2, 2, 3, 20, 18, 80, 0.054337, -4.3800, 5.0472},
        {10, 2, 2, 6, 20, 16, 80, 0.129670, -23.5496, -7.9570},
        {10, 2, 2, 1, 15, 25, 60, 0.065993, 50.9965, 161.8025},
        {10, 2, 2, 25, 12, 10, 90, 1.301682, -87.7991, -39.1612},
        {10, 2, 2, 12, 5, 12, 70, 0.497223, 144.6888, 241.8447},
        {4, 2, 3, 7, 18, 20, 75, 0.261497, 24.4389, 136.0863},
        {30, 12, 20, 16, 10, 13, 85, 0.625206, 61.7339, 135.2965},
    };
    for (size_t n = 0; n < sizeof row / sizeof row[0]; n++) {
        const CoareState s = state_of((Weather){row[n].wind,
                                                row[n].air,
                                                row[n].humidity,
                                                1013.25,
                                                row[n].water,
                                                0,
                                                0,
                                                45,
                                                {row[n].z_wind, row[n].z_air, row[n].z_humidity}});
        const CoareScales scales = coare_scales(&s);
        const double passing = -s.density * scales.friction;
        assert_near(scales.friction, row[n].friction, 1e-3 * row[n].friction);
        assert_near(passing * s.heat_capacity * scales.temperature, row[n].sensible, 0.03);
        assert_near(passing * s.latent_heat * scales.humidity, row[n].latent, 0.1);
    }
}

/* 600 conditions. What differs most is a cool skin, for whose thickness their program rounds the exponent 1/3 to 0.333, and
 * nearly calm stable air, for which ten rounds are too few for both. */
static void the_authors_program_is_met(void **unused) {
    (void)unused;
    static const double rows[][15] = {
#include "tests/unit/coare_reference.inc"
    };
    int apart = 0;
    assert_int_equal(sizeof rows / sizeof rows[0], 600);
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        const double *r = rows[n];
        CoareState s = state_of((Weather){r[0], r[1], r[2], r[3], r[4], r[5], r[6], 45, {r[7], r[8], r[9]}});
        s.cool_skin = r[10] > 0;
        const CoareScales scales = coare_scales(&s);
        const double passing = -s.density * scales.friction, off = fabs(scales.friction / r[11] - 1);
        const double sensible = passing * s.heat_capacity * scales.temperature,
                     latent = passing * s.latent_heat * scales.humidity;
        const int calm = r[11] < 0.06;
        const double bound = calm ? 4e-3 : 2e-4;
        apart += off > 1e-5;
        if (off > (calm ? 2.5e-2 : bound) || fabs(sensible - r[12]) > bound * (1 + fabs(r[12])) ||
            fabs(latent - r[13]) > 1.5 * bound * (2 + fabs(r[13])) ||
            fabs(scales.skin - r[14]) > 1.8e-3 * s.cool_skin)
            fail_msg("row %zu: u* %.7f of %.7f, heat %.5f of %.5f and %.5f of %.5f, skin %.5f of %.5f", n,
                     scales.friction, r[11], sensible, r[12], latent, r[13], scales.skin, r[14]);
    }
    if (apart > 16) fail_msg("u* of %d conditions differs by more than 1e-5", apart);
}

static double psi_u(double zeta) {
    return zeta >= 0 ? coare_psi_u_stable(zeta) : coare_psi_u_unstable(zeta);
}

static double psi_t(double zeta) {
    return zeta >= 0 ? coare_psi_t_stable(zeta) : coare_psi_t_unstable(zeta);
}

/* COARE's forms for unstable air, by the C library. */
static double convective(double y) {
    return 1.5 * log((1 + y + y * y) / 3) - sqrt(3) * (atan((1 + 2 * y) / sqrt(3)) - acos(-1) / 3);
}

static double blended(double kansas, double convective, double zeta) {
    return (kansas + zeta * zeta * convective) / (1 + zeta * zeta);
}

static double published_psi_u(double zeta) {
    const double x = sqrt(sqrt(1 - 15 * zeta)),
                 kansas = log((1 + x) * (1 + x) * (1 + x * x) / 8) - 2 * atan(x) + acos(-1) / 2;
    return blended(kansas, convective(cbrt(1 - 10.15 * zeta)), zeta);
}

static double published_psi_t(double zeta) {
    return blended(2 * log((1 + sqrt(1 - 15 * zeta)) / 2), convective(cbrt(1 - 34.15 * zeta)), zeta);
}

static void unstable_profiles_are_those_published(void **unused) {
    (void)unused;
    for (double z = 1e-9; z < 1000; z *= 1.003) {
        assert_near(coare_psi_u_unstable(-z), published_psi_u(-z), 2.2e-8);
        assert_near(coare_psi_t_unstable(-z), published_psi_t(-z), 1e-7);
    }
    assert_true(coare_psi_u_unstable(-1e9) == coare_psi_u_unstable(-1000));
    assert_true(coare_psi_t_unstable(-1e9) == coare_psi_t_unstable(-1000));
}

static void logarithm_and_root_are_exact_enough(void **unused) {
    (void)unused;
    for (double x = 1e-12; x < 1e12; x *= 1.0037) {
        assert_near(coare_log(x), log(x), 2e-11);
        assert_near(coare_cbrt(x) / cbrt(x), 1, 1.6e-6);
    }
}

/* The profiles' functions meet at neutral air, and fall with stability. */
static void profiles_are_continuous_and_fall(void **unused) {
    (void)unused;
    assert_near(coare_psi_u_unstable(-1e-12), coare_psi_u_stable(0), 1e-9);
    assert_near(coare_psi_t_unstable(-1e-12), coare_psi_t_stable(0), 1e-9);
    for (double z = -30; z < 30; z += 0.1) {
        assert_true(psi_u(z) > psi_u(z + 0.1));
        assert_true(psi_t(z) > psi_t(z + 0.1));
    }
}

static void no_weather_breaks_it(void **unused) {
    (void)unused;
    for (double wind = 0; wind <= 80; wind += 4)
        for (double air = -40; air <= 50; air += 10)
            for (double water = -2; water <= 36; water += 6)
                for (int skin = 0; skin < 2; skin++) {
                    CoareState s = state_of((Weather){wind, air, 50, 1000, water, 300, 300, 45, {10, 2, 2}});
                    s.cool_skin = skin;
                    const CoareScales scales = coare_scales(&s);
                    assert_true(scales.friction > 0 && scales.friction < 9);
                    assert_true(isfinite(scales.temperature) && isfinite(scales.humidity));
                    assert_true(fabs(scales.skin) < 3);
                }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_table_is_met),
        cmocka_unit_test(any_heights_and_weather),
        cmocka_unit_test(the_authors_program_is_met),
        cmocka_unit_test(profiles_are_continuous_and_fall),
        cmocka_unit_test(no_weather_breaks_it),
        cmocka_unit_test(unstable_profiles_are_those_published),
        cmocka_unit_test(logarithm_and_root_are_exact_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
