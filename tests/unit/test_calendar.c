/* SPDX-License-Identifier: Apache-2.0
 *
 * Dates: known instants, the round trip over every day of four centuries, CF units, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/calendar.h"
#include <math.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void known_instants(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2014-09-24T18:00:00Z", 1411581600},
        {"2014-09-24T18:00Z", 1411581600},
        {"2014-09-24 18:00:00Z", 1411581600},
        {"2014-09-24T22:00:00+04:00", 1411581600},
        {"2014-09-24T22:00+0400", 1411581600},
        {"2014-09-24T22:00+04", 1411581600},
        {"2014-09-24T12:30-05:30", 1411581600},
        {"2014-09-25T08:00+14:00", 1411581600}, /* the Line Islands */
        {"2014-09-25T12:00+18:00", 1411581600},
        {"2014-09-24T18:00:00.25Z", 1411581600.25},
        {"2000-02-29T00:00:00Z", 951782400},
        {"1969-12-31T23:59:59Z", -1},
        {"1900-03-01T00:00:00Z", -2203891200},
        {"0001-01-01T00:00:00Z", -62135596800},
        {"9999-12-31T23:59:59Z", 253402300799},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        double seconds = NAN;
        char why[160] = "";
        assert_int_equal(calendar_parse(cases[n].text, &seconds, why), STATUS_OK);
        assert_true(seconds == cases[n].seconds);
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "not a date"},
        {"soon", "not a date"},
        {"24.09.2014", "not a date"},
        {"2014-9-24T00:00Z", "not a date"},
        {"14-09-24T00:00Z", "not a date"},
        {"2014-09-24", "time of day is missing"},
        {"2014-09-24T", "not a time of day"},
        {"2014-09-24T18", "not a time of day"},
        {"2014-09-24T18:00", "time zone is missing"},
        {"2014-09-24T18:00:00", "time zone is missing"},
        {"2014-09-24T18:00:00 MSK", "not a time zone"},
        {"2014-09-24T18:00:00Zulu", "not a time zone"},
        {"2014-09-24T18:00:00+99:00", "not a time zone"},
        {"2014-09-24T18:00:00+19:00", "not a time zone"},
        {"2014-13-01T00:00Z", "no such month"},
        {"2014-00-01T00:00Z", "no such month"},
        {"2014-02-29T00:00Z", "no such day"},
        {"1900-02-29T00:00Z", "no such day"},
        {"2014-04-31T00:00Z", "no such day"},
        {"2014-04-00T00:00Z", "no such day"},
        {"2014-04-30T24:00Z", "no such time of day"},
        {"2014-04-30T23:60Z", "no such time of day"},
        {"2016-12-31T23:59:60Z", "leap seconds"},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        double seconds;
        char why[160] = "";
        assert_int_equal(calendar_parse(cases[n].text, &seconds, why), STATUS_BAD_INPUT);
        if (!strstr(why, cases[n].why))
            fail_msg("%s: \"%s\" is not in \"%s\"", cases[n].text, cases[n].why, why);
        assert_int_equal(calendar_parse(cases[n].text, &seconds, NULL), STATUS_BAD_INPUT);
    }
    assert_int_equal(error_count(), 0); /* the caller knows where the text stood */
}

static void every_day_there_and_back(void **state) {
    (void)state;
    char text[32];
    for (double day = -146097; day <= 146097; day++) {
        double seconds = 86400 * day + 43261, back;
        calendar_format(seconds, text);
        assert_int_equal(calendar_parse(text, &back, NULL), STATUS_OK);
        assert_true(back == seconds);
    }
}

static void fractions_of_a_second(void **state) {
    (void)state;
    static const struct {
        double elapsed;
        const char *date, *compact;
    } cases[] = {
        {0, "2014-09-24T18:00:00Z", "20140924T180000Z"},
        {12.5, "2014-09-24T18:00:12.5Z", "20140924T180012_500000Z"},
        {0.005 * 3, "2014-09-24T18:00:00.015Z", "20140924T180000_015000Z"},
        {59.9999999, "2014-09-24T18:01:00Z", "20140924T180100Z"},
        {60.000001, "2014-09-24T18:01:00.000001Z", "20140924T180100_000001Z"},
        {-0.25, "2014-09-24T17:59:59.75Z", "20140924T175959_750000Z"},
    };
    char text[32];
    for (size_t n = 0; n < LENGTH(cases); n++) {
        calendar_format_since(1411581600, cases[n].elapsed, text);
        assert_string_equal(text, cases[n].date);
        calendar_format_compact(1411581600, cases[n].elapsed, text);
        assert_string_equal(text, cases[n].compact);
    }
}

