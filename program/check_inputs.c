/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_inputs.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/boundary/boundaries.h"
#include "model/boundary/open_faces.h"
#include "model/seam/shape.h"
#include "program/check_grid.h"
#include "program/check_structures.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

/* Of a kind that has more, the rest is counted only. */
enum { MOST_LINES = 20, MOST_NAMES = 12 };

/* Frees the text, which may hold names of the user's. */
static void tell(const char *what, char *text) {
    log_make_printable(text);
    printf("%-10s %s\n", what, text);
    memory_free(text);
}

static const char *word(const cJSON *entry, const char *key) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, key));
}

static double number(const cJSON *entry, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, key);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* The names of an object's members, or the texts of a list. */
static void add_names(char **text, const cJSON *list) {
    int n = 0;
    const cJSON *item;
    cJSON_ArrayForEach (item, list) {
        if (n == MOST_NAMES) memory_append(text, " and %d more", cJSON_GetArraySize(list) - n);
        if (n++ >= MOST_NAMES) continue;
        memory_append(text, "%s%s", n > 1 ? ", " : "", item->string ? item->string : item->valuestring);
    }
}

/* ", salinity 17.8, values for dye": those that the entry has. */
static void add_values(char **text, const cJSON *entry) {
    static const char *const words[][3] = {{"file", "file", ""},
                                           {"eta_m", "level", " m"},
                                           {"velocity_m_s", "velocity", " m/s"},
                                           {"discharge_m3_s", "discharge", " m3/s"},
                                           {"temperature_C", "temperature", " C"},
                                           {"salinity", "salinity", ""}};
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, words[n][0]);
        if (!item) continue;
        char *value = cJSON_PrintUnformatted(item);
        memory_append(text, ", %s %s%s", words[n][1], value, words[n][2]);
        cJSON_free(value);
        if (cJSON_IsNumber(item) && item->valuedouble < 0 && strcmp(words[n][1], "discharge") == 0)
            memory_append(text, " (withdrawn from the sea)");
    }
    const cJSON *tracers = cJSON_GetObjectItemCaseSensitive(entry, "tracers");
    if (!cJSON_IsObject(tracers)) return;
    memory_append(text, ", values for ");
    add_names(text, tracers);
}

/* What enters where the scenario gives no value. */
static void add_assumed(char **text, const State *state, const cJSON *entry, bool river) {
    if (cJSON_HasObjectItem(entry, "file")) return;
    if (state->temperature >= 0 && !cJSON_HasObjectItem(entry, "temperature_C"))
        memory_append(text, ", temperature as in the sea there");
    if (state->salinity >= 0 && !cJSON_HasObjectItem(entry, "salinity"))
        memory_append(text, river ? ", salinity 0 (none given)" : ", salinity as in the sea there");
}

static bool tell_rest(const char *what, int n, int count) {
    if (n == MOST_LINES) printf("%-10s and %d more\n", what, count - n);
    return n >= MOST_LINES;
}

/* The kinetics module's stand behind those of the scenario. */
static void tell_tracers(const Simulation *sim) {
    const Scenario *s = sim->scenario;
    const State *state = sim->state;
    static const char *const kinds[] = {
        [TRACER_DYE] = "", [TRACER_AGE] = " (age)", [TRACER_SUSPENDED] = " (suspended)"};
    char *text = memory_copy_text("");
    const int first = state->n_tracers - s->n_tracers; /* temperature and salinity before */
    for (int n = 0; n < state->n_tracers; n++)
        memory_append(&text, "%s%s%s", n ? ", " : "", state->tracer[n].name,
                      n >= first ? kinds[s->tracers[n - first].kind] : "");
    if (s->kinetics.module) memory_append(&text, "; kinetics module %s", s->kinetics.module);
    if (state->n_tracers == 0) memory_append(&text, "none");
    tell("tracers", text);
}

