/* SPDX-License-Identifier: Apache-2.0
 *
 * The seven-point operator on the wet cells of a grid:
 *
 *     (A x)_m = centre_m x_m - sum over the neighbours of coupling x_neighbour
 *
 * Self-adjoint operators store a coupling once, with the cell above it in memory: west[m] joins m and its
 * west neighbour, and east, north, upper are NULL. Other operators store all six at the cell whose equation
 * it is. On two-dimensional fields (one layer, cells of `columns`) lower and upper are NULL.
 *
 * Couplings to cells outside the sea are 0, except to the ghost cells of open boundaries, whose x is given.
 */
#ifndef MAEOTIS_NUMERICS_STENCIL_H
#define MAEOTIS_NUMERICS_STENCIL_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Stencil {
    GridView g;
    const double *centre, *west, *south, *lower;
    const double *east, *north, *upper;
} Stencil;

typedef struct StencilApply {
    Stencil s;
    const double *x; /* with halo */
    double *y;
} StencilApply;

typedef struct StencilResidual {
    Stencil s;
    const double *x, *rhs;
    double *residual;
} StencilResidual;

/* Two-dimensional and self-adjoint: y = A x; residual = rhs - A x. */
void stencil_apply(Exec exec, RunList runs, StencilApply args);
void stencil_residual(Exec exec, RunList runs, StencilResidual args);

/* The same of the other kinds. */
void stencil_residual_two_ways(Exec exec, RunList runs, StencilResidual args); /* 2-D, not self-adjoint */
void stencil_residual_levels(Exec exec, RunList runs, StencilResidual args);   /* 3-D, self-adjoint */
void stencil_residual_levels_two_ways(Exec exec, RunList runs, StencilResidual args);

typedef struct StencilStiff {
    Stencil s;
    double ratio;
} StencilStiff;

/* Two-dimensional and self-adjoint: the cells whose couplings to all neighbours are more than `ratio` times
 * what exceeds the couplings on their diagonal. */
void stencil_stiff_ask(Exec exec, RunList runs, StencilStiff args, uint64_t *count);

/* Whichever fits: two-dimensional where `lower` is NULL. */
static inline void stencil_residual_of_runs(Exec exec, RunList runs, StencilResidual args) {
    const bool flat = !args.s.lower, both = args.s.east;
    if (flat && !both)
        stencil_residual(exec, runs, args);
    else if (flat)
        stencil_residual_two_ways(exec, runs, args);
    else if (!both)
        stencil_residual_levels(exec, runs, args);
    else
        stencil_residual_levels_two_ways(exec, runs, args);
}
static inline void stencil_residual_any(Exec exec, const Grid *grid, StencilResidual args) {
    stencil_residual_of_runs(exec, args.s.lower ? grid->cells : grid->columns, args);
}

#ifdef __cplusplus
}
#endif
#endif
