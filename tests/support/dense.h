/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators of a line as dense matrices, row by row.
 */
#ifndef MAEOTIS_TESTS_DENSE_H
#define MAEOTIS_TESTS_DENSE_H

#include "numerics/lines/compact.h"

/* inverse(rows' left side) times their right side, n by n. */
void dense_operator(int n, const CompactRow *rows, double *matrix);

/* The same from a scheme, for a line without land. */
void dense_compact(const CompactScheme *scheme, int n, bool periodic, double *matrix);

void dense_apply(int n, const double *matrix, const double *f, double *result);

#endif
