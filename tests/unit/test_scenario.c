/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenarios: every key arrives, defaults are filled in, the effective scenario is a fixed point, and each
 * mistake is told where it stands, with what is allowed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/given.h"
#include "output/restart.h"
#include "output/variables.h"
#include "settings/constants.h"
#include "settings/doubt.h"
#include "settings/table.h"
#include "tests/support/messages.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const char box[] =
    "{ // a closed box\n"
    "  \"grid\": {\"kind\": \"cartesian\", \"length_x_m\": 10000, \"length_y_m\": 5000, \"dx_m\": 500,\n"
    "           \"levels\": {\"bottom_m\": -10, \"dz_m\": 2}},\n"
    "  \"bathymetry\": {\"bed_m\": -10},\n"
    "  \"time\": {\"start\": \"2014-09-23T00:00:00Z\", \"end\": \"2014-09-23T06:00:00Z\", \"step_s\": 60}\n"
    "  /*MORE*/\n"
    "}\n";

static const char sea[] =
    "{ \"title\": \"Storm\", \"$schema\": \"s.json\", \"comment\": [\"free\"], \"allow\": [\"gaps\", "
    "\"values\"],\n"
    "  \"grid\": {\"kind\": \"spherical\", \"west\": 34.75, \"east\": 39.4, \"south\": 45.0, \"north\": "
    "47.35, \"dx_m\": 2000,\n"
    "    \"levels\": {\"interfaces_m\": [-15, -5, -1, 0]}, \"flood_to_m\": 4},\n"
    "  \"bathymetry\": {\"file\": \"azov\", \"minimum_depth_m\": 0.3, \"land_m\": \"2 + x/Lx\", \"close\": "
    "[[[36.4, 45.2], [36.7, 45.3]]],\n"
    "    \"keep\": \"all\", \"keep_point\": [36.6, 46.0], \"fullness\": false, \"positive\": \"down\", "
    "\"variable\": \"z\", \"datum_offset_m\": 0.1},\n"
    "  \"time\": {\"start\": \"2014-09-23T00:00:00Z\", \"duration_s\": 86400, \"step_s\": 60},\n"
    "  \"physics\": {\"gravity_m_s2\": 9.8, \"coriolis\": {\"f_s\": 1e-4, \"beta_m_s\": 1e-11}, \"drag\": "
    "{\"law\": \"log\", \"z0_m\": 0.002},\n"
    "    \"momentum\": {\"scheme\": \"explicit-z\", \"advection\": \"upwind\", "
    "\"horizontal_viscosity_m2_s\": 5, \"side_walls\": \"no-slip\"},\n"
    "    \"turbulence\": {\"closure\": \"constant\", \"viscosity_m2_s\": 0.01, \"diffusivity_m2_s\": 0.02, "
    "\"stability\": \"cheng\", \"cs\": 0.3}, \"free_surface\": "
    "{\"theta\": 0.55, \"full_stress_depth_m\": 0.2}},\n"
    "  \"initial\": {\"eta_m\": \"0.1*cos(pi*x/Lx)\", \"u_m_s\": 0.1},\n"
    "  \"forcing\": {\"wind\": {\"speed_m_s\": \"20*min(t/3600, 1)\", \"from_deg\": 225, \"factor\": 1.1, "
    "\"air_density_kg_m3\": 1.2,\n"
    "      \"drag\": {\"law\": \"wu\", \"cap_m_s\": 40}}, \"air_pressure\": {\"file\": \"msl.nc\"}, "
    "\"ramp_s\": 3600},\n"
    "  \"rivers\": [{\"name\": \"Don\", \"lon\": 39.25, \"lat\": 47.15, \"discharge_m3_s\": {\"file\": "
    "\"../data/don.csv\", \"column\": \"q\"}},\n"
    "    {\"name\": \"Kuban\", \"lon\": 37.4, \"lat\": 45.3, \"discharge_m3_s\": 425}],\n"
    "  \"boundaries\": [{\"name\": \"Kerch\", \"edge\": \"south\", \"range\": [36.4, 36.8], \"kind\": "
    "\"flather\", \"eta_m\": 0.1}],\n"
    "  \"solver\": {\"surface\": {\"tolerance\": 1e-9, \"max_iterations\": 500}, \"processes\": [2, 3], "
    "\"device\": \"emu\"},\n"
    "  \"output\": [{\"file\": \"{scenario}_{start}.nc\", \"every_s\": 3600, \"variables\": [\"eta\", "
    "\"u\"], \"mean\": true,\n"
    "      \"box\": [35, 36, 45, 46], \"levels\": [0, 2], \"velocities\": \"faces\", \"format\": \"cdf2\"},\n"
    "    {\"stations\": {\"Taganrog\": [38.95, 47.17], \"a/b\": [36, 46]}, \"every_s\": 600},\n"
    "    {\"extremes\": [\"max_eta\", \"time_of_max_eta\"]}],\n"
    "  \"restart\": {\"every_s\": 43200, \"keep\": 3, \"at_end\": true}, \"output_folder\": \"out\" }\n";

