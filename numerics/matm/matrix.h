/* SPDX-License-Identifier: Apache-2.0
 *
 * The operator as the sweeps want it: A' = Q A Q with a diagonal Q that gives D' = Q D Q ones on the diagonal
 * of its factors:
 *
 *     D = diag(A)          Q = D^-1/2, D' = 1
 *     D = pivots           of the modified incomplete factorisation; the same, and diag(A') = `centre`
 *     D = T (lines)        the vertical part of A; T' = L U with ones on both diagonals, -lower' below the
 * one and -upper' above the other, so that diag(A') = 1 + lower' upper'
 *
 * so that a self-adjoint A' is three arrays, any other six.
 */
#ifndef MAEOTIS_NUMERICS_MATM_MATRIX_H
#define MAEOTIS_NUMERICS_MATM_MATRIX_H

#include "numerics/matm/lane_layout.h"
#include "numerics/matm/lane_matrix.h"
#include "numerics/matm/mixed.h"
#include "numerics/matm/pipeline.h"
#include "numerics/stencil/stencil.h"

typedef struct MatrixFrame {
    const LaneLayout *layout;
    Pipeline *pipeline;
    Lanes *scale, *unscale; /* Q and its inverse (0 on land) */
    Lanes *scratch;
    LaneMatrix a;     /* A' */
    LaneMatrix swept; /* what B is made from: A', or the part of it within patches (cuts.h) */
    int patch;        /* > 0: horizontal couplings of `swept` are arrays of their own; 0: those of A' */
} MatrixFrame;

MatrixFrame *matrix_create(const LaneLayout *layout, Pipeline *pipeline, LaneDiagonal diagonal, bool both,
                           int patch);
void matrix_destroy(MatrixFrame **frame);

/* matrix_load takes the couplings as they are, the centre to `scratch` (local); matrix_scale makes A' of
 * them. Cells whose centre is not positive are taken for land. Collective. */
void matrix_load(MatrixFrame *frame, const Stencil *stencil);
void matrix_scale(MatrixFrame *frame);
/* Or: A' of lines, self-adjoint, from one in double precision. Collective. */
void matrix_narrow(MatrixFrame *frame, const DoubleSystem *system);

/* The self-adjoint part of A' (ones on the diagonal), and the skew one: row m is -west'_m x_west + west'_east
 * x_east and so on. Both have three arrays, made by lane_matrix_create. Collective. */
void matrix_split(const MatrixFrame *frame, LaneMatrix *symmetric, LaneMatrix *skew);

void lane_matrix_create(const LaneLayout *layout, LaneDiagonal diagonal, bool both, LaneMatrix *out);
void lane_matrix_release(const LaneLayout *layout, LaneMatrix *matrix);

/* q = A' x on own cells, x with edges; sums: x q per column, where not NULL. */
void matrix_apply(const LaneLayout *layout, const LaneMatrix *matrix, const Lanes *x, Lanes *q, Lanes *sums);
/* q = unscale (rhs - A' x) on own cells, sums: their squares per column; of unscale (for 1), q and sums any may be
 * NULL. */
void matrix_rest(const LaneLayout *layout, const LaneMatrix *matrix, const Lanes *x, const Lanes *rhs,
                 const Lanes *unscale, Lanes *q, Lanes *sums);
void matrix_apply_skew(const LaneLayout *layout, const LaneMatrix *matrix, const Lanes *x, Lanes *q);

#endif
