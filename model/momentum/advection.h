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

#include "model/momentum/centred.h"
#include "model/momentum/turning.h"
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

/* The limited slope between donor and receiver; 0 where the donor has no neighbour upstream. [m s-1] */
POINTWISE double side_slope(const Side *s, const double *u, double k, int l, double out) {
    const double here = u[l], near = u[l + s->step], far = u[l + 2 * s->step], back = u[l - s->step];
    const bool leaves = out > 0;
    const double donor = leaves ? here : near, receiver = leaves ? near : here,
                 upstream = leaves ? back : far;
    const double back_from = s->back[l], far_from = s->far[l];
    const double upstream_from = leaves ? back_from : far_from;
    const double slope = limited_slope(donor - upstream, receiver - donor);
    return upstream_from <= k ? slope : 0.0;
}

/* What u^ has beyond the donor's velocity: (1 - c)+ / 2 of the limited slope. [m s-1] */
POINTWISE double second_order(double slope, double out, double courant_per_flux, bool limited) {
    const double courant = min_of(1.0, fabs(out) * courant_per_flux);
    return (limited ? 0.5 : 0.0) * (1.0 - courant) * slope;
}

/* Adds F_in (u^ - u) of one side [m4 s-2] and its inflow [m3 s-1], lane by lane; `u` points at the block in
 * layer k. */
POINTWISE void add_side(const Side *s, const double *u, double k, const double *courant_per_flux,
                        bool limited, double *sum, double *inflow) {
    FOR_LANES (l) {
        const double out = side_outflow(s, l), here = u[l], near = u[l + s->step];
        const double second = second_order(side_slope(s, u, k, l, out), out, courant_per_flux[l], limited);
        const double carried = (out > 0 ? here : near) + second;
        sum[l] += s->near[l] <= k ? -out * (carried - here) : 0.0;
        inflow[l] += max_of(0.0, -out);
    }
}

/* The same in the middle of the step; phi is of the faces that the side's flux is of. */
POINTWISE void add_side_of_middle(const Side *s, const Middle *m, int side, const double *phi,
                                  const double *u, double k, const double *courant_per_flux, bool limited,
                                  double *sum, double *inflow) {
    FOR_LANES (l) {
        const double more = phi[l] * m->flux[side][l] + phi[l + s->pair] * m->flux_pair[side][l];
        const double out = side_outflow(s, l) + 0.5 * s->sign * more, here = u[l], near = u[l + s->step];
        const double courant = fabs(out) * courant_per_flux[l];
        const double room = m->smooth[l] * max_of(0.0, min_of(2.0 - 4.0 * courant, 1.0));
        /* what arrives is of the middle of the step already */
        const double slope =
            second_order(side_slope(s, u, k, l, out), (1.0 - room) * out, courant_per_flux[l], limited);
        const double carried = (out > 0 ? here : near) + slope + m->rise[side][l];
        sum[l] += s->near[l] <= k ? -out * (carried - here) : 0.0;
        inflow[l] += max_of(0.0, -out);
    }
}