static Scenario *parse(const char *text) {
    Scenario *scenario;
    if (scenario_parse("cases/storm.json", text, NULL, 0, &scenario) != STATUS_OK)
        fail_msg("%s", messages_take());
    assert_int_equal(error_count(), 0);
    return scenario;
}

/* `text` with the first `find` replaced; to be freed. */
static char *replaced(const char *text, const char *find, const char *by) {
    const char *at = strstr(text, find);
    if (!at) fail_msg("\"%s\" is not in the scenario", find);
    return memory_format("%.*s%s%s", (int)(at - text), text, by, at + strlen(find));
}

static void defaults_are_filled_in(void **state) {
    (void)state;
    Scenario *s = parse(box);
    assert_string_equal(s->name, "storm");
    assert_string_equal(s->title, "storm");
    assert_string_equal(s->text, box);
    assert_string_equal(s->output_folder, "results/storm");
    assert_true(s->grid.dy_m == 500 && s->grid.flood_to_m == 0 && !s->grid.periodic_x);
    assert_int_equal(s->grid.n_levels, 5);
    assert_true(s->grid.interfaces_m[0] == -10 && s->grid.interfaces_m[1] == -8 &&
                s->grid.interfaces_m[5] == 0);
    assert_int_equal(s->bathymetry.bed_m.kind, VALUE_CONSTANT);
    assert_string_equal(s->bathymetry.bed_m.place, "cases/storm.json:4:27 (/bathymetry/bed_m)");
    assert_true(s->bathymetry.fullness && !s->bathymetry.keep_all && s->bathymetry.land_height_m == 10);
    assert_true(s->time.start == 1411430400 && s->time.end - s->time.start == 21600 &&
                s->time.duration_s == 21600);
    assert_true(s->physics.gravity_m_s2 == 9.81 && s->physics.water_density_kg_m3 == 1008);
    assert_int_equal(s->physics.coriolis, CORIOLIS_NONE);
    assert_int_equal(s->physics.advection, ADVECTION_TVD);
    assert_int_equal(s->physics.closure, CLOSURE_K_EPSILON);
    assert_int_equal(s->physics.drag, DRAG_MANNING);
    assert_true(s->physics.manning_n.constant == 0.025 && s->physics.chezy_c.constant == 65 &&
                s->physics.rayleigh_1_s == 0 && s->physics.theta == 0.6 &&
                s->physics.viscosity_m2_s == 1e-6 && s->physics.diffusivity_m2_s == 1e-6);
    assert_int_equal(s->initial.eta_m.kind, VALUE_CONSTANT);
    assert_true(s->initial.eta_m.constant == 0);
    assert_int_equal(s->forcing.wind_u_m_s.kind, VALUE_ABSENT);
    assert_int_equal(s->forcing.drag, WIND_DRAG_COARE35);
    assert_true(s->forcing.wind_factor == 1 && s->forcing.drag_cap_m_s == 33 &&
                s->forcing.air_density_kg_m3 == 1.22);
    assert_true(s->solver.surface_tolerance == 1e-10 && s->solver.surface_max_iterations == 2000 &&
                s->solver.ranks_x == 0);
    assert_string_equal(s->solver.device, "cpu");
    assert_int_equal(s->n_outputs + s->n_rivers + s->n_boundaries, 0);
    assert_int_equal(s->restart.keep, 2);
    scenario_destroy(&s);
    assert_null(s);
    s = parse(sea);
    scenario_destroy(&s);
}

