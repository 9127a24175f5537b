/* SPDX-License-Identifier: Apache-2.0
 *
 * The vertical line of a face, from the surface down, without a subtraction, so that it is exact for the
 * thinnest film: with s_k = h_k/dt + r h_k (r: brakes.h) and c_k = nu/dz between layer k and the one below,
 *
 *     s'_top = s_top,   d_k = s'_k + c_k,   s'_{k-1} = s_{k-1} + (c_k / d_k) s'_k        (right sides
 * likewise)
 *
 * (shared_columns.h cuts lines into parts.) The bed comes last. Its drag is a mean of the old and the new one (S the speed |U|, v the other component):
 *
 *     s' u + w Cd S u + (1 - w) Cd S_old u_old = r',   S^2 = u^2 + v^2,   w = (1 + 2 c) / (2 + 2 c)
 *
 * with the stiffness c = Cd S / s', the larger one of the old and of the fully implicit new speed. It is of
 * second order in the step where c is small, and fully implicit where c is large: small differences from a
 * steady flow fade by 1 / (1 + 2 c + 2 c^2) in a step, the old drag never takes more than half of s' u_old,
 * and films cannot explode as they do with the old |U| alone. The new speed is the root of
 *
 *     S (s' + w Cd S) = |(r' - (1 - w) Cd S_old u_old, (s' + w Cd S_v) v)|,   S_v^2 = u_old^2 + v^2
 *
 * where the right-hand side is known, as v is extrapolated from the last two steps. In a steady flow all of this
 * is exact: its speed does not depend on the step or on the angle to the grid.
 */
#ifndef MAEOTIS_MODEL_VERTICAL_H
#define MAEOTIS_MODEL_VERTICAL_H

#include "model/momentum/eddies.h"
#include "model/momentum/neighbours.h"

/* What the eddy viscosity of a block's faces is made from. */
typedef struct Eddies {
    double peak[LANES];   /* of the parabola nu = floor + peak z/H (1 - z/H) [m2 s-1] */
    double behind[LANES]; /* how much the column behind counts */
} Eddies;

/* The parabola; or for viscosity that a closure has found, its lower bound. */
POINTWISE void eddies_find(const Momentum *a, ptrdiff_t first, Eddies *e) {
    const double *friction = a->faces.friction + first;
    const double *thick = (a->faces.thick ? a->faces.thick : a->faces.depth) + first;
    FOR_LANES (l) e->peak[l] = a->parabola * friction[l] * thick[l];
    if (!a->eddy_viscosity) return;
    const double *depth = a->depth + first, *back = depth - a->faces.along;
    FOR_LANES (l) {
        e->peak[l] *= eddies_bound(friction[l], a->dt, thick[l]);
        e->behind[l] = eddies_share(back[l], depth[l]);
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
    if (!a->faces.thick) return;
    /* only the wet part of the width exchanges, and its layers are so much thicker */
    const double *thick = a->faces.thick + first;
    FOR_LANES (l) {
        const double wet = depth[l] / max_of(thick[l], 1e-300);
        exchange[l] *= wet * wet;
    }
}

/* The other component at a block's faces, without Stokes drift: the mean over the open ones of the four around, since the
 * zero of a closed one is not the water's velocity. [m s-1] */
POINTWISE void other_component(const Momentum *a, const Neighbours *n, ptrdiff_t layer, int k,
                               double *across) {
    double count[LANES];
    FOR_LANES (l) across[l] = count[l] = 0.0;
    UNROLLED for (int s = 0; s < 4; s++) {
        const double *velocity = a->other.velocity + layer + n->around_step[s];
        const double *drift = a->other.stokes ? a->other.stokes + layer + n->around_step[s] : NULL;
        FOR_LANES (l) {
            const double here = drift ? velocity[l] - drift[l] : velocity[l];
            const bool open = n->around[s][l] <= k;
            across[l] += open ? here : 0.0;
            count[l] += open ? 1.0 : 0.0;
        }
    }
    FOR_LANES (l) across[l] /= max_of(count[l], 1.0);
}

/* The Stokes drift of a layer of faces; 0 without waves. [m s-1] */
POINTWISE void drift_of(const Faces *faces, ptrdiff_t layer, double *drift) {
    const double *stokes = faces->stokes;
    FOR_LANES (l) drift[l] = 0.0;
    if (!stokes) return;
    FOR_LANES (l) drift[l] = stokes[layer + l];
}

/* What brakes layer k (brakes.h), whose lower face is at the share `above_bed` of the face's depth: rate [s-1], push [m s-2]. */
POINTWISE void layer_brakes(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k,
                            const double *above_bed, double *rate, double *push) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *depth = (a->faces.thick ? a->faces.thick : a->faces.depth) + first;
    BrakedLayer b;
    if (brakes_are_plain(&a->brakes)) {
        brakes_find(&a->brakes, NULL, rate, push);
        return;
    }
    b.dt = a->dt;
    b.first = first;
    b.along = a->faces.along;
    b.layer = layer;
    b.topmost = k == a->g.n3 - 1;
    other_component(a, n, layer, k, b.aside);
    drift_of(&a->faces, layer, b.drift);
    FOR_LANES (l) {
        b.depth[l] = depth[l];
        b.lower[l] = above_bed[l] * depth[l];
        b.height[l] = a->faces.phi[layer + l] * a->faces.depth[first + l];
        b.above[l] = n->lowest[l] < k ? 1.0 : 0.0;
        b.thickness[l] = a->faces.phi[layer + l] * depth[l];
        b.own[l] = a->faces.velocity[layer + l] - b.drift[l];
    }
    brakes_find(&a->brakes, &b, rate, push);
}

/* The flow at the bed, without Stokes drift: both components before the step, and the other one after it, by extrapolation.
 * [m s-1] */
typedef struct BedFlow {
    double own, other, other_next;
} BedFlow;

/* What the bed adds to the mass s' [m s-1] and to the force r' [m2 s-2]. */
typedef struct BedDrag {
    double friction, force;
} BedDrag;

/* At most twice the present value: the step before says nothing about a face that has just been flooded. */
POINTWISE double extrapolated(double now, double before, double ahead) {
    const double most = fabs(now);
    return now + max_of(-most, min_of(ahead * (now - before), most));
}

/* S of S (mass + drag S) = force, without cancellation. */
POINTWISE double braked_speed(double mass, double drag, double force) {
    return 2.0 * force / (mass + sqrt(mass * mass + 4.0 * drag * force));
}

/* For the mass and force that the column above hands down; `linear` in the velocity is the drag of a bed
 * without slip, fully implicit like the viscosity. */
POINTWISE BedDrag bed_drag(double drag, double linear, double mass, double force, const BedFlow *flow) {
    const double total = mass + linear, u = flow->own, v = flow->other, next = flow->other_next;
    const double before = sqrt(u * u + v * v);
    const double across = total * next;
    const double implicit = braked_speed(total, drag, sqrt(force * force + across * across));
    const double late = 0.5 * total / (total + drag * max_of(before, implicit)); /* 1 - w */
    const double weighted = (1.0 - late) * drag, old_drag = late * drag * before * u;
    const double along = force - old_drag;
    const double aside = (total + weighted * sqrt(u * u + next * next)) * next;
    const double speed = braked_speed(total, weighted, sqrt(along * along + aside * aside));
    return (BedDrag){linear + weighted * speed, -old_drag};
}

#endif
