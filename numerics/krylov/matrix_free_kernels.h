/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector updates of matrix_free.c, over the wet levels of columns and the surface's. Each leaves in a plane what its
 * columns bring to a sum, so that a sum does not read its fields again.
 */
#ifndef MAEOTIS_NUMERICS_MATRIX_FREE_KERNELS_H
#define MAEOTIS_NUMERICS_MATRIX_FREE_KERNELS_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* (rhs, rhs), (rhs, x) */
typedef struct FreeCompare {
    GridView g;
    const double *rhs, *x;
    double *square, *product;
} FreeCompare;
void free_compare(Exec exec, BlockList blocks, FreeCompare args);

/* r = rhs - factor q, x = factor x; (r, r) */
typedef struct FreeStart {
    GridView g;
    double factor;
    const double *rhs, *q;
    double *x, *r, *square;
} FreeStart;
void free_start(Exec exec, BlockList blocks, FreeStart args);

/* p = z + factor p */
typedef struct FreeTurn {
    GridView g;
    double factor;
    const double *z;
    double *p;
} FreeTurn;
void free_turn(Exec exec, BlockList blocks, FreeTurn args);

/* x += step p, r -= step q; (r, r) */
typedef struct FreeAdvance {
    GridView g;
    double step;
    const double *p, *q;
    double *x, *r, *square;
} FreeAdvance;
void free_advance(Exec exec, BlockList blocks, FreeAdvance args);

#ifdef __cplusplus
}
#endif
#endif
