/* SPDX-License-Identifier: Apache-2.0
 *
 * MATM, the modified alternating triangular method, for the seven-point operator on the wet cells of a grid:
 *
 *     A x = f,   A = A0 + A1 (self-adjoint and skew part),   A0 = R1 + R2,   R2 = R1*
 *     B = (D + w R1) D^-1 (D + w R2)
 *
 * R1 and R2 each hold half of D. The method of the paper (its equation 5) takes D = diag(A), and steps of the
 * variational kind with w taken from the last correction:
 *
 *     r = A x - f,  B v = r,  x -= tau v
 *     tau = theta (A0 v, v) / (B^-1 A0 v, A0 v),    w = sqrt((D v, v) / (D^-1 R2 v, R2 v))
 *
 * The same B serves with other choices of D and of the step:
 *
 *     D        the diagonal; pivots of the modified incomplete factorisation; the vertical tridiagonal part,
 *              for flat cells (dx / dz of 1000)
 *     step     the paper's; least residual; conjugate gradients; BiCGStab; in place (Gauss-Seidel); columns alone
 *
 * and, where the column as a whole is held by little (a Robin condition above), a correction by column sums;
 * where cells are alike in all directions, many grids. B and the steps may be in single or mixed precision.
 * All sums are exact and sweeps run through the ranks in one order, so the iterates have the same bits for
 * any number of ranks.
 *
 * References: A. Sukhinov, A. Chistyakov, "An adaptive modified alternating triangular iterative method for
 * solving difference equations with a nonself-adjoint operator", Math. Models Comput. Simul. 4 (2012)
 * 398-409; A. Samarskii, E. Nikolaev, Numerical Methods for Grid Equations II (1989), chapter X.
 */
#ifndef MAEOTIS_NUMERICS_MATM_H
#define MAEOTIS_NUMERICS_MATM_H

#include "base/error.h"
#include "numerics/krylov/conjugate_gradient.h"
#include "numerics/stencil/stencil.h"

typedef enum MatmDiagonal { MATM_D_AUTO, MATM_D_DIAGONAL, MATM_D_PIVOTS, MATM_D_LINES } MatmDiagonal;

typedef enum MatmStep {
    MATM_STEP_AUTO,
    MATM_STEP_PAPER,
    MATM_STEP_LEAST_RESIDUAL,
    MATM_STEP_CONJUGATE,
    MATM_STEP_BICGSTAB,
    MATM_STEP_IN_PLACE,
    MATM_STEP_COLUMNS /* columns alone (columns_alone.h): self-adjoint, with levels */
} MatmStep;

typedef enum MatmCorrection {
    MATM_CORRECTION_AUTO,
    MATM_CORRECTION_NONE,
    MATM_CORRECTION_COLUMNS
} MatmCorrection;

/* A cycle over coarser and coarser grids in the place of B^-1, with B's sweeps in it. */
typedef enum MatmGrids { MATM_GRIDS_AUTO, MATM_GRIDS_ONE, MATM_GRIDS_MANY } MatmGrids;

/* Of the numbers that B and the steps work on. Residuals and x are double, and single precision gives way to
 * double where it does not get there, at once if it does not have the operator's numbers. */
typedef enum MatmPrecision {
    MATM_PRECISION_AUTO,
    MATM_PRECISION_DOUBLE,
    MATM_PRECISION_SINGLE,
    MATM_PRECISION_MIXED /* conjugate gradients with lines: all but the operator and x single; else chosen */
} MatmPrecision;

/* All zero: chosen by what the first system is like. */
typedef struct MatmOptions {
    bool flat; /* two-dimensional fields, cells of `columns` */
    MatmDiagonal diagonal;
    MatmStep step;
    MatmCorrection correction;
    MatmGrids grids; /* many: self-adjoint only, with conjugate gradients or least residual */
    MatmPrecision precision;
    double omega;      /* w; 0: adapted, from 2 on with each operator (paper), or from solve to solve */
    bool halve_levels; /* of many grids; chosen */
} MatmOptions;

typedef struct Matm Matm;

/* Computes where exec does. Collective. */
CHECKED Status matm_create(const Grid *grid, Exec exec, const MatmOptions *options, Matm **out);
void matm_destroy(Matm **matm);

/* Takes a new operator, whose arrays stay until the next; it is self-adjoint or not as the first was.
 * Collective. */
CHECKED Status matm_setup(Matm *matm, const Stencil *coefficients);

/* The right-hand side is 0 where no equation stands (field2_fill). Starts from x, whose ghosts of open boundaries hold
 * given values; its halo is filled on return. Stops when the residual is at most `tolerance` |rhs|; `report->end` says why
 * it stopped: not converging is reported, not raised. Collective. */
CHECKED Status matm_solve(Matm *matm, const double *rhs, double *x, double tolerance, int max_iterations,
                          SolveReport *report);

enum { MATM_COUNTS = 2 };
#define MATM_NOT_COUNTED UINT64_MAX

/* Asked between the parts of a solve, with |rhs - A x| of its x, whether the system is still the right one: a
 * caller whose coefficients depend on x can tell long before the tolerance is reached. */
typedef struct MatmWatch {
    bool (*goes_on)(void *context, double residual);
    void *context;
    /* NULL, or counts something of the x at hand, whose halo is filled, to `own` with the next fetch
     * (gpu/results.h); the counts of all ranks travel with the residual of what may be the last x. Collective. */
    void (*count)(void *context, uint64_t own[MATM_COUNTS]);
    uint64_t *counted; /* NULL, or their sums; MATM_NOT_COUNTED where the last x was not expected to be it */
} MatmWatch;

/* The same, and ends where `watch` (NULL: nobody) says no, with SOLVE_ABANDONED. Collective. */
CHECKED Status matm_solve_watched(Matm *matm, const double *rhs, double *x, double tolerance,
                                  int max_iterations, const MatmWatch *watch, SolveReport *report);

/* What was chosen, and why: "line D, conjugate gradients, correction by columns: ...". */
const char *matm_choice(const Matm *matm);
double matm_omega(const Matm *matm); /* w of the next solve */

/* z += B^-1 r for other solvers' steps, in cells with water; r is about as large as `norm`. The operator is
 * that of matm_setup, self-adjoint, and not flat. Collective. */
void matm_apply_inverse(Matm *matm, const double *r, double norm, double *z);

#endif
