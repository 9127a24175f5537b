/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about output.
 */
#define _POSIX_C_SOURCE 200809L /* stat, access */
#include "base/calendar.h"
#include "base/file.h"
#include "base/memory.h"
#include "settings/rules.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "/output/3/file"; the buffer is large enough for the table's keys. */
static const char *item_pointer(char out[96], const char *list, int n, const char *key) {
    snprintf(out, 96, "/%s/%d%s%s", list, n, *key ? "/" : "", key);
    return out;
}

/* ---- output ---- */

/* Fields, stations, extremes or harmonics: by the key that is there. */
static bool rule_output_kind(Rules *r, ScenarioOutput *output, const Json *json) {
    bool fields = json_find(json, "variables"), stations = json_find(json, "stations"),
         extremes = json_find(json, "extremes"), harmonics = json_find(json, "harmonics"),
         structures = output->structures;
    output->kind = stations || structures ? OUTPUT_STATIONS
                   : extremes             ? OUTPUT_EXTREMES
                   : harmonics            ? OUTPUT_HARMONICS
                                          : OUTPUT_FIELDS;
    const bool apart = extremes || harmonics || structures;
    if (apart && fields + stations + structures + extremes + harmonics > 1) {
        reader_refuse(r->reader, json->place, json->pointer,
                      "\"%s\" need an output of their own: move %s to another one",
                      structures ? "structures"
                      : extremes ? "extremes"
                                 : "harmonics",
                      fields                   ? "\"variables\""
                      : stations               ? "\"stations\""
                      : extremes && structures ? "\"extremes\""
                                               : "\"harmonics\"");
        return false;
    }
    if (structures && r->scenario->n_structures == 0) {
        reader_refuse(r->reader, json->place, json->pointer,
                      "an output of \"structures\" is requested, but the scenario has no /structures");
        return false;
    }
    if (fields || stations || apart) return true;
    reader_refuse(
        r->reader, json->place, json->pointer,
        "an output needs \"variables\", \"stations\", \"structures\", \"extremes\" or \"harmonics\"");
    return false;
}

static void refuse_key(Rules *r, const Json *output, const char *key, const char *format) {
    const Json *json = json_find(output, key);
    if (json) reader_refuse(r->reader, json->key_place, json->pointer, format, key);
}

/* u and v are u_east and v_north at the centres: one of the two names is enough. */
static void rule_velocities(Rules *r, const ScenarioOutput *output, const Json *json) {
    static const char *const same[][2] = {{"u", "u_east"}, {"v", "v_north"}};
    const Json *names = json_find(json, "variables");
    if (output->kind != OUTPUT_FIELDS) {
        if (output->velocities == VELOCITIES_FACES)
            refuse_key(r, json, "velocities", "\"%s\" on faces is for maps of \"variables\" alone");
        return;
    }
    if (output->velocities != VELOCITIES_CENTRES || !reader_sound(r->reader, names->pointer)) return;
    for (int n = 0; n < output->n_names; n++)
        for (int c = 0; c < 2; c++)
            for (int m = 0; strcmp(output->names[n], same[c][0]) == 0 && m < output->n_names; m++)
                if (strcmp(output->names[m], same[c][1]) == 0)
                    reader_refuse(r->reader, names->items[n]->place, names->items[n]->pointer,
                                  "\"%s\" and \"%s\" would be the same data: drop one of them, or set "
                                  "\"velocities\": \"faces\"",
                                  same[c][0], same[c][1]);
}

static void rule_output_keys(Rules *r, ScenarioOutput *output, const Json *json) {
    char *pointer = memory_format("%s/every_s", json->pointer);
    const bool whole_run = output->kind == OUTPUT_EXTREMES || output->kind == OUTPUT_HARMONICS;
    if (!whole_run && !json_find(json, "every_s"))
        reader_refuse(r->reader, json->place, pointer,
                      "an output needs \"every_s\" (time between two records [s]), at %s", pointer);
    rules_multiple_of_step(r, &r->scenario->time, output->every_s, pointer);
    memory_free(pointer);
    if (output->kind == OUTPUT_STATIONS) {
        const char *what = output->structures ? "\"%s\" cannot be combined with \"structures\""
                                              : "\"%s\" cannot be combined with \"stations\"";
        refuse_key(r, json, "box", what);
        refuse_key(r, json, "levels", what);
        if (output->mean) refuse_key(r, json, "mean", what);
    }
    if (whole_run) {
        const char *what = output->kind == OUTPUT_EXTREMES ? "\"%s\" cannot be combined with \"extremes\""
                                                           : "\"%s\" cannot be combined with \"harmonics\"";
        if (output->mean) refuse_key(r, json, "mean", what);
        refuse_key(r, json, "levels", what);
        if (output->kind == OUTPUT_HARMONICS) refuse_key(r, json, "every_s", what);
    }
    if (output->kind != OUTPUT_STATIONS || output->structures || output->names) return;
    static const char *const usual[] = {"eta", "u", "v"};
    output->names = ALLOCATE(3, char *);
    output->n_names = 3;
    for (int n = 0; n < 3; n++) output->names[n] = memory_copy_text(usual[n]);
}

