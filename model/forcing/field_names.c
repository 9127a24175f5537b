/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/field_names.h"

#include "base/units.h"
#include <string.h>

static const struct {
    const char *what;
    FieldNames names;
} known[] = {
    {"temperature",
     {"temperature", "C", -5, 50, NAMES("temperature", "thetao", "temp", "water_temp", "votemper"),
      NAMES("sea_water_temperature", "sea_water_potential_temperature", "sea_water_conservative_temperature"),
      NAMES("temperature")}},
    {"salinity",
     {"salinity", "g/kg", 0, 400, NAMES("salinity", "so", "salt", "vosaline"),
      NAMES("sea_water_salinity", "sea_water_practical_salinity", "sea_water_absolute_salinity"),
      NAMES("salinity")}},
    {"eta_m",
     {"level", "m", -30, 30, NAMES("eta", "zos", "ssh", "zeta", "sossheig"),
      NAMES("sea_surface_height_above_geoid", "sea_surface_height_above_mean_sea_level"),
      NAMES("sea surface height")}},
    {"outer_bed_m", {"bed", "m", 0, 0, NAMES("bed"), NAMES(NULL), NAMES(NULL)}},
    {"u_m_s",
     {"eastward velocity", "m/s", -10, 10,
      NAMES("u_eastward", "u", "uo", "u_east", "vozocrtx", "water_u", "ubar_eastward", "ubar"),
      NAMES("eastward_sea_water_velocity", "sea_water_x_velocity", "barotropic_eastward_sea_water_velocity"),
      NAMES("eastward velocity")}},
    {"v_m_s",
     {"northward velocity", "m/s", -10, 10,
      NAMES("v_northward", "v", "vo", "v_north", "vomecrty", "water_v", "vbar_northward", "vbar"),
      NAMES("northward_sea_water_velocity", "sea_water_y_velocity",
            "barotropic_northward_sea_water_velocity"),
      NAMES("northward velocity")}},
    {"outer_u_m_s",
     {"eastward velocity", "m/s", -10, 10,
      NAMES("u_east", "uo", "u_eastward", "vozocrtx", "water_u", "u", "ubar", "ubar_eastward"),
      NAMES("eastward_sea_water_velocity", "sea_water_x_velocity", "barotropic_eastward_sea_water_velocity"),
      NAMES("eastward velocity")}},
    {"outer_v_m_s",
     {"northward velocity", "m/s", -10, 10,
      NAMES("v_north", "vo", "v_northward", "vomecrty", "water_v", "v", "vbar", "vbar_northward"),
      NAMES("northward_sea_water_velocity", "sea_water_y_velocity",
            "barotropic_northward_sea_water_velocity"),
      NAMES("northward velocity")}},
};

FieldNames field_names_of(const char *what, const char *const *own) {
    static const char *const none[] = {NULL};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (strcmp(known[n].what, what) == 0) return known[n].names;
    return (FieldNames){.what = what, .names = own, .standard_names = none, .long_names = none};
}

const char *field_names_unit(const Scenario *scenario, const char *tracer) {
    for (int n = 0; n < scenario->n_tracers; n++) {
        const ScenarioTracer *t = &scenario->tracers[n];
        const char *unit = t->variable ? t->variable->units : t->units;
        if (strcmp(t->name, tracer) == 0 && unit && strcmp(unit, "1") != 0 && unit_known(unit)) return unit;
    }
    return NULL;
}

/* The names that files may give to what the water carries: its own, and those of nearly the same. */
static bool may_be_called(const char *carried, const char *name) {
    static const char *const rows[][5] = {
        {"sea_water_conservative_temperature"},
        {"sea_water_absolute_salinity", "sea_water_reference_salinity", "sea_water_preformed_salinity"},
        {"sea_water_potential_temperature", "sea_water_temperature"},
        {"sea_water_practical_salinity", "sea_water_salinity"},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        if (strcmp(rows[n][0], carried) != 0) continue;
        for (int i = 0; i < 5 && rows[n][i]; i++)
            if (strcmp(rows[n][i], name) == 0) return true;
        return false;
    }
    return true;
}

Status field_names_check(const char *name, const char *carried, const char *place, const char *file) {
    if (!carried || !*name || may_be_called(carried, name)) return STATUS_OK;
    const bool conservative = strstr(carried, "conservative") || strstr(carried, "absolute");
    return error_raise(STATUS_BAD_INPUT,
                       "%s: %s is the %s, but with this equation of state the model uses the %s: choose "
                       "/physics/density/equation \"%s\", which takes %s, everywhere in the scenario, or "
                       "convert the file (TEOS-10 has CT_from_pt and SA_from_SP, pt_from_CT and SP_from_SA)",
                       place, file, name, carried, conservative ? "teos10-practical" : "teos10",
                       conservative ? "potential temperature and practical salinity"
                                    : "conservative temperature and absolute salinity");
}