static Status tell_rivers(const Simulation *sim, const cJSON *rivers) {
    const ScenarioRiver *given = sim->scenario->rivers;
    const cJSON *river;
    int n = 0;
    cJSON_ArrayForEach (river, rivers) {
        if (tell_rest("river", n, cJSON_GetArraySize(rivers))) break;
        const bool finer = seam_takes(sim->scenario, &sim->grid->axes, given[n].x, given[n].y);
        GridPlace mouth;
        TRY(grid_locate((finer ? check_inner(sim) : sim)->grid, given[n].x, given[n].y, &mouth));
        char *text = memory_copy_text("");
        memory_append(&text, "\"%s\" at (%g, %g)", given[n].name, given[n].x, given[n].y);
        add_values(&text, river);
        add_assumed(&text, sim->state, river, true);
        if (finer) memory_append(&text, "; flows into the zoom");
        if (mouth.distance_m > 0)
            memory_append(&text, "; its mouth moves %.*f m to the nearest wet cell",
                          mouth.distance_m < 10 ? 3 : 0, mouth.distance_m);
        tell("river", text);
        n++;
    }
    return STATUS_OK;
}

static void add_tide(char **text, const cJSON *boundary) {
    const cJSON *tide = cJSON_GetObjectItemCaseSensitive(boundary, "tide"), *wave;
    const cJSON *atlas = cJSON_GetObjectItemCaseSensitive(boundary, "tide_atlas");
    int n = 0;
    cJSON_ArrayForEach (wave, tide) {
        const char *name = word(wave, "constituent");
        memory_append(text, "%s", n++ ? ", " : "; tide ");
        if (name)
            memory_append(text, "%s", name);
        else
            memory_append(text, "of %g s", number(wave, "period_s"));
    }
    if (atlas) {
        const cJSON *names = cJSON_GetObjectItemCaseSensitive(atlas, "constituents");
        memory_append(text, "; tide of an atlas: ");
        add_names(text, names);
        if (!names) memory_append(text, "all constituents");
    }
}

static void tell_boundaries(const Simulation *sim, const cJSON *boundaries) {
    int n = 0, faces;
    const OpenFace *face = boundaries_faces(sim->boundaries, &faces);
    const cJSON *boundary;
    cJSON_ArrayForEach (boundary, boundaries) {
        if (tell_rest("boundary", n, cJSON_GetArraySize(boundaries))) break;
        int open = 0;
        for (int m = 0; m < faces; m++) open += face[m].number == n;
        n++;
        const char *edge = word(boundary, "edge");
        const double sponge = number(cJSON_GetObjectItemCaseSensitive(boundary, "sponge"), "width_m");
        char *text = memory_copy_text("");
        memory_append(&text, "\"%s\": %s, %s%s, %d open %s", word(boundary, "name"), word(boundary, "kind"),
                      strcmp(edge, "line") == 0 ? "along a " : "edge ", edge, open,
                      open == 1 ? "face" : "faces");
        add_values(&text, boundary);
        add_assumed(&text, sim->state, boundary, false);
        add_tide(&text, boundary);
        if (sponge > 0) memory_append(&text, "; sponge of %g m", sponge);
        tell("boundary", text);
    }
}

static void tell_structures(const Simulation *sim) {
    const int count = sim->scenario->n_structures;
    for (int n = 0; n < count && !tell_rest("structure", n, count); n++)
        tell("structure", check_structure(sim, n));
}

/* `folder`: "" or, of a zoom, "zoom/". */
static void tell_outputs(const char *folder, const cJSON *outputs) {
    static const char *const kinds[] = {"variables", "extremes", "harmonics", NULL};
    const cJSON *output;
    int n = 0;
    cJSON_ArrayForEach (output, outputs) {
        if (tell_rest("file", n++, cJSON_GetArraySize(outputs))) break;
        const cJSON *stations = cJSON_GetObjectItemCaseSensitive(output, "stations");
        const double every = number(output, "every_s");
        char *text = memory_copy_text("");
        memory_append(&text, "%s%s: ", folder, word(output, "file"));
        for (const char *const *kind = kinds; *kind; kind++) {
            const cJSON *names = cJSON_GetObjectItemCaseSensitive(output, *kind);
            if (!names) continue;
            if (strcmp(*kind, "harmonics") == 0) memory_append(&text, "harmonic constituents ");
            add_names(&text, names);
        }
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(output, "structures")))
            memory_append(&text, "flow over and through the structures");
        if (every > 0)
            memory_append(&text, ", every %.10g s", every);
        else
            memory_append(&text, ", written once, at the end of the run");
        if (stations) {
            const int count = cJSON_GetArraySize(stations);
            memory_append(&text, "; %d %s: ", count, count == 1 ? "station" : "stations");
            add_names(&text, stations);
        }
        tell("file", text);
    }
}

