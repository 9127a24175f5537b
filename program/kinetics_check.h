/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis kinetics check: tries a module over the ranges of its variables and surroundings.
 */
#ifndef MAEOTIS_PROGRAM_KINETICS_CHECK_H
#define MAEOTIS_PROGRAM_KINETICS_CHECK_H

#include "settings/load.h"

/* `what` is a module's name or path, or the file of a box, whose parameters are taken. */
CHECKED Status kinetics_check(const char *what, const Overrides *overrides);

#endif