static void check_output(const Scenario *s) {
    assert_int_equal(s->n_outputs, 3);
    const ScenarioOutput *o = s->outputs;
    assert_int_equal(o[0].kind, OUTPUT_FIELDS);
    assert_string_equal(o[0].file, "storm_20140923T000000Z.nc");
    assert_true(o[0].mean && o[0].format == FORMAT_CDF2 && o[0].has_box && o[0].box[3] == 46 &&
                o[0].every_s == 3600);
    assert_int_equal(o[0].n_names, 2);
    assert_string_equal(o[0].names[1], "u");
    assert_int_equal(o[0].velocities, VELOCITIES_FACES);
    assert_int_equal(o[0].n_levels, 2);
    assert_int_equal(o[0].levels[1], 2);
    assert_int_equal(o[1].kind, OUTPUT_STATIONS);
    assert_string_equal(o[1].file, "storm_stations.nc");
    assert_int_equal(o[1].n_stations, 2);
    assert_string_equal(o[1].stations[0].name, "Taganrog");
    assert_true(o[1].stations[1].x == 36 && o[1].stations[1].y == 46);
    assert_int_equal(o[1].n_names, 3);
    assert_int_equal(o[2].kind, OUTPUT_EXTREMES);
    assert_true(o[2].every_s == 0);
    assert_string_equal(o[2].names[1], "time_of_max_eta");
}

static void every_key_arrives(void **state) {
    (void)state;
    Scenario *s = parse(sea);
    assert_string_equal(s->title, "Storm");
    assert_true(doubt_allowed(s, DOUBT_GAPS) && doubt_allowed(s, DOUBT_VALUES) &&
                !doubt_allowed(s, DOUBT_SCALES));
    assert_int_equal(s->grid.kind, GRID_SPHERICAL);
    assert_true(s->grid.west == 34.75 && s->grid.north == 47.35 && s->grid.dy_m == 2000 &&
                s->grid.flood_to_m == 4);
    assert_int_equal(s->grid.n_levels, 3);
    assert_string_equal(s->bathymetry.file, "azov");
    assert_string_equal(s->bathymetry.positive, "down");
    assert_string_equal(s->bathymetry.land_m.expression, "2 + x/Lx");
    assert_int_equal(s->bathymetry.n_close, 1);
    assert_true(s->bathymetry.close[0].x[1] == 36.7 && s->bathymetry.close[0].y[1] == 45.3);
    assert_true(s->bathymetry.keep_all && s->bathymetry.has_keep_point && !s->bathymetry.fullness);
    assert_true(s->time.end == s->time.start + 86400);
    assert_int_equal(s->physics.coriolis, CORIOLIS_CONSTANT);
    assert_true(s->physics.f_s == 1e-4 && s->physics.beta_m_s == 1e-11 &&
                s->physics.roughness_m.constant == 0.002);
    assert_int_equal(s->physics.advection, ADVECTION_UPWIND);
    assert_int_equal(s->physics.side_walls, WALLS_NO_SLIP);
    assert_int_equal(s->physics.drag, DRAG_LOG);
    assert_string_equal(s->forcing.wind_speed_m_s.expression, "20*min(t/3600, 1)");
    assert_true(s->forcing.wind_from_deg.constant == 225 && s->forcing.ramp_s == 3600);
    assert_int_equal(s->forcing.drag, WIND_DRAG_WU);
    assert_string_equal(s->forcing.air_pressure_file, "cases/msl.nc");
    assert_int_equal(s->n_rivers, 2);
    assert_string_equal(s->rivers[0].discharge_m3_s.file, "cases/../data/don.csv");
    assert_string_equal(s->rivers[0].discharge_m3_s.column, "q");
    assert_string_equal(s->rivers[1].place, "cases/storm.json:14:5 (/rivers/1)");
    assert_true(s->rivers[1].x == 37.4 && s->rivers[1].discharge_m3_s.constant == 425);
    assert_int_equal(s->boundaries[0].edge, EDGE_SOUTH);
    assert_int_equal(s->boundaries[0].kind, BOUNDARY_FLATHER);
    assert_true(s->boundaries[0].has_range && s->boundaries[0].range[1] == 36.8);
    assert_int_equal(s->boundaries[0].velocity_m_s.kind, VALUE_CONSTANT);
    assert_int_equal(s->solver.ranks_y, 3);
    assert_string_equal(s->solver.device, "emu");
    assert_true(s->restart.at_end && s->restart.keep == 3);
    check_output(s);
    scenario_destroy(&s);
}

