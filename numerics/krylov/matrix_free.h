/* SPDX-License-Identifier: Apache-2.0
 *
 * Preconditioned conjugate gradients for a symmetric positive definite operator that is known by what it does
 * to a field: of three dimensions, with a level n3 of its own for the surface. All sums are exact sums of those of
 * blocks of columns, so the iterates are the same for any number of ranks.
 */
#ifndef MAEOTIS_NUMERICS_MATRIX_FREE_H
#define MAEOTIS_NUMERICS_MATRIX_FREE_H

#include "numerics/krylov/conjugate_gradient.h"

/* Fields are zero in cells without water. Both calls are collective, and leave in a plane what each own column brings
 * to the product of what they take and what they find. */
typedef struct FreeSystem {
    void *context;
    void (*apply)(void *context, double *x, double *y, double *xy); /* y = A x; fills the halo of x */
    /* z = B^-1 r, about, for r of this norm, symmetric as well; r comes back as it was */
    void (*precondition)(void *context, double *r, double norm, double *z, double *rz);
} FreeSystem;

typedef struct MatrixFree MatrixFree;

MatrixFree *matrix_free_create(const Grid *grid, Exec exec);
void matrix_free_destroy(MatrixFree **solver);

/* Starts from the best multiple of x; the halo of x is not filled on return. As conjugate_gradient_solve.
 * Collective. */
SolveReport matrix_free_solve(MatrixFree *solver, const FreeSystem *system, const double *rhs, double *x,
                              double tolerance, int max_iterations);

#endif
