/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that involve several keys: contradictions, lengths and times that do not divide; and the values that
 * follow from others. A rule keeps silent if one of its keys was refused already.
 */
#include "settings/rules.h"

#include "base/calendar.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

const Json *rules_place(const Json *root, const char *pointer) {
    char *path = memory_copy_text(pointer);
    const Json *json = json_at(root, path);
    for (char *slash; !json && (slash = strrchr(path, '/'));) {
        *slash = '\0';
        json = json_at(root, path);
    }
    memory_free(path);
    return json ? json : root;
}

void rules_refuse_obstacle(Rules *r, const char *who, const Obstacle *all, size_t count) {
    const Obstacle *first = all;
    while (first < all + count && !first->is) first++;
    if (first == all + count || !reader_sound(r->reader, first->pointer)) return;
    reader_refuse(r->reader, rules_place(r->root, first->pointer)->place, first->pointer, "%s %s", who,
                  first->wanted);
}

static void both_refused(Rules *r, const char *section, const char *first, const char *second) {
    char *pointer = memory_format("%s/%s", section, second);
    const Json *json = json_at(r->root, pointer);
    reader_refuse(r->reader, json->key_place, pointer,
                  "\"%s\" and \"%s\" exclude each other; keep one of them", first, second);
    memory_free(pointer);
}

bool rules_given(const Rules *r, const char *section, const char *key) {
    char *pointer = memory_format("%s/%s", section, key);
    bool given = json_at(r->root, pointer) != NULL;
    memory_free(pointer);
    return given;
}

bool rules_whole(double length, double part, double *count) {
    *count = nearbyint(length / part);
    return *count >= 1 && fabs(length / part - *count) <= 1e-9 * *count + 1e-9;
}

/* ---- time ---- */

/* The nearest whole seconds above and below the step that divide the duration, as a hint. */
static void fitting_steps(double duration, double step, char out[96]) {
    double below = 0, above = 0, count;
    out[0] = '\0';
    if (duration != floor(duration)) return;
    for (double s = floor(step); s >= 1 && s > step - 2000 && below == 0; s--)
        if (rules_whole(duration, s, &count)) below = s;
    for (double s = ceil(step); s <= duration && s < step + 2000 && above == 0; s++)
        if (rules_whole(duration, s, &count)) above = s;
    if (below > 0 && above > 0)
        snprintf(out, 96, "steps of %.0f s or %.0f s fit", below, above);
    else if (below + above > 0)
        snprintf(out, 96, "steps of %.0f s fit", below + above);
}

/* More are a slip of the pen; up to here they can be counted in a double, too. */
static const double MOST_STEPS = 1e12;

/* Where so many steps end: a date, or the duration, which may have a fraction. */
static void describe_length(const ScenarioTime *time, double steps, bool date, char out[32]) {
    if (date)
        calendar_format(time->start + steps * time->step_s, out);
    else
        snprintf(out, 32, "%.10g s", steps * time->step_s);
}

static void rule_steps(Rules *r, const ScenarioTime *time) {
    double count;
    char hint[96], early[32], late[32];
    if (time->duration_s / (time->automatic ? time->step_bounds_s[0] : time->step_s) > MOST_STEPS) {
        reader_refuse(r->reader, rules_place(r->root, "/time/step_s")->place, "/time/step_s",
                      "the run from start to end lasts %.10g s, which is %.3g steps of %.10g s; at most %.3g",
                      time->duration_s, time->duration_s / time->step_s, time->step_s, MOST_STEPS);
        return;
    }
    if (time->automatic || rules_whole(time->duration_s, time->step_s, &count)) return;
    double steps = floor(time->duration_s / time->step_s);
    fitting_steps(time->duration_s, time->step_s, hint);
    const bool dates = time->duration_s == floor(time->duration_s) && time->step_s == floor(time->step_s);
    describe_length(time, steps, dates, early);
    describe_length(time, steps + 1, dates, late);
    const char *how = steps > 0 ? early : late;
    reader_refuse(r->reader, rules_place(r->root, "/time/step_s")->place, "/time/step_s",
                  "the run from start to end lasts %.10g s, which is not a whole number of steps of %.10g s: "
                  "%s%s%s %s%s%s fits",
                  time->duration_s, time->step_s, hint, *hint ? "; " : "",
                  dates ? "an end at" : "a duration of", how, steps > 0 ? " or " : "", steps > 0 ? late : "");
}