static void the_effective_scenario_is_a_fixed_point(void **state) {
    (void)state;
    char *hybrid = replaced(box, "\"dz_m\": 2", "\"dz_m\": 2, \"kind\": \"hybrid\", \"fixed_above_m\": -4");
    const char *const cases[] = {box, sea, hybrid};
    for (size_t n = 0; n < LENGTH(cases); n++) {
        Scenario *first = parse(cases[n]);
        char *once = scenario_effective(first);
        Scenario *second = parse(once);
        char *twice = scenario_effective(second);
        assert_string_equal(once, twice);
        assert_true(first->time.end == second->time.end && first->n_outputs == second->n_outputs);
        assert_int_equal(first->grid.n_fixed, second->grid.n_fixed);
        memory_free(once), memory_free(twice);
        scenario_destroy(&first), scenario_destroy(&second);
    }
    memory_free(hybrid);
}

/* As restarts rely on: what an older version wrote, without keys that came later, means their defaults. */
static void an_older_effective_scenario_is_completed(void **state) {
    (void)state;
    Scenario *first = parse(box);
    char *now = scenario_effective(first), *older = replaced(now, "\"output_dry_depth_m\": 0.01,", "");
    assert_true(strlen(older) < strlen(now));
    Scenario *second = parse(older);
    char *completed = scenario_effective(second);
    assert_string_equal(completed, now);
    memory_free(now), memory_free(older), memory_free(completed);
    scenario_destroy(&first), scenario_destroy(&second);
}

/* Nothing is lost on the way through the text. */
static void odd_numbers_survive(void **state) {
    (void)state;
    char *text = replaced(
        box, "/*MORE*/",
        ", \"physics\": {\"drag\": {\"n\": 0.030000000000000002}, \"gravity_m_s2\": 9.8066500000000012}");
    Scenario *first = parse(text);
    char *once = scenario_effective(first);
    Scenario *second = parse(once);
    assert_true(first->physics.manning_n.constant == second->physics.manning_n.constant);
    assert_true(first->physics.gravity_m_s2 == second->physics.gravity_m_s2);
    memory_free(once), memory_free(text);
    scenario_destroy(&first), scenario_destroy(&second);
}

static void overrides_are_checked_like_the_file(void **state) {
    (void)state;
    Scenario *s;
    const char *const good[] = {"/physics/drag/n=0.04", "/time/end=2014-09-23T01:00:00Z",
                                "/output=[{\"extremes\":[\"max_eta\"]}]", "/output/0/file=top.nc",
                                "/initial/eta_m=0.1*x/Lx"};
    assert_int_equal(scenario_parse("s.json", box, good, 5, &s), STATUS_OK);
    assert_true(s->physics.manning_n.constant == 0.04 && s->time.duration_s == 3600);
    assert_string_equal(s->outputs[0].file, "top.nc");
    assert_string_equal(s->initial.eta_m.place, "--set /initial/eta_m");
    assert_string_equal(s->text, box);
    scenario_destroy(&s);
    const char *const bad[] = {"/physics/drag/N=0.04", "/time/step_s=fast", "nonsense", "/grid/dx_m/x=1"};
    assert_int_equal(scenario_parse("s.json", box, bad, 4, &s), STATUS_BAD_INPUT);
    assert_null(s);
    char *text = messages_take();
    assert_non_null(strstr(text, "--set /physics/drag/N: there is no key \"N\"; did you mean \"n\"?"));
    assert_non_null(strstr(text, "--set /time/step_s: found the text \"fast\""));
    assert_non_null(strstr(text, "--set nonsense: write the place"));
    assert_non_null(strstr(text, "/grid/dx_m is a number and has no members"));
    free(text);
}

