/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/structures/structures_internal.h"
#include <math.h>

bool structures_in_breach(const ScenarioStructure *s, const Axes *axes, double x, double y) {
    return s->has_breach &&
           axes_distance_m(axes, s->breach_at[0], s->breach_at[1], x, y) <= 0.5 * s->breach_width_m;
}

static Status place_station(Structures *all, int n, int rank) {
    const ScenarioStructure *s = &all->scenario->structures[n];
    const Grid *g = all->state->grid;
    GridPlace place;
    all->station[n] = (StructureStation){-1, -INFINITY};
    if (!s->has_rule) return STATUS_OK;
    TRY(grid_locate(g, s->station[0], s->station[1], &place));
    CHECK(!place.far, STATUS_BAD_INPUT,
          "%s: the station of the structure \"%s\" is %.1f km from the nearest wet cell, more than a few "
          "cells: check its position",
          s->place, s->name, place.distance_m / 1e3);
    if (place.rank == rank) all->station[n].m = AT2(*g, place.i, place.j);
    return STATUS_OK;
}

Status structures_begin(Structures *all) {
    const int count = all->scenario->n_structures;
    const Grid *g = all->state->grid;
    static const char *const words[] = {"position", "closes", "breached"};
    int rank;
    MPI_Comm_rank(g->comm, &rank);
    all->operation = ALLOCATE(count, Operation);
    all->seen = ALLOCATE(count, double);
    all->flows = ALLOCATE(FLOW_SERIES * count, double);
    all->sums = ALLOCATE(STRUCTURE_SUMS * count, ExactSum);
    all->wet = ALLOCATE(2 * count, int);
    all->names = ALLOCATE(3 * count, char *);
    for (int n = 0; n < 3 * count; n++) all->names[n] = memory_format("structure_%d_%s", n / 3, words[n % 3]);
    TRY(status_agree(g->comm,
                     pinned_allocate(g->exec, (size_t)count * sizeof *all->station, (void **)&all->station)));
    all->stations = flat_list(count);
    for (int n = 0; n < count; n++) {
        all->operation[n] = (Operation){1, 0, -1};
        all->seen[n] = NAN;
        TRY(place_station(all, n, rank));
    }
    return STATUS_OK;
}

int structures_numbers(const Structures *all, StateNumber *numbers) {
    if (!all) return 0;
    const int count = all->scenario->n_structures;
    for (int n = 0; numbers && n < count; n++) {
        Operation *o = &all->operation[n];
        const bool conduit = is_conduit(&all->scenario->structures[n]);
        double *values[] = {&o->position, &o->closes, &o->breached};
        if (conduit) conduits_numbers(all->conduits, n, values);
        for (int c = 0; c < 3; c++)
            numbers[3 * n + c] = (StateNumber){all->names[3 * n + c], values[c], .may_lack = true};
    }
    return 3 * count;
}

/* ---- what moves ---- */

static void move_gate(Operation *o, const ScenarioStructure *s, double level, double dt) {
    if (level > s->close_above_m) o->closes = 1;
    if (level < s->open_below_m) o->closes = 0;
    const double step = o->closes > 0 ? -dt / s->close_s : dt / s->open_s;
    o->position = fmax(0, fmin(o->position + step, 1));
}

void structures_operate(Structures *all, double time, double dt) {
    for (int n = 0; n < all->scenario->n_structures; n++) {
        const ScenarioStructure *s = &all->scenario->structures[n];
        Operation *o = &all->operation[n];
        if (s->has_rule && dt > 0) move_gate(o, s, all->seen[n], dt);
        if (!s->has_breach || o->breached >= 0) continue;
        if (time >= s->breach_start_s)
            o->breached = s->breach_start_s;
        else if (all->seen[n] > s->breach_above_m)
            o->breached = fmax(0, time - dt);
    }
}

