/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps: the two triangular systems of B, and Gauss-Seidel in place.
 *
 *     P = D + a (lower horizontal couplings; with D = 1 the vertical ones too)
 *     sweep_forward     y = P^-1 r
 *     sweep_backward    v = P*^-1 D y
 *
 * with a = w / (1 + w / 2): B of the method is (1 + w/2)^2 P D^-1 P*. At a = 1 it is Gauss-Seidel's.
 *
 *     sweep_in_place    one half of a symmetric Gauss-Seidel step: solves for x from the south-west to the
 *                       north-east, or the other way, with the last values of what is ahead
 */
#ifndef MAEOTIS_NUMERICS_MATM_SWEEP_H
#define MAEOTIS_NUMERICS_MATM_SWEEP_H

#include "numerics/matm/matrix.h"

/* sums: per column (D y, y) = (P^-1 r, D P^-1 r) = (1 + w/2)^2 (B^-1 r, r) where A is self-adjoint.
 * Collective, as are the others. */
void sweep_forward(Pipeline *pipeline, const LaneLayout *layout, const LaneMatrix *matrix, double a,
                   const Lanes *r, Lanes *y, Lanes *sums);
void sweep_backward(Pipeline *pipeline, const LaneLayout *layout, const LaneMatrix *matrix, double a,
                    const Lanes *y, Lanes *v);

/* x with its edges. Not with pivots. */
void sweep_in_place(Pipeline *pipeline, const LaneLayout *layout, const LaneMatrix *matrix, const Lanes *rhs,
                    Lanes *x, bool forward);

#endif
