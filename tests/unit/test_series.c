/* SPDX-License-Identifier: Apache-2.0
 *
 * Series from constants, formulas and CSV files: exact values, interpolation, and what is refused with file
 * and line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/calendar.h"
#include "base/csv_text.h"
#include "base/memory.h"
#include "model/forcing/source_records.h"
#include "model/forcing/wind.h"
#include "tests/support/messages.h"
#include "tests/support/near.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "test_series.csv";
static const double hour = 3600;
static double start; /* 2014-09-23T00:00Z */
static double levels[] = {-1, 0};
static const Axes plane = {.nx = 10, .ny = 4, .nz = 1, .step_x = 100, .step_y = 100, .interfaces = levels};
static const Axes sphere = {.spherical = true,
                            .nx = 10,
                            .ny = 10,
                            .nz = 1,
                            .west = 35,
                            .south = 45,
                            .step_x = 0.1,
                            .step_y = 0.1,
                            .interfaces = levels};

static int prepare(void **state) {
    (void)state;
    return calendar_parse("2014-09-23T00:00Z", &start, NULL) == STATUS_OK ? 0 : -1;
}

static int tidy(void **state) {
    (void)state;
    return unlink(path);
}

static void write_csv(const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const Scenario *lasting(double hours) {
    static Scenario scenario;
    scenario.time = (ScenarioTime){.start = start, .end = start + hours * hour, .to_s = hours * hour};
    return &scenario;
}

static Status from_file(const char *text, char *column, double hours, Series **out) {
    static char place[] = "s.json:3:5 (/boundaries/0/eta_m)";
    Value value = {.kind = VALUE_FILE, .file = path, .column = column, .place = place};
    write_csv(text);
    return series_create(&value, "eta_m of boundary Kerch", &plane, 0, 0, lasting(hours), out);
}

/* Refused, with `expected` in the message. */
static void refused(const char *text, double hours, const char *expected) {
    Series *series = NULL;
    error_clear();
    assert_int_equal(from_file(text, NULL, hours, &series), STATUS_BAD_INPUT);
    assert_null(series);
    messages_expect(expected);
}

static void constants_and_formulas(void **state) {
    (void)state;
    Series *series = NULL;
    Value constant = {.kind = VALUE_CONSTANT, .constant = 2.5};
    assert_int_equal(series_create(&constant, "c", &plane, 0, 0, lasting(0), &series), STATUS_OK);
    assert_near(series_at(series, 1e6), 2.5, 0);
    assert_true(series_is_steady(series));
    series_destroy(&series);
    Value formula = {.kind = VALUE_EXPRESSION, .expression = (char *)"x + 2*t + Lx"};
    assert_int_equal(series_create(&formula, "f", &plane, 30, 0, lasting(0), &series), STATUS_OK);
    assert_near(series_at(series, 5), 30 + 10 + 1000, 0);
    assert_false(series_is_steady(series));
    series_destroy(&series);
    formula.expression = (char *)"y + lat";
    assert_int_equal(series_create(&formula, "f", &sphere, 35.5, 45.5, lasting(0), &series), STATUS_OK);
    assert_near(series_at(series, 0), 0.5 * axes_length_y_m(&sphere) + 45.5, 1e-6);
    series_destroy(&series);
    Value absent = {.kind = VALUE_ABSENT};
    assert_int_equal(series_create(&absent, "a", &plane, 0, 0, lasting(0), &series), STATUS_OK);
    assert_near(series_at(series, 5), 0, 0);
    series_destroy(&series);
}

static void bad_formulas_are_refused(void **state) {
    (void)state;
    const char *const bad[] = {"1 +", "lon", "z", "1/0", "speed*2"};
    for (int n = 0; n < 5; n++) {
        Series *series = NULL;
        Value formula = {.kind = VALUE_EXPRESSION, .expression = (char *)(size_t)bad[n], .place = path};
        assert_int_equal(series_create(&formula, "f", &plane, 0, 0, lasting(0), &series), STATUS_BAD_INPUT);
        assert_null(series);
    }
    error_clear();
}

static void columns_are_interpolated(void **state) {
    (void)state;
    Series *s = NULL;
    assert_int_equal(
        from_file("\xEF\xBB\xBF# gauge\r\ntime,x,eta_m\r\n\r\n2014-09-23T00:00Z,9,1.0 # first\r\n"
                  "2014-09-23T02:00Z,9,3.0\r\n2014-09-23T03:00Z,9,-1",
                  NULL, 3, &s),
        STATUS_OK);
    assert_near(series_at(s, 0), 1, 0);
    assert_near(series_at(s, hour), 2, 1e-15);
    assert_near(series_at(s, 2 * hour), 3, 0);
    assert_near(series_at(s, 2.5 * hour), 1, 1e-15);
    assert_near(series_at(s, 3 * hour), -1, 0);
    assert_near(series_at(s, 3 * hour + 1), -1, 0); /* the closing step */
    series_destroy(&s);
    assert_int_equal(from_file("time_s; level [cm]\n-60; 100\n 7200; \"200\"\n", NULL, 2, &s), STATUS_OK);
    assert_near(series_at(s, 0), 1 + 60.0 / 7260, 1e-15);
    series_destroy(&s);
    assert_int_equal(
        from_file("\"time\",\"level, at the gauge [cm]\"\n\"0\",\"100\"\n7200,200\n", NULL, 2, &s),
        STATUS_OK);
    assert_near(series_at(s, hour), 1.5, 1e-15);
    series_destroy(&s);
    assert_int_equal(from_file("time,a,b\n0,1,2\n7200,1,2\n", (char *)"B", 2, &s), STATUS_OK);
    assert_near(series_at(s, 10), 2, 0);
    series_destroy(&s);
}

static void bad_tables_are_refused(void **state) {
    (void)state;
    const char *const rows = "2014-09-23T00:00Z,1\n2014-09-24T00:00Z,2\n";
    char text[256];
    snprintf(text, sizeof text, "time,eta_m\n%s", rows);
    refused(text, 25, "covers 2014-09-23T00:00:00Z to 2014-09-24T00:00:00Z, but the run needs");
    refused("time,eta_m\n60,1\n7200,1\n", 1, "but the run needs");
    refused("", 1, "is empty");
    refused("# only a comment\n", 1, "is empty");
    refused("time,eta_m\n", 1, "no row");
    refused("hours,eta_m\n0,1\n", 1, "test_series.csv:1: the first column must be called");
    refused("time,eta_m\n0,1\n7200,nan\n", 1, "test_series.csv:3: \"nan\"");
    refused("time,eta_m\n0,1\n7200,\n", 1, "test_series.csv:3: no value");
    refused("time,eta_m\n0,1\n7200\n", 1, "test_series.csv:3: 1 columns");
    refused("time,eta_m\n0,1\n7200,2,3\n", 1, "test_series.csv:3: more columns");
    refused("time,eta_m\n0,1\n0,2\n", 1, "test_series.csv:3: the time \"0\" is not later");
    refused("time,eta_m\n0,1\n\n# c\n-5,2\n", 1, "test_series.csv:5: the time");
    refused("time,eta_m\n0,1\n2014-09-23T02:00Z,2\n", 1, "write all times the same way");
    refused("time,eta_m\n2014-09-23T02:00,2\n", 1, "time zone");
    refused("time;eta_m\n0;1,5\n", 1, "decimal point");
    refused("time,eta_m,eta_m\n0,1,2\n", 1, "two columns");
    refused("time,a,b\n0,1,2\n7200,1,2\n", 1, "there are time,a,b");
    refused("time,eta_m [kg]\n0,1\n7200,1\n", 1, "[kg]");
    refused("time,eta_m\n0,0x10\n", 1, "is not a number");
    unlink(path);
    Series *series = NULL;
    Value value = {.kind = VALUE_FILE, .file = path, .place = path};
    assert_int_equal(series_create(&value, "w", &plane, 0, 0, lasting(0), &series), STATUS_BAD_INPUT);
    error_clear();
}

static Status wind(const char *text, Series **u, Series **v) {
    char *source = NULL;
    write_csv(text);
    *u = *v = NULL;
    Status status = wind_file_read(path, lasting(2), u, v, &source);
    memory_free(source);
    return status;
}

static void directions_are_interpolated_as_vectors(void **state) {
    (void)state;
    Series *u, *v;
    assert_int_equal(wind("time,speed_m_s,from_deg\n0,10,350\n7200,10,10\n", &u, &v), STATUS_OK);
    assert_near(series_at(u, hour), 0, 1e-14);
    assert_near(series_at(v, hour), -10 * cos(10 * 3.14159265358979323846 / 180), 1e-14);
    series_destroy(&u), series_destroy(&v);
    assert_int_equal(wind("time,u [kn],v [kn]\n0,36,0\n7200,36,-36\n", &u, &v), STATUS_OK);
    assert_near(series_at(u, 0), 18.52, 1e-13);
    assert_near(series_at(v, hour), -9.26, 1e-13);
    series_destroy(&u), series_destroy(&v);
    static const char *const bad[][2] = {
        {"time,speed_m_s,from\n0,10,10\n7200,10,999\n",
         "test_series.csv:3: the wind direction is 999 deg at"},
        {"time,speed_m_s,from\n0,-1,90\n7200,10,10\n", "the wind speed is -1 m/s at"},
        {"time,u_m_s,v_m_s\n0,9999,0\n7200,10,10\n", "-100 to 100 is the range ever observed"},
        {"time,speed,v\n0,1,0\n7200,10,10\n", "no wind found"},
        {"time,u_m_s,v_m_s\n0,1,0\n7100,10,10\n", "but the run needs"},
        {"time,u [Pa],v\n0,1,0\n7200,10,10\n", "is in [Pa]"},
        {"time,speed,from_deg\n0,1,0\n7200,10,10\n", "speed has no unit"},
        {"time,u [m/s],v [ ]\n0,1,0\n7200,10,10\n", "v has no unit"}};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        error_clear();
        assert_int_equal(wind(bad[n][0], &u, &v), STATUS_BAD_INPUT);
        assert_null(u);
        messages_expect(bad[n][1]);
    }
    error_clear();
}

