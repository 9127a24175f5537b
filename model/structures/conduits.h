/* SPDX-License-Identifier: Apache-2.0
 *
 * Culverts and pumps: water that goes from one column to another without passing those between. Before anything moves, each takes
 *
 *     V = Q dt,   Q by the levels on both sides (culvert.h), or the capacity of a pump that is on
 *
 * out of the column at one end of its line and gives it to the one at the other, with the mean of the tracers of the column that it
 * leaves, spread over the depth: a culvert takes at most what makes both levels equal, and a pump what there is. A flap lets
 * nothing back. A pump is switched by the level at its inlet. The process that owns a column tells the others its level; all find the same flows.
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_CONDUITS_H
#define MAEOTIS_MODEL_STRUCTURES_CONDUITS_H

#include "model/state.h"
#include "settings/scenario.h"

typedef struct Conduits Conduits;

static inline bool is_conduit(const ScenarioStructure *s) {
    return s->kind == STRUCTURE_CULVERT || s->kind == STRUCTURE_PUMP;
}

/* NULL: the scenario has none. Refuses ends that lie far from water, or both in one cell. Collective. */
CHECKED Status conduits_create(const Scenario *scenario, const State *state, Conduits **out);
void conduits_destroy(Conduits **conduits);

/* Sees the levels at both ends, for a record before the first step. Nothing for NULL. Collective. */
void conduits_look(Conduits *conduits);

/* Changes depth, eta and tracers of own columns; halos are to be exchanged. Nothing for NULL. Collective. */
void conduits_flow(Conduits *conduits, double time, double dt);

/* The numbers of structures.h of the n-th structure of the scenario, which is one of them. `level`: at its ends, NAN: dry. Local. */
typedef struct ConduitFlow {
    double discharge, level[2], on, sill;
} ConduitFlow;
ConduitFlow conduits_flow_of(const Conduits *conduits, int n);

/* Whether pumps are on, for restart files; see structures_numbers. Local. */
double *conduits_on(Conduits *conduits, int n);

#endif
