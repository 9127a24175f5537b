/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills values that are missing in a map (NaN): in a column with values, with that of the level below, or of
 * the lowest; elsewhere with the whole nearest column, the distance counted in points along and across.
 * Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_NEAREST_H
#define MAEOTIS_MODEL_FORCING_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* For each point of a map the nearest one that has a value. False: there is none. */
bool nearest_columns(const int shape[2], const unsigned char *has_value, ptrdiff_t *nearest);

/* `shape`: points along x (fastest), y, z. `has_value` of columns comes out. False: there is no value at all.
 */
bool nearest_fill(const int shape[3], double *value, unsigned char *has_value);

#endif
