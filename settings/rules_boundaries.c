/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about rivers and open boundaries.
 */
#include "base/memory.h"
#include "base/projection.h"
#include "settings/rules.h"
#include <math.h>
#include <string.h>

/* "/boundaries/3/kind"; the buffer is large enough for the table's keys. */
static const char *item_pointer(char out[96], const char *list, int n, const char *key) {
    snprintf(out, 96, "/%s/%d%s%s", list, n, *key ? "/" : "", key);
    return out;
}

/* On a map a river's mouth may be given in degrees, which become metres. */
static void place_on_map(Rules *r, ScenarioRiver *river, const Json *json) {
    const bool lon = json_find(json, "lon"), lat = json_find(json, "lat"), x = json_find(json, "x_m"),
               y = json_find(json, "y_m");
    if (!r->reader->map || !reader_sound(r->reader, json->pointer)) return;
    if (lon != lat || x != y || lon == x)
        reader_refuse(r->reader, json->place, json->pointer,
                      "a river needs either \"lon\" and \"lat\" or \"x_m\" and \"y_m\"");
    else if (lon)
        projection_to_metres(r->reader->map, river->x, river->y, &river->x, &river->y);
}

static void rule_rivers(Rules *r) {
    char pointer[96], what[80];
    for (int n = 0; n < r->scenario->n_rivers; n++) {
        ScenarioRiver *river = &r->scenario->rivers[n];
        const Json *json = json_at(r->root, item_pointer(pointer, "rivers", n, ""));
        place_on_map(r, river, json);
        snprintf(what, sizeof what, "the river \"%.50s\"", river->name ? river->name : "");
        rules_inside(r, &river->x, river->y, json, what);
    }
}

/* ---- where a boundary is ---- */

static bool is_vertical(Edge edge) {
    return edge == EDGE_WEST || edge == EDGE_EAST;
}

static void rule_range(Rules *r, const ScenarioBoundary *b, const char *pointer) {
    double e[4];
    const int first = is_vertical(b->edge) ? 2 : 0;
    const Json *json = json_at(r->root, pointer);
    if (!json || !b->has_range || !reader_sound(r->reader, pointer) || !rules_extent(r, e)) return;
    const double slack = 1e-6 * (e[first + 1] - e[first]); /* numbers as they were rounded */
    if (b->edge >= EDGE_ALL)
        reader_refuse(r->reader, json->place, pointer,
                      "\"range\" is a part of one edge, and \"edge\" is \"%s\": give a \"box\"",
                      b->edge == EDGE_ALL ? "all" : "rest");
    else if (b->range[1] <= e[first] || b->range[0] >= e[first + 1])
        reader_refuse(r->reader, json->place, pointer,
                      "the range %.10g to %.10g does not touch the edge, which goes from %.10g to %.10g",
                      b->range[0], b->range[1], e[first], e[first + 1]);
    else if (b->range[0] < e[first] - slack || b->range[1] > e[first + 1] + slack)
        reader_refuse(r->reader, json->place, pointer,
                      "the range %.10g to %.10g reaches beyond the edge, which goes from %.10g to %.10g",
                      b->range[0], b->range[1], e[first], e[first + 1]);
}

/* On plane grids, where degrees are a slip of the pen. */
static void rule_line_inside(Rules *r, const ScenarioBoundary *b, const char *pointer) {
    const Json *json = json_at(r->root, pointer);
    double e[4], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    if (!json || !reader_sound(r->reader, pointer) || !rules_extent(r, e)) return;
    if (r->scenario->grid.kind != GRID_CARTESIAN) return;
    for (int n = 0; n < 2 * b->n_line; n++) {
        low[n % 2] = fmin(low[n % 2], b->line[n / 2][n % 2]);
        high[n % 2] = fmax(high[n % 2], b->line[n / 2][n % 2]);
    }
    if (high[0] >= e[0] && low[0] <= e[1] && high[1] >= e[2] && low[1] <= e[3]) return;
    reader_refuse(
        r->reader, json->place, pointer,
        "the line lies outside the grid, which is %.10g to %.10g m and %.10g to %.10g m: its points "
        "are in metres",
        e[0], e[1], e[2], e[3]);
}

/* A line has its own key, and neither range nor box. */
static void rule_line(Rules *r, int n, const Json *edge) {
    static const char *const parts[] = {"range", "box"};
    char pointer[96];
    rule_line_inside(r, &r->scenario->boundaries[n], item_pointer(pointer, "boundaries", n, "line"));
    if (r->scenario->boundaries[n].n_line == 0 &&
        reader_sound(r->reader, item_pointer(pointer, "boundaries", n, "line")))
        reader_refuse(r->reader, edge->place, pointer,
                      "a boundary along a line needs its \"line\", [[x1, y1], [x2, y2], ...]");
    for (int p = 0; p < 2; p++) {
        const Json *part = json_at(r->root, item_pointer(pointer, "boundaries", n, parts[p]));
        if (part)
            reader_refuse(r->reader, part->place, pointer,
                          "\"%s\" is a part of edges, and \"edge\" is \"line\": end the line where the "
                          "boundary must end",
                          parts[p]);
    }
}

