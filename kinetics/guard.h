/* SPDX-License-Identifier: Apache-2.0
 *
 * Says which module it was when a loaded one crashes, or ends the program. All functions are local.
 */
#ifndef MAEOTIS_KINETICS_GUARD_H
#define MAEOTIS_KINETICS_GUARD_H

#include "kinetics/maeotis_kinetics.h"

/* Between the two a crash is blamed on `name`. */
void guard_begin(const char *name);
void guard_end(void);

/* The loaded module whose functions these call; NULL: none. */
void guard_rates(const MaeotisKinetics *module);
MaeotisRates guarded_water, guarded_surface, guarded_bed;

/* Whether a module's code runs: the number of its call, or -1. For signal handlers. */
int guard_call(void);
/* Ends the process because a module does not return. For signal handlers. */
void guard_give_up(void);
/* Ends the process with a failure where a module's code runs: for whatever ends it. */
void guard_refuse_exit(void);

#endif
