/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include "base/memory.h"
#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <udunits2.h>

static const double ZERO_CELSIUS = 273.15;           /* [K] */
static const char WATER[] = "1000 kg m-3";           /* kg m-2 of rain are mm */
static const char *const rates[] = {"W/m2", "mm/h"}; /* that may come as amounts */

/* What UDUNITS does not know, or takes for something else, such as coulombs and millibarns. */
static const char *const spelled[][2] = {
    {"C", "degC"},     {"deg", "degree"},  {"kn", "knot"},
    {"mps", "m/s"},    {"mb", "mbar"},     {"psu", "g/kg"},
    {"pss", "g/kg"},   {"PSS-78", "g/kg"}, {"ppt", "g/kg"},
    {"okta", "0.125"}, {"oktas", "0.125"}, {"fraction", "1"},
    {"(0 - 1)", "1"},  {"(0-1)", "1"},     {"m of water equivalent", "m"},
};

/* ---- UDUNITS ---- */

/* NULL, with a message, where its list of units is missing; it stays for the life of the program. */
static ut_system *units_known(void) {
    static ut_system *known;
    static bool tried;
    if (tried) return known;
    tried = true;
    ut_set_error_message_handler(ut_ignore);
    known = ut_read_xml(NULL);
    if (known) return known;
    (void)error_raise(STATUS_FAILED,
                      "the list of units of UDUNITS-2, udunits2.xml, cannot be read: install "
                      "libudunits2-data (Debian, Ubuntu), or set UDUNITS2_XML_PATH to its path");
    return NULL;
}

static ut_unit *parse(const char *text) {
    for (size_t n = 0; n < sizeof spelled / sizeof *spelled; n++)
        if (strcasecmp(spelled[n][0], text) == 0) text = spelled[n][1];
    return ut_parse(units_known(), text, UT_UTF8);
}

/* A sum of decimals that went through other units: to its twelve digits where it is theirs except for round-off. */
static double rounded(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.12g", value);
    const double decimal = strtod(text, NULL);
    return fabs(decimal - value) <= 4 * DBL_EPSILON * fabs(value) ? decimal : value;
}

/* Radians are numbers to UDUNITS, but fractions are no angles. */
static bool is_angle(const ut_unit *unit) {
    char text[128];
    const int length = ut_format(unit, text, sizeof text, UT_ASCII | UT_DEFINITION);
    return length > 0 && length < (int)sizeof text && strstr(text, "rad");
}

static bool is_linear(ut_unit *from, ut_unit *to, UnitChange *out) {
    cv_converter *converter = is_angle(from) == is_angle(to) ? ut_get_converter(from, to) : NULL;
    if (!converter) return false;
    const double far = 0x1p40, zero = cv_convert_double(converter, 0), /* the difference has all digits */
        up = cv_convert_double(converter, far) - zero, down = zero - cv_convert_double(converter, -far);
    cv_free(converter);
    *out = (UnitChange){.factor = rounded(up / far), .offset = rounded(zero)};
    return isfinite(up) && fabs(up - down) <= 1e-9 * fabs(up);
}

/* One spelling: as it is, as an amount, as a mass of water, as an amount of that. */
static bool convert(const char *text, const char *expected, UnitChange *out) {
    const bool water = strcmp(expected, rates[1]) == 0, rate = water || strcmp(expected, rates[0]) == 0,
               warm = strcmp(expected, "C") == 0; /* other zeros are dates */
    ut_unit *unit = parse(text), *wanted = parse(expected), *second = parse("s"), *density = parse(WATER);
    bool found = false;
    for (int n = 0; n < 4 && !found && unit && wanted; n++) {
        const bool amount = n % 2 == 1, mass = n >= 2;
        if ((amount && !rate) || (mass && !water)) continue;
        ut_unit *from = mass ? ut_divide(unit, density) : ut_clone(unit),
                *to = amount ? ut_multiply(wanted, second) : ut_clone(wanted);
        found = is_linear(from, to, out) && (out->offset == 0 || warm);
        out->accumulated = amount;
        ut_free(from), ut_free(to);
    }
    ut_free(unit), ut_free(wanted), ut_free(second), ut_free(density);
    return found;
}

/* ---- what people write ---- */

enum { LONGEST = 64 };

