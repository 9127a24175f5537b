/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns alone: B = T, the vertical part of A = T - H (D of lines, w = 0), and steps x += T^-1 r. Two of them together are
 * x += T^-1 (r + H T^-1 r).
 *
 * For systems whose horizontal couplings are tiny beside what holds the columns: a step then gains several digits, and
 * takes one pass over the fields as they are. It needs neither lanes nor sweeps that wait for each other, and all is in
 * double precision, whose rounding such systems would show.
 */
#ifndef MAEOTIS_NUMERICS_MATM_COLUMNS_ALONE_H
#define MAEOTIS_NUMERICS_MATM_COLUMNS_ALONE_H

#include "numerics/matm/inner.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ColumnPivots {
    GridView g;
    const double *centre, *lower;
    double *inverse; /* of the pivots of T, 0 without an equation */
} ColumnPivots;

typedef struct ColumnSolve {
    GridView g;
    const double *west, *south, *lower, *inverse;
    const double *r, *before; /* before: with its halo, of column_solve_again */
    double *x;
} ColumnSolve;

void column_pivots(Exec exec, BlockList blocks, ColumnPivots args);
void column_solve(Exec exec, BlockList blocks, ColumnSolve args);       /* x = T^-1 r */
void column_solve_add(Exec exec, BlockList blocks, ColumnSolve args);   /* x += T^-1 r */
void column_solve_again(Exec exec, BlockList blocks, ColumnSolve args); /* x += T^-1 (r + H before) */

extern const InnerKind matm_in_columns; /* of self-adjoint operators with levels */

#ifdef __cplusplus
}
#endif
#endif