/* Under these names other programs give winds, heat, rain and discharges. */
/* By the pointer's sections and key, as "/solver/ranks". */
static const cJSON *schema_of(const cJSON *schema, const char *pointer) {
    char part[64];
    for (size_t length; *pointer; pointer += length) {
        length = strcspn(++pointer, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, pointer);
        schema =
            cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(schema, "properties"), part);
    }
    return schema;
}

static void former_names_are_understood(void **state) {
    (void)state;
    char *text = replaced(box, "/*MORE*/", ", \"solver\": {\"ranks\": [2, 3]}"), *effective;
    const char *const set[] = {"/solver/ranks=[3, 4]", "/solver/ranks/1=5"};
    Scenario *s = parse(text);
    assert_true(s->solver.ranks_x == 2 && s->solver.ranks_y == 3);
    effective = scenario_effective(s);
    assert_null(strstr(effective, "\"ranks\""));
    /* a restart file of an earlier version holds the former name */
    char *then = replaced(effective, "\"processes\"", "\"ranks\"");
    assert_int_equal(restart_compare_scenarios("r.nc", then, effective, false), STATUS_OK);
    memory_free(then);
    scenario_destroy(&s);
    assert_int_equal(scenario_parse("s.json", text, set, 2, &s), STATUS_OK);
    assert_true(s->solver.ranks_x == 3 && s->solver.ranks_y == 5);
    scenario_destroy(&s);
    memory_free(text), memory_free(effective);
    text = replaced(box, "/*MORE*/", ", \"solver\": {\"processes\": [2, 3], \"ranks\": [2, 3]}");
    assert_int_equal(scenario_parse("s.json", text, NULL, 0, &s), STATUS_BAD_INPUT);
    char *said = messages_take();
    assert_non_null(strstr(said, "(/solver/ranks): this is the former name of /solver/processes"));
    assert_null(strstr(said, "there is no key"));
    free(said), memory_free(text);
}

static void tracers_are_not_called_like_forcing(void **state) {
    (void)state;
    for (int n = 0; n < GIVEN_COUNT; n++) {
        Scenario *s;
        char *more = memory_format(", \"tracers\": [{\"name\": \"%s\"}]", given_name(n)->name),
             *text = replaced(box, "/*MORE*/", more);
        assert_int_equal(scenario_parse("s.json", text, NULL, 0, &s), STATUS_BAD_INPUT);
        char *said = messages_take();
        assert_non_null(strstr(said, "is already the name of"));
        free(said), memory_free(text), memory_free(more);
    }
}

static void files_have_to_exist(void **state) {
    (void)state;
    char folder[] = "/tmp/maeotis-scenario-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = memory_format("%s/s.json", folder), *series = memory_format("%s/q.csv", folder);
    char *text = replaced(box, "/*MORE*/", ", \"forcing\": {\"wind\": {\"file\": \"q.csv\"}}");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    Scenario *s;
    assert_int_equal(scenario_read(path, NULL, 0, &s), STATUS_BAD_INPUT);
    char *messages = messages_take();
    assert_non_null(
        strstr(messages, "the file \"q.csv\" cannot be found (looked for as \"/tmp/maeotis-scenario-"));
    free(messages);
    fclose(fopen(series, "w"));
    assert_int_equal(scenario_read(path, NULL, 0, &s), STATUS_OK);
    assert_string_equal(s->forcing.wind_file, series);
    scenario_destroy(&s);
    unlink(series), unlink(path);
    assert_int_equal(scenario_read(path, NULL, 0, &s), STATUS_BAD_INPUT);
    assert_int_equal(scenario_read(folder, NULL, 0, &s), STATUS_BAD_INPUT);
    assert_int_equal(scenario_read("/dev/zero", NULL, 0, &s), STATUS_BAD_INPUT);
    error_clear();
    rmdir(folder);
    memory_free(path), memory_free(series), memory_free(text);
}

