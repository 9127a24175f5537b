/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that a scenario may request in an output: name, units, CF names, place on the grid. variable_rows.h declares
 * them; output/variables.c finds their values in the state.
 */
#ifndef MAEOTIS_SETTINGS_OUTPUT_VARIABLES_H
#define MAEOTIS_SETTINGS_OUTPUT_VARIABLES_H

#include "settings/variable_rows.h"
#include <stdbool.h>

#define VARIABLE_ID_(ID, ...) VARIABLE_##ID,
typedef enum VariableId {
    OUTPUT_VARIABLES(VARIABLE_ID_) VARIABLES,
    VARIABLE_TRACER,     /* a tracer of the scenario's own */
    VARIABLE_BED,        /* its mass on the bed */
    VARIABLE_DIAGNOSTIC, /* of a kinetics module */
    VARIABLE_DURATION    /* of an event */
} VariableId;

typedef struct OutputVariable {
    VariableId id;
    const char *name;
    char place; /* 'c', 'u', 'v' */
    bool three_d;
    bool always; /* has a value in dry columns too */
    const char *units, *long_name;
    const char *standard_name;           /* CF; on a sphere */
    const char *standard_name_cartesian; /* NULL: the same */
    const char *csdms_name;              /* NULL: none */
    const char *comment;
    int number; /* in the state: of the tracer, the diagnostic, the event */
} OutputVariable;

/* NULL if there is none of this name. `centred`: u and v mean u_east and v_north. */
const OutputVariable *output_variable(const char *name, bool centred);

/* In the order of the documentation, NULL at the end. */
extern const char *const output_variable_names[VARIABLES + 1];

/* Of the extremes over a run (output/extremes.c), NULL at the end. */
enum { EXTREMES = 8 };
extern const char *const extreme_names[EXTREMES + 1];

#endif
