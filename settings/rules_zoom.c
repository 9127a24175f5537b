/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about a zoom: where it is, and what cannot yet be on both sides of its seam.
 */
#include "settings/rules.h"

/* What the scenario has that a zoom cannot share; NULL: nothing. `pointer` gets where it stands. */
static const char *unshared(const Scenario *s, const char **pointer) {
    const struct {
        bool is;
        const char *pointer, *words;
    } all[] = {
        {s->physics.pressure == PRESSURE_NONHYDROSTATIC, "/physics/pressure",
         "hydrostatic pressure: choose \"hydrostatic\""},
        {s->physics.scheme == SCHEME_PRESCRIBED, "/physics/momentum/scheme",
         "a flow that is computed: choose another scheme than \"prescribed\""},
        {s->physics.advection == ADVECTION_COMPACT6, "/physics/momentum/advection",
         "another advection than \"compact6\""},
        {s->physics.tracer_scheme == TRACERS_MATM, "/physics/tracers/scheme",
         "tracers that move explicitly: choose another scheme than \"matm\""},
        {s->n_river_maps > 0, "/river_maps", "rivers that are named: write those of the map to /rivers"},
        {s->forcing.waves.from_wind, "/forcing/waves/from_wind",
         "waves that are given: their fetch would end at the box"},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        if (all[n].is) {
            *pointer = all[n].pointer;
            return all[n].words;
        }
    return NULL;
}

static void rule_place(Rules *r, const ScenarioZoom *zoom) {
    const Json *json = json_at(r->root, "/zoom/box");
    const double *b = zoom->box;
    double e[4];
    if (!reader_sound(r->reader, "/zoom/box")) return;
    if (rules_extent(r, e) && (b[0] <= e[0] || b[1] >= e[1] || b[2] <= e[2] || b[3] >= e[3]))
        reader_refuse(
            r->reader, json->place, json->pointer,
            "the box [%.10g, %.10g, %.10g, %.10g] must lie inside the grid, which is [%.10g, %.10g, "
            "%.10g, %.10g] (west, east, south, north in %s)",
            b[0], b[1], b[2], b[3], e[0], e[1], e[2], e[3],
            r->scenario->grid.kind == GRID_SPHERICAL ? "degrees" : "metres");
}

void rules_of_zoom(Rules *r) {
    Scenario *s = r->scenario;
    ScenarioZoom *zoom = &s->zoom;
    const Json *json = json_at(r->root, "/zoom"), *finer = json_at(r->root, "/zoom/finer");
    const char *pointer, *words = unshared(s, &pointer);
    if (!json || json->kind != JSON_OBJECT) return;
    if (!json_at(r->root, "/zoom/box")) {
        reader_refuse(r->reader, json->place, "/zoom/box",
                      "a zoom needs \"box\" (the part of the sea with a finer grid), at /zoom/box");
        return;
    }
    if (!finer) zoom->finer = 3;
    if (finer && reader_sound(r->reader, finer->pointer) && zoom->finer != 3 && zoom->finer != 5)
        reader_refuse(r->reader, finer->place, finer->pointer, "\"finer\" must be 3 or 5, not %.10g",
                      zoom->finer);
    rule_place(r, zoom);
    if (zoom->file && zoom->bed_m.kind != VALUE_ABSENT)
        reader_refuse(r->reader, rules_place(r->root, "/zoom/bathymetry/file")->place,
                      "/zoom/bathymetry/file", "\"bed_m\" and \"file\" exclude each other; keep one of them");
    if (words && reader_sound(r->reader, pointer))
        reader_refuse(r->reader, rules_place(r->root, pointer)->place, pointer, "a /zoom needs %s", words);
}
