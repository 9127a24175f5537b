/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about tracers: their names, and the keys that refer to them.
 */
#include "base/log.h"
#include "base/memory.h"
#include "settings/output_variables.h"
#include "settings/rules.h"
#include <ctype.h>
#include <string.h>

enum { MOST_NAMES = 160, MOST_NAME_BYTES = 40 };

static bool is_word(const char *name) {
    if (!isalpha((unsigned char)*name)) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    return true;
}

/* Names that files have for something else. */
static bool is_taken(const char *name) {
    static const char *const others[] = {"time",
                                         "lon",
                                         "lat",
                                         "level",
                                         "depth_u",
                                         "depth_v",
                                         "flux_u",
                                         "flux_v",
                                         "flux_w",
                                         "advection_u",
                                         "advection_v",
                                         "increment",
                                         "bed",
                                         "mask",
                                         "area",
                                         "digest",
                                         "digest_high",
                                         "digest_low",
                                         "elapsed",
                                         "step",
                                         "crs",
                                         "x",
                                         "y",
                                         "z",
                                         "dx",
                                         "dy",
                                         "process_name",
                                         "cell",
                                         "layer_share",
                                         "layer_height_share",
                                         "q",
                                         "smooth",
                                         "resolved",
                                         "mean_acceleration_u",
                                         "mean_acceleration_v",
                                         "flux_gain_u",
                                         "flux_gain_v",
                                         "cell_area",
                                         "grid",
                                         "wet_fraction",
                                         "width_u",
                                         "width_v",
                                         "bottom_u",
                                         "bottom_v",
                                         "u_residual",
                                         "v_residual",
                                         "u_iterations",
                                         "last_step_s",
                                         "next_step_s",
                                         "moved",
                                         "v_iterations",
                                         NULL};
    static const char *const beginnings[] = {"x_",        "y_",        "lon_",    "lat_",     "level_",
                                             "time_",     "station",   "volume",  "surface_", "boundary_",
                                             "inflow_u_", "inflow_v_", "ledger_", "content_", "error_",
                                             "held_",     "asked_",    NULL};
    const char *const *lists[] = {others, output_variable_names, extreme_names};
    for (int l = 0; l < 3; l++)
        for (int n = 0; lists[l][n]; n++)
            if (strcmp(name, lists[l][n]) == 0) return true;
    for (int n = 0; beginnings[n]; n++)
        if (strncmp(name, beginnings[n], strlen(beginnings[n])) == 0) return true;
    static const char *const endings[] = {"_content",  "_error",           "_by_process",     "_from_sources",
                                          "_from_air", "_from_boundaries", "_from_reactions", NULL};
    for (int n = 0; endings[n]; n++) {
        const size_t length = strlen(name), end = strlen(endings[n]);
        if (length > end && strcmp(name + length - end, endings[n]) == 0) return true;
    }
    return false;
}

/* Where a tracer's name, or another key of it, comes from: a module's variables from the module. */
static const Json *source_of(const Rules *r, int n, const char *key, char pointer[64]) {
    if (r->scenario->tracers[n].variable)
        snprintf(pointer, 64, "/kinetics/module");
    else
        snprintf(pointer, 64, "/tracers/%d/%s", n, key);
    return json_at(r->root, pointer);
}

/* What other programs may give in the scenario's place, under these names. The stress and the pressure of the
 * air are variables of files, too. */
static bool is_forcing(const char *name) {
    static const char *const names[] = {"wind_u",   "wind_v",    "air_temperature", "dew_point",
                                        "humidity", "shortwave", "longwave",        "cloudiness",
                                        "net_heat", "rain",      "evaporation",     "river_discharge",
                                        NULL};
    for (int n = 0; names[n]; n++)
        if (strcmp(name, names[n]) == 0) return true;
    return false;
}

static bool is_diagnostic(const Scenario *s, const char *name) {
    return s->kinetics.opened.is && kinetics_diagnostic(s->kinetics.opened.is, name) >= 0;
}

