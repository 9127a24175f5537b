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
    double (*at)(const Sea *sea, int i, int j, int k); /* NULL: the tracer of this number, or its bed */
    int tracer;
} OutputVariable;

double output_value(const OutputVariable *variable, const Sea *sea, int i, int j, int k);

/* NULL if there is none of this name. `at_station`: u and v mean the flow at the centre of the cell there. */
const OutputVariable *output_variable(const char *name, bool at_station);

/* The same, a tracer of the state included; false where the state does not have it. The texts live as long as
 * the state. */
bool output_variable_find(const char *name, bool at_station, const State *state, OutputVariable *out);

/* What a scenario may ask for beside its own tracers, NULL at the end: each is a row of the table in
 * variables.c or extremes.c. */
extern const char *const output_variable_names[], *const extreme_names[];

/* Is there water to speak of in the column or face? */
bool output_is_wet(const State *state, char place, int i, int j);

#endif