static void rule_box(Rules *r, const ScenarioOutput *output, const Json *json) {
    double e[4];
    const double *b = output->box;
    const Json *box = json_find(json, "box");
    if (!box || !output->has_box || !reader_sound(r->reader, box->pointer)) return;
    if (rules_extent(r, e) && (b[1] <= e[0] || b[0] >= e[1] || b[3] <= e[2] || b[2] >= e[3]))
        reader_refuse(r->reader, box->place, box->pointer,
                      "the box does not touch the grid, which is %.10g to %.10g and %.10g to %.10g", e[0],
                      e[1], e[2], e[3]);
}

static void rule_parts(Rules *r, const ScenarioOutput *output, const Json *json) {
    const Json *levels = json_find(json, "levels"), *stations = json_find(json, "stations");
    int layers = r->scenario->grid.n_levels;
    for (int n = 0; n < output->n_levels; n++)
        if (layers > 0 && output->levels[n] >= layers)
            reader_refuse(r->reader, levels->items[n]->place, levels->items[n]->pointer,
                          "there are %d layers, from 0 at the surface to %d; there is no layer %d", layers,
                          layers - 1, output->levels[n]);
    for (int n = 0; n < output->n_levels; n++)
        for (int m = 0; m < n; m++)
            if (output->levels[m] == output->levels[n])
                reader_refuse(r->reader, levels->items[n]->place, levels->items[n]->pointer,
                              "layer %d is requested twice", output->levels[n]);
    for (int n = 0; n < output->n_stations; n++) {
        char what[80];
        snprintf(what, sizeof what, "the station \"%.50s\"", output->stations[n].name);
        const Json *item = json_find(stations, output->stations[n].name);
        rules_inside(r, &output->stations[n].x, output->stations[n].y,
                     item ? item : json_find(stations, "file"), what);
    }
    rule_box(r, output, json);
}

/* "{scenario}_{start}.nc" -> "storm_20140923T000000Z.nc"; NULL and a message for other words in braces. */
static char *fill_name(Rules *r, const char *pattern, const char *place, const char *pointer) {
    char start[32];
    calendar_format_compact(r->scenario->time.start, 0, start);
    char *name = memory_copy_text("");
    for (const char *at = pattern; *at;) {
        const char *word = NULL;
        size_t length = strcspn(at, "{"), skip = 0;
        if (length == 0 && strncmp(at, "{scenario}", 10) == 0) word = r->scenario->name, skip = 10;
        if (length == 0 && strncmp(at, "{start}", 7) == 0) word = start, skip = 7;
        if (length == 0 && !word) {
            reader_refuse(r->reader, place, pointer,
                          "\"%.60s\" can contain {scenario} and {start}, but no other braces", pattern);
            memory_free(name);
            return NULL;
        }
        if (word)
            memory_append(&name, "%s", word);
        else
            memory_append(&name, "%.*s", (int)length, at);
        at += length + skip;
    }
    return name;
}

/* No empty part, no "." and no "..": two names are then two files. */
static bool stays_inside(const char *name) {
    for (const char *at = name;; at++) {
        size_t length = strcspn(at, "/");
        if (length == 0 || (length <= 2 && strspn(at, ".") >= length)) return false;
        at += length;
        if (!*at) return true;
    }
}

static bool is_taken(const char *name) {
    return strcmp(name, "autopsy.nc") == 0 || strcmp(name, ".maeotis.lock") == 0 ||
           strncmp(name, "restart_", 8) == 0;
}

/* MPI-IO keeps names in buffers of 256 bytes, with something of its own in front. */
enum { MOST_PATH_BYTES = 200, CUT_BYTES = 9 /* "_20140923" */ };
#define LONGEST_NAME "restart_20200101T000000Z.nc.part"

