/* SPDX-License-Identifier: Apache-2.0
 *
 * The seven-point operator on the wet cells of a grid in its two-dimensional, symmetric form (one layer):
 *
 *     (A x)_m = centre_m x_m - sum over the four neighbours of coupling x_neighbour
 *
 * A coupling is stored once, with the cell above it in memory: west[m] joins m and its west neighbour.
 * Couplings to cells outside the sea are 0, except to ghosts of open boundaries, whose x is given.
 */
#ifndef MAEOTIS_NUMERICS_STENCIL_H
#define MAEOTIS_NUMERICS_STENCIL_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Stencil {
    Grid g;
    const double *centre, *west, *south;
} Stencil;

typedef struct StencilApply {
    Stencil s;
    const double *x; /* with halo */
    double *y;
} StencilApply;
void stencil_apply(Exec exec, RunList runs, StencilApply args); /* y = A x */

typedef struct StencilResidual {
    Stencil s;
    const double *x, *rhs;
    double *residual;
} StencilResidual;
void stencil_residual(Exec exec, RunList runs, StencilResidual args); /* residual = rhs - A x */

#ifdef __cplusplus
}
#endif
#endif