static void rule_name(Rules *r, int n) {
    const ScenarioTracer *tracers = r->scenario->tracers;
    const char *name = tracers[n].name;
    char pointer[64];
    const Json *json = source_of(r, n, "name", pointer);
    if (!json || !name || !reader_sound(r->reader, pointer)) return;
    if (!is_word(name) || strlen(name) > MOST_NAME_BYTES)
        reader_refuse(r->reader, json->place, pointer,
                      "\"%.60s\" must be a name of letters, digits and _, with a letter first and at most %d",
                      name, MOST_NAME_BYTES);
    else if (is_taken(name))
        reader_refuse(r->reader, json->place, pointer,
                      "\"%.60s\" is already the name of another variable in the files: choose another name",
                      name);
    else if (is_forcing(name))
        reader_refuse(
            r->reader, json->place, pointer,
            "\"%.60s\" is already the name of a forcing that other programs may set: choose another name",
            name);
    else if (!tracers[n].variable && is_diagnostic(r->scenario, name))
        reader_refuse(
            r->reader, json->place, pointer,
            "\"%.60s\" is already the name of a diagnostic of the kinetics module: choose another name",
            name);
    for (int m = 0; m < n; m++)
        if (tracers[m].name && strcmp(tracers[m].name, name) == 0)
            reader_refuse(r->reader, json->place, pointer, "two tracers are called \"%.60s\"", name);
}

static bool is_bed_of(const ScenarioTracer *t, const char *name) {
    const size_t length = t->name ? strlen(t->name) : 0;
    return length > 0 && t->kind == TRACER_SUSPENDED && strncmp(name, t->name, length) == 0 &&
           strcmp(name + length, "_bed") == 0;
}

/* Beds are found only among suspended matter. */
static void rule_bed(Rules *r, int n) {
    const ScenarioTracer *t = &r->scenario->tracers[n];
    char pointer[64];
    const Json *kind = source_of(r, n, "kind", pointer);
    if (t->kind == TRACER_SUSPENDED && kind && r->scenario->physics.drag == DRAG_NO_SLIP)
        reader_refuse(
            r->reader, kind->place, pointer,
            "suspended matter needs a law of drag for the stress at the bed: \"manning\", \"chezy\", \"log\" "
            "or \"constant\" at /physics/drag/law, not \"no-slip\"");
    for (int m = 0; m < r->scenario->n_tracers; m++)
        if (t->name && is_bed_of(&r->scenario->tracers[m], t->name)) {
            const Json *json = source_of(r, n, "name", pointer);
            if (json)
                reader_refuse(
                    r->reader, json->place, pointer,
                    "\"%.60s\" is already the name of another tracer's bed in the files: choose another name",
                    t->name);
        }
}

static bool is_tracer(const Scenario *s, const char *name) {
    for (int n = 0; n < s->n_tracers; n++)
        if (s->tracers[n].name && strcmp(s->tracers[n].name, name) == 0) return true;
    return false;
}

static bool is_bed(const Scenario *s, const char *name) {
    for (int n = 0; n < s->n_tracers; n++)
        if (is_bed_of(&s->tracers[n], name)) return true;
    return false;
}

static bool is_duration(const Scenario *s, const char *name) {
    for (int n = 0; n < s->n_events; n++) {
        const size_t length = s->events[n].name ? strlen(s->events[n].name) : 0;
        if (length > 0 && strncmp(name, s->events[n].name, length) == 0 &&
            strcmp(name + length, "_duration") == 0)
            return true;
    }
    return false;
}

/* ---- who uses them ---- */

typedef struct Known {
    const char *names[MOST_NAMES];
    int count;
} Known;

static void add_known(Known *known, const char *name) {
    if (name && known->count < MOST_NAMES) known->names[known->count++] = name;
}

/* Of the user and of the kinetics module, with its diagnostics. */
static void add_known_tracers(Known *known, const Scenario *s) {
    const MaeotisKinetics *module = s->kinetics.opened.is;
    for (int n = 0; n < s->n_tracers; n++) add_known(known, s->tracers[n].name);
    for (int n = 0; module && n < module->n_diagnostics; n++) add_known(known, module->diagnostics[n].name);
}