static void rule_place(Rules *r, int n) {
    const ScenarioBoundary *b = &r->scenario->boundaries[n];
    const ScenarioGrid *grid = &r->scenario->grid;
    char edge_at[96], part_at[96];
    const Json *edge = json_at(r->root, item_pointer(edge_at, "boundaries", n, "edge"));
    if (!edge || !reader_sound(r->reader, edge_at)) return;
    if (b->edge == EDGE_LINE) {
        rule_line(r, n, edge);
        return;
    }
    const bool periodic = b->edge >= EDGE_ALL    ? grid->periodic_x && grid->periodic_y
                          : is_vertical(b->edge) ? grid->periodic_x
                                                 : grid->periodic_y;
    if (periodic)
        reader_refuse(r->reader, edge->place, edge_at,
                      "the edge \"%.10s\" cannot be open: the grid is periodic there", edge->text);
    rule_range(r, b, item_pointer(part_at, "boundaries", n, "range"));
}

/* Of boundaries with boxes, boundaries_claim finds out. */
static bool overlap(const ScenarioBoundary *a, const ScenarioBoundary *b) {
    if (a->edge != b->edge || a->edge == EDGE_LINE || a->has_box || b->has_box) return false;
    return !a->has_range || !b->has_range || (a->range[0] < b->range[1] && b->range[0] < a->range[1]);
}

static void rule_overlap(Rules *r, int n) {
    char pointer[96], other[96];
    const ScenarioBoundary *boundaries = r->scenario->boundaries;
    item_pointer(pointer, "boundaries", n, "");
    for (int m = 0; m < n && reader_sound(r->reader, pointer); m++)
        if (reader_sound(r->reader, item_pointer(other, "boundaries", m, "")) &&
            overlap(&boundaries[n], &boundaries[m]))
            reader_refuse(r->reader, boundaries[n].place, pointer,
                          "the boundaries \"%.50s\" and \"%.50s\" overlap: give each its \"range\"",
                          boundaries[n].name, boundaries[m].name);
}

/* ---- what which kind needs ---- */

static bool has_level(BoundaryKind kind) {
    return kind != BOUNDARY_VELOCITY && kind != BOUNDARY_DISCHARGE;
}

/* Unless there is a tide. */
static void rule_needed(Rules *r, int n) {
    static const struct {
        const char *kind, *key;
    } needed[] = {[BOUNDARY_ELEVATION] = {"elevation", "eta_m"},
                  [BOUNDARY_FLATHER] = {"flather", "eta_m"},
                  [BOUNDARY_VELOCITY] = {"velocity", "velocity_m_s"},
                  [BOUNDARY_DISCHARGE] = {"discharge", "discharge_m3_s"}};
    const ScenarioBoundary *b = &r->scenario->boundaries[n];
    char pointer[96];
    const Json *kind = json_at(r->root, item_pointer(pointer, "boundaries", n, "kind"));
    if (!kind || !reader_sound(r->reader, pointer) || !needed[b->kind].key || b->n_tide > 0 ||
        b->n_atlas > 0 || (b->file && b->kind != BOUNDARY_DISCHARGE))
        return;
    item_pointer(pointer, "boundaries", n, needed[b->kind].key);
    if (!json_at(r->root, pointer))
        reader_refuse(r->reader, b->place, pointer, "a boundary of the kind \"%s\" needs \"%s\"%s, at %s",
                      needed[b->kind].kind, needed[b->kind].key,
                      b->kind == BOUNDARY_DISCHARGE ? "" : " or \"tide\"", pointer);
}

static void rule_tide(Rules *r, int n) {
    const ScenarioBoundary *b = &r->scenario->boundaries[n];
    char list[96], pointer[160];
    item_pointer(list, "boundaries", n, "tide");
    for (int m = 0; m < b->n_tide; m++) {
        const ScenarioTide *tide = &b->tide[m];
        snprintf(pointer, sizeof pointer, "%s/%d", list, m);
        const Json *json = json_at(r->root, pointer);
        if (!json || !reader_sound(r->reader, pointer)) continue;
        if (!tide->constituent == !(tide->period_s > 0))
            reader_refuse(r->reader, json->place, pointer,
                          "a wave of a tide needs either its \"constituent\" or a \"period_s\"");
        snprintf(pointer, sizeof pointer, "%s/%d/velocity_amplitude_m_s", list, m);
        const Json *speed = json_at(r->root, pointer);
        if (b->incoming_wave && speed)
            reader_refuse(r->reader, speed->place, pointer,
                          "with \"incoming_wave\" the level of the tide is that of the incoming wave, which "
                          "determines the velocity: leave one of the two out");
        snprintf(pointer, sizeof pointer, "%s/%d", list, m);
        for (int before = 0; tide->constituent && before < m; before++)
            if (b->tide[before].constituent && strcmp(b->tide[before].constituent, tide->constituent) == 0)
                reader_refuse(r->reader, json->place, pointer, "the constituent %s is given twice",
                              tide->constituent);
    }
}

