/* SPDX-License-Identifier: Apache-2.0 */
#include "base/calendar.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define EXAMPLE "write it as \"2014-09-24T18:00:00Z\""

/* Days from 1970-01-01 to the date, in years that begin in March, so that the leap day is the last of its
 * year. */
static int64_t days_gregorian(int64_t year, int month, int day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int64_t days_julian(int64_t year, int month, int day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 3) / 4, of_era = year - era * 4;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 1461 + of_era * 365 + of_year - 719470;
}

static void date_of_days(int64_t days, int64_t *year, int *month, int *day) {
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100), shifted = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = years + era * 400 + (*month <= 2);
}

static int days_in_month(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static Status refuse(char why[160], const char *reason) {
    if (why) snprintf(why, 160, "%s", reason);
    return STATUS_BAD_INPUT;
}

/* Between `least` and `most` digits; -1 where there are fewer or more. */
static int digits(const char **at, int least, int most) {
    int value = 0, count = 0;
    for (; isdigit((unsigned char)**at) && count <= most; (*at)++, count++) value = value * 10 + (**at - '0');
    return count < least || count > most ? -1 : value;
}

static bool pass(const char **at, char expected) {
    if (**at != expected) return false;
    (*at)++;
    return true;
}

/* By hand, because strtod reads the decimal point that the locale wants. */
static double fraction(const char **at) {
    double value = 0, place = 0.1;
    if (!pass(at, '.')) return 0;
    for (; isdigit((unsigned char)**at); (*at)++, place /= 10) value += place * (**at - '0');
    return value;
}

typedef struct Moment {
    int year, month, day, hour, minute;
    double second;
} Moment;

/* `strict`: two digits in each part, as ISO 8601; otherwise "1900-1-1 0:0:0.0", as data files have it. */
static bool read_date(const char **at, bool strict, Moment *moment) {
    int least = strict ? 2 : 1;
    moment->year = digits(at, strict ? 4 : 1, 4);
    if (moment->year < 0 || !pass(at, '-')) return false;
    moment->month = digits(at, least, 2);
    if (moment->month < 0 || !pass(at, '-')) return false;
    moment->day = digits(at, least, 2);
    return moment->day >= 0;
}

static bool read_clock(const char **at, bool strict, Moment *moment) {
    int least = strict ? 2 : 1;
    moment->hour = digits(at, least, 2);
    if (moment->hour < 0) return false;
    if (!pass(at, ':')) return !strict;
    moment->minute = digits(at, least, 2);
    if (moment->minute < 0) return false;
    if (!pass(at, ':')) return true;
    int whole = digits(at, least, 2);
    moment->second = whole + fraction(at);
    return whole >= 0;
}

static Status check_moment(const Moment *m, char why[160]) {
    if (m->month < 1 || m->month > 12) return refuse(why, "there is no such month; " EXAMPLE);
    if (m->day < 1 || m->day > days_in_month(m->year, m->month))
        return refuse(why, "there is no such day in that month");
    if (m->hour > 23 || m->minute > 59)
        return refuse(why, "there is no such time of day (00:00:00 to 23:59:59)");
    if (m->second >= 60) return refuse(why, "seconds go from 0 to 59; leap seconds are not counted");
    return STATUS_OK;
}

/* "Z", "UTC", "+04:00", "+0400", "+04" -> seconds to take away. False: something else, or nothing. */
static bool read_zone(const char **at, double *offset) {
    *offset = 0;
    if (pass(at, 'Z') || pass(at, 'z')) return true;
    if (strncasecmp(*at, "UTC", 3) == 0 || strncasecmp(*at, "GMT", 3) == 0) return *at += 3, true;
    int sign = **at == '+' ? 1 : **at == '-' ? -1 : 0, minutes = 0;
    if (sign == 0) return false;
    (*at)++;
    int hours = digits(at, 1, 4);
    if (hours >= 100) minutes = hours % 100, hours /= 100;
    if (pass(at, ':')) minutes = digits(at, 2, 2);
    *offset = sign * (hours * 3600.0 + minutes * 60.0);
    return hours >= 0 && hours <= 18 && minutes >= 0 && minutes < 60;
}

static double seconds_of(const Moment *m, int64_t days) {
    return (double)(days * 86400 + m->hour * 3600 + m->minute * 60) + m->second;
}

Status calendar_parse(const char *text, double *seconds, char why[160]) {
    Moment moment = {0};
    double offset;
    const char *at = text;
    if (!read_date(&at, true, &moment)) return refuse(why, "this is not a date; " EXAMPLE);
    if (*at == '\0') return refuse(why, "the time of day is missing; " EXAMPLE);
    if (!pass(&at, 'T') && !pass(&at, 't') && !pass(&at, ' '))
        return refuse(why, "this is not a date; " EXAMPLE);
    if (!read_clock(&at, true, &moment)) return refuse(why, "this is not a time of day; " EXAMPLE);
    if (*at == '\0')
        return refuse(why,
                      "the time zone is missing: end it with Z for UTC, or with an offset such as +04:00");
    if (!read_zone(&at, &offset) || *at != '\0')
        return refuse(
            why, "this is not a time zone: end the date with Z for UTC, or with an offset such as +04:00");
    TRY(check_moment(&moment, why));
    *seconds = seconds_of(&moment, days_gregorian(moment.year, moment.month, moment.day)) - offset;
    return STATUS_OK;
}

void calendar_format(double seconds, char out[32]) {
    int64_t year;
    int month, day;
    if (!(fabs(seconds) < 3e11)) { /* within 9999 years; NaN comes here too */
        snprintf(out, 32, "not a date");
        return;
    }
    int64_t whole = (int64_t)floor(seconds + 0.5), days = whole / 86400, rest = whole % 86400;
    if (rest < 0) days--, rest += 86400;
    date_of_days(days, &year, &month, &day);
    snprintf(out, 32, "%04d-%02d-%02dT%02d:%02d:%02dZ", (int)year, month, day, (int)(rest / 3600),
             (int)(rest / 60 % 60), (int)(rest % 60));
}

/* The last whole second and the microseconds after it. */
static int split(double start, double elapsed, double *second) {
    const double whole = floor(elapsed);
    const int micro = isfinite(elapsed) ? (int)nearbyint((elapsed - whole) * 1e6) : 0;
    *second = start + whole + (micro == 1000000);
    return micro == 1000000 ? 0 : micro;
}

/* Puts the fraction in front of the Z. */
static void add_fraction(char out[32], char mark, int micro, bool short_form) {
    char digits[8];
    snprintf(digits, sizeof digits, "%06d", micro % 1000000);
    for (int n = 5; short_form && n > 0 && digits[n] == '0'; n--) digits[n] = '\0';
    const size_t end = strlen(out) - 1;
    if (out[end] != 'Z') return; /* "not a date" */
    snprintf(out + end, 32 - end, "%c%sZ", mark, digits);
}

void calendar_format_since(double start, double elapsed, char out[32]) {
    double second;
    const int micro = split(start, elapsed, &second);
    calendar_format(second, out);
    if (micro > 0) add_fraction(out, '.', micro, true);
}

void calendar_format_compact(double start, double elapsed, char out[32]) {
    char date[32], *to = out;
    double second;
    const int micro = split(start, elapsed, &second);
    calendar_format(second, date);
    for (const char *from = date; *from; from++)
        if (*from != '-' && *from != ':') *to++ = *from;
    *to = '\0';
    if (micro > 0) add_fraction(out, '_', micro, false);
}

double calendar_part(double seconds, CalendarPart part, int ahead) {
    int64_t days = (int64_t)floor(seconds / 86400), year;
    int month, day;
    if (part == PART_DAY) return 86400.0 * (double)(days + ahead);
    date_of_days(days, &year, &month, &day);
    month = part == PART_YEAR ? 1 : month + ahead;
    year += part == PART_YEAR ? ahead : month > 12;
    return 86400.0 * (double)days_gregorian(year, month > 12 ? 1 : month, 1);
}

void calendar_format_part(double seconds, CalendarPart part, char out[32]) {
    static const size_t digits[] = {[PART_WHOLE] = 0, [PART_DAY] = 8, [PART_MONTH] = 6, [PART_YEAR] = 4};
    calendar_format_compact(calendar_part(seconds, PART_DAY, 0), 0, out);
    out[digits[part]] = '\0';
}

static double seconds_per(const char *unit, size_t length) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1},
                 {"sec", 1},
                 {"secs", 1},
                 {"second", 1},
                 {"seconds", 1},
                 {"min", 60},
                 {"mins", 60},
                 {"minute", 60},
                 {"minutes", 60},
                 {"h", 3600},
                 {"hr", 3600},
                 {"hrs", 3600},
                 {"hour", 3600},
                 {"hours", 3600},
                 {"d", 86400},
                 {"day", 86400},
                 {"days", 86400},
                 {"ms", 1e-3},
                 {"msec", 1e-3},
                 {"millisecond", 1e-3},
                 {"milliseconds", 1e-3}};
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++)
        if (strlen(units[n].name) == length && strncasecmp(units[n].name, unit, length) == 0)
            return units[n].seconds;
    return 0;
}