static void gaps_are_found(void **state) {
    (void)state;
    double share;
    const double even[] = {0, 1, 2, 3, 4}, gap[] = {0, 1, 2, 14, 15}, two[] = {0, 7};
    const double months[] = {0, 31, 59, 90, 120, 151}, wild[] = {0, 1, 5, 6, 60};
    assert_near(records_usual_interval(even, 5, &share), 1, 0);
    assert_near(share, 1, 1e-15);
    assert_int_equal(records_find_gap(even, 5, 1.5, 0, 4), 0);
    assert_near(records_usual_interval(gap, 5, &share), 1, 0);
    assert_near(share, 0.75, 1e-15);
    assert_int_equal(records_find_gap(gap, 5, 1, 0, 15), 3);
    assert_int_equal(records_find_gap(gap, 5, 1, 0, 2), 0); /* beyond the run */
    assert_int_equal(records_find_gap(gap, 5, 1, 14, 15), 0);
    assert_near(records_usual_interval(two, 2, &share), 7, 0);
    assert_near(records_usual_interval(months, 6, &share), 31, 1);
    assert_near(share, 1, 1e-15);
    assert_int_equal(records_find_gap(months, 6, LONG_INTERVAL * 31, 0, 151), 0);
    (void)records_usual_interval(wild, 5, &share);
    assert_true(share < 0.75);
    assert_near(records_usual_interval(two, 1, &share), 0, 0);
    assert_near(share, 0, 0);
}

