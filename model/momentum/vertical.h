/* SPDX-License-Identifier: Apache-2.0
 *
 * The vertical line of a face, from the surface down, without a subtraction, so that it is exact for the
 * thinnest film: with s_k = h_k/dt + r h_k (r: rayleigh.h) and c_k = nu/dz between layer k and the one below,
 *
 *     s'_top = s_top,   d_k = s'_k + c_k,   s'_{k-1} = s_{k-1} + (c_k / d_k) s'_k        (right sides
 * likewise)
 *
 * The bed comes last, where the drag Cd |U| u is solved for its own velocity: with s' and r' gathered from
 * the whole column, s' u + Cd |U| u = r' gives |U| = 2R / (s' + sqrt(s'^2 + 4 Cd R)), R = |r'|; the other
 * component enters through R. Never the old |U|: in films that explodes.
 */
#ifndef MAEOTIS_MODEL_VERTICAL_H
#define MAEOTIS_MODEL_VERTICAL_H

#include "model/momentum/neighbours.h"

/* What the eddy viscosity of a block's faces is made from. */
typedef struct Eddies {
    double peak[LANES];   /* of the parabola nu = floor + peak z/H (1 - z/H) [m2 s-1] */
    double behind[LANES]; /* how much the column behind counts; by depths, as a film's eddies are none */
} Eddies;

/* Water that turbulence crosses this many times in a step is in balance with its stresses. */
#define CROSSINGS 10.0

/* The parabola; or for viscosity that a closure has found from the flow before the step, its lower bound
 * where the step is too long to wait for the next one: a film that was quiet, with a storm over it, would be
 * blown away in layers. */
POINTWISE void eddies_find(const Momentum *a, ptrdiff_t first, Eddies *e) {
    const double *friction = a->faces.friction + first, *thick = a->faces.depth + first;
    FOR_LANES (l) e->peak[l] = a->parabola * friction[l] * thick[l];
    if (!a->eddy_viscosity) return;
    const double *depth = a->depth + first, *back = depth - a->faces.along;
    FOR_LANES (l) {
        const double crossed = friction[l] * a->dt / max_of(thick[l], 1e-300);
        e->peak[l] *= max_of(0.0, min_of(1.0, crossed / CROSSINGS - 1.0));
        e->behind[l] = back[l] / max_of(back[l] + depth[l], 1e-300);
    }
}

/* Exchange of a block's layers k with the ones below, c = nu / dz; `above_bed` is the height share of the
 * interface between (0 bed, 1 surface). [m s-1] */
POINTWISE void layer_exchange(const Momentum *a, ptrdiff_t first, int k, const double *above_bed,
                              const Eddies *e, double *exchange) {
    const ptrdiff_t layer = first + k * a->g.plane, back = -a->faces.along;
    const double *phi = a->faces.phi + layer, *phi_below = phi - a->g.plane, *depth = a->faces.depth + first;
    FOR_LANES (l) exchange[l] = a->floor_viscosity + e->peak[l] * above_bed[l] * (1.0 - above_bed[l]);
    if (a->eddy_viscosity) {
        const double *nu = a->eddy_viscosity + layer;
        FOR_LANES (l) {
            const double found = e->behind[l] * nu[l + back] + (1.0 - e->behind[l]) * nu[l];
            exchange[l] = max_of(exchange[l], found);
        }
    }
    FOR_LANES (l) exchange[l] /= 0.5 * (phi[l] + phi_below[l]) * depth[l];
}

/* The other component at a block's faces: the mean over the open ones of the four around, since the zero of a
 * closed one is not the water's velocity. [m s-1] */
POINTWISE void other_component(const Momentum *a, const Neighbours *n, ptrdiff_t layer, int k,
                               double *across) {
    double count[LANES];
    FOR_LANES (l) across[l] = count[l] = 0.0;
    UNROLLED for (int s = 0; s < 4; s++) {
        const double *velocity = a->other.velocity + layer + n->around_step[s];
        FOR_LANES (l) {
            const double here = velocity[l];
            const bool open = n->around[s][l] <= k;
            across[l] += open ? here : 0.0;
            count[l] += open ? 1.0 : 0.0;
        }
    }
    FOR_LANES (l) across[l] /= max_of(count[l], 1.0);
}

/* Cd |U| of the lowest layer, for the mass s' and force r' that the column above hands down, beside a drag
 * that is `linear` in the velocity (no slip). [m s-1] */
POINTWISE double bed_friction(double drag, double linear, double mass, double force, double other_velocity) {
    const double total = mass + linear;
    const double across = total * other_velocity;
    const double r = sqrt(force * force + across * across);
    const double speed = 2.0 * r / (total + sqrt(total * total + 4.0 * drag * r));
    return linear + drag * speed;
}

#endif
