/* SPDX-License-Identifier: Apache-2.0
 *
 * Tidal arguments and nodal factors against published longitudes, formulas and tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/calendar.h"
#include "model/boundary/tide.h"
#include <math.h>
#include <stdio.h>

static const double DEGREE = 3.14159265358979323846 / 180;

static double moment(const char *date) {
    double seconds = 0;
    char why[160];
    assert_int_equal(calendar_parse(date, &seconds, why), STATUS_OK);
    return seconds;
}

/* The angle between two directions. [degrees] */
static double apart(double a, double b) {
    return fabs(remainder(a - b, 360));
}

#define assert_angle(found, expected, tolerance)                                                             \
    do {                                                                                                     \
        if (!(apart(found, expected) <= (tolerance)))                                                        \
            fail_msg("%g degrees, not %g", (double)(found), (double)(expected));                             \
    } while (0)

/* J. Meeus, Astronomical Algorithms: examples 22.a (node), 25.a (sun), 47.a (moon), in dynamical time. */
static void longitudes_are_the_published_ones(void **state) {
    (void)state;
    const double ahead = 66; /* of universal time */
    assert_angle(tide_longitudes(moment("1987-04-10T00:00:00Z") - ahead).node, 11.2531, 1e-4);
    assert_angle(tide_longitudes(moment("1992-10-13T00:00:00Z") - ahead).sun, 201.80720, 1e-5);
    assert_angle(tide_longitudes(moment("1992-04-12T00:00:00Z") - ahead).moon, 134.290182, 1e-6);
    /* 47.a gives the moon's anomaly, 5.150833: her longitude less that of the perigee */
    assert_angle(tide_longitudes(moment("1992-04-12T00:00:00Z") - ahead).perigee, 134.290182 - 5.150833,
                 1e-3);
    /* 25.a: the sun's anomaly, 278.99397 */
    assert_angle(tide_longitudes(moment("1992-10-13T00:00:00Z") - ahead).solar_perigee, 201.80720 - 278.99397,
                 1e-2);
}

/* V at 2000-01-01 12:00 UTC, with polynomials of Doodson's time (P. Schureman's, in UTide 0.4 by D. Codiga);
 * they do without dynamical time, by which the moon is 0.01 degrees off. */
static void arguments_are_the_published_ones(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double v;
    } rows[] = {{"M2", 124.299},
                {"S2", 0},
                {"N2", 349.337},
                {"K2", 200.932},
                {"K1", 190.466},
                {"O1", 293.834},
                {"P1", 169.534},
                {"Q1", 158.871},
                {"M4", 248.599},
                {"MS4", 124.299},
                {"Mf", 76.632},
                {"Mm", 134.963},
                {"2N2", 214.374},
                {"mu2", 248.599},
                {"nu2", 23.562},
                {"T2", 2.475},
                {"2Q1", 23.908},
                {"J1", 325.429},
                {"OO1", 267.098},
                {"MSf", 235.701},
                {"Ssa", 200.932},
                {"MN4", 113.636},
                {"S4", 0},
                {"M6", 12.898},
                {"2MS6", 248.599},
                {"M8", 137.198},
                /* made of those */
                {"L2", 79.261},
                {"lambda2", 45.036},
                {"R2", 177.525},
                {"eps2", 113.636},
                {"MKS2", 325.231},
                {"MK3", 314.765},
                {"N4", 338.674},
                {"Mtm", 211.595},
                {"MSqm", 312.333}};
    const double at = moment("2000-01-01T12:00:00Z");
    int count = 0;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const int constituent = tide_find(rows[n].name);
        assert_int_not_equal(constituent, -1);
        assert_angle(tide_argument(constituent, at), rows[n].v, 0.08);
    }
    while (tide_names[count]) count++;
    assert_int_equal(count, sizeof rows / sizeof *rows);
    for (int n = 0; n < count; n++) assert_int_equal(tide_find(tide_names[n]), n);
}

