/* SPDX-License-Identifier: Apache-2.0
 *
 * How layers tilt at the faces of columns, level by level from the bed up. Between the two columns of a face of width b
 * and depth h_f, whose fluxes through layer k are F_k = b h_f phi_k u_k, the upper face of the layer brings
 *
 *     M_k = lever_k (F_k + F_k+1),    lever_k = (z_ahead - z_behind) / (2 h (phi_k + phi_k+1))
 *
 * to either column (pressure.h), with h the mean of their depths and no layer above the topmost. The transpose is what a
 * pressure does to u_k: lever_k and lever_k-1 times its steps over these faces (Climb).
 */
#ifndef MAEOTIS_MODEL_TILT_H
#define MAEOTIS_MODEL_TILT_H

#include "model/pressure/pressure.h"

/* A block of faces. */
typedef struct Tilt {
    double lowest[LANES];               /* open layer; n3: the face is closed or dry */
    double scale[LANES];                /* half of one over the mean depth [m-1] */
    double ahead[LANES], behind[LANES]; /* heights of the layer's upper face in the two columns [m] */
} Tilt;

/* From the bed of columns up to layer `lowest`. */
POINTWISE void tilt_climb(const PressureFaces *a, ptrdiff_t first, int lowest, double *height) {
    FOR_LANES (l) height[l] = a->g.bed[first + l];
    for (int k = deepest_layer(a->g.bottom_c + first, lowest); k < lowest; k++)
        FOR_LANES (l) height[l] += a->g.phi_c[first + l + k * a->g.plane] * a->depth[first + l];
}

/* `lowest`: the first layer that will be visited; then each in turn. */
POINTWISE void tilt_begin(const PressureFaces *a, ptrdiff_t first, int lowest, Tilt *t) {
    const ptrdiff_t back = first - a->along;
    FOR_LANES (l) {
        const double mean = max_of(0.5 * (a->depth[first + l] + a->depth[back + l]), 1e-12);
        const double bottom = a->bottom[first + l];
        t->lowest[l] = a->depth_face[first + l] > 0 ? bottom : (double)a->g.n3;
        t->scale[l] = 0.5 / mean;
    }
    tilt_climb(a, first, lowest, t->ahead);
    tilt_climb(a, back, lowest, t->behind);
}

/* Layer k. */
POINTWISE void tilt_layer(const PressureFaces *a, ptrdiff_t first, int k, Tilt *t, double *lever) {
    const ptrdiff_t layer = first + k * a->g.plane, back = -a->along;
    const double *phi = a->phi + layer, *above = phi + a->g.plane, *ahead = a->g.phi_c + layer;
    PREFETCH(phi + BLOCK); /* the next block comes from memory, level by level */
    PREFETCH(ahead + BLOCK);
    FOR_LANES (l) {
        t->ahead[l] += ahead[l] * a->depth[first + l];
        t->behind[l] += ahead[l + back] * a->depth[first + l + back];
        const double tilted = t->scale[l] * (t->ahead[l] - t->behind[l]) / max_of(phi[l] + above[l], 1e-30);
        lever[l] = t->lowest[l] <= k ? tilted : 0.0;
    }
}

/* Of a block of faces, from the bed up. */
typedef struct Climb {
    Tilt tilt;                                    /* also closed between columns without p */
    double full_ahead[LANES], full_behind[LANES]; /* 1: w of the column follows from the pressure; else 0 */
    double below[LANES];                          /* what the slope of the face below brings */
} Climb;

POINTWISE void climb_begin(const PressureGradient *a, ptrdiff_t first, int lowest, Climb *c) {
    const ptrdiff_t back = first - a->at.along;
    tilt_begin(&a->at, first, lowest, &c->tilt);
    FOR_LANES (l) {
        const double ahead = a->active[first + l], behind = a->active[back + l],
                     lowest_open = c->tilt.lowest[l];
        c->tilt.lowest[l] = ((ahead > NONE) & (behind > NONE)) ? lowest_open : (double)a->at.g.n3;
        c->full_ahead[l] = ahead > HYDROSTATIC ? 1.0 : 0.0;
        c->full_behind[l] = behind > HYDROSTATIC ? 1.0 : 0.0;
        c->below[l] = 0.0;
    }
}

/* The acceleration of layer k, and its lever. [m s-2] */
POINTWISE void climb_layer(const PressureGradient *a, ptrdiff_t first, int k, double per_spacing, Climb *c,
                           double *lever, double *acceleration) {
    const ptrdiff_t plane = a->at.g.plane, back = -a->at.along;
    const double *p = a->pressure + first + k * plane;
    PREFETCH(p + BLOCK);
    tilt_layer(&a->at, first, k, &c->tilt, lever);
    FOR_LANES (l) {
        const double ahead = c->full_ahead[l] * (p[l + plane] - p[l]);
        const double behind = c->full_behind[l] * (p[l + back + plane] - p[l + back]);
        const double above = lever[l] * (ahead + behind);
        const double found = ((above + c->below[l]) - (p[l] - p[l + back])) * per_spacing;
        acceleration[l] = c->tilt.lowest[l] <= k ? found : 0.0;
        c->below[l] = above;
    }
}

#endif
