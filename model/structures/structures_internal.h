/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the structures: structures_faces.c finds their faces, operation.c moves gates, lets levees breach and adds up what flows.
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_INTERNAL_H
#define MAEOTIS_MODEL_STRUCTURES_INTERNAL_H

#include "gpu/reduce.h"
#include "model/forcing/forcing.h"
#include "model/structures/structures.h"
#include "model/structures/structures_kernels.h"

/* What a structure remembers, in restart files. */
typedef struct Operation {
    double position; /* of a gate with a rule: 0 closed, 1 open */
    double closes;   /* 1: it closes, or is closed */
    double breached; /* when the breach began [s since the start]; -1: not yet */
} Operation;

/* Numbers of a structure, added up over the processes. */
enum { STRUCTURE_SUMS = 3 }; /* discharge, levels on the left, on the right */

struct Structures {
    const Scenario *scenario; /* not owned, like the next */
    const State *state;
    Hypsometry inside[2];  /* ground along the faces of u, of v; all NULL: it is even */
    Conduits *conduits;    /* NULL: none */
    StructureFacts *facts; /* of all structures, on all ranks */
    Series **opening;      /* of structures; NULL: always open, or by a rule */
    Series **crest;        /* of faces; NULL: the bed */
    StructureFace *face;   /* of this rank, pinned */
    int count;
    RunList list;
    StructureStation *station; /* of gates with a rule, pinned; of the structure n the n-th */
    RunList stations;
    Operation *operation; /* of all structures, like the next */
    double *seen;         /* level that a rule or a breach looks at [m] */
    double *flows;        /* [StructureSeries][structure] */
    ExactSum *sums;
    int *wet; /* faces with water on the left, on the right */
    char **names;
};

/* The faces of this rank, and their facts. Local. */
CHECKED Status structures_find_faces(Structures *structures);

static inline void structures_widen(double range[2], double value) {
    range[0] = value < range[0] ? value : range[0], range[1] = value > range[1] ? value : range[1];
}

/* Does the face lie in the breach? Local. */
bool structures_in_breach(const ScenarioStructure *structure, const Axes *axes, double x, double y);

/* What is remembered, at first. Collective. */
CHECKED Status structures_begin(Structures *structures);

/* Moves gates and begins breaches by what was seen at the end of the last step. Local. */
void structures_operate(Structures *structures, double time, double dt);

/* The crest of a face, lower in a breach. Local. */
double structures_crest(const Structures *structures, int face, double crest, double time);

#endif
