/* SPDX-License-Identifier: Apache-2.0
 *
 * Forcing that the caller of a simulation gives, in place of the scenario's: a coupled model of the air or of rivers.
 * A value acts from the next step on, unchanged until it is set again. Restart files do not contain the values, but
 * say what was given: a simulation that goes on from one makes no step before
 * something of each kind was given again; rivers left out then are the scenario's.
 */
#ifndef MAEOTIS_MODEL_GIVEN_H
#define MAEOTIS_MODEL_GIVEN_H

#include "model/simulation.h"

/* The fields of forcing.h, those of exchange.h, and the discharges of the rivers [m3 s-1]. */
enum {
    GIVEN_AIR = FORCING_FIELDS,
    GIVEN_FIELDS = GIVEN_AIR + AIR_QUANTITIES,
    GIVEN_DISCHARGE = GIVEN_FIELDS,
    GIVEN_COUNT
};

typedef struct GivenName {
    const char *name, *units, *standard_name; /* of the Basic Model Interface */
} GivenName;
const GivenName *given_name(int which);

/* Has this simulation a use for it? Local. */
bool given_possible(const Simulation *simulation, int which);

/* What was given and acts: a field of centres, or the discharges by rivers, NaN where the scenario's holds; NULL: nothing was
 * given. Local. */
const double *given_values(const Simulation *simulation, int which);

/* Refuses a value that cannot be meant, and a cell of water without one in a field's first values. `values`: of own cells in
 * rows, or of all rivers. Local. */
CHECKED Status given_check(const Simulation *simulation, int which, const double *values);

/* NaN leaves what is there. `values`: as checked; NULL: none from this rank. Every rank gives the same discharges.
 * Collective. */
CHECKED Status given_take(Simulation *simulation, int which, const double *values);

/* Refuses a step while something is missing: the other component, or what a restart file's run was given. Local. */
CHECKED Status given_complete(const Simulation *simulation);

#endif
