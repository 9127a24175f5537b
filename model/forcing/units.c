/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/units.h"

#include "model/constants.h"
#include <stddef.h>
#include <string.h>

/* Spelled without blanks, dots, * and ^, which people put as they like. */
static const struct {
    const char *unit, *expected;
    double factor;
} known[] = {
    {"s", "s", 1},
    {"second", "s", 1},
    {"seconds", "s", 1},
    {"min", "s", 60},
    {"minutes", "s", 60},
    {"h", "s", 3600},
    {"hour", "s", 3600},
    {"hours", "s", 3600},
    {"d", "s", 86400},
    {"day", "s", 86400},
    {"days", "s", 86400},
    {"m", "m", 1},
    {"metre", "m", 1},
    {"metres", "m", 1},
    {"meter", "m", 1},
    {"meters", "m", 1},
    {"cm", "m", 0.01},
    {"m/s", "m/s", 1},
    {"ms-1", "m/s", 1},
    {"mps", "m/s", 1},
    {"m/sec", "m/s", 1},
    {"cm/s", "m/s", 0.01},
    {"cms-1", "m/s", 0.01},
    {"km/h", "m/s", 1 / 3.6},
    {"kmh-1", "m/s", 1 / 3.6},
    {"kn", "m/s", 1852.0 / 3600},
    {"kt", "m/s", 1852.0 / 3600},
    {"knot", "m/s", 1852.0 / 3600},
    {"knots", "m/s", 1852.0 / 3600},
    {"m3/s", "m3/s", 1},
    {"m3s-1", "m3/s", 1},
    {"Pa", "Pa", 1},
    {"pascal", "Pa", 1},
    {"Pascal", "Pa", 1},
    {"N/m2", "Pa", 1},
    {"Nm-2", "Pa", 1},
    {"hPa", "Pa", 100},
    {"mbar", "Pa", 100},
    {"mb", "Pa", 100},
    {"millibar", "Pa", 100},
    {"millibars", "Pa", 100},
    {"kPa", "Pa", 1000},
    {"s-1", "1/s", 1},
    {"1/s", "1/s", 1},
    {"Hz", "1/s", 1},
    {"deg", "deg", 1},
    {"degree", "deg", 1},
    {"degrees", "deg", 1},
    {"degree_true", "deg", 1},
    {"degrees_true", "deg", 1},
    {"Degreetrue", "deg", 1}, /* as ERA5 writes it, with a blank */
    {"\xC2\xB0", "deg", 1},   /* the degree sign */
    {"K", "C", 1},
    {"kelvin", "C", 1},
    {"C", "C", 1},
    {"degC", "C", 1},
    {"deg_C", "C", 1},
    {"degree_C", "C", 1},
    {"degrees_C", "C", 1},
    {"Celsius", "C", 1},
    {"degree_Celsius", "C", 1},
    {"degrees_Celsius", "C", 1},
    {"\xC2\xB0"
     "C",
     "C", 1},
    {"1", "1", 1},
    {"(0-1)", "1", 1}, /* as ERA5 writes it */
    {"fraction", "1", 1},
    {"%", "1", 0.01},
    {"percent", "1", 0.01},
    {"okta", "1", 0.125},
    {"oktas", "1", 0.125},
    {"W/m2", "W/m2", 1},
    {"Wm-2", "W/m2", 1},
    {"mm/h", "mm/h", 1},
    {"mmh-1", "mm/h", 1},
    {"mm/hour", "mm/h", 1},
    {"mm/day", "mm/h", 1.0 / 24},
    {"mmday-1", "mm/h", 1.0 / 24},
    {"mm/d", "mm/h", 1.0 / 24},
    {"kgm-2s-1", "mm/h", 3600},
    {"mm/s", "mm/h", 3600},
    {"m/s", "mm/h", 3.6e6},
    {"ms-1", "mm/h", 3.6e6},
    {"1", "g/kg", 1},
    {"g/kg", "g/kg", 1},
    {"gkg-1", "g/kg", 1},
    {"psu", "g/kg", 1},
    {"PSU", "g/kg", 1},
    {"pss", "g/kg", 1},
    {"PSS-78", "g/kg", 1},
    {"ppt", "g/kg", 1},
    {"1e-3", "g/kg", 1},
    {"1E-3", "g/kg", 1},
    {"0001", "g/kg", 1}, /* 0.001, without its dot */
    {"kg/kg", "g/kg", 1000},
    {"kgkg-1", "g/kg", 1000},
};

/* What is added up, with the factor to the rate over seconds. */
static const struct {
    const char *unit, *expected;
    double factor;
} accumulated[] = {
    {"J/m2", "W/m2", 1},    {"Jm-2", "W/m2", 1},     {"kJ/m2", "W/m2", 1e3},
    {"kJm-2", "W/m2", 1e3}, {"m", "mm/h", 3.6e6},    {"mofwaterequivalent", "mm/h", 3.6e6},
    {"mm", "mm/h", 3600},   {"kg/m2", "mm/h", 3600}, {"kgm-2", "mm/h", 3600},
};

/* Without blanks, dots, * and ^; false where nothing is left. */
static bool bare_unit(const char *unit, char bare[32]) {
    size_t length = 0;
    for (; unit && *unit && length < 31; unit++)
        if (!strchr(" .*^", *unit)) bare[length++] = *unit;
    bare[length] = '\0';
    return length > 0;
}

bool unit_missing(const char *unit, const char *expected) {
    static const char *const plain[] = {"deg", "1", "g/kg"};
    char bare[32];
    if (!expected || bare_unit(unit, bare)) return false;
    for (size_t n = 0; n < sizeof plain / sizeof plain[0]; n++)
        if (strcmp(expected, plain[n]) == 0) return false;
    return true;
}

double unit_offset(const char *unit, const char *expected) {
    char bare[32];
    if (!expected || strcmp(expected, "C") != 0 || !bare_unit(unit, bare)) return 0;
    return strcmp(bare, "K") == 0 || strcmp(bare, "kelvin") == 0 ? -ZERO_CELSIUS : 0;
}

bool unit_accumulates(const char *unit, const char *expected, double *factor) {
    char bare[32];
    if (!expected || !bare_unit(unit, bare)) return false;
    for (size_t n = 0; n < sizeof accumulated / sizeof accumulated[0]; n++) {
        if (strcmp(accumulated[n].expected, expected) != 0 || strcmp(accumulated[n].unit, bare) != 0)
            continue;
        *factor = accumulated[n].factor;
        return true;
    }
    return false;
}

bool unit_factor(const char *unit, const char *expected, double *factor) {
    char bare[32];
    *factor = 1;
    if (!unit || !expected || !bare_unit(unit, bare)) return true;
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        if (strcmp(known[n].expected, expected) != 0 || strcmp(known[n].unit, bare) != 0) continue;
        *factor = known[n].factor;
        return true;
    }
    return false;
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