typedef struct Broken {
    const char *find, *by, *message;
} Broken;

/* Goes through all of them before it fails. */
static void expect_refusals(const char *scenario, const Broken *cases, size_t count) {
    int failed = 0;
    for (size_t n = 0; n < count; n++) {
        char *text = replaced(scenario, cases[n].find, cases[n].by);
        Scenario *s;
        Status status = scenario_parse("s.json", text, NULL, 0, &s);
        char *messages = messages_take();
        bool told = status == STATUS_BAD_INPUT && !s && strstr(messages, cases[n].message);
        if (!told) print_error("%s: expected \"%s\" in: %s\n", cases[n].by, cases[n].message, messages);
        failed += !told;
        scenario_destroy(&s);
        free(messages);
        memory_free(text);
    }
    assert_int_equal(failed, 0);
}

static void broken_boxes_are_refused(void **state) {
    (void)state;
    static const Broken cases[] = {
#include "tests/unit/broken_boxes.inc"
    };
    expect_refusals(box, cases, LENGTH(cases));
}

static void broken_seas_are_refused(void **state) {
    (void)state;
    static const Broken cases[] = {
#include "tests/unit/broken_seas.inc"
    };
    expect_refusals(sea, cases, LENGTH(cases));
}

/* One run of the program, all mistakes. */
static void all_mistakes_come_out_at_once(void **state) {
    (void)state;
    char *text = replaced(box, "/*MORE*/",
                          ", \"phisics\": {}, \"rivers\": [{\"name\": 3}, 7], \"restart\": {\"keep\": 0.5}");
    Scenario *s;
    assert_int_equal(scenario_parse("s.json", text, NULL, 0, &s), STATUS_BAD_INPUT);
    assert_int_equal(error_count(), 7); /* phisics, name, x_m, y_m, discharge, 7, keep */
    error_clear();
    memory_free(text);
}

/* What was refused has no consequences that are complained about as well. */
static void one_mistake_is_one_message(void **state) {
    (void)state;
    static const Broken cases[] = {
        {"\"dx_m\": 500", "\"dx_m\": \"wide\"", ""},
        {"\"step_s\": 60", "\"step_s\": -60", ""},
        {"2014-09-23T06:00:00Z", "tomorrow", ""},
        {"\"bottom_m\": -10", "\"bottom_m\": 10", ""},
        {"\"bed_m\": -10", "\"bed_m\": \"-10*q\"", ""},
        {"\"cartesian\"", "\"flat\"", ""},
        {"/*MORE*/", ", \"output\": [{\"variables\": [\"eat\"], \"every_s\": 60}]", ""},
        {"/*MORE*/",
         ", \"boundaries\": [{\"name\": \"a\", \"edge\": \"wset\", \"kind\": \"elevation\", \"eta_m\": 0}]",
         ""},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        char *text = replaced(box, cases[n].find, cases[n].by);
        Scenario *s;
        assert_int_equal(scenario_parse("s.json", text, NULL, 0, &s), STATUS_BAD_INPUT);
        if (error_count() != 1) fail_msg("%s", messages_take());
        error_clear();
        memory_free(text);
    }
}

static const cJSON *schema_at(const cJSON *schema, const char *section, const char *key) {
    const cJSON *inner =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(schema, "properties"), section);
    return key ? schema_at(inner, key, NULL) : inner;
}