/* Periods in hours of mean solar time (Schureman, table 2). */
static void periods_are_the_published_ones(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double degrees_per_hour;
    } rows[] = {{"M2", 28.9841042},   {"S2", 30},           {"N2", 28.4397295},   {"K2", 30.0821373},
                {"K1", 15.0410686},   {"O1", 13.9430356},   {"P1", 14.9589314},   {"Q1", 13.3986609},
                {"M4", 57.9682084},   {"MS4", 58.9841042},  {"Mf", 1.0980331},    {"Mm", 0.5443747},
                {"2N2", 27.8953548},  {"mu2", 27.9682084},  {"nu2", 28.5125831},  {"T2", 29.9589333},
                {"2Q1", 12.8542862},  {"J1", 15.5854433},   {"OO1", 16.1391017},  {"MSf", 1.0158958},
                {"Ssa", 0.0821373},   {"MN4", 57.4238337},  {"S4", 60},           {"M6", 86.9523127},
                {"2MS6", 87.9682084}, {"M8", 115.9364166},  {"L2", 29.5284789},   {"lambda2", 29.4556253},
                {"R2", 30.0410667},   {"eps2", 27.4238337}, {"MKS2", 29.0662415}, {"MK3", 44.0251729},
                {"N4", 56.8794590},   {"Mtm", 1.6424078},   {"MSqm", 2.1139288}};
    const double from = moment("2001-01-01T00:00:00Z"), hours = 24;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const int c = tide_find(rows[n].name);
        const double gone = tide_argument(c, from + 3600 * hours) - tide_argument(c, from);
        assert_angle(gone, rows[n].degrees_per_hour * hours, 2e-5 * 8);
    }
}

/* Schureman (1958), paragraphs 23-45 and formulas 73-78, 207, 215, 224, 227, 235. */
typedef struct Schureman {
    double f[6], u[6];
} Schureman;
static const char *const followed[6] = {"M2", "O1", "K1", "K2", "Mf", "Mm"};

static Schureman schureman(double node) {
    const double n = node * DEGREE, inclination = acos(0.91370 - 0.03569 * cos(n)), si = sin(inclination);
    const double sum = 2 * atan2(1.01883 * sin(n / 2), cos(n / 2)),
                 difference = 2 * atan2(0.64412 * sin(n / 2), cos(n / 2));
    /* N - xi + nu and N - xi - nu */
    const double nu = 0.5 * (sum - difference), xi = n - 0.5 * (sum + difference);
    const double s2i = sin(2 * inclination), half = cos(inclination / 2);
    const double nu_1 = atan2(s2i * sin(nu), s2i * cos(nu) + 0.3347),
                 two_nu_2 = atan2(si * si * sin(2 * nu), si * si * cos(2 * nu) + 0.0727);
    return (Schureman){{pow(half, 4) / 0.91544, si * half * half / 0.37988,
                        sqrt(0.8965 * s2i * s2i + 0.6001 * s2i * cos(nu) + 0.1006),
                        sqrt(19.0444 * pow(si, 4) + 2.7702 * si * si * cos(2 * nu) + 0.0981),
                        si * si / 0.15779, (2.0 / 3 - si * si) / 0.50210},
                       {(2 * xi - 2 * nu) / DEGREE, (2 * xi - nu) / DEGREE, -nu_1 / DEGREE,
                        -two_nu_2 / DEGREE, -2 * xi / DEGREE, 0}};
}

static void factors_follow_schureman(void **state) {
    (void)state;
    const double most_f[6] = {0.001, 0.004, 0.003, 0.003, 0.006, 0.002},
                 most_u[6] = {0.1, 0.4, 0.3, 0.4, 0.6, 1e-12};
    for (int month = 0; month < 224; month++) { /* once around */
        const double at = moment("1990-01-01T00:00:00Z") + month * 30.4 * 86400;
        const Schureman exact = schureman(tide_longitudes(at).node);
        for (int n = 0; n < 6; n++) {
            double f, u;
            tide_node(tide_find(followed[n]), at, &f, &u);
            if (fabs(f - exact.f[n]) > most_f[n] || apart(u, exact.u[n]) > most_u[n])
                fail_msg("%s, month %d: f %g, u %g, not %g and %g", followed[n], month, f, u, exact.f[n],
                         exact.u[n]);
        }
    }
}

