/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the conduits: conduits.c finds their ends, conduits_flow.c what goes through them.
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_CONDUITS_INTERNAL_H
#define MAEOTIS_MODEL_STRUCTURES_CONDUITS_INTERNAL_H

#include "model/forcing/series.h"
#include "model/structures/conduits.h"
#include "model/structures/conduits_kernels.h"

typedef struct Conduit {
    const ScenarioStructure *is;
    int number;       /* of the structure */
    int column[2];    /* of its inlet, of its outlet */
    double invert[2]; /* [m] */
    double length;    /* [m] */
    double on;        /* 1: the pump runs */
    double discharge; /* of the last step, or of the last try in this one [m3 s-1] */
    double change;    /* by which that try differs from the one before */
    bool limited;     /* it is what the column could afford */
    double level[2];  /* before the step, then what came of the last try [m] */
    double yields[2]; /* by how much the levels answer to the discharge [s m-2] */
    Series *capacity; /* of a pump */
} Conduit;

struct Conduits {
    const Scenario *scenario; /* not owned, as the next */
    const State *state;
    Hypsometry inside; /* of the cells; all NULL: they are even */
    Conduit *conduit;
    int count, columns, n_tracers;
    RunList list;
    ConduitColumn *column; /* pinned, as the next; on all ranks, in one order */
    double *mean;          /* [tracer][column] */
    double *area, *bed;    /* of the columns */
    double *told;          /* what owners tell: level, depth, source of others, wet share, means */
    double *held;          /* what may leave a column in the step [m3] */
};

enum { CONDUIT_FACTS = 4 }; /* in `told`, before the means */

#endif