static void codes_for_missing_values_are_known(void **state) {
    (void)state;
    const double codes[] = {-9999, -99999, 1e20, -1e20, 9.96921e36, -32767},
                 values[] = {0, -9998, -999, 9999, 1e9};
    for (int n = 0; n < 6; n++) assert_true(records_is_code(codes[n]));
    for (int n = 0; n < 5; n++) assert_false(records_is_code(values[n]));
}

static void quotes_hold_separators(void **state) {
    (void)state;
    char text[] = "\"Don; the \"\"mouth\"\"\",3 # a comment\na ; b\n", *line;
    CsvText t = csv_text(text);
    line = csv_text_line(&t);
    assert_true(t.separator == ',');
    assert_string_equal(csv_text_field(&t, &line), "Don; the \"mouth\"");
    assert_string_equal(csv_text_field(&t, &line), "3");
    assert_null(line);
    assert_string_equal(csv_text_line(&t), "a ; b");
}

/* The storm that is shipped: it covers its scenario and blows from the south-west at the peak. */
static void the_shipped_storm_can_be_read(void **state) {
    (void)state;
    const char *source = getenv("MAEOTIS_SOURCE_DIR");
    Series *u = NULL, *v = NULL;
    char *words = NULL, storm[512];
    snprintf(storm, sizeof storm, "%s/scenarios/wind/azov_storm_2014.csv", source ? source : ".");
    assert_int_equal(wind_file_read(storm, lasting(72), &u, &v, &words), STATUS_OK);
    double peak_u = series_at(u, 36 * hour), peak_v = series_at(v, 36 * hour);
    double peak = sqrt(peak_u * peak_u + peak_v * peak_v);
    assert_true(peak > 20 && peak < 30);
    assert_true(peak_u > 15 && peak_v > 10);
    assert_near(series_at(v, 46 * hour), 0, 1.5); /* west */
    series_destroy(&u), series_destroy(&v);
    memory_free(words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_and_formulas),
        cmocka_unit_test(bad_formulas_are_refused),
        cmocka_unit_test(columns_are_interpolated),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(directions_are_interpolated_as_vectors),
        cmocka_unit_test(the_shipped_storm_can_be_read),
        cmocka_unit_test(gaps_are_found),
        cmocka_unit_test(codes_for_missing_values_are_known),
        cmocka_unit_test(quotes_hold_separators),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
