/* SPDX-License-Identifier: Apache-2.0
 *
 * Preconditioned conjugate gradients for symmetric positive definite systems on a grid's columns
 * (two-dimensional fields). All sums are exact, so the iterates are the same for any number of ranks.
 */
#ifndef MAEOTIS_NUMERICS_CONJUGATE_GRADIENT_H
#define MAEOTIS_NUMERICS_CONJUGATE_GRADIENT_H

#include "numerics/grid/halo.h"
#include "numerics/stencil/stencil.h"

typedef enum SolveEnd {
    SOLVE_REACHED,   /* the tolerance */
    SOLVE_STAGNATED, /* the true residual falls no further: rounding, or a method that does not suit */
    SOLVE_LIMIT,     /* of iterations */
    SOLVE_BROKE,     /* not a number */
    SOLVE_ABANDONED  /* the caller wants another system solved */
} SolveEnd;

typedef struct SolveReport {
    int iterations;
    double residual; /* |rhs - A x| / |rhs|, computed from x, not from the recursion */
    bool converged;  /* to ten times the tolerance at least */
    SolveEnd end;
    double norm; /* |rhs - A x| */
} SolveReport;

typedef struct ConjugateGradient ConjugateGradient;

CHECKED Status conjugate_gradient_create(const Grid *grid, ConjugateGradient **out);
void conjugate_gradient_destroy(ConjugateGradient **solver);

/* Starts from x, whose ghosts of open boundaries hold given values; its halo is filled on return. Stops when
 * the residual is at most `tolerance` |rhs|. Not converging is reported, not raised: the caller knows what it
 * means. Collective. */
SolveReport conjugate_gradient_solve(ConjugateGradient *solver, Exec exec, const Stencil *stencil,
                                     const double *rhs, double *x, double tolerance, int max_iterations);

#endif
