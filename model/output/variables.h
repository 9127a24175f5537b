/* SPDX-License-Identifier: Apache-2.0
 *
 * What a user can ask for in an output: name, units, CF names, place on the grid, and how one value comes
 * from the state. A new variable is one function and one row of the table in variables.c.
 *
 * Values are NaN where there is no water to speak of (OUTPUT_DRY_DEPTH_M) or no grid cell; NaN becomes fill.
 * One halo cell of u, v, depth_u and depth_v is read.
 */
#ifndef MAEOTIS_MODEL_OUTPUT_VARIABLES_H
#define MAEOTIS_MODEL_OUTPUT_VARIABLES_H

#include "model/state.h"

typedef struct Sea {
    const State *state;
    double water_density; /* [kg m-3] */
} Sea;

typedef struct OutputVariable {
    const char *name;
    char place; /* 'c', 'u', 'v' */
    bool three_d;
    bool always; /* has a value in dry columns too */
    const char *units, *long_name;
    const char *standard_name;           /* CF; on a sphere */
    const char *standard_name_cartesian; /* NULL: the same */
    const char *comment;
    double (*at)(const Sea *sea, int i, int j, int k);
} OutputVariable;

/* NULL if there is none of this name. `at_station`: u and v mean the flow at the centre of the cell there. */
const OutputVariable *output_variable(const char *name, bool at_station);

/* What a scenario may ask for, NULL at the end: each is a row of the table in variables.c or extremes.c. */
extern const char *const output_variable_names[], *const extreme_names[];

/* Needs something that this state does not have (air pressure)? */
bool output_variable_missing(const OutputVariable *variable, const State *state);

/* Is there water to speak of in the column or face? */
bool output_is_wet(const State *state, char place, int i, int j);

#endif