static void the_schema_names_what_there_is(void **state) {
    (void)state;
    char *text = scenario_schema();
    cJSON *schema = cJSON_Parse(text);
    assert_non_null(schema);
    const cJSON *theta = schema_at(schema_at(schema, "physics", "free_surface"), "theta", NULL);
    assert_true(cJSON_GetObjectItemCaseSensitive(theta, "minimum")->valuedouble == 0.5);
    assert_true(cJSON_GetObjectItemCaseSensitive(theta, "default")->valuedouble == 0.6);
    assert_non_null(cJSON_GetObjectItemCaseSensitive(theta, "description"));
    const cJSON *law = schema_at(schema_at(schema, "physics", "drag"), "law", NULL);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(law, "enum")), 6);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(schema, "required")),
                     2); /* grid, time */
    assert_non_null(schema_at(cJSON_GetObjectItemCaseSensitive(schema_at(schema, "rivers", NULL), "items"),
                              "discharge_m3_s", NULL));
    for (const RenamedKey *key = scenario_renamed; key->was; key++) {
        assert_non_null(schema_of(schema, key->now));
        assert_true(
            cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(schema_of(schema, key->was), "deprecated")));
    }
    cJSON_Delete(schema);
    memory_free(text);
}

static void the_keys_are_explained(void **state) {
    (void)state;
    static const char *const some[] = {"\n/physics/breaking   number from 0 to 10; default 0.7\n",
                                       "\n/physics/drag/n   number from 0 to 1, or a formula of x, y [m], ",
                                       "\n/time/step_s   number above 0 to 86400, or \"auto\"; required\n",
                                       "\n/rivers/0/discharge_m3_s   ", "\n    v_north "};
    char *text = scenario_keys(NULL);
    for (size_t n = 0; n < sizeof some / sizeof *some; n++) assert_non_null(strstr(text, some[n]));
    memory_free(text);
}

static void one_key_is_explained(void **state) {
    (void)state;
    static const struct {
        const char *which, *has, *lacks;
    } some[] = {{"/physics/drag", "/physics/drag/n   ", "/physics/breaking"},
                {"/physics/drag/n", "/physics/drag/n   ", "/physics/drag/law"},
                {"/rivers/12/name/", "/rivers/0/name   ", "/rivers/0/discharge"},
                {"salinity", "/initial/salinity   ", "/physics/drag"}};
    for (size_t n = 0; n < sizeof some / sizeof *some; n++) {
        char *text = scenario_keys(some[n].which);
        assert_non_null(strstr(text, some[n].has));
        assert_null(strstr(text, some[n].lacks));
        memory_free(text);
    }
    char *none = scenario_keys("/physics/dra");
    assert_string_equal(none, "");
    memory_free(none);
}

static void what_can_be_asked_for_is_there(void **state) {
    (void)state;
    for (int n = 0; output_variable_names[n]; n++)
        assert_string_equal(output_variable(output_variable_names[n], false)->name, output_variable_names[n]);
}

static const Field *field_named(const Record *record, const char *path, size_t length) {
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++)
        if (strlen(field->path) == length && strncmp(field->path, path, length) == 0) return field;
    return NULL;
}

/* What keys go with is a key, and one of its choices. */
static void check_conditions(const Record *record) {
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++) {
        if (field->record) check_conditions(field->record);
        if (!field->with) continue;
        const Field *with = NULL;
        const char *key = field->with;
        for (size_t length; *key && *key != '=' && *key != '!'; key += length + (key[length] == '|')) {
            length = strcspn(key, "!=|");
            with = field_named(record, key, length);
            if (!with) fail_msg("%s goes with %s, which is no key", field->path, field->with);
        }
        for (const char *at = strchr(field->with, '='); at; at = strchr(at + 1, '|')) {
            const char *const *choice = with->choices;
            const size_t part = strcspn(at + 1, "|");
            bool any = strcmp(with->path, "/time/step_s") == 0;
            for (; choice && *choice; choice++)
                any = any || (strlen(*choice) == part && strncmp(*choice, at + 1, part) == 0);
            if (!any) fail_msg("%s goes with %s, which is no choice", field->path, field->with);
        }
    }
}

static void keys_go_with_what_there_is(void **state) {
    (void)state;
    check_conditions(&scenario_record);
}

