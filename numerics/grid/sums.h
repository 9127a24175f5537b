/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over the whole grid whose bits do not depend on ranks (see gpu/reduce.h).
 */
#ifndef MAEOTIS_NUMERICS_SUMS_H
#define MAEOTIS_NUMERICS_SUMS_H

#include "gpu/reduce.h"
#include "numerics/grid/grid.h"
#include "numerics/grid/tally.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_SUMS = REDUCE_MOST };

/* values[n] = sum over own columns of all ranks of x[n] y[n], two-dimensional fields of which one is zero on
 * land and in halos; n < count <= MOST_SUMS. One message. Collective. */
void sums_of_products(Exec exec, const Grid *grid, int count, const double *const *x, const double *const *y,
                      double *values);

/* The same of three-dimensional fields, zero in cells without water. Collective. */
void sums_of_products_3d(Exec exec, const Grid *grid, int count, const double *const *x,
                         const double *const *y, double *values);

/* The same of the lowest `levels` ones, which may be n3 + 1, over this rank's columns alone: sum[count], normalised. Local. */
void sums_own(Exec exec, const Grid *grid, int levels, int count, const double *const *x,
              const double *const *y, ExactSum *sum);

/* The same to be there after results_fetch, added to `sum`, which must stay until then. Local. */
void sums_begin(Exec exec, const Grid *grid, int levels, int count, const double *const *x,
                const double *const *y, ExactSum *sum);

/* One of them as a question of the tally. Local. */
void sums_ask(Tally *tally, const Grid *grid, int levels, const double *x, const double *y, double *answer);

#ifdef __cplusplus
}
#endif
#endif
