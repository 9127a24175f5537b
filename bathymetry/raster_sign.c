/* SPDX-License-Identifier: Apache-2.0
 *
 * Elevation or depth, and in which unit: from the file's attributes, never guessed from its numbers.
 */
#include "bathymetry/raster_internal.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    int sign;
} standard_names[] = {
    {"height_above_mean_sea_level", 1},
    {"height_above_reference_ellipsoid", 1},
    {"height_above_geopotential_datum", 1},
    {"surface_altitude", 1},
    {"bedrock_altitude", 1},
    {"altitude", 1},
    {"height", 1},
    {"geopotential_height", 1},
    {"bathymetry", 0}, /* used for either: says which variable, not which sign */
    {"sea_floor_depth", -1},
    {"sea_floor_depth_below_geoid", -1},
    {"sea_floor_depth_below_sea_surface", -1},
    {"sea_floor_depth_below_mean_sea_level", -1},
    {"sea_floor_depth_below_geopotential_datum", -1},
    {"sea_floor_depth_below_reference_ellipsoid", -1},
    {"model_sea_floor_depth_below_geoid", -1},
    {"model_sea_floor_depth_below_sea_level", -1},
    {"depth_below_geoid", -1},
    {"depth", -1},
};

bool raster_knows_standard_name(const char *name) {
    for (size_t n = 0; name && n < sizeof standard_names / sizeof *standard_names; n++)
        if (strcasecmp(name, standard_names[n].name) == 0) return true;
    return false;
}

static int sign_of_standard_name(const char *name) {
    for (size_t n = 0; name && n < sizeof standard_names / sizeof *standard_names; n++)
        if (strcasecmp(name, standard_names[n].name) == 0) return standard_names[n].sign;
    return 0;
}

static int sign_of_positive(const char *positive) {
    if (positive && strcasecmp(positive, "up") == 0) return 1;
    return positive && strcasecmp(positive, "down") == 0 ? -1 : 0;
}

/* "Elevation relative to sea level", "depth below mean sea level". "depth" alone says nothing: half of the
 * files that use the word count it negative. */
static int sign_of_long_name(const char *name) {
    static const char *const up[] = {"elevation",      "altitude",  "height above",
                                     "above mean sea", "above sea", "positive up"};
    static const char *const down[] = {"depth below",   "below mean sea", "below sea",
                                       "below the sea", "below geoid",    "positive down"};
    bool says_up = false, says_down = false;
    for (size_t n = 0; name && n < sizeof up / sizeof *up; n++) says_up = says_up || strcasestr(name, up[n]);
    for (size_t n = 0; name && n < sizeof down / sizeof *down; n++)
        says_down = says_down || strcasestr(name, down[n]);
    return says_up == says_down ? 0 : says_up ? 1 : -1;
}

Status raster_check_positive(const char *positive) {
    CHECK(!positive || sign_of_positive(positive), STATUS_BAD_INPUT,
          "positive is \"up\" (elevations) or \"down\" (depths), not \"%s\"", positive);
    return STATUS_OK;
}

Status raster_metres(const NetcdfFile *file, const NetcdfVariable *variable, double *metres) {
    UnitChange change; /* what has no unit is in metres: every source of this kind is */
    TRY(unit_of_variable(file, variable->id, "m", "depths and heights", &change));
    *metres = change.factor;
    return STATUS_OK;
}

Status raster_sign(const NetcdfFile *file, const NetcdfVariable *variable, const char *positive,
                   double *factor) {
    TRY(raster_check_positive(positive));
    char *said = netcdf_text(file, variable->id, "positive");
    char *standard_name = netcdf_text(file, variable->id, "standard_name");
    char *long_name = netcdf_text(file, variable->id, "long_name");
    int wanted = sign_of_positive(positive), sign = sign_of_positive(said);
    if (!sign) sign = sign_of_standard_name(standard_name);
    if (!sign) sign = sign_of_long_name(long_name);
    if (sign && wanted && sign != wanted)
        log_warn(
            "%s: variable %s says that it contains %s, but is read as %s, because \"positive\" is \"%s\"",
            netcdf_path(file), variable->name, sign > 0 ? "elevations" : "depths",
            wanted > 0 ? "elevations" : "depths", positive);
    if (wanted) sign = wanted;
    Status status = raster_metres(file, variable, factor);
    *factor *= sign;
    if (status == STATUS_OK && !sign)
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: variable %s does not say whether it contains elevations or depths (no "
                             "attribute positive, standard_name %s, long_name %s); set \"positive\": \"up\" "
                             "or \"down\" in the scenario's bathymetry, or --positive up|down",
                             netcdf_path(file), variable->name, standard_name ? standard_name : "none",
                             long_name ? long_name : "none");
    memory_free(said), memory_free(standard_name), memory_free(long_name);
    return status;
}
