/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/structures_internal.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/forcing/series.h"
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

static void widen(double range[2], double value) {
    range[0] = fmin(range[0], value), range[1] = fmax(range[1], value);
}

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
    widen(facts->bed, (face->along_x ? g->bed_u : g->bed_v)[m]);
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

static Status find_faces(Structures *all) {
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

/* ---- of all ranks ---- */

static void share_facts(Structures *all) {
    MPI_Comm comm = all->state->grid->comm;
    for (int n = 0; n < all->count; n++) widen(all->facts[all->face[n].structure].crest, all->face[n].crest);
    for (int n = 0; n < all->scenario->n_structures; n++) {
        StructureFacts *f = &all->facts[n];
        double low[2] = {f->crest[0], f->bed[0]}, high[2] = {f->crest[1], f->bed[1]};
        MPI_Allreduce(MPI_IN_PLACE, &f->faces, 1, MPI_INT, MPI_SUM, comm);
        MPI_Allreduce(MPI_IN_PLACE, &f->breached, 1, MPI_INT, MPI_SUM, comm);
        MPI_Allreduce(MPI_IN_PLACE, &f->length, 1, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Allreduce(MPI_IN_PLACE, &f->breach_length, 1, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Allreduce(MPI_IN_PLACE, low, 2, MPI_DOUBLE, MPI_MIN, comm);
        MPI_Allreduce(MPI_IN_PLACE, high, 2, MPI_DOUBLE, MPI_MAX, comm);
        f->crest[0] = low[0], f->bed[0] = low[1];
        f->crest[1] = high[0], f->bed[1] = high[1];
    }
}

static Status check_facts(const Structures *all) {
    for (int n = 0; n < all->scenario->n_structures; n++) {
        const ScenarioStructure *s = &all->scenario->structures[n];
        const StructureFacts *f = &all->facts[n];
        if (is_conduit(s)) continue;
        CHECK(f->faces > 0, STATUS_BAD_INPUT,
              "%s: the structure \"%s\", from (%.7g, %.7g) to (%.7g, %.7g), stands in no water: its line is "
              "shorter than a cell, lies on land (which floods up to /grid/flood_to_m), or later structures "
              "of the list have taken its faces",
              s->place, s->name, s->line[0][0], s->line[0][1], s->line[s->n_line - 1][0],
              s->line[s->n_line - 1][1]);
        CHECK(!s->has_breach || f->breached > 0, STATUS_BAD_INPUT,
              "%s: no face of the structure \"%s\" lies within %.4g m, half of the width, from the middle of "
              "its breach",
              s->place, s->name, 0.5 * s->breach_width_m);
        if (s->kind == STRUCTURE_WEIR && f->crest[1] <= f->bed[0])
            log_warn("%s: the crest of the structure \"%s\", %.4g m at most, lies below the bed, %.4g m at "
                     "least: it has no effect",
                     s->place, s->name, f->crest[1], f->bed[0]);
    }
    return STATUS_OK;
}

Status structures_create(const Scenario *scenario, const State *state, Structures **out) {
    const MPI_Comm comm = state->grid->comm;
    Status status;
    *out = NULL;
    if (scenario->n_structures == 0) return STATUS_OK;
    Structures *all = *out = ALLOCATE(1, Structures);
    *all = (Structures){.scenario = scenario,
                        .state = state,
                        .facts = ALLOCATE(scenario->n_structures, StructureFacts),
                        .opening = ALLOCATE(scenario->n_structures, Series *)};
    ATTEMPT(status_agree(comm, find_faces(all)));
    for (int n = 0; n < scenario->n_structures; n++)
        if (scenario->structures[n].opening.kind != VALUE_ABSENT)
            ATTEMPT(status_agree(comm, series_create(&scenario->structures[n].opening, "opening",
                                                     &state->grid->axes, 0, 0, scenario, &all->opening[n])));
    ATTEMPT(conduits_create(scenario, state, &all->conduits));
    ATTEMPT(structures_begin(all));
    ATTEMPT(status_agree(comm, structures_advance(all, state->time, 0)));
    share_facts(all);
    ATTEMPT(check_facts(all));
    return STATUS_OK;
cleanup:
    structures_destroy(out);
    return status;
}

void structures_destroy(Structures **structures) {
    Structures *all = *structures;
    if (!all) return;
    for (int n = 0; n < all->count && all->crest; n++) series_destroy(&all->crest[n]);
    for (int n = 0; n < all->scenario->n_structures; n++) series_destroy(&all->opening[n]);
    conduits_destroy(&all->conduits);
    pinned_free(all->state->grid->exec, all->face);
    pinned_free(all->state->grid->exec, all->station);
    for (int n = 0; all->names && n < 3 * all->scenario->n_structures; n++) memory_free(all->names[n]);
    memory_free(all->names);
    memory_free(all->list.run);
    memory_free(all->stations.run);
    memory_free(all->operation);
    memory_free(all->seen);
    memory_free(all->flows);
    memory_free(all->sums);
    memory_free(all->wet);
    memory_free(all->crest);
    memory_free(all->opening);
    memory_free(all->facts);
    memory_free(all);
    *structures = NULL;
}

StructureFacts structures_facts(const Structures *all, int n) {
    return all->facts[n];
}

/* ---- in each step ---- */

Status structures_advance(Structures *all, double time, double dt) {
    if (!all) return STATUS_OK;
    structures_operate(all, time, dt);
    for (int n = 0; n < all->count; n++) {
        StructureFace *f = &all->face[n];
        const Series *opening = all->opening[f->structure];
        const double crest = all->crest[n] ? series_at_or_nan(all->crest[n], time) : -INFINITY;
        f->crest = structures_crest(all, n, crest, time);
        f->open = opening ? series_at_or_nan(opening, time) : all->operation[f->structure].position;
        f->lift = INFINITY;
        const double leaf = all->scenario->structures[f->structure].leaf_m;
        if (leaf > 0) f->lift = f->open * leaf, f->open = f->open > 0;
    }
    return STATUS_OK;
}

bool structures_conduct(const Structures *all) {
    return all && all->conduits;
}

void structures_flow(Structures *all, double time, double dt) {
    conduits_flow(all->conduits, time, dt);
}

void structures_close(const Structures *all, const double *eta, const double *depth, const Faces *u,
                      const Faces *v, double *depth_u, double *depth_v) {
    if (!all) return;
    const Exec exec = all->state->grid->exec;
    const StructureFaces args = {.g = grid_view(all->state->grid),
                                 .face = all->face,
                                 .station = all->station,
                                 .u = *u,
                                 .v = *v,
                                 .eta = eta,
                                 .depth = depth,
                                 .depth_u = depth_u,
                                 .depth_v = depth_v};
    structure_faces_close(exec, all->list, args);
    structure_stations_tell(exec, all->stations, args);
}

void structures_start(const Structures *all, const double *eta, const double *depth, const Faces *u,
                      const Faces *v) {
    if (!all) return;
    structure_faces_start(all->state->grid->exec, all->list,
                          (StructureFaces){.g = grid_view(all->state->grid),
                                           .face = all->face,
                                           .u = *u,
                                           .v = *v,
                                           .eta = eta,
                                           .depth = depth});
}

void structures_impose(const Structures *all, const Momentum *u) {
    if (!all) return;
    structure_faces_impose(all->state->grid->exec, all->list,
                           (StructureFaces){.g = u->g,
                                            .face = all->face,
                                            .u = u->faces,
                                            .v = u->other,
                                            .eta = u->eta,
                                            .depth = u->depth,
                                            .dt = u->dt,
                                            .gravity = u->slope_gravity});
}