/* As `run` says it. */
static void tell_moved(const ScenarioStation *station, GridPlace place) {
    if (place.distance_m > 0)
        printf("station    \"%s\" lies on land: it moves %.*f m to the nearest wet cell\n", station->name,
               place.distance_m < 10 ? 3 : 0, place.distance_m);
}

/* Of a station's cell and those around, where there is ground. */
typedef struct Around {
    double sum, deepest; /* of the beds; of the water [m] */
    int count;
} Around;

static Around look_around(const Simulation *sim, GridPlace place) {
    const Grid *g = sim->grid;
    Around found = {0};
    for (int j = place.j - 1; j <= place.j + 1; j++)
        for (int i = place.i - 1; i <= place.i + 1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            if (i < 0 || i >= g->n1 || j < 0 || j >= g->n2 || g->own_area[m] <= 0) continue;
            found.deepest = fmax(found.deepest, sim->state->depth[m]);
            if (i == place.i && j == place.j) continue;
            found.sum += g->bed[m];
            found.count++;
        }
    return found;
}

/* A cell that is half a house and half a street stands above both the water of the street and its neighbours; the mean
 * of those around a cell on an even slope is its own bed. */
static void tell_odd(const Simulation *sim, const ScenarioStation *station, GridPlace place) {
    if (sim->subgrid) return; /* a station has its own pixel */
    const double bed = sim->grid->bed[AT2(*sim->grid, place.i, place.j)];
    const Around around = look_around(sim, place);
    const double off = around.count > 0 ? bed - around.sum / around.count : 0;
    if (fabs(off) > (around.deepest > 0 ? 0.5 * around.deepest : 0.5))
        printf("station    \"%s\": the bed of its cell, %.3g m, lies %.2g m %s the mean of its neighbours: "
               "does the gauge stand on such ground?\n",
               station->name, bed, fabs(off), off > 0 ? "above" : "below");
}

/* With ground inside cells: where the station's pixel is dry at the start and others of its cell are not. */
static void tell_spot(const Simulation *sim, int spot, const ScenarioStation *station, GridPlace place) {
    const ptrdiff_t m = AT2(*sim->grid, place.i, place.j);
    const double ground = sim->subgrid->spots[spot], level = sim->state->eta[m], lowest = sim->grid->bed[m];
    if (place.distance_m > 0 || ground < level || lowest >= level) return;
    if (isinf(ground))
        printf(
            "station    \"%s\" stands on ground that cannot flood: it gets the lowest of its cell, %.3g m\n",
            station->name, lowest);
    else
        printf("station    \"%s\" stands on dry ground, %.3g m, in a cell with water\n", station->name,
               ground);
}

static Status tell_stations(const Simulation *sim) {
    const Scenario *s = sim->scenario;
    int spot = 0;
    for (int n = 0; n < s->n_outputs; n++)
        for (int m = 0; m < s->outputs[n].n_stations; m++) {
            const ScenarioStation *station = &s->outputs[n].stations[m];
            GridPlace place;
            TRY(grid_locate(sim->grid, station->x, station->y, &place));
            tell_moved(station, place);
            if (sim->subgrid) tell_spot(sim, spot++, station, place);
            tell_odd(sim, station, place);
        }
    return STATUS_OK;
}

Status check_inputs(const Simulation *sim) {
    const Scenario *s = sim->scenario;
    char *effective = scenario_effective(s);
    cJSON *all = cJSON_Parse(effective); /* every name as the scenario has it */
    memory_free(effective);
    Status status = STATUS_OK;
    tell_tracers(sim);
    ATTEMPT(tell_rivers(sim, cJSON_GetObjectItemCaseSensitive(all, "rivers")));
    tell_boundaries(sim, cJSON_GetObjectItemCaseSensitive(all, "boundaries"));
    tell_structures(sim);
    tell_outputs("", cJSON_GetObjectItemCaseSensitive(all, "output"));
    tell_outputs("zoom/",
                 cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(all, "zoom"), "output"));
    ATTEMPT(tell_stations(sim));
    if (sim->seam) ATTEMPT(tell_stations(check_inner(sim)));
cleanup:
    cJSON_Delete(all);
    return status;
}