/* Without blanks around it; false where nothing is left. */
static bool bare_unit(const char *unit, char bare[LONGEST]) {
    unit = unit ? unit + strspn(unit, " \t\n") : "";
    size_t length = (size_t)snprintf(bare, LONGEST, "%s", unit);
    if (length >= LONGEST) length = LONGEST - 1;
    while (length > 0 && isspace((unsigned char)bare[length - 1])) length--;
    bare[length] = '\0';
    return length > 0;
}

/* "degrees C" for degrees_C; "Wm-2" and "kgm-2s-1", where a blank is missing. */
static bool convert_misspelled(const char *bare, const char *expected, UnitChange *out) {
    char other[LONGEST + 1];
    snprintf(other, sizeof other, "%s", bare);
    for (char *at = other; *at; at++)
        if (*at == ' ') *at = '_';
    bool found = convert(other, expected, out);
    for (size_t n = 1; bare[n] && !found; n++) {
        if (!isalpha((unsigned char)bare[n]) || !isalnum((unsigned char)bare[n - 1])) continue;
        snprintf(other, sizeof other, "%.*s %s", (int)n, bare, bare + n);
        found = convert(other, expected, out);
    }
    return found;
}

bool unit_change(const char *unit, const char *expected, UnitChange *out) {
    char bare[LONGEST];
    *out = (UnitChange){.factor = 1};
    if (!expected || !bare_unit(unit, bare) || strcmp(bare, expected) == 0) return true;
    if (strcmp(expected, "g/kg") == 0 && strcmp(bare, "1") == 0) return true;
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c);
    const bool found = convert(bare, expected, out) || convert_misspelled(bare, expected, out);
    if (!found) *out = (UnitChange){.factor = 1};
    uselocale(before);
    freelocale(c);
    return found;
}

bool unit_known(const char *unit) {
    ut_unit *known = parse(unit);
    ut_free(known);
    return known != NULL;
}

Status unit_of_variable(const NetcdfFile *file, int id, const char *expected, const char *what,
                        UnitChange *out) {
    char *unit = netcdf_text(file, id, "units");
    Status status = STATUS_OK;
    if (!unit_change(unit, expected, out))
        status = error_raise(STATUS_BAD_INPUT, "%s: %s is in \"%s\", which cannot be converted to %s (%s)",
                             netcdf_path(file), netcdf_name(file, id), unit, expected, what);
    memory_free(unit);
    return status;
}

bool unit_missing(const char *unit, const char *expected) {
    static const char *const plain[] = {"deg", "1", "g/kg"};
    char bare[LONGEST];
    if (!expected || bare_unit(unit, bare)) return false;
    for (size_t n = 0; n < sizeof plain / sizeof plain[0]; n++)
        if (strcmp(expected, plain[n]) == 0) return false;
    return true;
}

const char *unit_guess(const char *expected, double value, double least, double most) {
    const double colder = value - ZERO_CELSIUS, warmer = value + ZERO_CELSIUS;
    if (!expected) return NULL;
    if (strcmp(expected, "C") == 0 && colder >= least && colder <= most)
        return "is it kelvin, which its units do not say?";
    if (strcmp(expected, "C") == 0 && warmer >= least && warmer <= most)
        return "is it degrees Celsius, though its units say K?";
    if (strcmp(expected, "Pa") == 0 && 100 * value >= least && 100 * value <= most)
        return "is it hPa, which its units do not say?";
    if (strcmp(expected, "1") == 0 && value > most && 0.01 * value <= most) return "is it per cent?";
    return NULL;
}

const char *unit_of_key(const char *key) {
    /* the longest ending first */
    static const char *const endings[][2] = {
        {"_m3_s", "m3/s"},    {"_m_s", "m/s"},     {"_m", "m"},      {"_deg", "deg"},  {"hPa", "hPa"},
        {"Pa", "Pa"},         {"_C", "C"},         {"_K", "K"},      {"W_m2", "W/m2"}, {"mm_h", "mm/h"},
        {"salinity", "g/kg"}, {"cloudiness", "1"}, {"humidity", "1"}};
    size_t length = strlen(key);
    for (size_t n = 0; n < sizeof endings / sizeof endings[0]; n++) {
        size_t ending = strlen(endings[n][0]);
        if (length >= ending && strcmp(key + length - ending, endings[n][0]) == 0) return endings[n][1];
    }
    return NULL;
}
