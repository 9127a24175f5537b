/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about structures: their lines, and what they do not stand with.
 */
#include "settings/line_file.h"
#include "settings/rules.h"
#include <math.h>
#include <string.h>

/* "/structures/3/kind"; the buffer is large enough for the table's keys. */
static const char *pointer_of(char out[96], int n, const char *key) {
    snprintf(out, 96, "/structures/%d%s%s", n, *key ? "/" : "", key);
    return out;
}

/* Every rank but those that look at files gets the line from the one that does: scenario_load. */
static void read_line(Rules *r, ScenarioStructure *s, const Json *file) {
    Reader *reader = r->reader;
    if (reader->look_at_files && reader_sound(reader, file->pointer) && s->name &&
        line_file_read(s->file, s->name, reader->grid == GRID_SPHERICAL, reader->map, &s->line, &s->n_line) !=
            STATUS_OK)
        reader->status = STATUS_BAD_INPUT; /* the message stands already, with the file's line */
}

/* Does any part of the line lie on the grid? */
static bool touches(const ScenarioStructure *s, const double e[4]) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int n = 0; n < 2 * s->n_line; n++) {
        low[n % 2] = fmin(low[n % 2], s->line[n / 2][n % 2]);
        high[n % 2] = fmax(high[n % 2], s->line[n / 2][n % 2]);
    }
    return high[0] >= e[0] && low[0] <= e[1] && high[1] >= e[2] && low[1] <= e[3];
}

static void rule_line(Rules *r, int n) {
    ScenarioStructure *s = &r->scenario->structures[n];
    char pointer[96];
    double e[4];
    const Json *line = json_at(r->root, pointer_of(pointer, n, "line")),
               *file = json_at(r->root, pointer_of(pointer, n, "file"));
    pointer_of(pointer, n, "line");
    if (!line == !file) {
        reader_refuse(r->reader, s->place, pointer,
                      "a structure needs either \"line\", [[x1, y1], [x2, y2], ...], or a GeoJSON \"file\"");
        return;
    }
    if (file) read_line(r, s, file);
    if (s->n_line == 0 || !rules_extent(r, e) || touches(s, e)) return;
    reader_refuse(
        r->reader, (line ? line : file)->place, pointer,
        "the line of the structure \"%.50s\", from (%.10g, %.10g) on, lies outside the grid, which is "
        "%.10g to %.10g and %.10g to %.10g%s",
        s->name ? s->name : "", s->line[0][0], s->line[0][1], e[0], e[1], e[2], e[3],
        r->scenario->grid.kind == GRID_SPHERICAL ? "" : " m");
}

static void rule_name(Rules *r, int n) {
    const ScenarioStructure *all = r->scenario->structures;
    char pointer[96];
    for (int m = 0; m < n && all[n].name; m++)
        if (all[m].name && strcmp(all[m].name, all[n].name) == 0)
            reader_refuse(r->reader, all[n].place, pointer_of(pointer, n, "name"),
                          "two structures are called \"%.50s\"", all[n].name);
}

/* `key` of a structure, which is not there, for `what`. */
static void need(Rules *r, int n, const char *what, const char *key) {
    char pointer[96];
    if (reader_sound(r->reader, pointer_of(pointer, n, "kind")) &&
        !json_at(r->root, pointer_of(pointer, n, key)))
        reader_refuse(r->reader, r->scenario->structures[n].place, pointer, "%s needs \"%s\", at %s", what,
                      strrchr(pointer, '/') + 1, pointer);
}

static void rule_needed(Rules *r, int n) {
    char pointer[96];
    const StructureKind kind = r->scenario->structures[n].kind;
    if (kind == STRUCTURE_WEIR) need(r, n, "a weir", "crest_m");
    if (kind == STRUCTURE_CULVERT) need(r, n, "a culvert", "culvert/size_m");
    if (kind == STRUCTURE_PUMP) need(r, n, "a pump", "pump/capacity_m3_s");
    if (kind == STRUCTURE_GATE && json_at(r->root, pointer_of(pointer, n, "rule"))) {
        static const char *const keys[] = {"rule/station", "rule/close_above_m", "rule/open_below_m"};
        for (int k = 0; k < 3; k++) need(r, n, "a gate's rule", keys[k]);
    } else if (kind == STRUCTURE_GATE) {
        need(r, n, "a gate without a \"rule\"", "opening");
    }
}

