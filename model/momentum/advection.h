/* SPDX-License-Identifier: Apache-2.0
 *
 * Advection of momentum on velocity cells: the cell of a face is half of each of its two cells, its volume
 * fluxes are means of theirs, and the step is
 *
 *     u += dt sum over sides of F_in (u^ - u) / max(V, dt sum of F_in)
 *
 * where u^ is the donor's velocity, plus, with the limiter, (1 - c)+ / 2 of a limited slope (c the local
 * Courant number). A convex combination of neighbours at any Courant number, and conservative as long as that
 * is below 1. A donor that is dry or land contributes nothing: its zero velocity is not the water's.
 *
 * Limiter: monotonised central, B. van Leer, J. Comput. Phys. 23 (1977) 276-299.
 */
#ifndef MAEOTIS_MODEL_ADVECTION_H
#define MAEOTIS_MODEL_ADVECTION_H

#include "model/momentum/neighbours.h"
#include "numerics/limiter.h"

/* One of the six sides of a block's velocity cells in one layer. */
typedef struct Side {
    ptrdiff_t step;                  /* in memory to the next face on this side */
    const double *near, *far, *back; /* the layers from which up the next face, the one after it and the one
                                        on the other side have a neighbour's velocity to give */
    const double *flux;              /* the flux out through the side is sign/2 (flux[0] + flux[pair]) */
    ptrdiff_t pair;
    double sign;
} Side;

/* The volume flux out through a side. [m3 s-1] */
POINTWISE double side_outflow(const Side *s, int l) {
    return 0.5 * s->sign * (s->flux[l] + s->flux[l + s->pair]);
}

/* What u^ has beyond the donor's velocity: (1 - c)+ / 2 of the limited slope. [m s-1] */
POINTWISE double side_second_order(const Side *s, const double *u, double k, int l, double out,
                                   double courant_per_flux, bool limited) {
    const double here = u[l], near = u[l + s->step], far = u[l + 2 * s->step], back = u[l - s->step];
    const bool leaves = out > 0;
    const double donor = leaves ? here : near, receiver = leaves ? near : here,
                 upstream = leaves ? back : far;
    const double back_from = s->back[l], far_from = s->far[l];
    const double upstream_from = leaves ? back_from : far_from;
    const double courant = min_of(1.0, fabs(out) * courant_per_flux);
    const double slope = limited_slope(donor - upstream, receiver - donor);
    const double second = (limited ? 0.5 : 0.0) * (1.0 - courant) * slope;
    return upstream_from <= k ? second : 0.0;
}

/* Adds F_in (u^ - u) of one side [m4 s-2] and its inflow [m3 s-1], lane by lane; `u` points at the block in
 * layer k. */
POINTWISE void add_side(const Side *s, const double *u, double k, const double *courant_per_flux,
                        bool limited, double *sum, double *inflow) {
    FOR_LANES (l) {
        const double out = side_outflow(s, l), here = u[l], near = u[l + s->step];
        const double second = side_second_order(s, u, k, l, out, courant_per_flux[l], limited);
        const double carried = (out > 0 ? here : near) + second;
        sum[l] += s->near[l] <= k ? -out * (carried - here) : 0.0;
        inflow[l] += max_of(0.0, -out);
    }
}

/* Volumes of the velocity cells of a block in one layer. [m3] */
POINTWISE void velocity_cell_volumes(const Momentum *a, ptrdiff_t first, ptrdiff_t layer, double *volume) {
    const double *area = a->g.area + first, *depth = a->depth_advected + first, *phi = a->g.phi_c + layer;
    const ptrdiff_t back = -a->faces.along;
    FOR_LANES (l)
        volume[l] = 0.5 * (area[l] * depth[l] * phi[l] + area[l + back] * depth[l + back] * phi[l + back]);
}

enum { ABOVE = SIDES, BELOW, ALL_SIDES }; /* after AHEAD, BEHIND, LEFT, RIGHT */

