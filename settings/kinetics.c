/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/kinetics.h"

#include "base/expression.h"
#include "base/memory.h"
#include "settings/rules.h"
#include <string.h>

/* ---- the module: a name among the choices, or a path; member char *, other its place, char * ---- */

static void module_destroy(const Field *field, void *member, void *other) {
    char **texts[] = {member, other};
    (void)field;
    for (int n = 0; n < 2; n++) {
        memory_free(*texts[n]);
        *texts[n] = NULL;
    }
}

static void module_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    module_destroy(field, member, other);
    if (json->kind == JSON_STRING && kinetics_is_path(json->text)) {
        char *path = read_path(reader, json);
        /* without a slash, a library would be looked for among the system's */
        *(char **)member = memory_format("%s%s", strchr(path, '/') ? "" : "./", path);
        memory_free(path);
    } else {
        const int choice = read_choice(reader, field, json);
        if (choice >= 0) *(char **)member = memory_copy_text(field->choices[choice]);
    }
    *(char **)other = memory_copy_text(json->place);
}

static cJSON *module_write(const Field *field, const char *folder, const void *member, const void *other) {
    const char *module = *(char *const *)member;
    (void)field, (void)other;
    if (!module) return NULL;
    if (!kinetics_is_path(module)) return cJSON_CreateString(module);
    const char *path = path_in_folder(module, folder);
    char *text = memory_format("%s%s", strchr(path, '/') ? "" : "./", path);
    cJSON *json = cJSON_CreateString(text);
    memory_free(text);
    return json;
}

static cJSON *module_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject(), *forms = cJSON_AddArrayToObject(schema, "anyOf");
    int count = 0;
    while (field->choices[count]) count++;
    cJSON *names = cJSON_CreateObject();
    cJSON_AddItemToObject(names, "enum", cJSON_CreateStringArray(field->choices, count));
    cJSON_AddItemToArray(forms, names);
    cJSON_AddItemToArray(forms, cJSON_Parse("{\"type\":\"string\",\"pattern\":\"/|\\\\.so$\"}"));
    return schema;
}

const FieldKind module_kind = {module_read, NULL, module_write, module_schema, module_destroy};

/* ---- parameters and initial values ---- */

static const Json *named(const Json *root, const char *list, int n) {
    const Json *json = json_at(root, list);
    return json && n < json->n_items ? json->items[n] : NULL;
}

static void refuse_name(Reader *reader, const Json *json, const KineticsModule *module, const char *what,
                        const char *const *names, int count) {
    const char *near = json_nearest(json->key, names, count);
    reader_refuse(reader, json->key_place, json->pointer,
                  "the kinetics module \"%s\" has no %s \"%.60s\"%s%s%s; ./maeotis kinetics list shows all",
                  module->is->name, what, json->key, near ? "; did you mean \"" : "", near ? near : "",
                  near ? "\"?" : "");
}

static double number_of(const Value *value) {
    Expression *formula;
    char why[160];
    if (value->kind != VALUE_EXPRESSION ||
        expression_create(value->expression, 1, 1, &formula, why) != STATUS_OK)
        return value->constant;
    const double number = expression_at(formula, (ExpressionPoint){0});
    expression_destroy(&formula);
    return number;
}

static void set_parameters(Reader *reader, const Json *root, ScenarioKinetics *k) {
    const MaeotisKinetics *m = k->opened.is;
    const char *names[MAEOTIS_MOST_PARAMETERS];
    for (int n = 0; n < m->n_parameters; n++) names[n] = m->parameters[n].name;
    kinetics_defaults(m, k->parameter);
    for (int n = 0; n < k->n_parameters; n++) {
        const Json *json = named(root, "/kinetics/parameters", n);
        const int parameter = kinetics_parameter(m, k->parameters[n].name);
        if (!json || !reader_sound(reader, json->pointer)) continue;
        if (parameter < 0) {
            refuse_name(reader, json, &k->opened, "parameter", names, m->n_parameters);
            continue;
        }
        const MaeotisParameter *p = &m->parameters[parameter];
        const double value = k->parameter[parameter] = number_of(&k->parameters[n].value);
        if (!(value >= p->least && value <= p->most))
            reader_refuse(reader, json->place, json->pointer,
                          "found %g, but \"%s\" of the kinetics module \"%s\" must be from %g to %g %s (%s)",
                          value, p->name, m->name, p->least, p->most, p->units, p->what);
    }
}

