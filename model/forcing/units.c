/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/units.h"

#include <stddef.h>
#include <string.h>

/* Spelled without blanks, dots, * and ^, which people put as they like. */
static const struct {
    const char *unit, *expected;
    double factor;
} known[] = {
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
    {"deg", "deg", 1},
    {"degree", "deg", 1},
    {"degrees", "deg", 1},
    {"\xC2\xB0", "deg", 1}, /* the degree sign */
};

bool unit_factor(const char *unit, const char *expected, double *factor) {
    char bare[32];
    size_t length = 0;
    *factor = 1;
    if (!unit || !expected) return true;
    for (; *unit && length < sizeof bare - 1; unit++)
        if (!strchr(" .*^", *unit)) bare[length++] = *unit;
    bare[length] = '\0';
    if (length == 0) return true;
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        if (strcmp(known[n].expected, expected) != 0 || strcmp(known[n].unit, bare) != 0) continue;
        *factor = known[n].factor;
        return true;
    }
    return false;
}

const char *unit_of_key(const char *key) {
    /* the longest ending first */
    static const char *const endings[][2] = {
        {"_m3_s", "m3/s"}, {"_m_s", "m/s"}, {"_m", "m"}, {"_deg", "deg"}, {"Pa", "Pa"}};
    size_t length = strlen(key);
    for (size_t n = 0; n < sizeof endings / sizeof endings[0]; n++) {
        size_t ending = strlen(endings[n][0]);
        if (length >= ending && strcmp(key + length - ending, endings[n][0]) == 0) return endings[n][1];
    }
    return NULL;
}
