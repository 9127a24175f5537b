/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the open boundaries: boundaries.c makes them and knows the levels of the ghosts, impose.c the
 * velocities of the faces, carried.c the tracers that come in.
 */
#ifndef MAEOTIS_MODEL_BOUNDARIES_INTERNAL_H
#define MAEOTIS_MODEL_BOUNDARIES_INTERNAL_H

#include "model/boundary/boundaries.h"
#include "model/boundary/outside.h"
#include "model/boundary/sponge.h"

typedef struct OpenFace {
    ptrdiff_t face, ghost, inside; /* in 2-D fields */
    ptrdiff_t behind;              /* the cell farther in */
    bool along_x;                  /* a u face */
    double inwards;                /* +1 where a positive velocity flows in */
    int j;                         /* its row */
    int number;                    /* of the boundary */
    const ScenarioBoundary *boundary;
    OutsidePoint point;
    double eta, velocity, eta_before; /* outside, now and one step ago */
    double *level;                    /* of the ghost, which a restart keeps; NULL: follows from the others */
    double fixed, share;              /* it will be fixed + share times the new level inside */
    double weight;                    /* of a discharge */
    double x, y;                      /* where the face is */
    Series **tracer;                  /* NULL: nothing is said about it */
} OpenFace;

struct Boundaries {
    const Grid *grid;
    const Scenario *scenario;
    Outside **outside; /* of each boundary */
    OpenFace *face;
    Sponge *sponge;
    int count, n_tracers;
    double *level[2];   /* of ghosts at u and v faces; NULL: none is kept */
    Series **carried;   /* [boundary][tracer]: what is the same along the boundary; else NULL */
    double **inflow[2]; /* of each tracer, the same in layers; NULL: what comes in is given at once */
    ExactSum *weights;  /* of each boundary */
    bool some_discharge;
};

void boundaries_forget_tracers(Boundaries *boundaries);

/* Whose ghosts have levels of their own that waves carry out. */
static inline bool boundary_carries_out(const ScenarioBoundary *b) {
    return b->kind == BOUNDARY_CHAPMAN || b->kind == BOUNDARY_RADIATION;
}

#endif
