/* SPDX-License-Identifier: Apache-2.0
 *
 * Internal waves of one column: velocities u_k of layers of thickness h_k without a mean flow, on a flat bed, obey
 *
 *     c^2 (u_k - u_k+1) = M_k sum_{j<=k} h_j u_j,     M_k = g (rho_k - rho_k+1) / rho_0,     sum h_k u_k = 0
 *
 * for a mode that travels at the speed c; k counts from the bed up. The largest c and its mode are found by
 * repetition of the right-hand side, which grows each mode by its c^2, the second largest in what is orthogonal to
 * the first. With constant N, c = N H / (n pi).
 *
 * A. E. Gill, Atmosphere-Ocean Dynamics (1982), chapter 6.
 */
#ifndef MAEOTIS_MODEL_INTERNAL_MODES_H
#define MAEOTIS_MODEL_INTERNAL_MODES_H

#include "numerics/grid/grid.h"

/* A column; `share` [k * plane] is of its depth. */
typedef struct WaveColumn {
    int bottom, top; /* lowest and uppermost layer */
    ptrdiff_t plane;
    const double *share;
    double depth;        /* [m] */
    const double *light; /* M_k, 0 where the water is not stable [m s-2] */
} WaveColumn;

typedef struct InternalMode {
    double speed;             /* [m s-1]; 0: there is no such wave */
    double shape[MAX_LEVELS]; /* its square is 1 in the mean over the depth */
} InternalMode;

POINTWISE double internal_product(const WaveColumn *c, const double *a, const double *b) {
    double sum = 0;
    for (int k = c->bottom; k <= c->top; k++) sum += c->share[k * c->plane] * a[k] * b[k];
    return sum;
}

/* How much of a mode is in u. */
POINTWISE double internal_part(const WaveColumn *c, const InternalMode *mode, const double *u) {
    return internal_product(c, mode->shape, u);
}

/* c^2 u of each mode in u, without a mean. */
POINTWISE void internal_repeat(const WaveColumn *c, double *u) {
    double flow = 0, next = 0, mean = 0;
    for (int k = c->bottom; k <= c->top; k++) {
        const double share = c->share[k * c->plane], here = next;
        flow += c->depth * share * u[k];
        next -= k < c->top ? c->light[k] * flow : 0;
        u[k] = here;
        mean += share * here;
    }
    for (int k = c->bottom; k <= c->top; k++) u[k] -= mean;
}

/* Of the first mode's c^2: what is less is the round-off that is left where there is no second one. */
#define NO_MODE 1e-10

/* The fastest mode, or the fastest of those orthogonal to `first`; without speed and shape where there is none. */
POINTWISE void internal_mode(const WaveColumn *c, const InternalMode *first, InternalMode *mode) {
    enum { REPETITIONS = 6 };
    const double least = first ? NO_MODE * first->speed * first->speed : 0;
    double height = -0.5;
    mode->speed = 0;
    for (int k = c->bottom; k <= c->top; k++) { /* polynomials, neither odd nor even */
        const double half = 0.5 * c->share[k * c->plane], z = height + half;
        mode->shape[k] = first ? z * z - 1.0 / 12 + 0.1 * z : z + 0.1 * z * z;
        height += 2 * half;
    }
    for (int n = 0; n < REPETITIONS; n++) {
        const double before = sqrt(internal_product(c, mode->shape, mode->shape));
        internal_repeat(c, mode->shape);
        if (first) {
            const double part = internal_part(c, first, mode->shape);
            for (int k = c->bottom; k <= c->top; k++) mode->shape[k] -= part * first->shape[k];
        }
        const double after = sqrt(internal_product(c, mode->shape, mode->shape));
        const bool there = after > least * before;
        mode->speed = there ? sqrt(after) : 0;
        for (int k = c->bottom; k <= c->top; k++) mode->shape[k] = there ? mode->shape[k] / after : 0;
        if (!there) return;
    }
}

#endif
