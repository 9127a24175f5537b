/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_structures.h"

#include "base/memory.h"
#include <math.h>

/* What moves a gate, or breaks a levee. */
static void add_operation(char **text, const ScenarioStructure *is, const StructureFacts *f) {
    if (is->has_rule)
        memory_append(
            text,
            "; it begins to close when the level at (%g, %g) is above %.4g m and to open when it is "
            "below %.4g m; closing fully takes %g s, opening fully %g s",
            is->station[0], is->station[1], is->close_above_m, is->open_below_m, is->close_s, is->open_s);
    if (!is->has_breach) return;
    memory_append(text, "; breach of %d %s, %.0f m (requested: %.0f m), down to %.4g m within %g s, begins",
                  f->breached, f->breached == 1 ? "face" : "faces", f->breach_length, is->breach_width_m,
                  is->breach_lowest_m, is->breach_growth_s);
    const bool by_time = is->breach_start_s < 1e10, by_level = is->breach_above_m < 9000;
    if (by_time) memory_append(text, " %g s after the start", is->breach_start_s);
    if (by_level)
        memory_append(text, "%s when a level beside it exceeds %.4g m", by_time ? ", or earlier" : "",
                      is->breach_above_m);
}

/* ", bed at -5 to -2 m"; nothing if the least exceeds the most */
static void add_heights(char **text, const char *what, const double range[2]) {
    if (range[0] > range[1]) return;
    memory_append(text, ", %s at %.4g", what, range[0]);
    memory_append(text, range[0] < range[1] ? " to %.4g m" : " m", range[1]);
}

/* "; at the start the level at its inlet is 0.3 m, its outlet is dry" */
static void add_ends(char **text, const ConduitFacts *f) {
    static const char *const ends[] = {"inlet", "outlet"};
    memory_append(text, "; at the start");
    for (int end = 0; end < 2; end++)
        if (isnan(f->level[end]))
            memory_append(text, "%s its %s is dry", end == 0 ? "" : ",", ends[end]);
        else
            memory_append(text, "%s the level at its %s is %.4g m", end == 0 ? "" : ",", ends[end],
                          f->level[end]);
}

static void add_culvert(char **text, const ScenarioStructure *is, const ConduitFacts *f) {
    memory_append(text, ", %d %s of %.4g m by %.4g m, floor at %.4g and %.4g m (bed %.4g and %.4g m)%s",
                  is->barrels, is->barrels == 1 ? "box" : "boxes", is->culvert_m[0], is->culvert_m[1],
                  f->invert[0], f->invert[1], f->bed[0], f->bed[1],
                  is->flap ? ", with a flap against backflow" : "");
    memory_append(text, "; submerged, with a head difference of 1 m, it carries %.3g m3/s", f->drowned);
    add_ends(text, f);
    const double floor = fmax(f->invert[0], f->invert[1]);
    if (!(f->level[0] > floor || f->level[1] > floor))
        memory_append(text, "; its floor is dry: it carries nothing until a level rises above %.4g m", floor);
}

static void add_pump(char **text, const ScenarioStructure *is, const ConduitFacts *f) {
    const Value *capacity = &is->capacity_m3_s;
    if (capacity->kind == VALUE_CONSTANT)
        memory_append(text, ", %.4g m3/s", capacity->constant);
    else
        memory_append(text, ", m3/s from %s", capacity->file ? capacity->file : capacity->expression);
    if (is->start_above_m > PUMP_ALWAYS)
        memory_append(text, ", starts when the level at its inlet is above %.4g m", is->start_above_m);
    else
        memory_append(text, ", always runs");
    if (is->stop_below_m > PUMP_ALWAYS) memory_append(text, ", stops below %.4g m", is->stop_below_m);
    add_ends(text, f);
}

static const char *const kinds[] = {"dam", "weir", "gate", "culvert", "pump"};

static char *conduit(const Simulation *sim, const ScenarioStructure *is, int n) {
    const ConduitFacts f = structures_conduit(sim->structures, n);
    const double *from = is->line[0], *to = is->line[is->n_line - 1];
    char *text = memory_format("\"%s\": %s of %.0f m, from (%g, %g) to (%g, %g)", is->name, kinds[is->kind],
                               f.length, from[0], from[1], to[0], to[1]);
    if (is->kind == STRUCTURE_CULVERT)
        add_culvert(&text, is, &f);
    else
        add_pump(&text, is, &f);
    return text;
}

char *check_structure(const Simulation *sim, int n) {
    const ScenarioStructure *is = &sim->scenario->structures[n];
    if (is_conduit(is)) return conduit(sim, is, n);
    const StructureFacts f = structures_facts(sim->structures, n);
    double line = 0;
    for (int k = 1; k < is->n_line; k++)
        line += axes_distance_m(&sim->grid->axes, is->line[k - 1][0], is->line[k - 1][1], is->line[k][0],
                                is->line[k][1]);
    char *text = memory_format("\"%s\": %s on %d %s, total length %.0f m (its line: %.0f m)", is->name,
                               kinds[is->kind], f.faces, f.faces == 1 ? "face" : "faces", f.length, line);
    add_heights(&text, "bed", f.bed);
    if (f.crest[0] > -INFINITY) add_heights(&text, "crest", f.crest);
    add_operation(&text, is, &f);
    if (f.faces == 1) memory_append(&text, "; only one face: is the line too short?");
    return text;
}
