/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients in mixed precision: B, z and p in single, the operator, x and r in double. Where columns are held
 * by little, A x is much smaller than its terms, and an operator in single precision solves another system; p may be
 * rounded as long as its product is that of the rounded p. So a solve takes the iterations of double precision and needs
 * no parts, and an iteration moves two thirds of the bytes.
 */
#ifndef MAEOTIS_NUMERICS_MATM_MIXED_H
#define MAEOTIS_NUMERICS_MATM_MIXED_H

#include "numerics/matm/inner.h"

/* Lane arrays in double precision, in the layout of those in single. */
typedef struct DoubleSystem {
    const double *west, *south, *lower, *scale, *unscale; /* of A' = Q A Q, with their edges */
    double *x, *r, *q;
} DoubleSystem;

/* For a solver in single precision: takes the operator from there, and leaves x there and in no field. D is of lines, A
 * self-adjoint. Collective. */
void single_inner_take(Inner *inner, const Stencil *stencil, const DoubleSystem *system);

/* Of matm_in_single's kind, around such a one. */
extern const InnerKind matm_in_mixed;

#endif