/* The six sides of a block's velocity cells, and the levels that two of them point to. */
typedef struct Surroundings {
    Side side[ALL_SIDES];
    double above[LANES], above_2[LANES], below[LANES], below_2[LANES];
} Surroundings;

/* `layer` is the block's place in three-dimensional fields. */
POINTWISE void surroundings_find(const Momentum *a, const Neighbours *n, ptrdiff_t layer, int k,
                                 Surroundings *s) {
    const ptrdiff_t along = a->faces.along, cross = a->faces.cross, plane = a->g.plane;
    const double *fa = a->faces.flux + layer, *fc = a->other.flux + layer, *fw = a->flux_w + layer;
    const double top = a->g.n3 - 1, never = a->g.n3;
    FOR_LANES (l) {
        s->above[l] = k + 1 <= top ? n->lowest[l] : never;
        s->above_2[l] = k + 2 <= top ? n->lowest[l] : never;
        s->below[l] = n->lowest[l] + 1;
        s->below_2[l] = n->lowest[l] + 2;
    }
    const Side sides[ALL_SIDES] = {
        {along, n->near[AHEAD], n->far[AHEAD], n->near[BEHIND], fa, along, 1},
        {-along, n->near[BEHIND], n->far[BEHIND], n->near[AHEAD], fa - along, along, -1},
        {cross, n->near[LEFT], n->far[LEFT], n->near[RIGHT], fc + cross, -along, 1},
        {-cross, n->near[RIGHT], n->far[RIGHT], n->near[LEFT], fc, -along, -1},
        {plane, s->above, s->above_2, s->below, fw + plane, -along, 1},
        {-plane, s->below, s->below_2, s->above, fw, -along, -1},
    };
    UNROLLED for (int n_side = 0; n_side < ALL_SIDES; n_side++) s->side[n_side] = sides[n_side];
}

/* What leaves takes the velocity `advected` of the middle of the step with it, not that of its beginning. */
POINTWISE void advection_of_middle(const Momentum *a, const Place *at, const double *advected,
                                   const double *volume, double *change) {
    const double *area = a->g.area + at->first, *depth = a->depth + at->first, *phi = a->g.phi_c + at->layer;
    const ptrdiff_t back = -a->faces.along;
    FOR_LANES (l) {
        const double before =
            0.5 * (area[l] * depth[l] * phi[l] + area[l + back] * depth[l + back] * phi[l + back]);
        const double left = max_of(-0.5, min_of(0.5, (before - volume[l]) / volume[l]));
        change[l] -= left * (advected[l] - a->faces.velocity[at->layer + l]);
    }
}

/* Change of the velocity over one step. [m s-1] */
POINTWISE void advection(const Momentum *a, const Place *at, double *change) {
    const double *u = (a->faces.advected ? a->faces.advected : a->faces.velocity) + at->layer;
    const int k = at->k;
    if (a->advection == ADVECTION_NONE) {
        FOR_LANES (l) change[l] = 0.0;
        return;
    }
    Surroundings around;
    surroundings_find(a, at->n, at->layer, k, &around);
    double volume[LANES], courant_per_flux[LANES], sum[LANES], inflow[LANES];
    velocity_cell_volumes(a, at->first, at->layer, volume);
    FOR_LANES (l) {
        volume[l] = max_of(volume[l], 1e-12);
        courant_per_flux[l] = a->dt / volume[l];
        sum[l] = inflow[l] = 0.0;
    }
    if (!a->faces.carried) /* else compact/compact_advection.h has what goes along the layers */
        UNROLLED for (int s = 0; s < ABOVE; s++)
            add_side(&around.side[s], u, k, courant_per_flux, is_limited(a->advection), sum, inflow);
    UNROLLED for (int s = ABOVE; s < ALL_SIDES; s++)
        add_side(&around.side[s], u, k, courant_per_flux, is_limited(a->advection), sum, inflow);
    FOR_LANES (l) change[l] = a->dt * sum[l] / max_of(volume[l], a->dt * inflow[l]);
    if (a->faces.advected) advection_of_middle(a, at, u, volume, change);
}

#endif
