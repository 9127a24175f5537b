/* SPDX-License-Identifier: Apache-2.0
 *
 * On which faces structures stand.
 */
#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/structures/structures_internal.h"
#include <math.h>

static OpenLine line_of(const ScenarioStructure *s) {
    return (OpenLine){s->name, (const double(*)[2])s->line, s->n_line, false};
}

/* Does a later structure stand on the face, such as the gate in a dam? */
static bool is_taken(const Scenario *scenario, int structure, const Axes *axes, const LineFace *face) {
    double normal[2];
    for (int n = structure + 1; n < scenario->n_structures; n++) {
        if (is_conduit(&scenario->structures[n])) continue;
        const OpenLine line = line_of(&scenario->structures[n]);
        if (open_line_cuts(&line, axes, face->along_x, face->i, face->j, normal)) return true;
    }
    return false;
}

/* ---- dams ---- */

typedef struct Closing {
    const Scenario *scenario;
    int structure;
    const Axes *axes;
    Topography *t;
} Closing;

static void close_face(void *context, const LineFace *face) {
    const Closing *c = context;
    Topography *t = c->t;
    if (is_taken(c->scenario, c->structure, c->axes, face)) return;
    const ptrdiff_t row = face->j - t->band.first;
    if (face->along_x)
        t->open_west[row * (t->nx + 1) + face->i] = 0;
    else
        t->open_south[row * t->nx + face->i] = 0;
}

void structures_close_dams(const Scenario *scenario, const Axes *axes, Topography *t) {
    const int first = t->band.first, end = first + t->ny, whole = t->band.whole;
    const FaceWindow u = {1, t->nx, first, end},
                     v = {0, t->nx, first > 1 ? first : 1, end < whole ? end + 1 : whole};
    for (int n = 0; n < scenario->n_structures && t->ny > 0; n++) {
        const OpenLine line = line_of(&scenario->structures[n]);
        Closing closing = {scenario, n, axes, t};
        if (scenario->structures[n].kind == STRUCTURE_DAM)
            open_line_each_face(&line, axes, u, v, close_face, &closing);
    }
}

/* ---- faces of this rank ---- */

typedef struct Finding {
    Structures *all;
    int structure, count;
    Status status;
} Finding;

static Status add_crest(Finding *finding, const ScenarioStructure *s, double x, double y) {
    Structures *all = finding->all;
    all->crest = ENLARGE(all->crest, finding->count + 1, Series *);
    Series **crest = &all->crest[finding->count];
    *crest = NULL;
    if (s->crest_m.kind == VALUE_ABSENT) return STATUS_OK;
    return series_create(&s->crest_m, "crest_m", &all->state->grid->axes, x, y, all->scenario, crest);
}

static void add_face(void *context, const LineFace *face) {
    Finding *finding = context;
    Structures *all = finding->all;
    const Grid *g = all->state->grid;
    const ScenarioStructure *s = &all->scenario->structures[finding->structure];
    StructureFacts *facts = &all->facts[finding->structure];
    const ptrdiff_t m = AT2(*g, face->i - g->i_first, face->j - g->j_first);
    if (finding->status != STATUS_OK || !(g->area[m] > 0 && g->area[m - (face->along_x ? 1 : g->row)] > 0))
        return;
    if (is_taken(all->scenario, finding->structure, &g->axes, face)) return;
    const double length = face->along_x ? g->dy_c[face->j - g->j_first] : g->dx_v[face->j - g->j_first];
    facts->faces++;
    facts->length += length;
    structures_widen(facts->bed, (face->along_x ? g->bed_u : g->bed_v)[m]);
    if (s->kind == STRUCTURE_DAM || (face->along_x ? g->width_u : g->width_v)[m] <= 0) return;
    const double x = axes_x(&g->axes, face->i + (face->along_x ? 0 : 0.5)),
                 y = axes_y(&g->axes, face->j + (face->along_x ? 0.5 : 0));
    const bool breaks = structures_in_breach(s, &g->axes, x, y);
    finding->status = add_crest(finding, s, x, y);
    facts->breached += breaks;
    facts->breach_length += breaks ? length : 0;
    all->face = ENLARGE(all->face, finding->count + 1, StructureFace);
    all->face[finding->count++] =
        (StructureFace){.m = m,
                        .along_x = face->along_x,
                        .j = face->j - g->j_first,
                        .structure = finding->structure,
                        .breaks = breaks,
                        .sense = face->normal[face->along_x ? 0 : 1] > 0 ? 1 : -1,
                        .free = {s->free_coefficient[0], s->free_coefficient[1]},
                        .drowned = {s->drowned_coefficient[0], s->drowned_coefficient[1]}};
}

/* Into memory that kernels may share with the host. */
static Status pin_faces(Structures *all, int count) {
    StructureFace *found = all->face;
    all->face = NULL;
    const Status status =
        pinned_allocate(all->state->grid->exec, (size_t)(count + 1) * sizeof *found, (void **)&all->face);
    for (int n = 0; n < count && status == STATUS_OK; n++) all->face[n] = found[n];
    memory_free(found);
    all->count = count;
    all->list = flat_list(count);
    return status;
}

Status structures_find_faces(Structures *all) {
    const Grid *g = all->state->grid;
    const FaceWindow own = {g->i_first, g->i_first + g->n1, g->j_first, g->j_first + g->n2};
    Finding finding = {all, 0, 0, STATUS_OK};
    FaceWindow u = own, v = own;
    if (u.i0 < 1) u.i0 = 1;
    if (v.j0 < 1) v.j0 = 1;
    for (; finding.structure < all->scenario->n_structures; finding.structure++) {
        const OpenLine line = line_of(&all->scenario->structures[finding.structure]);
        all->facts[finding.structure] =
            (StructureFacts){.crest = {INFINITY, -INFINITY}, .bed = {INFINITY, -INFINITY}};
        if (is_conduit(&all->scenario->structures[finding.structure])) continue;
        open_line_each_face(&line, &g->axes, u, v, add_face, &finding);
    }
    const Status pinned = pin_faces(all, finding.count);
    return finding.status == STATUS_OK ? pinned : finding.status;
}
