/* SPDX-License-Identifier: Apache-2.0
 *
 * What the sea is at one moment, on one rank: the fields that a step reads and writes. Places and indices as
 * in numerics/grid/grid.h. Everything the next step needs is named in `state_fields`, so that a restart is
 * exact.
 */
#ifndef MAEOTIS_MODEL_STATE_H
#define MAEOTIS_MODEL_STATE_H

#include "base/error.h"
#include "numerics/grid/grid.h"

typedef struct State {
    const Grid *grid; /* not owned */
    double start;     /* of the run [s since 1970] */
    double time;      /* since the start [s] */
    int64_t step;     /* steps done since the start */

    /* two-dimensional */
    double *depth;             /* H, of the water column [m]; never negative */
    double *eta;               /* b + H [m]; the bed where it is dry */
    double *increment;         /* of eta in the last step: where the solver of the next begins [m] */
    double *depth_u, *depth_v; /* moving depth of the faces [m]; 0: dry */

    /* three-dimensional */
    double *u, *v;           /* [m s-1] */
    double *flux_u, *flux_v; /* volume through west and south faces in the last step, per second [m3 s-1] */
    double *flux_w;          /* through the lower face, relative to the moving layers, upwards [m3 s-1] */
    double *coriolis_u, *coriolis_v; /* Coriolis acceleration of the last step, for Adams-Bashforth [m s-2] */

    /* forcing at the new time level, two-dimensional (not part of the restart) */
    double *stress_u, *stress_v; /* wind stress over water density at u and v points [m2 s-2] */
    double *air_pressure;        /* at centres, with one halo cell [Pa]; NULL if the scenario has none */
} State;

typedef struct StateField {
    const char *name;
    double *data;
    bool three_d;
    char place; /* 'c', 'u', 'v', 'w' */
} StateField;

#define STATE_FIELDS 11

CHECKED Status state_create(const Grid *grid, bool air_pressure, State **out);
void state_destroy(State **state);

/* The fields a restart has to hold. */
void state_fields(const State *state, StateField out[STATE_FIELDS]);

/* A 64-bit sum over all cells that is the same for any number of ranks and devices, and differs if any bit of
 * u, v or depth does. Collective. */
uint64_t state_digest(const State *state);

#endif
