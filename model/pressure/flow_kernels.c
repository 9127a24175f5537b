/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of a pressure, and what flows through faces, by velocities or by the acceleration of a pressure.
 */
#include "model/pressure/tilt.h"

KERNEL_COLUMNS(pressure_gradient, PressureGradient) {
    const ptrdiff_t first = AT2(a->at.g, i0, j);
    const int lowest = deepest_layer(a->at.bottom + first, a->at.g.n3);
    const double per_spacing = 1.0 / a->at.spacing[j];
    double lever[LANES];
    Climb c;
    climb_begin(a, first, lowest, &c);
    for (int k = lowest; k < a->at.g.n3; k++)
        climb_layer(a, first, k, per_spacing, &c, lever, a->acceleration + first + k * a->at.g.plane);
}

/* Of a block of faces, from the bed up. */
typedef struct Through {
    double section[LANES];                   /* width times depth [m2] */
    double below[LANES], lever_below[LANES]; /* flux and lever of the layer below */
} Through;

POINTWISE void through_begin(const PressureFaces *a, ptrdiff_t first, Through *t) {
    FOR_LANES (l) {
        t->section[l] = a->width[first + l] * a->depth_face[first + l];
        t->below[l] = t->lever_below[l] = 0.0;
    }
}

/* What tilts, known of the layer below, whose flux and lever are kept. */
POINTWISE void through_tilt(const FaceFlow *f, ptrdiff_t below, const Through *t, const double *flux) {
    double *tilted = f->tilted + below;
    FOR_LANES (l) tilted[l] = t->lever_below[l] * (t->below[l] + flux[l]);
}

/* Layer k, whose velocity is 0 where the face is closed. */
POINTWISE void through_layer(const PressureFaces *a, const FaceFlow *f, ptrdiff_t first, int k, int lowest,
                             Through *t, const double *velocity, const double *lever) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *phi = a->phi + layer;
    double *flux = f->flux + layer;
    FOR_LANES (l) flux[l] = t->section[l] * phi[l] * velocity[l];
    if (k > lowest) through_tilt(f, layer - a->g.plane, t, flux);
    FOR_LANES (l) {
        t->below[l] = flux[l];
        t->lever_below[l] = lever[l];
    }
}

POINTWISE void through_end(const PressureFaces *a, const FaceFlow *f, ptrdiff_t first, const Through *t) {
    const double none[LANES] = {0};
    through_tilt(f, first + (a->g.n3 - 1) * a->g.plane, t, none);
}

KERNEL_COLUMNS(pressure_flow_of_gradient, FlowOfGradient) {
    const PressureGradient *gradient = &a->gradient;
    const PressureFaces *at = &gradient->at;
    const ptrdiff_t first = AT2(at->g, i0, j);
    const int lowest = deepest_layer(at->bottom + first, at->g.n3);
    const double per_spacing = 1.0 / at->spacing[j];
    double lever[LANES], acceleration[LANES];
    Climb c;
    Through t;
    climb_begin(gradient, first, lowest, &c);
    through_begin(at, first, &t);
    for (int k = lowest; k < at->g.n3; k++) {
        climb_layer(gradient, first, k, per_spacing, &c, lever, acceleration);
        through_layer(at, &a->flow, first, k, lowest, &t, acceleration, lever);
    }
    through_end(at, &a->flow, first, &t);
}

KERNEL_COLUMNS(pressure_flow_of_velocity, FlowOfVelocity) {
    const PressureFaces *at = &a->at;
    const ptrdiff_t first = AT2(at->g, i0, j), back = first - at->along;
    const int lowest = deepest_layer(at->bottom + first, at->g.n3);
    double lever[LANES], velocity[LANES];
    Tilt tilt;
    Through t;
    tilt_begin(at, first, lowest, &tilt);
    FOR_LANES (l) {
        const bool deep = (at->depth[first + l] >= a->least_depth) & (at->depth[back + l] >= a->least_depth);
        tilt.scale[l] = deep ? tilt.scale[l] : 0.0;
    }
    through_begin(at, first, &t);
    for (int k = lowest; k < at->g.n3; k++) {
        const double *given = a->velocity + first + k * at->g.plane;
        PREFETCH(given + BLOCK);
        tilt_layer(at, first, k, &tilt, lever);
        FOR_LANES (l) velocity[l] = tilt.lowest[l] <= k ? given[l] : 0.0;
        through_layer(at, &a->flow, first, k, lowest, &t, velocity, lever);
    }
    through_end(at, &a->flow, first, &t);
}
