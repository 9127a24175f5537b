/* SPDX-License-Identifier: Apache-2.0
 *
 * A module with its parameters' values, as the integrator wants it: numbers alone, in memory that kernels can
 * reach.
 */
#ifndef MAEOTIS_KINETICS_PLAN_H
#define MAEOTIS_KINETICS_PLAN_H

#include "gpu/kernel.h"
#include "kinetics/maeotis_kinetics.h"

/* Variables in the water, then those on the bed, which have the number of their variable plus n_variables. */
enum { MOST_STATES = 2 * MAEOTIS_MOST_VARIABLES };

typedef enum KineticsScheme {
    KINETICS_PATANKAR_EULER,
    KINETICS_PATANKAR_RK2,
    KINETICS_RK2,
    KINETICS_RK4
} KineticsScheme;

/* One term of a process, with its number. */
typedef struct PlanTerm {
    int state;
    double amount;
} PlanTerm;

typedef struct PlanProcess {
    int place; /* MaeotisPlace */
    int n_terms;
    PlanTerm term[MAEOTIS_MOST_TERMS];
} PlanProcess;

typedef struct KineticsPlan {
    int n_variables, n_processes, n_inputs;
    int has_bed[MAEOTIS_MOST_VARIABLES];
    double attenuation[MAEOTIS_MOST_VARIABLES]; /* [m-1 per unit] */
    double sinking[MAEOTIS_MOST_VARIABLES];     /* [m s-1] */
    double parameter[MAEOTIS_MOST_PARAMETERS];
    PlanProcess process[MAEOTIS_MOST_PROCESSES];
    int built_in; /* which of the modules that a GPU has; -1: none */
    MaeotisRates *water, *surface, *bed;
} KineticsPlan;

#endif
