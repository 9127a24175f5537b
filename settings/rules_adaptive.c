/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about layers that move with the stratification: their weights, and what still needs layers that stay where they are.
 */
#include "settings/rules.h"

static const double LEAST_EVEN = 0.1; /* part of the layers, so that none gets too thick */

static void rule_rest(Rules *r) {
    const Scenario *s = r->scenario;
    const ScenarioPhysics *p = &s->physics;
    bool file = false, zone = false;
    for (int n = 0; n < s->n_boundaries; n++) {
        file = file || s->boundaries[n].file != NULL;
        zone = zone || s->boundaries[n].zone_cells > 0;
    }
    const Obstacle all[] = {
        {s->nest != NULL, "/nest", "a sea that is not nested: remove it"},
        {file, "/boundaries", "boundaries without profiles from a file: give numbers, or series of them"},
        {zone, "/boundaries", "boundaries without a zone of relaxation: remove \"relaxation_zone\""},
        {s->n_nudging > 0, "/nudging", "a sea without nudging: remove it"},
        {s->zoom.has_box, "/zoom", "a sea without a zoom: remove it"},
        {p->pressure == PRESSURE_NONHYDROSTATIC, "/physics/pressure",
         "hydrostatic pressure: choose \"hydrostatic\""},
        {p->scheme == SCHEME_PRESCRIBED, "/physics/momentum/scheme",
         "a flow that is computed: choose another scheme than \"prescribed\""},
        {p->advection == ADVECTION_COMPACT6, "/physics/momentum/advection",
         "another advection than \"compact6\""},
    };
    rules_refuse_obstacle(r, "levels of kind \"adaptive\" need", all, sizeof all / sizeof *all);
}

static void rule_weights(Rules *r) {
    const ScenarioAdapt *a = &r->scenario->grid.adapt;
    const double sum = a->density + a->shear + a->surface + a->bed;
    const Json *json = rules_place(r->root, "/grid/levels/adapt");
    if (!reader_sound(r->reader, "/grid/levels/adapt") || sum <= 1 - LEAST_EVEN + 1e-9) return;
    reader_refuse(
        r->reader, json->place, "/grid/levels/adapt",
        "\"density\", \"shear\", \"surface\" and \"bed\" add up to %.6g; at most %.6g, so that the rest "
        "of the layers is spread evenly",
        sum, 1 - LEAST_EVEN);
}

void rules_of_adaptive(Rules *r) {
    if (r->scenario->grid.layers != LAYERS_ADAPTIVE) return;
    rule_weights(r);
    rule_rest(r);
}