static void formats_to_the_nearest_second(void **state) {
    (void)state;
    char text[32];
    calendar_format(-0.3, text);
    assert_string_equal(text, "1970-01-01T00:00:00Z");
    calendar_format(-0.7, text);
    assert_string_equal(text, "1969-12-31T23:59:59Z");
    calendar_format(1411581599.6, text);
    assert_string_equal(text, "2014-09-24T18:00:00Z");
    calendar_format(NAN, text);
    assert_string_equal(text, "not a date");
    calendar_format_since(NAN, 0.5, text);
    assert_string_equal(text, "not a date");
    calendar_format(1e300, text);
    assert_string_equal(text, "not a date");
}

/* Where parts begin, and their names: leap days, ends of years, times before 1970. */
static void parts_of_the_calendar(void **unused) {
    (void)unused;
    static const struct {
        const char *date;
        CalendarPart part;
        const char *begins, *next, *name;
    } cases[] = {
        {"2024-02-29T23:59:59Z", PART_DAY, "2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z", "20240229"},
        {"2024-02-29T00:00:00Z", PART_MONTH, "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z", "202402"},
        {"2024-12-31T12:00:00Z", PART_MONTH, "2024-12-01T00:00:00Z", "2025-01-01T00:00:00Z", "202412"},
        {"2024-12-31T12:00:00Z", PART_YEAR, "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2024"},
        {"1969-12-31T12:00:00Z", PART_DAY, "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z", "19691231"},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        double seconds;
        char text[32];
        assert_int_equal(calendar_parse(cases[n].date, &seconds, NULL), STATUS_OK);
        calendar_format(calendar_part(seconds, cases[n].part, 0), text);
        assert_string_equal(text, cases[n].begins);
        calendar_format(calendar_part(seconds, cases[n].part, 1), text);
        assert_string_equal(text, cases[n].next);
        calendar_format_part(seconds, cases[n].part, text);
        assert_string_equal(text, cases[n].name);
    }
}

static void units_of_data_files(void **state) {
    (void)state;
    static const struct {
        const char *units, *calendar;
        double per_unit, reference;
    } cases[] = {
        {"seconds since 1970-01-01T00:00:00Z", NULL, 1, 0},
        {"hours since 1900-01-01 00:00:00.0", "gregorian", 3600, -2208988800},
        {"days since 1970-1-2 6:0:0", "standard", 86400, 86400 + 21600},
        {"minutes since 1970-01-01", "proleptic_gregorian", 60, 0},
        {"mins since 1970-01-01", NULL, 60, 0},
        {"msec since 1970-01-01", NULL, 1e-3, 0},
        {"Hours since 1970-01-01 00:00 UTC", NULL, 3600, 0},
        {"  s  since  1970-01-01 00:00:00 +03:00 ", "", 1, -10800},
        {"days since 1582-10-15", "standard", 86400, -12219292800},
        {"days since 1582-10-04", "standard", 86400,
         -12219379200}, /* the day before, in the mixed calendar */
        {"days since 0001-01-01", "proleptic_gregorian", 86400, -62135596800},
        {"days since 0001-01-01", "standard", 86400, -62135769600},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        double per_unit = 0, reference = NAN;
        char why[160] = "";
        Status status = calendar_parse_units(cases[n].units, cases[n].calendar, &per_unit, &reference, why);
        if (status != STATUS_OK) fail_msg("%s: %s", cases[n].units, why);
        assert_true(per_unit == cases[n].per_unit && reference == cases[n].reference);
    }
}

static void units_refused(void **state) {
    (void)state;
    static const struct {
        const char *units, *calendar, *why;
    } cases[] = {
        {"months since 1970-01-01", NULL, "no fixed length"},
        {"", NULL, "no fixed length"},
        {"hours", NULL, "expected a text such as"},
        {"hours after 1970-01-01", NULL, "expected a text such as"},
        {"hours since yesterday", NULL, "not a date"},
        {"hours since 1970-01-01 xx", NULL, "time zone"},
        {"hours since 1970-01-01 00:00:00 Z and more", NULL, "unknown text"},
        {"hours since 1970-02-30", NULL, "no such day"},
        {"hours since 1970-01-01", "noleap", "\"noleap\" does not have the days of real years"},
        {"hours since 1970-01-01", "360_day", "does not have the days"},
        {"hours since 1970-01-01", "julian", "does not have the days"},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        double per_unit, reference;
        char why[160] = "";
        assert_int_equal(calendar_parse_units(cases[n].units, cases[n].calendar, &per_unit, &reference, why),
                         STATUS_BAD_INPUT);
        if (!strstr(why, cases[n].why))
            fail_msg("%s: \"%s\" is not in \"%s\"", cases[n].units, cases[n].why, why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_instants),           cmocka_unit_test(refused),
        cmocka_unit_test(every_day_there_and_back), cmocka_unit_test(formats_to_the_nearest_second),
        cmocka_unit_test(fractions_of_a_second),    cmocka_unit_test(parts_of_the_calendar),
        cmocka_unit_test(units_of_data_files),      cmocka_unit_test(units_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
