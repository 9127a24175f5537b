/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of an output variable in rows of cells, the same as output_value finds one by one: maps and means take them of all
 * cells, means in every step.
 */
#ifndef MAEOTIS_OUTPUT_VALUE_ROWS_H
#define MAEOTIS_OUTPUT_VALUE_ROWS_H

#include "output/variables.h"

/* Of cells or faces i0 <= i < i1 at (j, k), into value[0] ...; false, and nothing, where all are without water. */
bool output_row(const OutputVariable *variable, const Sea *sea, int i0, int i1, int j, int k, double *value);

#endif