static void refuse_unknown(Rules *r, const Json *json, const char *place, const char *name,
                           const Known *known, const char *what) {
    /* a module that is refused was to bring names */
    if (json_at(r->root, "/kinetics/module") && !r->scenario->kinetics.opened.is) return;
    const char *near = json_nearest(name, known->names, known->count);
    char list[300] = "";
    for (int n = 0, used = 0; n < known->count && used < (int)sizeof list - 50; n++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%s", n ? ", " : "", known->names[n]);
    if (near)
        reader_refuse(r->reader, place, json->pointer, "there is no %s \"%.60s\"; did you mean \"%s\"?", what,
                      name, near);
    else
        reader_refuse(r->reader, place, json->pointer, "there is no %s \"%.60s\"; there %s %s", what, name,
                      known->count ? "are" : "is", known->count ? list : "none");
}

static bool has_air(const ScenarioAir *a) {
    const Value *values[] = {&a->air_temperature_C, &a->shortwave_W_m2, &a->longwave_W_m2,
                             &a->net_W_m2,          &a->rain_mm_h,      &a->evaporation_mm_h};
    bool any = a->heat_file || a->rain_file;
    for (int n = 0; n < 6; n++) any |= values[n]->kind != VALUE_ABSENT;
    return any;
}

/* The key without which there is nothing to write under this name; NULL: nothing is missing. */
static const char *missing_for(const Scenario *s, const char *name) {
    const bool warm = s->initial.temperature_C.kind != VALUE_ABSENT,
               salty = s->initial.salinity.kind != VALUE_ABSENT;
    if (strcmp(name, "temperature") == 0) return warm ? NULL : "/initial/temperature_C";
    if (strcmp(name, "salinity") == 0) return salty ? NULL : "/initial/salinity";
    if (strcmp(name, "horizontal_viscosity") == 0)
        return s->physics.viscosity_law == VISCOSITY_SMAGORINSKY ? NULL : "/physics/momentum/viscosity_law";
    if (strcmp(name, "heat_flux") == 0 || strcmp(name, "ice_thickness") == 0)
        return warm && has_air(&s->forcing.air) ? NULL : "/forcing/heat";
    if (strcmp(name, "tke") == 0 || strcmp(name, "dissipation") == 0)
        return s->physics.closure == CLOSURE_K_EPSILON ? NULL : "/physics/turbulence/closure \"k-epsilon\"";
    if (strcmp(name, "layer_share") == 0)
        return s->grid.layers == LAYERS_ADAPTIVE ? NULL : "/grid/levels/kind \"adaptive\"";
    if (strcmp(name, "density") == 0)
        return s->physics.density.equation != DENSITY_CONSTANT ? NULL : "/physics/density/equation";
    return NULL;
}

static void rule_variables(Rules *r, const ScenarioOutput *output, const Json *variables) {
    Known known = {.count = 0};
    if (!variables || variables->kind != JSON_ARRAY || !reader_sound(r->reader, variables->pointer)) return;
    for (int n = 0; output_variable_names[n]; n++) add_known(&known, output_variable_names[n]);
    add_known_tracers(&known, r->scenario);
    for (int n = 0; n < output->n_names; n++)
        if (!output_variable(output->names[n], false) && !is_tracer(r->scenario, output->names[n]) &&
            !is_bed(r->scenario, output->names[n]) && !is_diagnostic(r->scenario, output->names[n]) &&
            !is_duration(r->scenario, output->names[n]))
            refuse_unknown(r, variables->items[n], variables->items[n]->place, output->names[n], &known,
                           "variable");
    for (int n = 0; n < output->n_names; n++) {
        const char *missing = missing_for(r->scenario, output->names[n]);
        if (missing)
            reader_refuse(r->reader, variables->items[n]->place, variables->items[n]->pointer,
                          "\"%s\" is requested, but the scenario has none: it needs %s", output->names[n],
                          missing);
    }
}

static void rule_inflow(Rules *r, const ScenarioInflow *inflow, const Json *json) {
    Known known = {.count = 0};
    const Json *tracers = json ? json_find(json, "tracers") : NULL;
    const char *const own[] = {"temperature_C", "salinity"};
    const Value *initial[] = {&r->scenario->initial.temperature_C, &r->scenario->initial.salinity};
    for (int n = 0; json && n < 2; n++)
        if (json_find(json, own[n]) && initial[n]->kind == VALUE_ABSENT)
            reader_refuse(r->reader, json_find(json, own[n])->key_place, json_find(json, own[n])->pointer,
                          "\"%s\" depends on /initial/%s, which is not given", own[n], own[n]);
    for (int n = 0; n < r->scenario->n_tracers; n++) add_known(&known, r->scenario->tracers[n].name);
    for (int n = 0; tracers && n < inflow->n_tracers; n++)
        if (!is_tracer(r->scenario, inflow->tracers[n].name))
            refuse_unknown(r, tracers->items[n], tracers->items[n]->key_place, inflow->tracers[n].name,
                           &known, "tracer");
}

static const Json *item(const Rules *r, const char *list, int n) {
    const Json *json = json_at(r->root, list);
    return json && json->kind == JSON_ARRAY && n < json->n_items && json->items[n]->kind == JSON_OBJECT
               ? json->items[n]
               : NULL;
}

/* A tracer of this run; the values given must be possible ones of it. */
static void rule_nudging(Rules *r, int n) {
    ScenarioNudging *nudging = &r->scenario->nudging[n];
    const Json *json = item(r, "/nudging", n), *name = json ? json_find(json, "variable") : NULL;
    const Json *to = json ? json_find(json, "to") : NULL;
    Known known = {.count = 0};
    if (!name || !nudging->variable || !reader_sound(r->reader, name->pointer)) return;
    const bool warm = strcmp(nudging->variable, "temperature") == 0,
               salty = strcmp(nudging->variable, "salinity") == 0,
               flows = strcmp(nudging->variable, "u") == 0 || strcmp(nudging->variable, "v") == 0;
    if (r->scenario->initial.temperature_C.kind != VALUE_ABSENT) add_known(&known, "temperature");
    if (r->scenario->initial.salinity.kind != VALUE_ABSENT) add_known(&known, "salinity");
    for (int m = 0; m < r->scenario->n_tracers; m++) add_known(&known, r->scenario->tracers[m].name);
    if (r->scenario->physics.scheme != SCHEME_PRESCRIBED) add_known(&known, "u"), add_known(&known, "v");
    bool is_known = false;
    for (int m = 0; m < known.count; m++)
        is_known = is_known || strcmp(nudging->variable, known.names[m]) == 0;
    if (!is_known) refuse_unknown(r, name, name->place, nudging->variable, &known, "variable");
    if (warm) nudging->to.least = -10, nudging->to.most = 100;
    if (salty) nudging->to.least = 0, nudging->to.most = 400;
    if (flows) nudging->to.least = -20, nudging->to.most = 20;
    if (to && nudging->to.kind == VALUE_CONSTANT && !value_allows(&nudging->to, nudging->to.constant))
        reader_refuse(r->reader, to->place, to->pointer, "%s %s, not %.10g", nudging->variable,
                      value_limits(&nudging->to), nudging->to.constant);
}

static void rule_event(Rules *r, int n) {
    const ScenarioEvent *events = r->scenario->events;
    const Json *json = item(r, "/events", n), *variable = json ? json_find(json, "variable") : NULL;
    const Json *name = json ? json_find(json, "name") : NULL;
    Known known = {.count = 0};
    if (!name || !variable || !events[n].name || !events[n].variable ||
        !reader_sound(r->reader, json->pointer))
        return;
    if (!is_word(events[n].name) || strlen(events[n].name) > MOST_NAME_BYTES || is_taken(events[n].name))
        reader_refuse(r->reader, name->place, name->pointer,
                      "\"%.60s\" cannot be the name of an event: it must have letters, digits and _, a "
                      "letter first, at most %d, and not be the name of a variable in the files",
                      events[n].name, MOST_NAME_BYTES);
    for (int m = 0; m < n; m++)
        if (events[m].name && strcmp(events[m].name, events[n].name) == 0)
            reader_refuse(r->reader, name->place, name->pointer, "two events are called \"%.60s\"",
                          events[n].name);
    if (r->scenario->initial.temperature_C.kind != VALUE_ABSENT) add_known(&known, "temperature");
    if (r->scenario->initial.salinity.kind != VALUE_ABSENT) add_known(&known, "salinity");
    add_known_tracers(&known, r->scenario);
    for (int m = 0; m < known.count; m++)
        if (strcmp(known.names[m], events[n].variable) == 0) return;
    refuse_unknown(r, variable, variable->place, events[n].variable, &known, "variable");
}

/* The names of an event's series and map are free. */
static void rule_event_names(Rules *r, int n) {
    static const char *const endings[] = {"duration", "area", "volume"};
    const char *event = r->scenario->events[n].name;
    const Json *json = item(r, "/events", n);
    for (int e = 0; json && event && e < 3; e++) {
        char *name = memory_format("%s_%s", event, endings[e]);
        if (is_tracer(r->scenario, name) || is_diagnostic(r->scenario, name))
            reader_refuse(
                r->reader, json->place, json->pointer,
                "the event \"%.60s\" needs the name \"%.80s\", which a tracer has: choose another one", event,
                name);
        memory_free(name);
    }
}

/* Whoever gives both probably wants them to move the water, unless the key says otherwise. */
static void doubt_passive(Rules *r) {
    const Scenario *s = r->scenario;
    const bool both =
        s->initial.temperature_C.kind != VALUE_ABSENT && s->initial.salinity.kind != VALUE_ABSENT;
    if (both && s->physics.density.equation == DENSITY_CONSTANT &&
        !json_at(r->root, "/physics/density/equation"))
        log_warn("%s: the water has temperature and salinity, but its density is constant, so neither moves "
                 "the water: set /physics/density/equation (\"teos10-practical\" for potential temperature "
                 "and practical salinity, \"teos10\" for conservative temperature and absolute salinity), or "
                 "\"constant\" if that is intended",
                 s->initial.salinity.place);
}

static void rule_mix_along(Rules *r) {
    const ScenarioPhysics *p = &r->scenario->physics;
    const Json *json = json_at(r->root, "/physics/tracers/mix_along");
    if (!json || !reader_sound(r->reader, json->pointer) || p->mix_along == MIX_ALONG_LAYERS) return;
    if (!(p->tracer_diffusivity_m2_s > 0) && p->viscosity_law != VISCOSITY_SMAGORINSKY)
        reader_refuse(r->reader, json->place, json->pointer,
                      "nothing mixes tracers horizontally: \"mix_along\" needs "
                      "/physics/tracers/horizontal_diffusivity_m2_s, or the viscosity law \"smagorinsky\"");
    else if (p->mix_along == MIX_ALONG_DENSITY && p->density.equation == DENSITY_CONSTANT)
        reader_refuse(r->reader, json->place, json->pointer,
                      "water of one density has no surfaces of density to mix along: choose \"heights\", or "
                      "set /physics/density/equation");
}

void rules_of_tracers(Rules *r) {
    const Scenario *s = r->scenario;
    doubt_passive(r);
    rule_mix_along(r);
    for (int n = 0; n < s->n_tracers; n++) rule_name(r, n), rule_bed(r, n);
    for (int n = 0; n < s->n_outputs; n++) {
        const Json *json = item(r, "/output", n);
        rule_variables(r, &s->outputs[n], json ? json_find(json, "variables") : NULL);
    }
    for (int n = 0; n < s->n_rivers; n++) rule_inflow(r, &s->rivers[n].inflow, item(r, "/rivers", n));
    for (int n = 0; n < s->n_river_maps; n++)
        rule_inflow(r, &s->river_maps[n].inflow, item(r, "/river_maps", n));
    for (int n = 0; n < s->n_nudging; n++) rule_nudging(r, n);
    for (int n = 0; n < s->n_events; n++) rule_event(r, n), rule_event_names(r, n);
    for (int n = 0; n < s->n_boundaries; n++)
        rule_inflow(r, &s->boundaries[n].inflow, item(r, "/boundaries", n));
}
