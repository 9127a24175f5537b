/* SPDX-License-Identifier: Apache-2.0
 *
 * What solves for a correction of x, in double or in single precision. Around it, matm.c computes residuals
 * from x itself (a defect correction), so that both come to the same solution.
 */
#ifndef MAEOTIS_NUMERICS_MATM_INNER_H
#define MAEOTIS_NUMERICS_MATM_INNER_H

#include "numerics/matm/matm.h"

typedef struct Inner Inner;

typedef struct InnerSolve {
    MatmStep step;
    const double *residual; /* a field */
    double norm;            /* of it */
    double goal;            /* for what is left of it */
    int max_iterations;
    bool again; /* not the first of a solve */
} InnerSolve;

enum { MATM_LATE = -1 };

typedef struct InnerKind {
    /* Options without AUTO; `both`: not self-adjoint. Local. */
    CHECKED Status (*create)(const Grid *grid, Exec exec, const MatmOptions *options, bool both, Inner **out);
    void (*destroy)(Inner **inner);
    void (*setup)(Inner *inner, const Stencil *stencil); /* collective */
    /* x += A^-1 residual, about; returns the iterations. Collective. On devices it may return MATM_LATE instead: then
     * `finish` tells, after the next fetch (gpu/results.h), and returns whether x has changed since that fetch. */
    int (*improve)(Inner *inner, const InnerSolve *solve, double *x);
    bool (*finish)(Inner *inner, double *x, int *iterations);
    /* z += B^-1 r, with r about as large as `norm`; collective */
    void (*precondition)(Inner *inner, const double *r, double norm, double *z);
    double (*omega)(const Inner *inner);
} InnerKind;

extern const InnerKind matm_in_double, matm_in_single;

#endif
