/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes one value of an output variable from the state. A new variable is one function in variables.c and
 * one row of settings/variable_rows.h.
 *
 * Values are NaN where the water is thinner than State.dry_depth or there is no cell; NaN becomes fill.
 * One halo cell of u, v, depth_u and depth_v is read.
 */
#ifndef MAEOTIS_OUTPUT_VARIABLES_H
#define MAEOTIS_OUTPUT_VARIABLES_H

#include "model/state.h"
#include "output/layer_sums.h"
#include "settings/output_variables.h"

typedef struct Sea {
    const State *state;
    double water_density;  /* [kg m-3] */
    const LayerSums *sums; /* at the level of the value; NULL: columns are summed for it */
} Sea;

double output_value(const OutputVariable *variable, const Sea *sea, int i, int j, int k);

/* The field that holds the variable's values, where it has water; NULL: none does, or the state does not have it. */
const double *output_field(const OutputVariable *variable, const State *state);

/* As output_variable, tracers of the state included, under the name asked for; false if the state does not
 * have it. The texts live as long as the state. */
bool output_variable_find(const char *name, bool centred, const State *state, OutputVariable *out);
/* The same; refuses what the state does not have. */
CHECKED Status output_variable_need(const ScenarioOutput *entry, const char *name, bool centred,
                                    const State *state, OutputVariable *out);

/* Is there water to speak of in the column or face? */
bool output_is_wet(const State *state, char place, int i, int j);

#endif
