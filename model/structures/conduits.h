/* SPDX-License-Identifier: Apache-2.0
 *
 * Culverts and pumps: water that goes from one column to another without passing those between. In a step each takes
 *
 *     V = Q dt,   Q by the levels at the end of the step (culvert.h), or the capacity of a pump that is on
 *
 * out of the column at one end of its line and gives it to the one at the other: a source in the equation of the surface, which
 * is solved for a first Q and, as long as the new levels ask for another Q, again (as a rule not at all or once: how much the levels
 * answer follows from the last two solutions). So steps of any length are stable. V is at most what the column holds at first,
 * and carries the mean of its tracers. A flap lets nothing back. A pump is switched by the level at its inlet.
 * The process that owns a column tells the others its level; all find the same flows.
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_CONDUITS_H
#define MAEOTIS_MODEL_STRUCTURES_CONDUITS_H

#include "model/state.h"
#include "model/subgrid/subgrid.h"
#include "settings/scenario.h"

typedef struct Conduits Conduits;

static inline bool is_conduit(const ScenarioStructure *s) {
    return s->kind == STRUCTURE_CULVERT || s->kind == STRUCTURE_PUMP;
}

/* NULL: the scenario has none; `subgrid` may be NULL. Refuses ends that lie far from water, or both in one cell. Collective. */
CHECKED Status conduits_create(const Scenario *scenario, const State *state, const Subgrid *subgrid,
                               Conduits **out);
void conduits_destroy(Conduits **conduits);

/* Sees the levels at both ends, for a record before the first step. Nothing for NULL. Collective. */
void conduits_look(Conduits *conduits);

/* See structures_flow and structures_pour. */
bool conduits_flow(Conduits *conduits, int tries, double time, double dt, const double *depth,
                   double *source);
void conduits_pour(Conduits *conduits, double *depth_before, double *source);

/* The numbers of structures.h of the n-th structure of the scenario, which is one of them. `level`: at its ends, NAN: dry. Local. */
typedef struct ConduitFlow {
    double discharge, level[2], on, sill;
} ConduitFlow;
ConduitFlow conduits_flow_of(const Conduits *conduits, int n);

/* What `check` says of it. `level`: NAN: dry; `drowned`: what a culvert carries under water with a fall of 1 m [m3 s-1]. Local. */
typedef struct ConduitFacts {
    double length, invert[2], bed[2], level[2], drowned;
} ConduitFacts;
ConduitFacts conduits_facts(const Conduits *conduits, int n);

/* For restart files: whether pumps are on, and the discharge; see structures_numbers. Local. */
void conduits_numbers(Conduits *conduits, int n, double *values[2]);

#endif
