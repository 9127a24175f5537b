/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of kinetics modules: what lives and reacts in the water. This is the only header that a module
 * needs. A module names its variables, its parameters and its processes in tables, and computes the rates of
 * the processes; maeotis does the rest: transport, sinking, light, integration, budgets, files.
 *
 * A process is one reaction: a rate, and the amounts of each variable that it takes (negative) and makes
 * (positive) per unit of the rate. Grazing that turns phytoplankton P into zooplankton Z, for example:
 *
 *     {"grazing", "P eaten by Z", MAEOTIS_WATER, {{"P", -1}, {"Z", 1}}}
 *
 * with the rate in mmol m-3 s-1. What leaves one variable enters the other, whatever the rate: so elements are
 * conserved to round-off. The integrator may reduce a rate, as a whole, so that nothing becomes negative.
 *
 * A loadable module is a shared library with one function:
 *
 *     const MaeotisKinetics *maeotis_kinetics(void);
 *
 * Every function works on n points of one column of water, in structure-of-arrays form: c[variable][point]. It
 * allocates nothing and remembers nothing. All units are SI: seconds, metres; amounts usually mmol m-3.
 */
#ifndef MAEOTIS_KINETICS_H
#define MAEOTIS_KINETICS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Modules built for version 2, which had no inputs, are taken as well. */
#define MAEOTIS_KINETICS_ABI 3

enum {
    MAEOTIS_MOST_VARIABLES = 24,
    MAEOTIS_MOST_PARAMETERS = 96,
    MAEOTIS_MOST_PROCESSES = 64,
    MAEOTIS_MOST_DIAGNOSTICS = 16,
    MAEOTIS_MOST_INPUTS = 16,
    MAEOTIS_MOST_TERMS = 10 /* of one process or diagnostic */
};

/* The elements that are kept account of, and masks of them. */
enum { MAEOTIS_N, MAEOTIS_P, MAEOTIS_SI, MAEOTIS_C, MAEOTIS_O, MAEOTIS_ELEMENTS };
enum {
    MAEOTIS_OPEN_N = 1,
    MAEOTIS_OPEN_P = 2,
    MAEOTIS_OPEN_SI = 4,
    MAEOTIS_OPEN_C = 8,
    MAEOTIS_OPEN_O = 16,
    MAEOTIS_OPEN_ALL = 31
};

/* A number, or a parameter times it: {1.0} or {-1.0, "ratio_P_N"}. */
typedef struct MaeotisNumber {
    double factor;
    const char *parameter; /* NULL: the factor alone */
} MaeotisNumber;

/* Matter that settles on the bed, stays there, and can be eroded. The bed of variable "pom" is "pom_bed"
 * [units m]: processes of the bed may take from it and give to it. */
typedef struct MaeotisBed {
    int exists;
    MaeotisNumber erosion;             /* rate at twice the critical stress [units m s-1]; 0: never */
    MaeotisNumber critical_erosion;    /* bed stress [Pa] */
    MaeotisNumber critical_deposition; /* no deposition above it [Pa]; 0: at any stress */
} MaeotisBed;

typedef struct MaeotisVariable {
    const char *name; /* in files: letters, digits and _ */
    const char *units;
    const char *long_name;
    const char *standard_name;        /* of the CF conventions; NULL: there is none */
    double initial;                   /* unless the scenario gives another [units] */
    double least, most;               /* the range in which `maeotis kinetics check` tries the module */
    MaeotisNumber sinking;            /* downwards; negative: it rises [m s-1] */
    MaeotisNumber attenuation;        /* of light [m-1 per unit] */
    double element[MAEOTIS_ELEMENTS]; /* N, P, Si, C, O per unit [mmol m-3 per unit]; O: as O2 */
    MaeotisBed bed;
} MaeotisVariable;

typedef struct MaeotisParameter {
    const char *name, *units, *what;
    double value, least, most; /* default and the range allowed */
    const char *source;        /* where the default comes from; NULL: it is an assumption */
} MaeotisParameter;

