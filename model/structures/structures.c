/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/structures_internal.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/forcing/series.h"
#include <math.h>

/* ---- of all ranks ---- */

static void share_facts(Structures *all) {
    MPI_Comm comm = all->state->grid->comm;
    for (int n = 0; n < all->count; n++)
        structures_widen(all->facts[all->face[n].structure].crest, all->face[n].crest);
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

Status structures_create(const Scenario *scenario, const State *state, const Subgrid *subgrid,
                         Structures **out) {
    const MPI_Comm comm = state->grid->comm;
    Status status;
    *out = NULL;
    if (scenario->n_structures == 0) return STATUS_OK;
    Structures *all = *out = ALLOCATE(1, Structures);
    *all = (Structures){.scenario = scenario,
                        .state = state,
                        .facts = ALLOCATE(scenario->n_structures, StructureFacts),
                        .opening = ALLOCATE(scenario->n_structures, Series *)};
    if (subgrid) all->inside[0] = subgrid->u, all->inside[1] = subgrid->v;
    ATTEMPT(status_agree(comm, structures_find_faces(all)));
    for (int n = 0; n < scenario->n_structures; n++)
        if (scenario->structures[n].opening.kind != VALUE_ABSENT)
            ATTEMPT(status_agree(comm, series_create(&scenario->structures[n].opening, "opening",
                                                     &state->grid->axes, 0, 0, scenario, &all->opening[n])));
    ATTEMPT(conduits_create(scenario, state, subgrid, &all->conduits));
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

ConduitFacts structures_conduit(const Structures *all, int n) {
    return conduits_facts(all->conduits, n);
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

bool structures_flow(Structures *all, int tries, double time, double dt, const double *depth,
                     double *source) {
    return conduits_flow(all ? all->conduits : NULL, tries, time, dt, depth, source);
}

bool structures_pour(Structures *all, double *depth_before, double *source) {
    if (!all || !all->conduits) return false;
    conduits_pour(all->conduits, depth_before, source);
    return true;
}

static StructureFaces arguments(const Structures *all, const Faces *u, const Faces *v, const double *eta,
                                const double *depth) {
    return (StructureFaces){.g = grid_view(all->state->grid),
                            .face = all->face,
                            .station = all->station,
                            .u = *u,
                            .v = *v,
                            .ground_u = all->inside[0],
                            .ground_v = all->inside[1],
                            .eta = eta,
                            .depth = depth};
}

void structures_close(const Structures *all, const double *eta, const double *depth, const Faces *u,
                      const Faces *v, double *depth_u, double *depth_v) {
    if (!all) return;
    const Exec exec = all->state->grid->exec;
    StructureFaces args = arguments(all, u, v, eta, depth);
    args.depth_u = depth_u, args.depth_v = depth_v;
    structure_faces_close(exec, all->list, args);
    structure_stations_tell(exec, all->stations, args);
}

void structures_start(const Structures *all, const double *eta, const double *depth, const Faces *u,
                      const Faces *v) {
    if (!all) return;
    structure_faces_start(all->state->grid->exec, all->list, arguments(all, u, v, eta, depth));
}

void structures_impose(const Structures *all, const Momentum *u) {
    if (!all) return;
    StructureFaces args = arguments(all, &u->faces, &u->other, u->eta, u->depth);
    args.dt = u->dt, args.gravity = u->slope_gravity;
    structure_faces_impose(all->state->grid->exec, all->list, args);
}