/* The variable that a name of /kinetics/initial means; -1: none. */
static int initial_of(const MaeotisKinetics *m, const char *name, bool *bed) {
    const size_t length = strlen(name);
    *bed = false;
    int variable = kinetics_variable(m, name);
    if (variable >= 0 || length < 5 || strcmp(name + length - 4, "_bed") != 0) return variable;
    char *own = memory_format("%.*s", (int)(length - 4), name);
    variable = kinetics_variable(m, own);
    memory_free(own);
    *bed = true;
    return variable >= 0 && m->variables[variable].bed.exists ? variable : -1;
}

const Value *kinetics_settings_initial(const ScenarioKinetics *k, int variable, bool bed) {
    for (int n = 0; n < k->n_initial; n++) {
        bool of_bed;
        if (initial_of(k->opened.is, k->initial[n].name, &of_bed) == variable && of_bed == bed)
            return &k->initial[n].value;
    }
    return NULL;
}

static void check_initial(Reader *reader, const Json *root, const ScenarioKinetics *k) {
    const MaeotisKinetics *m = k->opened.is;
    const char *names[MAEOTIS_MOST_VARIABLES];
    bool bed;
    for (int n = 0; n < m->n_variables; n++) names[n] = m->variables[n].name;
    for (int n = 0; n < k->n_initial; n++) {
        const Json *json = named(root, "/kinetics/initial", n);
        if (json && initial_of(m, k->initial[n].name, &bed) < 0)
            refuse_name(reader, json, &k->opened, "variable", names, m->n_variables);
    }
}

Value kinetics_settings_input(const ScenarioKinetics *k, int input) {
    const MaeotisInput *is = &k->opened.is->inputs[input];
    Value value = {.kind = VALUE_CONSTANT, .constant = is->value, .place = k->place};
    for (int n = 0; n < k->n_inputs; n++)
        if (strcmp(k->inputs[n].name, is->name) == 0) value = k->inputs[n].value;
    value.least = is->least;
    value.most = is->most;
    return value;
}

static void check_inputs(Reader *reader, const Json *root, const ScenarioKinetics *k) {
    const MaeotisKinetics *m = k->opened.is;
    const char *names[MAEOTIS_MOST_INPUTS];
    for (int n = 0; n < kinetics_inputs(m); n++) names[n] = m->inputs[n].name;
    for (int n = 0; n < k->n_inputs; n++) {
        const Json *json = named(root, "/kinetics/inputs", n);
        const int input = kinetics_input(m, k->inputs[n].name);
        if (!json || !reader_sound(reader, json->pointer)) continue;
        if (input < 0) {
            refuse_name(reader, json, &k->opened, "input", names, kinetics_inputs(m));
            continue;
        }
        const Value value = kinetics_settings_input(k, input);
        if (value.kind == VALUE_CONSTANT && !value_allows(&value, value.constant))
            reader_refuse(reader, json->place, json->pointer, "found %g, but the input \"%s\" (%s) %s %s",
                          value.constant, json->key, m->inputs[input].what, value_limits(&value),
                          m->inputs[input].units);
    }
}

void kinetics_settings_open(Reader *reader, const Json *root, ScenarioKinetics *k) {
    static const char pointer[] = "/kinetics/module";
    const Json *json = json_at(root, pointer);
    KineticsPlan plan;
    char why[KINETICS_WHY];
    if (!json || !k->module || !reader_sound(reader, pointer)) return;
    if (kinetics_open(k->module, k->file, &k->opened, why) != STATUS_OK) {
        reader_refuse(reader, json->place, pointer, "the kinetics module \"%s\" is refused: %s", k->module,
                      why);
        return;
    }
    set_parameters(reader, root, k);
    check_initial(reader, root, k);
    check_inputs(reader, root, k);
    if (!reader_sound(reader, "/kinetics")) return;
    if (kinetics_plan(&k->opened, k->parameter, &plan, why) != STATUS_OK)
        reader_refuse(reader, json->place, pointer, "the kinetics module \"%s\" is refused: %s", k->module,
                      why);
}