static void rule_bounds(Rules *r, ScenarioTime *time) {
    const Json *json = json_at(r->root, "/time/step_bounds_s");
    if (!json && time->automatic) {
        time->has_bounds = true;
        time->step_bounds_s[0] = 1, time->step_bounds_s[1] = 300;
    }
    if (json && reader_sound(r->reader, json->pointer) && time->step_bounds_s[0] > time->step_bounds_s[1])
        reader_refuse(r->reader, json->place, json->pointer,
                      "the bounds must be the shortest and the longest step, in this order");
    if (time->automatic) time->step_s = time->step_bounds_s[1];
}

static void rule_time(Rules *r, ScenarioTime *time) {
    bool end = rules_given(r, "/time", "end"), duration = rules_given(r, "/time", "duration_s");
    const Json *section = json_at(r->root, "/time");
    if (!section || section->kind != JSON_OBJECT) return;
    rule_bounds(r, time);
    if (!end && !duration)
        reader_refuse(r->reader, section->place, "/time/end",
                      "the scenario needs \"end\" (the last instant) or \"duration_s\", at /time");
    if (end && duration) both_refused(r, "/time", "end", "duration_s");
    if (!rules_given(r, "/time", "start"))
        reader_refuse(r->reader, section->place, "/time/start",
                      "the scenario needs \"start\" (the first instant, such as \"2014-09-23T00:00:00Z\"), "
                      "at /time; only a run with --restart may omit it");
    if (!reader_sound(r->reader, "/time/start") || !reader_sound(r->reader, "/time/end") ||
        !reader_sound(r->reader, "/time/duration_s"))
        return;
    if (duration)
        time->end = time->start + time->duration_s;
    else
        time->duration_s = time->end - time->start;
    time->to_s = time->duration_s;
    if (!(time->duration_s > 0)) {
        char start[32], last[32];
        calendar_format(time->start, start), calendar_format(time->end, last);
        reader_refuse(r->reader, rules_place(r->root, "/time/end")->place, "/time/end",
                      "the end (%s) must be later than the start (%s)", last, start);
    } else if (reader_sound(r->reader, "/time/step_s")) {
        rule_steps(r, time);
    }
}

/* ---- bathymetry ---- */

static void rule_bathymetry(Rules *r) {
    const Json *section = json_at(r->root, "/bathymetry");
    bool bed = rules_given(r, "/bathymetry", "bed_m"), file = rules_given(r, "/bathymetry", "file");
    if (section && section->kind != JSON_OBJECT) return;
    if (!bed && !file)
        reader_refuse(
            r->reader, section ? section->place : r->root->place, "/bathymetry",
            "the scenario needs \"file\" or \"bed_m\" (the elevation of the ground), at /bathymetry");
    if (bed && file) both_refused(r, "/bathymetry", "bed_m", "file");
}

/* ---- physics ---- */

static void rule_coriolis(Rules *r, Scenario *scenario) {
    const Json *json = json_at(r->root, "/physics/coriolis");
    bool spherical = r->reader->map || (r->reader->grid_known && r->reader->grid == GRID_SPHERICAL);
    if (!json)
        scenario->physics.coriolis = spherical ? CORIOLIS_BY_LATITUDE : CORIOLIS_NONE;
    else if (scenario->physics.coriolis == CORIOLIS_BY_LATITUDE && r->reader->grid_known && !spherical)
        reader_refuse(r->reader, json->place, json->pointer,
                      "a cartesian grid without \"crs\" has no latitude: \"coriolis\" is \"none\" or "
                      "{\"f_s\": F}, where F is "
                      "1.458e-4*sin(latitude), such as 1.07e-4 at 47 degrees north; with \"beta_m_s\": "
                      "2.29e-11*cos(latitude) it changes along y");
}