typedef enum MaeotisPlace { MAEOTIS_WATER, MAEOTIS_SURFACE, MAEOTIS_BED } MaeotisPlace;

/* {"P", -1}: takes one unit; {"O2", -1, "ratio"}: takes `ratio` units; {"pom_bed", 1}: adds to the bed. */
typedef struct MaeotisTerm {
    const char *variable; /* NULL: no more terms */
    double factor;
    const char *parameter;
} MaeotisTerm;

typedef struct MaeotisProcess {
    const char *name, *what;
    MaeotisPlace
        place; /* its rate is [units s-1] in the water, [units m s-1] at the surface and at the bed */
    MaeotisTerm terms[MAEOTIS_MOST_TERMS];
    unsigned open; /* elements that it brings or takes away, as MAEOTIS_OPEN_O for gas exchange */
} MaeotisProcess;

/* A quantity that files can hold beside the variables: a sum of them, each times a number, such as chlorophyll
 * from groups of algae. */
typedef struct MaeotisDiagnostic {
    const char *name, *units, *long_name, *standard_name; /* as of a variable */
    MaeotisTerm terms[MAEOTIS_MOST_TERMS];                /* of variables in the water */
} MaeotisDiagnostic;

/* A number of each column that the module reads and the model does not have, such as what falls from the air: a scenario gives
 * it in /kinetics/inputs, as a number, a formula of place and time, a table or a NetCDF file. */
typedef struct MaeotisInput {
    const char *name, *units, *what; /* files have the variable under this name, in these units */
    double value, least, most;       /* unless the scenario gives another; the range allowed */
} MaeotisInput;

/* The surroundings of n points of one column, the lowest first. */
typedef struct MaeotisEnvironment {
    int n;
    const double *temperature; /* [degree_C] */
    const double *salinity;    /* [g kg-1] */
    const double *density;     /* [kg m-3] */
    const double *light;       /* photosynthetically active, mean of the layer [W m-2] */
    const double *depth;       /* of the middle of the layer, below the surface [m] */
    const double *thickness;   /* of the layer [m] */
    /* of the column */
    double surface_light; /* photosynthetically active, just below the surface [W m-2] */
    double wind;          /* at 10 m [m s-1]; 0 without MAEOTIS_NEEDS_WIND */
    double bed_stress;    /* [Pa]; 0 unless a variable or a tracer has a bed */
    double water_depth;   /* [m] */
    double time;          /* [s since 1970-01-01] */
    const double *input;  /* of the column, in the order of the module's inputs */
} MaeotisEnvironment;

/* Sets rate[process][point] of the module's processes at the place of the function, for c[variable][point],
 * none of which is negative. At the surface and at the bed n is 1. The amounts on the bed are
 * c[n_variables + variable][0], of variables with a bed. A rate may be negative: the process then runs
 * backwards. */
typedef void MaeotisRates(const MaeotisEnvironment *environment, const double *parameters,
                          const double *const *c, double *const *rate);

/* What a module needs or is. */
enum {
    MAEOTIS_NEEDS_TEMPERATURE = 1,
    MAEOTIS_NEEDS_SALINITY = 2,
    MAEOTIS_NEEDS_LIGHT = 4,
    MAEOTIS_NEEDS_WIND = 8,
    MAEOTIS_DEVICE_SAFE = 16 /* the functions use no memory but their arguments, and no library */
};

typedef struct MaeotisKinetics {
    int abi; /* MAEOTIS_KINETICS_ABI */
    const char *name, *what;
    unsigned flags;
    int n_variables, n_parameters, n_processes;
    const MaeotisVariable *variables;
    const MaeotisParameter *parameters;
    const MaeotisProcess *processes;
    MaeotisRates *water, *surface, *bed; /* NULL where the module has no processes there */
    int n_diagnostics;
    const MaeotisDiagnostic *diagnostics;
    int n_inputs; /* from version 3 on */
    const MaeotisInput *inputs;
} MaeotisKinetics;

/* The function of a loadable module. */
const MaeotisKinetics *maeotis_kinetics(void);

#ifdef __cplusplus
}
#endif
#endif
