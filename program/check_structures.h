/* SPDX-License-Identifier: Apache-2.0
 *
 * What `check` says of a structure.
 */
#ifndef MAEOTIS_PROGRAM_CHECK_STRUCTURES_H
#define MAEOTIS_PROGRAM_CHECK_STRUCTURES_H

#include "model/simulation.h"

/* To be freed. Local. */
char *check_structure(const Simulation *sim, int n);

#endif