static void rule_density(Rules *r, Scenario *scenario) {
    ScenarioDensity *density = &scenario->physics.density;
    const Json *json = json_at(r->root, "/physics/density/equation");
    const ScenarioInitial *initial = &scenario->initial;
    if (density->equation == DENSITY_LINEAR && !rules_given(r, "/physics/density", "reference_kg_m3"))
        density->reference_kg_m3 = scenario->physics.water_density_kg_m3;
    if (json && density->equation != DENSITY_CONSTANT && initial->temperature_C.kind == VALUE_ABSENT &&
        initial->salinity.kind == VALUE_ABSENT)
        reader_refuse(r->reader, json->place, json->pointer,
                      "the density \"%s\" needs /initial/temperature_C or /initial/salinity, or both",
                      json->text);
}

/* Compact advection and viscosity: see model/momentum/compact/compact_advection.h. */

double scenario_compact_step(const Scenario *s) {
    const double dx = s->grid.dx_m, dy = s->grid.dy_m;
    if (!s->physics.compact_viscosity) return INFINITY;
    return 1 / (8 * s->physics.horizontal_viscosity_m2_s * (1 / (dx * dx) + 1 / (dy * dy)));
}

static void rule_compact_viscosity(Rules *r, const Scenario *s) {
    const Json *json = json_at(r->root, "/physics/momentum/compact_viscosity");
    const double longest = scenario_compact_step(s);
    const char *needs = NULL;
    if (!json || !s->physics.compact_viscosity || s->physics.advection != ADVECTION_COMPACT6) return;
    if (s->physics.inner_cells > 0) needs = "compact differences everywhere (\"inner_cells\": 0)";
    if (s->physics.viscosity_law != VISCOSITY_CONSTANT) needs = "a constant viscosity";
    if (needs) reader_refuse(r->reader, json->place, json->pointer, "compact viscosity needs %s", needs);
    if ((s->time.automatic ? s->time.step_bounds_s[0] : s->time.step_s) > longest)
        reader_refuse(
            r->reader, json->place, json->pointer,
            "compact viscosity needs steps of at most %.4g s (/time/step_s), for so much viscosity on "
            "such cells",
            longest);
}

static void rule_compact_advection(Rules *r, const Scenario *s) {
    const Json *json = json_at(r->root, "/physics/momentum/advection");
    if (!json || s->physics.advection != ADVECTION_COMPACT6) return;
    const bool spherical = r->reader->grid_known && r->reader->grid == GRID_SPHERICAL;
    const char *needs = NULL;
    if (s->physics.scheme != SCHEME_EXPLICIT_Z) needs = "the scheme \"explicit-z\"";
    if (spherical) needs = "a cartesian grid";
    if (s->n_boundaries > 0 && s->physics.inner_cells == 0)
        needs = "a sea without open boundaries, or an inner region (\"inner_cells\")";
    if (s->physics.inner_cells > 0 && s->physics.inner_cells < 4)
        needs = "\"inner_cells\" of 4 or more, or 0";
    if (s->grid.flood_to_m > 0) needs = "land that stays dry (\"flood_to_m\": 0)";
    if (s->physics.theta < 0.55) needs = "a free surface with \"theta\" from 0.55: below, short waves grow";
    if (needs)
        reader_refuse(r->reader, json->place, json->pointer, "\"compact6\" needs %s; \"tvd\" does not",
                      needs);
}

/* Second order in the step (model/momentum/centred.h): other schemes have their own way. */
static void rule_order(Rules *r, const ScenarioPhysics *p) {
    const Json *json = json_at(r->root, "/physics/momentum/order");
    if (!json || !reader_sound(r->reader, json->pointer) || p->order < 2) return;
    const char *needs = NULL;
    if (p->scheme == SCHEME_MATM || p->scheme == SCHEME_PRESCRIBED)
        needs = "the scheme \"explicit-z\" or \"split\"";
    if (p->pressure != PRESSURE_HYDROSTATIC)
        needs = "hydrostatic pressure; the non-hydrostatic scheme has its own centring in time";
    if (needs) reader_refuse(r->reader, json->place, json->pointer, "order 2 needs %s", needs);
}

