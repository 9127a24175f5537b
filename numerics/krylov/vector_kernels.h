/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector updates of Krylov methods, fused as far as the sums between them allow.
 */
#ifndef MAEOTIS_NUMERICS_VECTOR_KERNELS_H
#define MAEOTIS_NUMERICS_VECTOR_KERNELS_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x += step p, r -= step q; with a diagonal also z = r / diagonal */
typedef struct CgAdvance {
    GridView g;
    double step;
    const double *p, *q, *diagonal;
    double *x, *r, *z;
} CgAdvance;
void cg_advance(Exec exec, RunList runs, CgAdvance args);

/* p = z + factor p */
typedef struct CgDirection {
    GridView g;
    double factor;
    const double *z;
    double *p;
} CgDirection;
void cg_direction(Exec exec, RunList runs, CgDirection args);

/* z = r / diagonal */
typedef struct DiagonalSolve {
    GridView g;
    const double *r, *diagonal;
    double *z;
} DiagonalSolve;
void diagonal_solve(Exec exec, RunList runs, DiagonalSolve args);

#ifdef __cplusplus
}
#endif
#endif
