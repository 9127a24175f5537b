/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of data are eastward and northward; on a map (/grid/crs) the axes of the grid are turned against these, at each place
 * by another angle (base/projection.h).
 */
#ifndef MAEOTIS_MODEL_FORCING_TURN_H
#define MAEOTIS_MODEL_FORCING_TURN_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cosine and sine of the turn, by columns, for kernels; NULL: none. */
typedef struct Turn {
    const double *cosine, *sine;
} Turn;

/* From east and north to the grid's axes, at the point m of fields. */
POINTWISE void turn_vector(Turn turn, ptrdiff_t m, double *x, double *y) {
    if (!turn.cosine) return;
    const double east = *x, north = *y;
    *x = east * turn.cosine[m] + north * turn.sine[m];
    *y = north * turn.cosine[m] - east * turn.sine[m];
}

/* At centres ('c') or faces ('u', 'v'), halo included; members are NULL where the grid is on no map. Local. */
Turn turn_create(const Grid *grid, char place);
void turn_release(const Grid *grid, Turn *turn);

/* The same of one vector at a place of the grid. */
void turn_at(const Axes *axes, double x, double y, double *u, double *v);

#ifdef __cplusplus
}
#endif
#endif