/* What changes levels. */
static const char *water_of_air(const ScenarioAir *a) {
    const bool bulk = a->air_temperature_C.kind != VALUE_ABSENT || a->heat_file;
    if (a->rain_mm_h.kind != VALUE_ABSENT || a->rain_file) return "rain";
    if (a->evaporation_mm_h.kind != VALUE_ABSENT) return "evaporation";
    return bulk && a->evaporation_of_heat ? "evaporation (\"of_heat\": false keeps the water)" : NULL;
}

static void rule_prescribed(Rules *r, const ScenarioPhysics *physics) {
    static const char pointer[] = "/physics/momentum/streamfunction_m3_s",
                      scheme[] = "/physics/momentum/scheme";
    const Json *psi = json_at(r->root, pointer), *json = json_at(r->root, scheme);
    if (!reader_sound(r->reader, scheme) || !reader_sound(r->reader, pointer)) return;
    bool prescribed = physics->scheme == SCHEME_PRESCRIBED;
    if (prescribed && !psi)
        reader_refuse(r->reader, json->place, scheme,
                      "the scheme \"prescribed\" needs \"streamfunction_m3_s\", at %s", pointer);
    const char *water = r->scenario->n_rivers + r->scenario->n_river_maps > 0
                            ? "rivers"
                            : water_of_air(&r->scenario->forcing.air);
    if (prescribed && water)
        reader_refuse(r->reader, json->place, scheme,
                      "a prescribed flow keeps the levels constant and excludes %s", water);
}

static void rule_pressure(Rules *r, const Scenario *s) {
    const Json *json = json_at(r->root, "/physics/pressure");
    if (!json || s->physics.pressure != PRESSURE_NONHYDROSTATIC) return;
    const char *needs = NULL;
    if (s->physics.scheme == SCHEME_PRESCRIBED) needs = "a computed flow";
    if (s->physics.advection == ADVECTION_COMPACT6) needs = "the momentum advection \"tvd\"";
    if (s->forcing.potential.self_attraction > 0)
        needs = "a surface without self-attraction (/forcing/tidal_potential/self_attraction)";
    if (needs)
        reader_refuse(r->reader, json->place, json->pointer, "non-hydrostatic pressure needs %s", needs);
}

/* From three layers up there is something between bed and surface for two equations to find. */
static void rule_turbulence(Rules *r, ScenarioPhysics *physics, int n_levels) {
    static const char section[] = "/physics/turbulence";
    if (!rules_given(r, section, "closure"))
        physics->closure = n_levels >= 3 ? CLOSURE_K_EPSILON : CLOSURE_PARABOLIC;
    const bool follows = physics->closure != CLOSURE_CONSTANT && physics->closure != CLOSURE_PARABOLIC;
    if (!rules_given(r, section, "viscosity_m2_s") && follows) physics->viscosity_m2_s = 1e-6;
    if (!rules_given(r, section, "diffusivity_m2_s")) physics->diffusivity_m2_s = physics->viscosity_m2_s;
}

/* What counts as thin in a sea is too much for a flume: by default at most a tenth of the depth of the levels;
 * half of it where fronts need the damping of thin water. */
static void rule_thin_water(Rules *r, Scenario *s) {
    const double depth = s->grid.n_levels > 0 ? -s->grid.interfaces_m[0] : INFINITY;
    ScenarioPhysics *p = &s->physics;
    if (!rules_given(r, "/physics/free_surface", "full_stress_depth_m"))
        p->full_stress_depth_m = fmin(p->full_stress_depth_m, 0.5 * depth);
    if (!rules_given(r, "/physics", "nonhydrostatic_depth_m"))
        p->nonhydrostatic_depth_m = fmin(p->nonhydrostatic_depth_m, 0.1 * depth);
    if (!rules_given(r, "", "output_dry_depth_m"))
        s->output_dry_depth_m = fmin(s->output_dry_depth_m, 0.1 * depth);
}

/* ---- forcing ---- */

