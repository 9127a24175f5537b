/* SPDX-License-Identifier: Apache-2.0
 *
 * The parameter of the bed's drag law where it varies from place to place: Manning's n, Chezy's C, Cd or the
 * roughness length of each column. A face takes the mean of its two columns (bed_drag_kernels.c).
 */
#ifndef MAEOTIS_MODEL_ROUGHNESS_H
#define MAEOTIS_MODEL_ROUGHNESS_H

#include "model/state.h"
#include "settings/scenario.h"

/* The parameter where it is the same everywhere; 0 where the law has none. */
double roughness_uniform(const ScenarioPhysics *physics);

/* Makes the state's field if it varies, or if an output shows it. Warns about values outside the range known
 * of beds. Collective. */
CHECKED Status roughness_create(const Scenario *scenario, State *state);

/* "manning, n 0.025"; to be freed. Collective. */
char *roughness_describe(const Scenario *scenario, const State *state);

#endif