/* Either of both where ground inside cells may turn the water (turning.h). */
POINTWISE void add_turning_side(const Momentum *a, const Place *at, const Side *s, const Middle *middle,
                                int side, const double *phi, const double *u, const double *courant_per_flux,
                                double *sum, double *inflow) {
    const bool limited = is_limited(a->advection);
    double brought[LANES], entered[LANES];
    FOR_LANES (l) brought[l] = entered[l] = 0.0;
    if (a->centred)
        add_side_of_middle(s, middle, side, phi, u, at->k, courant_per_flux, limited, brought, entered);
    else
        add_side(s, u, at->k, courant_per_flux, limited, brought, entered);
    FOR_LANES (l) {
        sum[l] += turning_weight(a, at->first, at->layer, s->step, entered[l] > 0, l) * brought[l];
        inflow[l] += entered[l];
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

/* One of the first four, of which side ^ 1 is the opposite one; `layer` is the block's place in
 * three-dimensional fields. */
POINTWISE Side side_along_layer(const Momentum *a, const Neighbours *n, ptrdiff_t layer, int side) {
    const ptrdiff_t along = a->faces.along, pair = side < LEFT ? along : -along;
    const double *own = a->faces.flux + layer - (side == BEHIND ? along : 0);
    const double *other = a->other.flux + layer + (side == LEFT ? a->faces.cross : 0);
    const Side found = {n->step[side],
                        n->near[side],
                        n->far[side],
                        n->near[side ^ 1],
                        side < LEFT ? own : other,
                        pair,
                        side % 2 == 0 ? 1.0 : -1.0};
    return found;
}

/* The layers from which up the ones above and below have a velocity to give, one layer away and two. */
typedef struct Column {
    double above[LANES], above_2[LANES], below[LANES], below_2[LANES];
} Column;

POINTWISE void column_find(const Neighbours *n, int n3, int k, Column *c) {
    const double never = n3;
    FOR_LANES (l) {
        c->above[l] = k + 1 < n3 ? n->lowest[l] : never;
        c->above_2[l] = k + 2 < n3 ? n->lowest[l] : never;
        c->below[l] = n->lowest[l] + 1;
        c->below_2[l] = n->lowest[l] + 2;
    }
}

/* The upper face of a layer. */
POINTWISE Side side_above(const Momentum *a, const Column *c, ptrdiff_t layer) {
    const ptrdiff_t plane = a->g.plane;
    const Side found = {plane, c->above, c->above_2, c->below, a->flux_w + layer + plane, -a->faces.along, 1};
    return found;
}

POINTWISE Side side_below(const Momentum *a, const Column *c, ptrdiff_t layer) {
    const Side found = {-a->g.plane, c->below, c->below_2, c->above, a->flux_w + layer, -a->faces.along, -1};
    return found;
}

/* What a layer finds for its lower face is what the next one needs for its upper face. */
typedef struct Overhead {
    double rising[LANES]; /* volume flux upwards [m3 s-1] */
    double slope[LANES];  /* side_slope [m s-1] */
} Overhead;

/* At the surface. */
POINTWISE void overhead_begin(const Momentum *a, const Place *top, Overhead *o) {
    const double *flux = a->flux_w + top->layer + a->g.plane, *behind = flux - a->faces.along;
    FOR_LANES (l) {
        o->rising[l] = 0.5 * (flux[l] + behind[l]);
        o->slope[l] = 0.0;
    }
}

/* add_side for the layers above and below. */
POINTWISE void add_vertical(const Momentum *a, const Place *at, const double *u,
                            const double *courant_per_flux, Overhead *o, double *sum, double *inflow) {
    const int k = at->k;
    const bool limited = is_limited(a->advection);
    const double *above = k + 1 < a->g.n3 ? u + a->g.plane : u;
    Column column;
    column_find(at->n, a->g.n3, k, &column);
    FOR_LANES (l) {
        const double out = o->rising[l], here = u[l], near = above[l];
        const double carried =
            (out > 0 ? here : near) + second_order(o->slope[l], out, courant_per_flux[l], limited);
        sum[l] += column.above[l] <= k ? -out * (carried - here) : 0.0;
        inflow[l] += max_of(0.0, -out);
    }
    const Side below = side_below(a, &column, at->layer);
    FOR_LANES (l) {
        const double out = side_outflow(&below, l), here = u[l], near = u[l + below.step];
        const double slope = side_slope(&below, u, k, l, out);
        const double carried =
            (out > 0 ? here : near) + second_order(slope, out, courant_per_flux[l], limited);
        sum[l] += column.below[l] <= k ? -out * (carried - here) : 0.0;
        inflow[l] += max_of(0.0, -out);
        o->rising[l] = -out;
        o->slope[l] = slope;
    }
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

/* Change of the velocity over one step [m s-1]; layer by layer from the surface down. `entering` becomes the
 * largest part of a velocity cell's volume that enters it in the step, of the layers so far. */
POINTWISE void advection(const Momentum *a, const Place *at, const Middle *middle, Overhead *overhead,
                         double *change, double *entering) {
    const double *u = (a->faces.advected ? a->faces.advected : a->faces.velocity) + at->layer;
    if (a->advection == ADVECTION_NONE) {
        FOR_LANES (l) change[l] = 0.0;
        return;
    }
    double volume[LANES], courant_per_flux[LANES], sum[LANES], inflow[LANES];
    velocity_cell_volumes(a, at->first, at->layer, volume);
    FOR_LANES (l) {
        volume[l] = max_of(a->centred ? middle->growth[l] * volume[l] : volume[l], 1e-12);
        courant_per_flux[l] = a->dt / volume[l];
        sum[l] = inflow[l] = 0.0;
    }
    if (!a->faces.carried ||
        a->faces.outer) /* else compact/compact_advection.h has what goes along the layers */
        UNROLLED for (int s = 0; s < SIDES; s++) {
            const Side side = side_along_layer(a, at->n, at->layer, s);
            const double *phi = (s < LEFT ? a->faces.phi : a->other.phi) + at->layer + side_start(a, s);
            if (a->faces.uneven)
                add_turning_side(a, at, &side, middle, s, phi, u, courant_per_flux, sum, inflow);
            else if (a->centred)
                add_side_of_middle(&side, middle, s, phi, u, at->k, courant_per_flux,
                                   is_limited(a->advection), sum, inflow);
            else
                add_side(&side, u, at->k, courant_per_flux, is_limited(a->advection), sum, inflow);
        }
    if (a->faces.outer)
        FOR_LANES (l) sum[l] *= a->faces.outer[at->layer + l];
    add_vertical(a, at, u, courant_per_flux, overhead, sum, inflow);
    FOR_LANES (l) {
        const double enters = inflow[l] * courant_per_flux[l];
        change[l] = a->dt * sum[l] / max_of(volume[l], a->dt * inflow[l]);
        entering[l] = at->n->lowest[l] <= at->k ? max_of(entering[l], enters) : entering[l];
    }
    if (a->centred)
        FOR_LANES (l) change[l] -= middle->lost[l];
    if (a->faces.advected) advection_of_middle(a, at, u, volume, change);
}

#endif
