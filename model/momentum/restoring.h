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
 * without the last two, which hardly change: at rest nothing is left, to the last bit. Between the uppermost middles C is
 * the rule's error there, with the integral of P in the place of the upper half of the ring.
 *
 * A ring counts in full if the displacements z - Z of its corners differ by less than half of its height, and not at all if
 * they differ by more than all of it, as at fronts.
 */
#ifndef MAEOTIS_MODEL_RESTORING_H
#define MAEOTIS_MODEL_RESTORING_H

#include "model/momentum/neighbours.h"

/* The two upper corners of a ring: here and behind. */
typedef struct Corners {
    double density[2][LANES], profile[2][LANES]; /* r, P(z) [kg m-3] */
    double water[2][LANES], here[2][LANES];      /* Z of them [m] */
} Corners;

/* From the surface down. */
typedef struct Restoring {
    Corners above;
    double sum[LANES]; /* of the rings so far [kg m-2] */
    double felt[LANES];
} Restoring;

POINTWISE void corners_of(const Momentum *a, const Place *at, Corners *c) {
    const RestHeights *rest = &a->rest;
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t m = at->layer - side * a->faces.along;
        const double *density = rest->density + m, *b = a->anomaly + m, *water = rest->water + m;
        const double *here = rest->profile + m;
        FOR_LANES (l) {
            c->density[side][l] = density[l];
            c->profile[side][l] = density[l] - b[l];
            c->water[side][l] = water[l];
            c->here[side][l] = here[l];
        }
    }
}

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

/* Twice the ring integral of y dx, over lower behind, lower here, upper here, upper behind. */
POINTWISE double ring(double x_behind, double x_here, double x_above, double x_above_behind, double y_behind,
                      double y_here, double y_above, double y_above_behind) {
    return (x_behind - x_above) * (y_here - y_above_behind) -
           (y_behind - y_above) * (x_here - x_above_behind);
}

/* The trapezoid rule's error between the uppermost middles, where the rings begin. [kg m-2] */
POINTWISE double at_top(const Momentum *a, ptrdiff_t m, const Corners *c, int l) {
    const ptrdiff_t back = m - a->faces.along;
    const double *sum_water = a->rest.sum_water, *sum_profile = a->rest.sum_profile;
    const double rise = c->water[0][l] - c->water[1][l], tilt = c->here[0][l] - c->here[1][l];
    const double of_water =
        0.5 * (c->density[0][l] + c->density[1][l]) * rise - (sum_water[m] - sum_water[back]);
    const double of_profile =
        0.5 * (c->profile[0][l] + c->profile[1][l]) * tilt - (sum_profile[m] - sum_profile[back]);
    return part_of(fabs(rise - tilt), fabs(tilt)) * (of_water - of_profile);
}

/* What is taken off the difference of pressure, times rho_0/g. [kg m-2] */
POINTWISE void restoring(const Momentum *a, const Place *at, Restoring *r, double *less) {
    Corners c;
    corners_of(a, at, &c);
    const Corners *up = &r->above;
    if (at->k < a->g.n3 - 1)
        FOR_LANES (l) {
            const double of_water =
                ring(c.density[1][l], c.density[0][l], up->density[0][l], up->density[1][l], c.water[1][l],
                     c.water[0][l], up->water[0][l], up->water[1][l]);
            const double of_profile =
                ring(c.profile[1][l], c.profile[0][l], up->profile[0][l], up->profile[1][l], c.here[1][l],
                     c.here[0][l], up->here[0][l], up->here[1][l]);
            const double away[] = {c.here[1][l] - c.water[1][l], c.here[0][l] - c.water[0][l],
                                   up->here[0][l] - up->water[0][l], up->here[1][l] - up->water[1][l]};
            const double spread = max_of(max_of(away[0], away[1]), max_of(away[2], away[3])) -
                                  min_of(min_of(away[0], away[1]), min_of(away[2], away[3]));
            const double height =
                max_of(max_of(c.here[1][l], c.here[0][l]), max_of(up->here[0][l], up->here[1][l])) -
                min_of(min_of(c.here[1][l], c.here[0][l]), min_of(up->here[0][l], up->here[1][l]));
            const double part = part_of(spread, height);
            r->sum[l] += 0.5 * part * r->felt[l] * (of_water - of_profile);
        }
    else
        FOR_LANES (l) r->sum[l] = r->felt[l] * at_top(a, at->first + l, &c, l);
    r->above = c;
    FOR_LANES (l) less[l] = r->sum[l];
}

#endif