static void rule_wind(Rules *r) {
    static const char *const ways[4][2] = {
        {"u_m_s", "v_m_s"}, {"speed_m_s", "from_deg"}, {"file", NULL}, {"stress_x_Pa", "stress_y_Pa"}};
    const char *first = NULL;
    for (int way = 0; way < 4; way++) {
        const char *key = NULL;
        for (int n = 1; n >= 0; n--)
            if (ways[way][n] && rules_given(r, "/forcing/wind", ways[way][n])) key = ways[way][n];
        if (key && first) both_refused(r, "/forcing/wind", first, key);
        if (key && !first) first = key;
    }
    if (rules_given(r, "/forcing/wind/drag", "factor") && first && strncmp(first, "stress", 6) == 0)
        both_refused(r, "/forcing/wind", first, "drag/factor");
    if (rules_given(r, "/forcing/air_pressure", "Pa") && rules_given(r, "/forcing/air_pressure", "file"))
        both_refused(r, "/forcing/air_pressure", "Pa", "file");
}

/* ---- solver, restart, places ---- */

/* Is the mixing of tracers so weak that no lines are solved (model/tracers/diffusion.h) whatever the ground is? Here the
 * volume that passes a cell's faces is bounded by the least part of a cell that is water. */
static bool mixing_is_weak(const Scenario *s) {
    const double spacing = fmin(s->grid.dx_m, s->grid.dy_m), least = s->bathymetry.fullness ? 0.05 : 1;
    const double number = s->time.step_s * s->physics.tracer_diffusivity_m2_s / (spacing * spacing);
    return s->grid.kind == GRID_CARTESIAN && !s->bathymetry.subgrid && 2 * number <= 0.25 * least;
}

static double line_solves(const Scenario *s, bool weak) {
    const ScenarioPhysics *p = &s->physics;
    const bool flow = p->scheme != SCHEME_PRESCRIBED, follows = p->viscosity_law == VISCOSITY_SMAGORINSKY;
    const bool split = p->scheme == SCHEME_SPLIT && (p->horizontal_viscosity_m2_s > 0 || follows);
    const bool mixed =
        p->mix_along == MIX_ALONG_LAYERS && ((p->tracer_diffusivity_m2_s > 0 && !weak) || (follows && flow));
    const int tracers = s->n_tracers + (s->initial.temperature_C.kind != VALUE_ABSENT) +
                        (s->initial.salinity.kind != VALUE_ABSENT);
    const int compact = p->advection == ADVECTION_COMPACT6 ? 1 + p->compact_viscosity : 0;
    enum { ALONG_X_AND_Y = 2, COMPONENTS = 2 };
    return ALONG_X_AND_Y * (COMPONENTS * (split + compact) + mixed * tracers);
}

double scenario_line_solves(const Scenario *s) {
    return line_solves(s, mixing_is_weak(s));
}

bool scenario_has_lines(const Scenario *s) {
    return scenario_line_solves(s) > 0;
}

static void rule_lines(Rules *r, const Scenario *s) {
    const ScenarioSolver *v = &s->solver;
    const struct {
        const char *pointer, *what;
        bool chosen;
    } keys[] = {{"/solver/lines/method", "decouple", v->lines_method != LINES_ARE_EXACT},
                {"/solver/lines/blocks", "cut into blocks", v->lines_blocks > 0},
                {"/solver/lines/levels", "reduce", v->lines_levels > 0}};
    for (int n = 0; n < 3 && !(line_solves(s, false) > 0); n++) {
        const Json *json = json_at(r->root, keys[n].pointer);
        if (json && reader_sound(r->reader, json->pointer) && keys[n].chosen)
            reader_refuse(r->reader, json->place, json->pointer,
                          "there are no lines to %s: lines exist with the scheme \"split\" and a viscosity, "
                          "with tracers and a diffusivity (/physics/tracers/horizontal_diffusivity_m2_s), or "
                          "with \"compact6\"",
                          keys[n].what);
    }
}