double structures_crest(const Structures *all, int face, double crest, double time) {
    const StructureFace *f = &all->face[face];
    const ScenarioStructure *s = &all->scenario->structures[f->structure];
    const double breached = all->operation[f->structure].breached;
    if (!f->breaks || breached < 0 || !(crest > s->breach_lowest_m)) return crest;
    const double part = fmax(0, fmin((time - breached) / s->breach_growth_s, 1));
    return crest + part * (s->breach_lowest_m - crest);
}

/* ---- what is seen ---- */

static void add_face(Structures *all, const StructureFace *f) {
    const int n = (int)f->structure, count = all->scenario->n_structures;
    const bool watched = all->scenario->structures[n].has_breach && f->breaks;
    exact_sum_add(&all->sums[STRUCTURE_SUMS * n], f->flux);
    for (int side = 0; side < 2; side++) {
        if (isnan(f->level[side])) continue;
        exact_sum_add(&all->sums[STRUCTURE_SUMS * n + 1 + side], f->level[side]);
        all->wet[2 * n + side]++;
        if (watched) all->seen[n] = fmax(all->seen[n], f->level[side]);
    }
    double *opening = &all->flows[FLOW_OPENING * count + n], *crest = &all->flows[FLOW_CREST * count + n];
    const double leaf = all->scenario->structures[n].leaf_m;
    *opening = fmax(*opening, leaf > 0 ? f->lift / leaf : f->open);
    *crest = fmax(*crest, -f->crest); /* the lowest, as the largest of the opposite */
}

void structures_look(Structures *all) {
    if (!all) return;
    conduits_look(all->conduits);
    structures_gather(all);
}

void structures_gather(Structures *all) {
    if (!all) return;
    const int count = all->scenario->n_structures, sums = STRUCTURE_SUMS * count;
    const Grid *g = all->state->grid;
    exec_wait(g->exec);
    for (int n = 0; n < sums; n++) exact_sum_clear(&all->sums[n]);
    for (int n = 0; n < count; n++) {
        all->wet[2 * n] = all->wet[2 * n + 1] = 0;
        all->seen[n] = all->station[n].level;
        all->flows[FLOW_OPENING * count + n] = all->flows[FLOW_CREST * count + n] = -INFINITY;
    }
    for (int n = 0; n < all->count; n++) add_face(all, &all->face[n]);
    for (int n = 0; n < sums; n++) exact_sum_normalise(&all->sums[n]);
    MPI_Allreduce(MPI_IN_PLACE, all->sums, sums * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, g->comm);
    MPI_Allreduce(MPI_IN_PLACE, all->wet, 2 * count, MPI_INT, MPI_SUM, g->comm);
    MPI_Allreduce(MPI_IN_PLACE, all->seen, count, MPI_DOUBLE, MPI_MAX, g->comm);
    MPI_Allreduce(MPI_IN_PLACE, all->flows + FLOW_OPENING * count, 2 * count, MPI_DOUBLE, MPI_MAX, g->comm);
    for (int n = 0; n < count; n++) {
        double *opening = &all->flows[FLOW_OPENING * count + n], *crest = &all->flows[FLOW_CREST * count + n];
        for (int c = 0; c < STRUCTURE_SUMS; c++) {
            const double sum = exact_sum_value(&all->sums[STRUCTURE_SUMS * n + c]);
            all->flows[c * count + n] = c == 0 ? sum : sum / all->wet[2 * n + c - 1]; /* NAN: all is dry */
        }
        if (*opening < 0) *opening = 0; /* a dam */
        *crest = isfinite(*crest) ? -*crest : NAN;
        if (!is_conduit(&all->scenario->structures[n])) continue;
        const ConduitFlow flow = conduits_flow_of(all->conduits, n);
        const double series[FLOW_SERIES] = {flow.discharge, flow.level[0], flow.level[1], flow.on, flow.sill};
        for (int c = 0; c < FLOW_SERIES; c++) all->flows[c * count + n] = series[c];
    }
}

const double *structures_flows(const Structures *all) {
    return all ? all->flows : NULL;
}
