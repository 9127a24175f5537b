/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that a scenario may request in an output: name, units, CF names, place on the grid.
 * output/variables.c computes their values from the state: a new variable is a row here and a function there.
 */
#ifndef MAEOTIS_SETTINGS_OUTPUT_VARIABLES_H
#define MAEOTIS_SETTINGS_OUTPUT_VARIABLES_H

#include <stdbool.h>

typedef enum VariableId {
    VARIABLE_ETA,
    VARIABLE_DEPTH,
    VARIABLE_U,
    VARIABLE_V,
    VARIABLE_W,
    VARIABLE_NONHYDROSTATIC_PRESSURE,
    VARIABLE_U_EAST,
    VARIABLE_V_NORTH,
    VARIABLE_SPEED,
    VARIABLE_UBAR,
    VARIABLE_VBAR,
    VARIABLE_THICKNESS,
    VARIABLE_WIND_STRESS_X,
    VARIABLE_WIND_STRESS_Y,
    VARIABLE_AIR_PRESSURE,
    VARIABLE_BED_ROUGHNESS,
    VARIABLE_EQUILIBRIUM_TIDE,
    VARIABLE_WAVE_HEIGHT,
    VARIABLE_WAVE_PERIOD,
    VARIABLE_WAVE_FROM,
    VARIABLE_WAVE_STRESS,
    VARIABLE_STOKES_EAST,
    VARIABLE_STOKES_NORTH,
    VARIABLE_TEMPERATURE,
    VARIABLE_SALINITY,
    VARIABLE_DENSITY,
    VARIABLE_HORIZONTAL_VISCOSITY,
    VARIABLE_HEAT_FLUX,
    VARIABLE_ICE_THICKNESS,
    VARIABLE_TKE,
    VARIABLE_DISSIPATION,
    VARIABLE_VERTICAL_VISCOSITY,
    VARIABLE_VERTICAL_DIFFUSIVITY,
    VARIABLES,
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
    const char *comment;
    int number; /* in the state: of the tracer, the diagnostic, the event */
} OutputVariable;

/* NULL if there is none of this name. `centred`: u and v mean u_east and v_north. */
const OutputVariable *output_variable(const char *name, bool centred);

/* In the order of the documentation, NULL at the end. */
extern const char *const output_variable_names[];

/* Of the extremes over a run (output/extremes.c), NULL at the end. */
enum { EXTREMES = 8 };
extern const char *const extreme_names[EXTREMES + 1];

#endif