static void constants_take_the_place_of_their_names(void **state) {
    (void)state;
    static const struct {
        const char *formula, *expected;
    } cases[] = {{"a*cos(k_1*x)", "(0.5)*cos((0.004)*x)"},
                 {"a+aa-a1", "(0.5)+aa-a1"},
                 {"1e-3*e", "1e-3*(2)"},
                 {"2.5e+1*a", "2.5e+1*(0.5)"},
                 {"x", "x"}};
    Json *constants = NULL;
    assert_int_equal(json_parse("c.json", "{\"a\": 0.5, \"k_1\": 0.004, \"e\": 2}", &constants), STATUS_OK);
    for (size_t n = 0; n < LENGTH(cases); n++) {
        char *text = constants_replace(constants, cases[n].formula);
        assert_string_equal(text, cases[n].expected);
        memory_free(text);
    }
    json_destroy(&constants);
}

static void limits_and_round_off(void **state) {
    (void)state;
    const Value from = {.least = 0, .most = 10}, above = {.least = 0, .most = 10, .above = true}, any = {0};
    assert_true(value_allows(&from, 0) && value_allows(&from, 10) && value_allows(&above, 1e-9) &&
                value_allows(&any, -1e9));
    assert_false(value_allows(&from, -1e-9) || value_allows(&from, 10.1) || value_allows(&above, 0) ||
                 value_allows(&any, NAN));
    assert_true(value_rounded_into(-9e-7, 0, 10) == 0 && value_rounded_into(10 + 9e-7, 0, 10) == 10);
    assert_true(value_rounded_into(-2e-6, 0, 10) == -2e-6 &&
                value_rounded_into(10 + 2e-6, 0, 10) == 10 + 2e-6);
    assert_true(value_rounded_into(5, 0, 10) == 5 && value_rounded_into(-2e-4, 0, 1e9) == -2e-4);
}

/* Mixing along the layers asks for lines where it is strong, and where it might be over partial cells. */
static void weak_mixing_asks_for_no_lines(void **state) {
    (void)state;
    const struct {
        const char *diffusivity, *law;
        double solves;
    } cases[] = {{"5", "constant", 0}, {"50", "constant", 2}, {"5", "smagorinsky", 2}};
    for (size_t n = 0; n < LENGTH(cases); n++) {
        char *mixing = memory_format("/physics/tracers/horizontal_diffusivity_m2_s=%s", cases[n].diffusivity);
        char *law = memory_format("/physics/momentum/viscosity_law=%s", cases[n].law);
        Scenario *s;
        assert_int_equal(
            scenario_parse("s.json", box, (const char *[]){mixing, law, "/initial/salinity=30"}, 3, &s),
            STATUS_OK);
        assert_true(scenario_line_solves(s) == cases[n].solves &&
                    scenario_has_lines(s) == (cases[n].solves > 0));
        scenario_destroy(&s), memory_free(mixing), memory_free(law);
    }
}

static void nothing_is_left_in_memory(void **state) {
    (void)state;
    assert_int_equal(memory_in_use(), 0);
    assert_int_equal(error_count(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_filled_in),
        cmocka_unit_test(every_key_arrives),
        cmocka_unit_test(the_effective_scenario_is_a_fixed_point),
        cmocka_unit_test(an_older_effective_scenario_is_completed),
        cmocka_unit_test(odd_numbers_survive),
        cmocka_unit_test(overrides_are_checked_like_the_file),
        cmocka_unit_test(former_names_are_understood),
        cmocka_unit_test(tracers_are_not_called_like_forcing),
        cmocka_unit_test(files_have_to_exist),
        cmocka_unit_test(broken_boxes_are_refused),
        cmocka_unit_test(broken_seas_are_refused),
        cmocka_unit_test(all_mistakes_come_out_at_once),
        cmocka_unit_test(one_mistake_is_one_message),
        cmocka_unit_test(the_schema_names_what_there_is),
        cmocka_unit_test(the_keys_are_explained),
        cmocka_unit_test(one_key_is_explained),
        cmocka_unit_test(what_can_be_asked_for_is_there),
        cmocka_unit_test(keys_go_with_what_there_is),
        cmocka_unit_test(constants_take_the_place_of_their_names),
        cmocka_unit_test(limits_and_round_off),
        cmocka_unit_test(weak_mixing_asks_for_no_lines),
        cmocka_unit_test(nothing_is_left_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