static void rule_target(Rules *r, const char *name, bool cut, const Json *json, const char *pointer) {
    const Scenario *scenario = r->scenario;
    struct stat facts;
    if (!scenario->output_folder) return;
    char *path = memory_format("%s/%s", scenario->output_folder, name);
    const int most = MOST_PATH_BYTES - (cut ? CUT_BYTES : 0);
    if (strlen(path) > (size_t)most)
        reader_refuse(r->reader, json->place, pointer,
                      "the name \"%.60s...\" with its folder has %zu bytes; MPI cannot open more than %d",
                      path, strlen(path), most);
    else if (r->reader->look_at_files && stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        reader_refuse(r->reader, json->place, pointer,
                      "\"%s\" cannot be written: something of this name exists and is not a file", path);
    memory_free(path);
}

/* The folder, or the first one above it that exists, has to be one that may be written. */
static void rule_output_folder(Rules *r) {
    const char *folder = r->scenario->output_folder;
    const Json *json = rules_place(r->root, "/output_folder");
    struct stat facts;
    if (!folder || !reader_sound(r->reader, "/output_folder")) return;
    if (strlen(folder) + sizeof LONGEST_NAME > MOST_PATH_BYTES)
        reader_refuse(r->reader, json->place, "/output_folder",
                      "the folder \"%.60s...\" has %zu bytes; MPI cannot open files in one of more than %zu",
                      folder, strlen(folder), MOST_PATH_BYTES - sizeof LONGEST_NAME);
    if (!r->reader->look_at_files || !reader_sound(r->reader, "/output_folder")) return;
    char *path = file_nearest_folder(folder);
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))
        reader_refuse(r->reader, json->place, "/output_folder",
                      "\"%s\" cannot contain the output: \"%s\" is not a folder", folder, path);
    else if (access(path, W_OK | X_OK) != 0)
        reader_refuse(r->reader, json->place, "/output_folder",
                      "\"%s\" cannot contain the output: you have no permission to write to \"%s\"", folder,
                      path);
    memory_free(path);
}

static void rule_file_name(Rules *r, ScenarioOutput *output, const Json *json, const char *pointer) {
    static const char *const usual[] = {"{scenario}.nc", "{scenario}_stations.nc", "{scenario}_extremes.nc",
                                        "{scenario}_harmonics.nc"};
    const Json *file = json_find(json, "file");
    const char *pattern = output->file         ? output->file
                          : output->structures ? "{scenario}_structures.nc"
                                               : usual[output->kind];
    if (!reader_sound(r->reader, pointer)) return;
    char *name = fill_name(r, pattern, file ? file->place : json->place, pointer);
    if (!name) return;
    memory_free(output->file);
    output->file = name;
    const Json *blamed = file ? file : json;
    if (!stays_inside(name))
        reader_refuse(r->reader, blamed->place, pointer,
                      "\"%.60s\" must be a name inside the folder \"output_folder\", without empty parts, . "
                      "or .. between its slashes",
                      name);
    else if (is_taken(name))
        reader_refuse(r->reader, blamed->place, pointer,
                      "\"%.60s\" is reserved for the files of every run (restart_..., autopsy.nc, "
                      ".maeotis.lock): choose another name",
                      name);
    else
        rule_target(r, name, output->cut != PART_WHOLE, blamed, pointer);
}

/* Has the file of a part of `cut` this name? */
static bool is_part_of(const ScenarioOutput *cut, const char *name) {
    char date[32];
    if (cut->cut == PART_WHOLE) return false;
    calendar_format_part(0, cut->cut, date);
    const char *ending = output_ending(cut);
    const size_t stem = (size_t)(ending - cut->file);
    if (strncmp(name, cut->file, stem) != 0 || name[stem] != '_') return false;
    const char *dated = name + stem + 1;
    return strspn(dated, "0123456789") == strlen(date) && strcmp(dated + strlen(date), ending) == 0;
}

static bool write_one_file(const ScenarioOutput *a, const ScenarioOutput *b) {
    return a->file && b->file &&
           (strcmp(a->file, b->file) == 0 || is_part_of(a, b->file) || is_part_of(b, a->file));
}

static void rule_list(Rules *r, const char *name, ScenarioOutput *outputs, int n_outputs) {
    char at[32], pointer[96], other[96];
    snprintf(at, sizeof at, "/%s", name);
    const Json *list = json_at(r->root, at);
    for (int n = 0; n < n_outputs; n++) {
        ScenarioOutput *output = &outputs[n];
        const Json *json = list->items[n];
        if (json->kind != JSON_OBJECT || !rule_output_kind(r, output, json)) continue;
        rule_output_keys(r, output, json);
        rule_velocities(r, output, json);
        rule_parts(r, output, json);
        rule_file_name(r, output, json, item_pointer(pointer, name, n, "file"));
        for (int m = 0; m < n; m++)
            if (write_one_file(&outputs[m], output) && reader_sound(r->reader, pointer) &&
                reader_sound(r->reader, item_pointer(other, name, m, "file")))
                reader_refuse(r->reader, output->place, pointer,
                              "two outputs would write \"%.60s\": give this one another \"file\"",
                              output->file);
    }
}

void rules_of_output(Rules *r) {
    rule_output_folder(r);
    rule_list(r, "output", r->scenario->outputs, r->scenario->n_outputs);
    rule_list(r, "zoom/output", r->scenario->zoom.outputs, r->scenario->zoom.n_outputs);
}