static void rule_breach(Rules *r, int n) {
    const ScenarioStructure *s = &r->scenario->structures[n];
    char pointer[96];
    if (!s->has_breach) return;
    need(r, n, "a breach", "breach/width_m");
    need(r, n, "a breach", "breach/lowest_m");
    if (!json_at(r->root, pointer_of(pointer, n, "breach/above_m")))
        need(r, n, "a breach without \"above_m\"", "breach/start_s");
    if (s->crest_m.kind == VALUE_CONSTANT && s->breach_lowest_m >= s->crest_m.constant)
        reader_refuse(r->reader, s->place, pointer_of(pointer, n, "breach/lowest_m"),
                      "the breach of \"%.50s\" ends at %.10g m, which is not below its crest, %.10g m",
                      s->name ? s->name : "", s->breach_lowest_m, s->crest_m.constant);
}

/* Walls stand in every sea; water that passes a structure needs a level to be found with it. */
static void rule_flow(Rules *r, int n) {
    const ScenarioStructure *s = &r->scenario->structures[n];
    const ScenarioPhysics *p = &r->scenario->physics;
    char pointer[96];
    const char *reason = r->scenario->zoom.has_box                ? "a /zoom"
                         : p->pressure == PRESSURE_NONHYDROSTATIC ? "non-hydrostatic pressure"
                         : p->scheme == SCHEME_PRESCRIBED         ? "a prescribed flow"
                                                                  : NULL;
    if (reason && (s->kind != STRUCTURE_DAM || r->scenario->zoom.has_box))
        reader_refuse(r->reader, s->place, pointer_of(pointer, n, "kind"),
                      "the structure \"%.50s\" cannot stand in a sea with %s", s->name ? s->name : "",
                      reason);
}

/* A gate is moved by one of two, and opens below the level at which it closes. */
static void rule_gate(Rules *r, int n) {
    const ScenarioStructure *s = &r->scenario->structures[n];
    char pointer[96];
    if (!s->has_rule) return;
    if (s->opening.kind != VALUE_ABSENT)
        reader_refuse(r->reader, s->place, pointer_of(pointer, n, "rule"),
                      "\"opening\" and \"rule\" exclude each other; keep one of them");
    else if (json_at(r->root, pointer_of(pointer, n, "rule/open_below_m")) &&
             json_at(r->root, pointer_of(pointer, n, "rule/close_above_m")) &&
             !(s->open_below_m <= s->close_above_m))
        reader_refuse(r->reader, s->place, pointer_of(pointer, n, "rule"),
                      "the gate opens below %.10g m, but closes above %.10g m: it would do both between them",
                      s->open_below_m, s->close_above_m);
}

/* A pump stops below the level at which it starts. */
static void rule_pump(Rules *r, int n) {
    const ScenarioStructure *s = &r->scenario->structures[n];
    char pointer[96];
    if (s->kind != STRUCTURE_PUMP) return;
    if (json_at(r->root, pointer_of(pointer, n, "pump/stop_below_m")))
        need(r, n, "a pump with \"stop_below_m\"", "pump/start_above_m");
    if (s->start_above_m > PUMP_ALWAYS && s->stop_below_m > s->start_above_m)
        reader_refuse(r->reader, s->place, pointer_of(pointer, n, "pump"),
                      "the pump starts above %.10g m, but stops below %.10g m: it would do both between them",
                      s->start_above_m, s->stop_below_m);
}

void rules_of_structures(Rules *r) {
    for (int n = 0; n < r->scenario->n_structures; n++) {
        rule_name(r, n);
        rule_line(r, n);
        rule_needed(r, n);
        rule_gate(r, n);
        rule_breach(r, n);
        rule_pump(r, n);
        rule_flow(r, n);
    }
}
