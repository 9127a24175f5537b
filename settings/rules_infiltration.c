/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about rain that soaks away: what each law needs, and where there is none.
 */
#include "settings/rules.h"

static const char section[] = "/infiltration";

static void need(Rules *r, const char *law, const char *key) {
    char pointer[64];
    snprintf(pointer, sizeof pointer, "%s/%s", section, key);
    if (!rules_given(r, section, key) && reader_sound(r->reader, pointer))
        reader_refuse(r->reader, rules_place(r->root, section)->place, pointer, "%s needs \"%s\", at %s", law,
                      key, pointer);
}

static void rule_needs(Rules *r) {
    const ScenarioInfiltration *s = &r->scenario->infiltration;
    static const char *const laws[] = {"", "constant infiltration", "Horton's law",
                                       "the law of Green and Ampt", "the law of curve numbers"};
    static const char *const keys[][3] = {{NULL},
                                          {"rate_mm_h"},
                                          {"rate_mm_h", "first_mm_h", "decay_1_h"},
                                          {"rate_mm_h", "suction_mm", "deficit"},
                                          {"curve_number"}};
    for (int n = 0; n < 3 && keys[s->law][n]; n++) need(r, laws[s->law], keys[s->law][n]);
}

/* What the scenario has or lacks so that no water can soak away; NULL: nothing. */
static const char *reason_against(const Rules *r) {
    const Scenario *s = r->scenario;
    const ScenarioInfiltration *is = &s->infiltration;
    const bool rain = s->forcing.air.rain_mm_h.kind != VALUE_ABSENT || s->forcing.air.rain_file ||
                      !reader_sound(r->reader, "/forcing/rain");
    if (s->zoom.has_box) return "cannot be computed in a sea with a /zoom";
    if (s->physics.scheme == SCHEME_PRESCRIBED)
        return "changes levels, which a prescribed flow keeps constant";
    if (!rain && is->law == INFILTRATION_CURVE_NUMBER)
        return "by curve numbers takes rain alone, and /forcing/rain is missing";
    if (!rain && is->interception_mm.kind != VALUE_ABSENT)
        return "with \"interception_mm\" needs /forcing/rain";
    return NULL;
}

void rules_of_infiltration(Rules *r) {
    const ScenarioInfiltration *s = &r->scenario->infiltration;
    const Json *json = json_at(r->root, section);
    if (!json || (s->law == INFILTRATION_NONE && s->interception_mm.kind == VALUE_ABSENT &&
                  s->drains_mm_h.kind == VALUE_ABSENT))
        return;
    const char *reason = reason_against(r);
    if (reason)
        reader_refuse(r->reader, json->key_place ? json->key_place : json->place, section, "infiltration %s",
                      reason);
    rule_needs(r);
    if (s->law == INFILTRATION_HORTON && s->first_mm_h.kind == VALUE_CONSTANT &&
        s->rate_mm_h.kind == VALUE_CONSTANT && s->first_mm_h.constant < s->rate_mm_h.constant)
        reader_refuse(r->reader, json->place, "/infiltration/first_mm_h",
                      "the initial rate, %g mm/h, must not be below the final one, %g mm/h",
                      s->first_mm_h.constant, s->rate_mm_h.constant);
}
