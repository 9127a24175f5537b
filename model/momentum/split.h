/* SPDX-License-Identifier: Apache-2.0
 *
 * The split scheme of momentum ("split"): horizontal viscosity at the new time, one direction after the
 * other,
 *
 *     (1 - dt (A u_x)_x) u' = u*,    (1 - dt (A u_y)_y) u'' = u',
 *
 * tridiagonal along rows and columns of faces (numerics/lines/lines.h), broken where there is no water, with
 * the weights of viscosity.h. It comes after momentum_predict, which has advected the
 * velocity and solved its vertical lines: a splitting of first order in the step. Stable for any step, and no
 * velocity beyond those that were there. Faces on open boundaries keep what they have and exchange nothing.
 */
#ifndef MAEOTIS_MODEL_SPLIT_H
#define MAEOTIS_MODEL_SPLIT_H

#include "base/error.h"
#include "model/momentum/momentum.h"
#include "numerics/lines/lines.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SplitMomentum SplitMomentum;

/* For one component. `choice`: of lines. Collective. */
CHECKED Status split_momentum_create(const Grid *grid, bool along_x, LineChoice choice, SplitMomentum **out);
void split_momentum_destroy(SplitMomentum **split);

/* In: what momentum_predict leaves. Out: predicted, flux_predicted. Collective. */
CHECKED Status split_momentum_solve(SplitMomentum *split, Exec exec, Momentum args);

/* ---- kernel ---- */

/* Rows of the lines along one axis: side `up` of a face is its neighbour one row further. */
typedef struct SplitRows {
    Momentum momentum;
    int up, down;
    double *a, *b, *c;
} SplitRows;

void split_rows(Exec exec, BlockList blocks, SplitRows args);

/* Counts the faces that have flooded or dried since the last time, which `wet` knows. */
typedef struct SplitWet {
    ptrdiff_t row;
    const double *depth;
    double *wet;
} SplitWet;

void split_wet_changes(Exec exec, RunList faces, SplitWet args, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