/* In CF the standard calendar is the mixed one: Julian before 15 October 1582. */
static Status read_calendar(const char *calendar, bool *mixed, char why[160]) {
    *mixed = true;
    if (!calendar || !*calendar || strcasecmp(calendar, "standard") == 0 ||
        strcasecmp(calendar, "gregorian") == 0)
        return STATUS_OK;
    *mixed = false;
    if (strcasecmp(calendar, "proleptic_gregorian") == 0) return STATUS_OK;
    if (why)
        snprintf(why, 160,
                 "the calendar \"%.40s\" does not have the days of real years; use \"standard\" or "
                 "\"proleptic_gregorian\"",
                 calendar);
    return STATUS_BAD_INPUT;
}

Status calendar_parse_units(const char *units, const char *calendar, double *seconds_per_unit,
                            double *reference, char why[160]) {
    Moment moment = {0};
    double offset = 0;
    bool mixed;
    const char *at = units;
    while (*at == ' ') at++;
    size_t length = strcspn(at, " ");
    *seconds_per_unit = seconds_per(at, length);
    if (*seconds_per_unit == 0)
        return refuse(
            why,
            "time is counted in seconds, minutes, hours or days (months and years have no fixed length)");
    at += length;
    at += strspn(at, " ");
    if (strncasecmp(at, "since ", 6) != 0)
        return refuse(why, "expected a text such as \"hours since 1900-01-01 00:00:00\"");
    at += 6 + strspn(at + 6, " ");
    if (!read_date(&at, false, &moment)) return refuse(why, "the text after \"since\" is not a date");
    if (pass(&at, 'T') || (*at == ' ' && isdigit((unsigned char)at[strspn(at, " ")]))) {
        at += strspn(at, " ");
        if (!read_clock(&at, false, &moment))
            return refuse(why, "the time of day after the date cannot be read");
    }
    at += strspn(at, " ");
    if (*at != '\0' && !read_zone(&at, &offset))
        return refuse(why, "the time zone after the date cannot be read");
    at += strspn(at, " ");
    if (*at != '\0') return refuse(why, "unknown text after the date");
    TRY(read_calendar(calendar, &mixed, why));
    TRY(check_moment(&moment, why));
    int64_t days = days_gregorian(moment.year, moment.month, moment.day);
    if (mixed && days < -141427) days = days_julian(moment.year, moment.month, moment.day);
    *reference = seconds_of(&moment, days) - offset;
    return STATUS_OK;
}
