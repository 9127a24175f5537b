/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenario's named constants, {"depth": 0.4, "slope": 0.025}: formulas are read with their values in place of the names,
 * so that nothing behind the reader knows of them.
 */
#ifndef MAEOTIS_SETTINGS_CONSTANTS_H
#define MAEOTIS_SETTINGS_CONSTANTS_H

#include "base/json.h"

/* The formula with each constant's value, in brackets, in place of its name. To be freed. */
char *constants_replace(const Json *constants, const char *formula);

#endif