/* What was left out and has a meaning for this kind. */
static void fill_values(ScenarioBoundary *b, const char *pointer) {
    if (b->file) return;
    if (has_level(b->kind) && b->eta_m.kind == VALUE_ABSENT && !b->eta_m.place)
        b->eta_m =
            (Value){.kind = VALUE_CONSTANT, .place = memory_format("the default of %s/eta_m", pointer)};
    if (b->kind == BOUNDARY_FLATHER && b->velocity_m_s.kind == VALUE_ABSENT && !b->velocity_m_s.place)
        b->velocity_m_s = (Value){.kind = VALUE_CONSTANT,
                                  .place = memory_format("the default of %s/velocity_m_s", pointer)};
}

/* ---- nests ---- */

enum { NEST_ZONE_CELLS = 8 };

static void begin_as_nest(const Rules *r, const char *pointer, double least, double most, Value *value) {
    if (json_at(r->root, pointer)) return;
    memory_free(value->place);
    const double otherwise = value->constant;
    *value = (Value){.kind = VALUE_FILE,
                     .constant = otherwise,
                     .file = memory_copy_text(r->scenario->nest),
                     .place = memory_copy_text(json_at(r->root, "/nest")->place),
                     .least = least,
                     .most = most,
                     .of_nest = true};
}

/* A boundary of this name is the nest's: what it leaves open is as without it. */
static const char NEST[] = "nest";

static bool complete_own_nest(Rules *r) {
    Scenario *s = r->scenario;
    char pointer[96];
    bool any = false;
    for (int n = 0; n < s->n_boundaries; n++) {
        ScenarioBoundary *b = &s->boundaries[n];
        if (!b->name || strcmp(b->name, NEST) != 0) continue;
        any = true;
        if (!b->file) b->file = memory_copy_text(s->nest);
        b->of_nest = strcmp(b->file, s->nest) == 0;
        if (!json_at(r->root, item_pointer(pointer, "boundaries", n, "time_interpolation"))) b->cubic = true;
        if (!json_at(r->root, item_pointer(pointer, "boundaries", n, "relaxation_zone/cells")))
            b->zone_cells = NEST_ZONE_CELLS;
    }
    return any;
}

static void add_nest(Scenario *s, const char *place) {
    s->boundaries = ENLARGE(s->boundaries, s->n_boundaries + 1, ScenarioBoundary);
    s->boundaries[s->n_boundaries++] = (ScenarioBoundary){.name = memory_copy_text(NEST),
                                                          .place = memory_copy_text(place),
                                                          .edge = EDGE_REST,
                                                          .kind = BOUNDARY_FLATHER,
                                                          .file = memory_copy_text(s->nest),
                                                          .of_nest = true,
                                                          .nodal = true,
                                                          .cubic = true,
                                                          .zone_cells = NEST_ZONE_CELLS,
                                                          .sponge_time_s = 3600};
}

void rules_of_nest(Rules *r) {
    Scenario *s = r->scenario;
    char pointer[96];
    const Json *json = json_at(r->root, "/nest");
    if (!json) return;
    /* of a file that was refused, so that what it would have given is not missed as well */
    if (!s->nest) s->nest = memory_copy_text(json->text ? json->text : "");
    if (!complete_own_nest(r)) add_nest(s, json->place);
    begin_as_nest(r, "/initial/eta_m", -12000, 100, &s->initial.eta_m);
    begin_as_nest(r, "/initial/u_m_s", -20, 20, &s->initial.u_m_s);
    begin_as_nest(r, "/initial/v_m_s", -20, 20, &s->initial.v_m_s);
    begin_as_nest(r, "/initial/temperature_C", -10, 100, &s->initial.temperature_C);
    begin_as_nest(r, "/initial/salinity", 0, 400, &s->initial.salinity);
    for (int n = 0; n < s->n_own_tracers; n++) {
        snprintf(pointer, sizeof pointer, "/tracers/%d/initial", n);
        if (s->tracers[n].name) begin_as_nest(r, pointer, -1e30, 1e30, &s->tracers[n].initial);
    }
}

void rules_of_boundaries(Rules *r) {
    char pointer[96];
    rule_rivers(r);
    for (int n = 0; n < r->scenario->n_boundaries; n++) {
        rule_place(r, n);
        rule_overlap(r, n);
        rule_needed(r, n);
        rule_tide(r, n);
        fill_values(&r->scenario->boundaries[n], item_pointer(pointer, "boundaries", n, ""));
    }
}
