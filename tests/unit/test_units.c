/* SPDX-License-Identifier: Apache-2.0
 *
 * Units of files: however people and reanalyses write them, the factor is the same, that of decimals to the last bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/units.h"
#include "tests/support/near.h"
#include <math.h>
#include <string.h>

typedef struct Case {
    const char *unit, *expected;
    double factor, offset;
    bool accumulated;
} Case;

static void units_have_their_factors(void **state) {
    (void)state;
    static const Case cases[] = {
        {"m s**-1", "m/s", 1, 0, 0},
        {"m.s^-1", "m/s", 1, 0, 0},
        {"meter second-1", "m/s", 1, 0, 0},
        {"ms-1", "m/s", 1, 0, 0},
        {"mps", "m/s", 1, 0, 0},
        {"knots", "m/s", 1852.0 / 3600, 0, 0},
        {"kts", "m/s", 1852.0 / 3600, 0, 0},
        {"kn", "m/s", 1852.0 / 3600, 0, 0},
        {"km/h", "m/s", 1 / 3.6, 0, 0},
        {"cm s-1", "m/s", 0.01, 0, 0},
        {"cms-1", "m/s", 0.01, 0, 0},
        {"ft", "m", 0.3048, 0, 0},
        {"mL s-1", "m3/s", 1e-6, 0, 0},
        {"m3s-1", "m3/s", 1, 0, 0},
        {"hPa", "Pa", 100, 0, 0},
        {"mb", "Pa", 100, 0, 0},
        {"mbar", "Pa", 100, 0, 0},
        {"N m-2", "Pa", 1, 0, 0},
        {NULL, "Pa", 1, 0, 0},
        {" ", "Pa", 1, 0, 0},
        {"furlong", NULL, 1, 0, 0},
        {"Degree true", "deg", 1, 0, 0},
        {"\xC2\xB0", "deg", 1, 0, 0},
        {"K", "C", 1, -273.15, 0},
        {"degrees C", "C", 1, 0, 0},
        {"Celsius", "C", 1, 0, 0},
        {"\xC2\xB0"
         "C",
         "C", 1, 0, 0},
        {"degF", "C", 5 / 9.0, -160 / 9.0, 0},
        {"kg m-2 s-1", "mm/h", 3600, 0, 0},
        {"kgm-2s-1", "mm/h", 3600, 0, 0},
        {"kg m**-2 s**-1", "mm/h", 3600, 0, 0},
        {"mm/day", "mm/h", 1.0 / 24, 0, 0},
        {"m s-1", "mm/h", 3.6e6, 0, 0},
        {"mm/s", "mm/h", 3600, 0, 0},
        {"Wm-2", "W/m2", 1, 0, 0},
        {"days", "s", 86400, 0, 0},
        {"min", "s", 60, 0, 0},
        {"kg kg-1", "g/kg", 1000, 0, 0},
        {"1", "g/kg", 1, 0, 0},
        {"0.001", "g/kg", 1, 0, 0},
        {"PSU", "g/kg", 1, 0, 0},
        {"percent", "1", 0.01, 0, 0},
        {"(0 - 1)", "1", 1, 0, 0},
        {"oktas", "1", 0.125, 0, 0},
        {"m of water equivalent", "mm/h", 3.6e6, 0, true},
        {"J m**-2", "W/m2", 1, 0, true},
        {"kJ/m2", "W/m2", 1000, 0, true},
        {"kg m-2", "mm/h", 3600, 0, true},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        UnitChange found;
        assert_true(unit_change(cases[n].unit, cases[n].expected, &found));
        const double scaled = 1e9 * cases[n].factor;
        const bool decimal = fabs(scaled - nearbyint(scaled)) < 1e-3;
        assert_near(found.factor, cases[n].factor, decimal ? 0 : 4e-16 * cases[n].factor);
        assert_near(found.offset, cases[n].offset, 1e-14 * fabs(cases[n].offset));
        assert_int_equal(found.accumulated, cases[n].accumulated);
    }
}

static void other_quantities_are_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"K", "Pa"},  {"hPa", "m/s"}, {"m", "g/kg"},      {"m", "m/s"},     {"deg", "1"},
        {"1", "deg"}, {"J", "W/m2"},  {"kg m-3", "mm/h"}, {"rubbish", "m"}, {"m s-1 since 1970", "m/s"}};
    UnitChange found;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        assert_false(unit_change(cases[n][0], cases[n][1], &found));
}

static void keys_end_with_their_units(void **state) {
    (void)state;
    assert_string_equal(unit_of_key("discharge_m3_s"), "m3/s");
    assert_string_equal(unit_of_key("velocity_m_s"), "m/s");
    assert_string_equal(unit_of_key("eta_m"), "m");
    assert_string_equal(unit_of_key("salinity"), "g/kg");
    assert_null(unit_of_key("dye"));
}

static void mistakes_are_guessed(void **state) {
    (void)state;
    assert_non_null(strstr(unit_guess("C", 15 - 273.15, -80, 80), "Celsius"));
    assert_non_null(strstr(unit_guess("C", 288, -80, 80), "kelvin"));
    assert_null(unit_guess("C", 9999, -80, 80));
    assert_true(unit_missing(" ", "m/s") && !unit_missing(NULL, "deg") && !unit_missing("m/s", "m/s"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_have_their_factors),
        cmocka_unit_test(other_quantities_are_refused),
        cmocka_unit_test(keys_end_with_their_units),
        cmocka_unit_test(mistakes_are_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
