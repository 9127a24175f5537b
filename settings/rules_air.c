/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about heat, rain and evaporation: which keys need which.
 */
#include "settings/rules.h"

#include <stdio.h>

static void refuse(Rules *r, const char *pointer, const char *reason) {
    const Json *json = json_at(r->root, pointer);
    if (json && reader_sound(r->reader, pointer))
        reader_refuse(r->reader, json->key_place ? json->key_place : json->place, pointer, "%s", reason);
}

static bool any_given(const Rules *r, const char *const *keys) {
    for (; *keys; keys++)
        if (rules_given(r, "/forcing/heat", *keys)) return true;
    return false;
}

/* Numbers alone: no wave is higher than 0.142 of its length (Miche), which is g T^2 / 2 pi at most. */
static void refuse_steep_waves(Rules *r) {
    const ScenarioWaves *w = &r->scenario->forcing.waves;
    const bool peak = w->peak_period_s.kind == VALUE_CONSTANT, mean = w->mean_period_s.kind == VALUE_CONSTANT;
    const double given = peak ? w->peak_period_s.constant : w->mean_period_s.constant;
    const double period = peak ? given : given / 0.781;
    const double most = 0.142 * r->scenario->physics.gravity_m_s2 * period * period / 6.283185307179586;
    if (w->height_m.kind != VALUE_CONSTANT || !(peak || mean) || !(given > 0) || w->height_m.constant <= most)
        return; /* a period of 0 is refused by itself */
    char reason[160];
    snprintf(reason, sizeof reason,
             "waves of %g m with a period of %g s would be too steep; they break at %.2g m: choose a longer "
             "period or a smaller height",
             w->height_m.constant, given, most);
    refuse(r, "/forcing/waves/height_m", reason);
}

static void rules_of_waves(Rules *r) {
    static const char section[] = "/forcing/waves";
    const bool file = rules_given(r, section, "file"), height = rules_given(r, section, "height_m");
    const bool peak = rules_given(r, section, "peak_period_s"),
               mean = rules_given(r, section, "mean_period_s");
    const bool stress =
        rules_given(r, "/forcing/wind", "stress_x_Pa") || rules_given(r, "/forcing/wind", "stress_y_Pa");
    const bool wind = json_at(r->root, "/forcing/wind") && !stress;
    if (r->scenario->forcing.waves.from_wind && (file || height))
        refuse(r, "/forcing/waves/from_wind",
               "waves are either given (\"file\", \"height_m\") or made by the wind (\"from_wind\"); keep "
               "one of them");
    if (r->scenario->forcing.waves.from_wind && !wind)
        refuse(r, "/forcing/waves/from_wind",
               "\"from_wind\" needs the speed of the wind at /forcing/wind, not its stress");
    if (peak && mean)
        refuse(r, "/forcing/waves/mean_period_s",
               "\"peak_period_s\" and \"mean_period_s\" exclude each other; keep one of them");
    if (height && !file && !peak && !mean)
        refuse(r, "/forcing/waves/height_m",
               "the height of waves also needs their period: \"peak_period_s\" or \"mean_period_s\"");
    if (height && !file && !rules_given(r, section, "from_deg"))
        refuse(r, "/forcing/waves/height_m", "the height of waves also needs their direction: \"from_deg\"");
    refuse_steep_waves(r);
}

void rules_of_air(Rules *r) {
    static const char *const sources[] = {"file",           "air_temperature_C", "dew_point_C", "humidity",
                                          "shortwave_W_m2", "longwave_W_m2",     "net_W_m2",    NULL};
    bool file = rules_given(r, "/forcing/heat", "file");
    bool dew = rules_given(r, "/forcing/heat", "dew_point_C"),
         humid = rules_given(r, "/forcing/heat", "humidity");
    bool bulk = file || rules_given(r, "/forcing/heat", "air_temperature_C");
    if (any_given(r, sources) && r->scenario->initial.temperature_C.kind == VALUE_ABSENT)
        refuse(r, "/forcing/heat", "heat depends on /initial/temperature_C, which is not given");
    if (dew && humid)
        refuse(r, "/forcing/heat/humidity",
               "\"dew_point_C\" and \"humidity\" exclude each other; keep one of them");
    if (rules_given(r, "/forcing/heat", "air_temperature_C") && !file && !dew && !humid)
        refuse(r, "/forcing/heat/air_temperature_C",
               "the air temperature also needs the humidity: \"dew_point_C\" or \"humidity\"");
    if (!bulk && dew) refuse(r, "/forcing/heat/dew_point_C", "\"dew_point_C\" needs \"air_temperature_C\"");
    if (!bulk && humid) refuse(r, "/forcing/heat/humidity", "\"humidity\" needs \"air_temperature_C\"");
    if (bulk &&
        (rules_given(r, "/forcing/wind", "stress_x_Pa") || rules_given(r, "/forcing/wind", "stress_y_Pa")))
        refuse(r, file ? "/forcing/heat/file" : "/forcing/heat/air_temperature_C",
               "the fluxes between air and water depend on the wind speed, but the scenario gives only the "
               "wind stress");
    rules_of_waves(r);
    if (rules_given(r, "/forcing/rain", "mm_h") && rules_given(r, "/forcing/rain", "file"))
        refuse(r, "/forcing/rain/file", "\"mm_h\" and \"file\" exclude each other; keep one of them");
}
