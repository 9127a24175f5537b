/* SPDX-License-Identifier: Apache-2.0
 *
 * The solver's parts; not for other modules.
 */
#ifndef MAEOTIS_NUMERICS_MATM_SOLVER_H
#define MAEOTIS_NUMERICS_MATM_SOLVER_H

#include "numerics/krylov/late.h"
#include "numerics/matm/correction.h"
#include "numerics/matm/inner.h"
#include "numerics/matm/matrix.h"
#include "numerics/matm/mixed.h"
#include "numerics/matm/multigrid.h"

enum { MATM_VECTORS = 8, MATM_SUMS = 3 };

typedef struct Correction Correction;
typedef struct Late Late;

struct Inner {
    const Grid *grid;
    MatmOptions options;
    LaneLayout *layout;
    Pipeline *pipeline;
    MatrixFrame *frame;
    LaneMatrix self_adjoint, skew; /* the paper's step with A1 */
    Correction *correction;
    Multigrid *multigrid;
    Lanes *x, *r, *vector[MATM_VECTORS], *sum[MATM_SUMS];
    double omega;       /* of the next solve */
    double norm;        /* of r, unscaled, where a solve begins */
    double steepest[2]; /* fall of that norm in an iteration of the last solve; 0: not known */
    int patch;          /* that sweeps stay within; 0: none */
    int part;           /* 0: of a system's first residual, 1: of what was left */
    int solves;
    double unit;        /* of r's numbers, in the present solve */
    DoubleSystem mixed; /* of mixed precision; else x is NULL */
    Late *late;         /* on a device (late.c) */
};

CHECKED Status inner_create(const Grid *grid, Exec exec, const MatmOptions *options, bool both, Inner **out);
void inner_destroy(Inner **inner);
void inner_setup(Inner *inner, const Stencil *stencil);

/* One inner solve: from r in scaled numbers until |r| (unscaled) <= goal. Returns the iterations; x, whatever it
 * held, is what they found (without any: not set). Collective. */
typedef int MatmMethod(Inner *m, double goal, int max_iterations);
/* Or MATM_LATE: nobody knows yet, and x is incomplete until the scalars on the device say that the solve has stopped. */
MatmMethod matm_paper, matm_least_residual, matm_conjugate, matm_bicgstab, matm_in_place;

/* After a fetch (gpu/results.h): goes on until the iterations are known; true if they were already. */
bool matm_late_end(Inner *m, int *iterations);
const LateScalars *matm_late_scalars(const Inner *m);
void matm_late_destroy(Inner *m);

/* z = B^-1 r up to the factor (1 + w/2)^2; y is scratch that keeps P^-1 r. The parts of (z, r) go to `rz`, if not
 * NULL; A is self-adjoint then. Collective. */
void matm_precondition(Inner *m, const Lanes *r, Lanes *y, Lanes *z, Lanes *rz);

/* w of the last correction: y = P^-1 r and z as matm_precondition leaves them. 0: none. Collective. */
double matm_observed_omega(Inner *m, double omega, const Lanes *y, const Lanes *z);

/* a in P = D + a (couplings below) for this w. */
static inline double matm_a(double omega) {
    return omega / (1 + 0.5 * omega);
}

/* ---- vectors ---- */

void lanes_direction(const LaneLayout *layout, double factor, const Lanes *z,
                     Lanes *p); /* p = z + factor p */
/* x += step p (first: x = step p), r -= step q; sums: (unscale r)^2 */
void lanes_advance(const LaneLayout *layout, double step, const Lanes *p, const Lanes *q,
                   const Lanes *unscale, bool first, Lanes *x, Lanes *r, Lanes *sums);
/* The same with the scalars of a device, as long as they do not say that it has stopped. */
void lanes_direction_late(const LaneLayout *layout, const LateScalars *scalars, const Lanes *z, Lanes *p);
void lanes_advance_late(const LaneLayout *layout, const LateScalars *scalars, const Lanes *p, const Lanes *q,
                        const Lanes *unscale, bool first, Lanes *x, Lanes *r, Lanes *sums);
/* p = z + factor p, q = w + factor q (first: z and w), and with them lanes_advance */
void lanes_advance_both(const LaneLayout *layout, double factor, double step, const Lanes *z, const Lanes *w,
                        const Lanes *unscale, bool first, Lanes *p, Lanes *q, Lanes *x, Lanes *r,
                        Lanes *sums);
/* In mixed precision: q = A' p and the sums p q; lanes_advance, with r rounded to m->r as well. */
void mixed_apply(const Inner *m, const Lanes *p, Lanes *sums);
void mixed_advance(const Inner *m, double step, const Lanes *p, bool first, Lanes *sums);
void lanes_products(const LaneLayout *layout, const Lanes *x, const Lanes *y, Lanes *sums); /* x y */
/* |v|^2 and |y - h v|^2 in the norm of D */
void lanes_norms_of_d(const LaneLayout *layout, const LaneMatrix *matrix, double h, const Lanes *y,
                      const Lanes *v, Lanes *of_v, Lanes *of_difference);
void lanes_copy(const LaneLayout *layout, const Lanes *from, Lanes *to);
void lanes_add(const LaneLayout *layout, double factor, const Lanes *from, Lanes *to); /* to += factor from */

/* ---- correction by column sums (correction.c) ---- */

CHECKED Status correction_create(const Grid *grid, Exec exec, const LaneLayout *layout, Correction **out);
void correction_destroy(Correction **correction);
void correction_setup(Correction *correction, const Stencil *stencil);
/* r without the mean of its columns to `rest`; `column` keeps the solution of the column sums. */
void correction_split(Correction *correction, const MatrixFrame *frame, const Lanes *r, Lanes *rest);
/* takes the mean of the columns off z and adds the solution */
void correction_join(Correction *correction, const MatrixFrame *frame, Lanes *z);
#endif
