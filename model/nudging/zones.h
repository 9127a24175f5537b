/* SPDX-License-Identifier: Apache-2.0
 *
 * The relaxation zones of open boundaries as nudging (nudging.h): in front of the edges of one boundary, towards what is
 * given outside it. Velocities come from NetCDF files alone. Sponges, whose own relaxation knows the mean flow through the
 * edge (boundary/sponge.h), have their velocities here where a file gives them in all places.
 *
 * H. C. Davies, Q. J. R. Meteorol. Soc. 102 (1976) 405-418 (flow relaxation).
 */
#ifndef MAEOTIS_MODEL_NUDGING_ZONES_H
#define MAEOTIS_MODEL_NUDGING_ZONES_H

#include "model/state.h"
#include "settings/scenario.h"

/* What the scenario nudges, and what its boundaries add. */
typedef struct Zones {
    ScenarioNudging *nudging;
    int count;
    char **text; /* of columns, to be freed */
    int n_texts;
} Zones;

/* Collective. */
CHECKED Status zones_create(const Scenario *scenario, const State *state, Zones *out);
void zones_free(Zones *zones);

#endif