/* ---- its tracers ---- */

static void check_needs(Rules *r, const ScenarioKinetics *k) {
    const Scenario *s = r->scenario;
    const ScenarioForcing *f = &s->forcing;
    const bool light = f->air.shortwave_W_m2.kind != VALUE_ABSENT || f->air.heat_file;
    const bool wind =
        f->wind_u_m_s.kind != VALUE_ABSENT || f->wind_speed_m_s.kind != VALUE_ABSENT || f->wind_file;
    const struct {
        unsigned need;
        bool has;
        const char *what, *key;
    } needs[] = {{MAEOTIS_NEEDS_TEMPERATURE, s->initial.temperature_C.kind != VALUE_ABSENT, "the temperature",
                  "/initial/temperature_C"},
                 {MAEOTIS_NEEDS_SALINITY, s->initial.salinity.kind != VALUE_ABSENT, "the salinity",
                  "/initial/salinity"},
                 {MAEOTIS_NEEDS_LIGHT, light, "light",
                  "/forcing/heat/shortwave_W_m2, or a file at /forcing/heat/file"},
                 {MAEOTIS_NEEDS_WIND, wind, "the wind's speed",
                  "a wind at /forcing/wind, not a stress (\"u_m_s\": 0 for calm)"}};
    for (int n = 0; n < 4; n++)
        if ((k->opened.is->flags & needs[n].need) && !needs[n].has)
            reader_refuse(r->reader, k->place, "/kinetics/module",
                          "the kinetics module \"%s\" needs %s: set %s", k->opened.is->name, needs[n].what,
                          needs[n].key);
}

static Value initial_value(const ScenarioKinetics *k, int variable, bool bed, double otherwise) {
    const Value *given = kinetics_settings_initial(k, variable, bed);
    return given ? *given
                 : (Value){.kind = VALUE_CONSTANT, .constant = otherwise, .place = k->place, .most = 1e30};
}

static ScenarioTracer tracer_of(const ScenarioKinetics *k, int variable) {
    const MaeotisKinetics *m = k->opened.is;
    const MaeotisVariable *v = &m->variables[variable];
    const double erosion = kinetics_number(m, k->parameter, v->bed.erosion);
    return (ScenarioTracer){
        .name = memory_copy_text(v->name),
        .place = k->place,
        .kind = v->bed.exists ? TRACER_SUSPENDED : TRACER_DYE,
        .initial = initial_value(k, variable, false, v->initial),
        .settling_m_s = kinetics_number(m, k->parameter, v->sinking),
        .initial_bed_kg_m2 = initial_value(k, variable, true, 0),
        .erosion_kg_m2_s = erosion,
        /* any, where nothing is eroded */
        .critical_erosion_Pa = erosion > 0 ? kinetics_number(m, k->parameter, v->bed.critical_erosion) : 1,
        .critical_deposition_Pa = kinetics_number(m, k->parameter, v->bed.critical_deposition),
        .variable = v};
}

void rules_of_kinetics(Rules *r) {
    Scenario *s = r->scenario;
    ScenarioKinetics *k = &s->kinetics;
    s->n_tracers = s->n_own_tracers;
    kinetics_settings_open(r->reader, r->root, k);
    if (!k->opened.is) return;
    check_needs(r, k);
    s->tracers = ENLARGE(s->tracers, s->n_own_tracers + k->opened.is->n_variables, ScenarioTracer);
    for (int n = 0; n < k->opened.is->n_variables; n++) s->tracers[s->n_tracers++] = tracer_of(k, n);
}

void scenario_kinetics_close(Scenario *s) {
    for (int n = s->n_own_tracers; n < s->n_tracers; n++) memory_free(s->tracers[n].name);
    s->n_tracers = s->n_own_tracers;
    kinetics_close(&s->kinetics.opened);
}
