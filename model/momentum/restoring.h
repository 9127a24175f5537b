/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the force of density that keeps the energy of internal waves on layers along the bed. With the whole
 * density r the force of baroclinic.h does exactly the work that centred transport takes from the potential energy. With
 * b = r - P(z) it does not: the force of P on these layers, which was taken off, is an error instead of 0, and where P bends
 * between the heights of neighbouring cells, waves grow by e in days. But water of density r away from its height of rest
 * Z(r), where P has that density, has the energy
 *
 *     A(r, z) = g/rho_0 * integral of (z - Z(s)) ds from P(z) to r                                [m2 s-2]
 *
 * which is 0 at rest, else positive. What centred transport of r takes from its sum is the work of the force of r less
 * that of
 *
 *     C(r) = ring integral of r dZ(r)         over the four middles of two layers in two columns   [kg m-2]
 *
 * by the trapezoid rule, summed from the surface down. It would be 0 without the rule's error. So the force is
 *
 *     (force of r) - C(r)  =  (force of b) - (C(r) - C(P(z))) + (force of P) - C(P)
 *
 * without the last two, which hardly change: at rest nothing is left, to the last bit. In C(P) is z where Z(P(z)) might
 * stand: so (force of P) - C(P) is nothing but what the surface adds, and with Z(r) = z + rise
 *
 *     C(r) - C(P)  =  ring integral of r d(rise) + b dz
 *
 * of which the second part takes off the force of b. (Heights from a table, which miss z by a little, let waves
 * grow where the bed cuts layers off.) Between the uppermost middles C is
 * the rule's error there, with the integral of P in the place of the upper half of the ring.
 *
 * A ring counts in full if the displacements z - Z of its corners differ by less than half of its height, and not at all if
 * they differ by more than all of it, as at fronts.
 */
#ifndef MAEOTIS_MODEL_RESTORING_H
#define MAEOTIS_MODEL_RESTORING_H

#include "model/momentum/neighbours.h"

/* From the surface down. */
typedef struct Restoring {
    double sum[LANES]; /* of the rings so far [kg m-2] */
    double felt[LANES];
} Restoring;

POINTWISE void restoring_begin(const Momentum *a, ptrdiff_t first, Restoring *r) {
    if (!a->rest.density) return;
    const double *given = a->faces.given + first;
    FOR_LANES (l) {
        r->sum[l] = 0.0;
        r->felt[l] = given[l] != 0 ? 0.0 : 1.0; /* beyond an edge nothing is known */
    }
}

/* By how much a ring counts. */
POINTWISE double part_of(double spread, double height) {
    return max_of(0.0, min_of(1.0, 2.0 * (1.0 - spread / max_of(height, 1e-9))));
}

/* The trapezoid rule's error between the uppermost middles, where the rings begin. */
POINTWISE void rings_begin(const Momentum *a, const Place *at, const double *tilt, Restoring *r) {
    const ptrdiff_t back = -a->faces.along;
    const double *density = a->rest.density + at->layer, *rise = a->rest.rise + at->layer;
    const double *b = a->anomaly + at->layer, *sum = a->rest.sum + at->first;
    FOR_LANES (l) {
        const double across = rise[l] - rise[l + back];
        const double twice = (density[l] + density[l + back]) * across + (b[l] + b[l + back]) * tilt[l];
        const double error = 0.5 * twice - (sum[l] - sum[l + back]);
        r->sum[l] = r->felt[l] * part_of(fabs(across), fabs(tilt[l])) * error;
    }
}

/* Between the middles of this layer and the one above, in the column that is `back` from here. [m] */
POINTWISE void gaps_above(const Momentum *a, const Place *at, ptrdiff_t back, double *gap) {
    const ptrdiff_t here = at->layer + back, up = here + a->g.plane;
    const double *phi = a->g.phi_c, *depth = a->depth + at->first + back;
    if (a->below)
        FOR_LANES (l) gap[l] = a->below[here + l] - a->below[up + l];
    else
        FOR_LANES (l) gap[l] = 0.5 * (phi[here + l] + phi[up + l]) * depth[l];
}

/* The ring between this layer and the one above: C(r) - C(P) of it, from what changes along its diagonals, "down" from here
 * to the column behind, "up" from behind to here. */
POINTWISE void add_ring(const Momentum *a, const Place *at, const double *tilt, Restoring *r) {
    const ptrdiff_t back = -a->faces.along, up = a->g.plane;
    const double *density = a->rest.density + at->layer, *rise = a->rest.rise + at->layer;
    const double *b = a->anomaly + at->layer;
    double gap[LANES], gap_behind[LANES];
    gaps_above(a, at, 0, gap);
    gaps_above(a, at, back, gap_behind);
    FOR_LANES (l) {
        const double rise_down = rise[l + back] - rise[l + up], rise_up = rise[l] - rise[l + back + up];
        const double density_down = density[l + back] - density[l + up];
        const double density_up = density[l] - density[l + back + up];
        const double b_down = b[l + back] - b[l + up], b_up = b[l] - b[l + back + up];
        const double of_rise = density_down * rise_up - rise_down * density_up;
        const double of_height = b_down * (tilt[l] - gap_behind[l]) + (tilt[l] + gap[l]) * b_up;
        const double spread =
            max_of(max_of(rise[l], rise[l + back]), max_of(rise[l + up], rise[l + back + up])) -
            min_of(min_of(rise[l], rise[l + back]), min_of(rise[l + up], rise[l + back + up]));
        const double height = max_of(tilt[l] + gap[l], gap_behind[l]) - min_of(tilt[l], 0.0);
        r->sum[l] += 0.5 * part_of(spread, height) * r->felt[l] * (of_rise + of_height);
    }
}

/* What is taken off the difference of pressure, times rho_0/g [kg m-2]. `tilt`: of the middle here over that behind [m] */
POINTWISE void restoring(const Momentum *a, const Place *at, const double *tilt, Restoring *r, double *less) {
    if (at->k == a->g.n3 - 1)
        rings_begin(a, at, tilt, r);
    else
        add_ring(a, at, tilt, r);
    FOR_LANES (l) less[l] = r->sum[l];
}

#endif