static void rule_column_blocks(Rules *r, const Scenario *s) {
    const Json *json = json_at(r->root, "/solver/tracers/column_blocks");
    const bool tracers = s->n_tracers > 0 || s->initial.temperature_C.kind != VALUE_ABSENT ||
                         s->initial.salinity.kind != VALUE_ABSENT;
    if (json && !tracers && s->solver.tracers_column_blocks > 0 && reader_sound(r->reader, json->pointer))
        reader_refuse(r->reader, json->place, json->pointer,
                      "there are no tracers to mix down columns: give /tracers, or the initial temperature "
                      "or salinity");
}

static void rule_processes(Rules *r, const ScenarioSolver *solver) {
    const Json *json = json_at(r->root, "/solver/processes");
    if (json && reader_sound(r->reader, "/solver/processes") &&
        (solver->ranks_x == 0) != (solver->ranks_y == 0))
        reader_refuse(r->reader, json->place, json->pointer,
                      "either both numbers are 0 (chosen by the program) or neither");
}

static void rule_patch(Rules *r, const ScenarioSolver *solver) {
    const Json *json = json_at(r->root, "/solver/patch");
    if (json && reader_sound(r->reader, "/solver/patch") && solver->patch % 8 != 0)
        reader_refuse(r->reader, json->place, json->pointer, "%d is not a multiple of 8; %d or %d is",
                      solver->patch, solver->patch / 8 * 8, (solver->patch / 8 + 1) * 8);
}

bool rules_multiple_of_step(Rules *r, const ScenarioTime *time, double every_s, const char *pointer) {
    double count;
    const Json *json = json_at(r->root, pointer);
    if (!json || every_s == 0 || time->automatic || !reader_sound(r->reader, pointer) ||
        !reader_sound(r->reader, "/time/step_s") || !(time->step_s > 0))
        return true;
    if (rules_whole(every_s, time->step_s, &count)) return true;
    double steps = floor(every_s / time->step_s);
    if (steps > 0)
        reader_refuse(r->reader, json->place, pointer,
                      "%.10g s is not a whole number of steps of %.10g s; %.10g or %.10g is", every_s,
                      time->step_s, steps * time->step_s, (steps + 1) * time->step_s);
    else
        reader_refuse(r->reader, json->place, pointer, "%.10g s is less than one step of %.10g s", every_s,
                      time->step_s);
    return false;
}

void scenario_rules(Reader *reader, const Json *root, Scenario *scenario) {
    Rules rules = {reader, root, scenario};
    const Json *output_folder = json_at(root, "/output_folder");
    rules_of_kinetics(&rules);
    if (!scenario->title) scenario->title = memory_copy_text(scenario->name);
    if (!scenario->output_folder && !output_folder)
        scenario->output_folder = memory_format("results/%s", scenario->name);
    rules_of_nest(&rules);
    rule_time(&rules, &scenario->time);
    rules_of_grid(&rules);
    rule_bathymetry(&rules);
    rule_coriolis(&rules, scenario);
    rule_density(&rules, scenario);
    rule_compact_advection(&rules, scenario);
    rule_compact_viscosity(&rules, scenario);
    rule_order(&rules, &scenario->physics);
    rule_prescribed(&rules, &scenario->physics);
    rule_pressure(&rules, scenario);
    rule_turbulence(&rules, &scenario->physics, scenario->grid.n_levels);
    rule_thin_water(&rules, scenario);
    rule_wind(&rules);
    rule_processes(&rules, &scenario->solver);
    rule_patch(&rules, &scenario->solver);
    rule_lines(&rules, scenario);
    rule_column_blocks(&rules, scenario);
    rules_of_boundaries(&rules);
    rules_of_structures(&rules);
    rules_of_tracers(&rules);
    rules_of_zoom(&rules);
    rules_of_adaptive(&rules);
    rules_of_subgrid(&rules);
    rules_of_output(&rules);
    rules_of_air(&rules);
    rules_of_infiltration(&rules);
    rules_of_idle_keys(&rules);
    rules_multiple_of_step(&rules, &scenario->time, scenario->restart.every_s, "/restart/every_s");
    rules_of_moments(&rules);
}
