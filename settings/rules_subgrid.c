/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about cells coarser than the ground: what they cannot have yet.
 */
#include "settings/rules.h"

static void rule_dike(Rules *r, int n) {
    const ScenarioDike *dike = &r->scenario->bathymetry.dikes[n];
    char pointer[96];
    snprintf(pointer, sizeof pointer, "/bathymetry/dikes/%d/line", n);
    const Json *line = json_at(r->root, pointer);
    snprintf(pointer, sizeof pointer, "/bathymetry/dikes/%d/file", n);
    const Json *file = json_at(r->root, pointer);
    if (!line == !file)
        reader_refuse(r->reader, dike->place, pointer,
                      "a dike needs either \"line\", [[x1, y1], [x2, y2], ...], or a GeoJSON \"file\"");
    snprintf(pointer, sizeof pointer, "/bathymetry/dikes/%d/crest_m", n);
    if (line && !json_at(r->root, pointer))
        reader_refuse(r->reader, dike->place, pointer, "a dike with a \"line\" needs \"crest_m\", at %s",
                      pointer);
}

void rules_of_subgrid(Rules *r) {
    const Scenario *s = r->scenario;
    for (int n = 0; n < s->bathymetry.n_dikes; n++) rule_dike(r, n);
    const ScenarioPhysics *p = &s->physics;
    const Obstacle all[] = {
        {s->grid.layers == LAYERS_ADAPTIVE, "/grid/levels/kind",
         "layers that do not move: choose another kind than \"adaptive\""},
        {s->zoom.has_box, "/zoom", "a sea without a zoom: remove it, or make all cells smaller"},
        {p->pressure == PRESSURE_NONHYDROSTATIC, "/physics/pressure",
         "hydrostatic pressure: choose \"hydrostatic\""},
        {p->scheme == SCHEME_PRESCRIBED, "/physics/momentum/scheme",
         "a flow that is computed: choose another scheme than \"prescribed\""},
        {p->advection == ADVECTION_COMPACT6, "/physics/momentum/advection",
         "another advection than \"compact6\""},
        {p->drag == DRAG_NO_SLIP, "/physics/drag/law", "another law than \"no-slip\""},
        {s->bathymetry.minimum_depth_m > 0, "/bathymetry/minimum_depth_m",
         "the ground as it is, and no least depth, since a shallow cell may be wet in part: remove it"},
        {!s->bathymetry.fullness, "/bathymetry/fullness", "partial cells: remove it"},
    };
    if (s->bathymetry.subgrid)
        rules_refuse_obstacle(r, "/bathymetry/subgrid needs", all, sizeof all / sizeof *all);
}
