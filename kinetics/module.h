/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds, loads and examines kinetics modules. All functions are local.
 */
#ifndef MAEOTIS_KINETICS_MODULE_H
#define MAEOTIS_KINETICS_MODULE_H

#include "base/error.h"
#include "kinetics/plan.h"

/* Room for the reason of a refusal. */
enum { KINETICS_WHY = 500 };

typedef struct KineticsModule {
    const MaeotisKinetics *is;
    bool is_loaded; /* by dlopen, at run time */
    void *library;  /* to be closed; NULL: none */
    int built_in;   /* number of on_device.h; -1: loaded */
} KineticsModule;

/* The names of the built-in modules, NULL at the end; the same and "fabm" (fabm.h). */
extern const char *const kinetics_module_names[], *const kinetics_module_choices[];

/* Does the name mean a file, and not a module that is built in? */
bool kinetics_is_path(const char *name);

/* "npzd", or the path of a shared library, or "fabm" with its file, else NULL. Its tables are examined; `why` says what is
 * wrong with them. */
CHECKED Status kinetics_open(const char *name, const char *file, KineticsModule *out, char why[KINETICS_WHY]);
/* Whether modules that are programs may be loaded, wherever they lie, or only from the files and folders that
 * MAEOTIS_TRUST lists, parted by colons, as at first: a scenario of a stranger's brings its own. A run says yes. */
void kinetics_trust(bool anything);

void kinetics_close(KineticsModule *module);

/* The numbers of a parameter, a variable, a diagnostic, an input; -1: there is none. */
int kinetics_parameter(const MaeotisKinetics *module, const char *name);
int kinetics_variable(const MaeotisKinetics *module, const char *name);
int kinetics_diagnostic(const MaeotisKinetics *module, const char *name);
int kinetics_input(const MaeotisKinetics *module, const char *name);

/* How many inputs it has. */
int kinetics_inputs(const MaeotisKinetics *module);

/* Default values of the parameters. */
void kinetics_defaults(const MaeotisKinetics *module, double *parameters);

/* A number of the tables for these values of the parameters. */
double kinetics_number(const MaeotisKinetics *module, const double *parameters, MaeotisNumber number);

/* The plan for these values. Refused where a process makes something of an element from nothing, or a number
 * that has to be positive is not. */
CHECKED Status kinetics_plan(const KineticsModule *module, const double *parameters, KineticsPlan *out,
                             char why[KINETICS_WHY]);

/* What a process makes of an element per unit of its rate; `scale` is what it moves of it. */
double kinetics_made(const MaeotisKinetics *module, const KineticsPlan *plan, int process, int element,
                     double *scale);

/* "N", "P", ... */
extern const char *const kinetics_elements[MAEOTIS_ELEMENTS];

#endif