/* Node factors for the middle of 2022 as the Canadian Hydrographic Service publishes them, which
 * also follow the perigee: that is 0.009 of O1.
 */
static void factors_are_those_of_a_table(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double f;
    } rows[] = {{"M2", 0.975}, {"O1", 1.140}, {"K1", 1.081}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        double f, u;
        tide_node(tide_find(rows[n].name), moment("2022-07-02T00:00:00Z"), &f, &u);
        if (fabs(f - rows[n].f) > 0.01) fail_msg("%s: f = %g, not %g", rows[n].name, f, rows[n].f);
    }
}

static void a_moment_is_made_of_its_parts(void **state) {
    (void)state;
    const double at = moment("2014-09-24T18:00:00Z");
    for (int n = 0; tide_names[n]; n++) {
        double f, u, v = tide_argument(n, at);
        tide_node(n, at, &f, &u);
        const TideMoment with = tide_at(n, at, true), without = tide_at(n, at, false);
        assert_true(fabs(with.cosine - f * cos((v + u) * DEGREE)) < 1e-12);
        assert_true(fabs(with.sine - f * sin((v + u) * DEGREE)) < 1e-12);
        assert_true(fabs(without.cosine - cos(v * DEGREE)) < 1e-12);
        assert_true(fabs(without.sine - sin(v * DEGREE)) < 1e-12);
    }
    double f, f4, u, u4;
    tide_node(tide_find("M2"), at, &f, &u), tide_node(tide_find("M4"), at, &f4, &u4);
    assert_true(fabs(f4 - f * f) < 1e-14 && fabs(u4 - 2 * u) < 1e-14);
    assert_int_equal(tide_find("M9"), -1);
    double f3, u3, fk, uk;
    tide_node(tide_find("MK3"), at, &f3, &u3), tide_node(tide_find("K1"), at, &fk, &uk);
    assert_true(fabs(f3 - f * fk) < 1e-14 && fabs(u3 - u - uk) < 1e-13);
}

/* Schureman's formulas 213 to 215: f = f(M2)/R, u = u(M2) - R's angle, with P, the perigee from the orbits' crossing. */
static void l2_follows_schureman(void **state) {
    (void)state;
    for (int month = 0; month < 224; month++) {
        const double at = moment("1990-01-01T00:00:00Z") + month * 30.4 * 86400;
        const Longitudes l = tide_longitudes(at);
        const double n = l.node * DEGREE, inclination = acos(0.91370 - 0.03569 * cos(n));
        const double sum = 2 * atan2(1.01883 * sin(n / 2), cos(n / 2)),
                     difference = 2 * atan2(0.64412 * sin(n / 2), cos(n / 2));
        const double xi = n - 0.5 * (sum + difference), p = l.perigee * DEGREE - xi;
        const double t = tan(inclination / 2) * tan(inclination / 2);
        const double over = sqrt(1 - 12 * t * cos(2 * p) + 36 * t * t);
        const double angle = atan2(sin(2 * p), 1 / (6 * t) - cos(2 * p)) / DEGREE;
        const Schureman m2 = schureman(l.node);
        double f, u;
        tide_node(tide_find("L2"), at, &f, &u);
        if (fabs(f - m2.f[0] * over) > 0.03 || apart(u, m2.u[0] - angle) > 3)
            fail_msg("month %d: f %g, u %g, not %g and %g", month, f, u, m2.f[0] * over, m2.u[0] - angle);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longitudes_are_the_published_ones),
        cmocka_unit_test(arguments_are_the_published_ones),
        cmocka_unit_test(periods_are_the_published_ones),
        cmocka_unit_test(factors_follow_schureman),
        cmocka_unit_test(factors_are_those_of_a_table),
        cmocka_unit_test(a_moment_is_made_of_its_parts),
        cmocka_unit_test(l2_follows_schureman),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
