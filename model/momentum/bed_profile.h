/* SPDX-License-Identifier: Apache-2.0
 *
 * Manning's and Chezy's laws are of the mean velocity of the depth, <U>. The lowest layer of several is slower, by as much as the
 * velocity grows above it. In a steady channel, whose stress falls evenly towards the surface, with X = kappa / sqrt(Cd) = kappa <U>/u*
 * and the lowest layer's share p of the depth, and the next one's q p,
 *
 *     kappa (<U> - U_b)/u* = F = -ln p + (1 - p) (e - c)
 *
 *     parabolic       c = 0.4228 (1 less Euler's constant, the sum over even layers)
 *     other closures  c = 0; in films as with parabolic, which bounds their viscosity (eddies.h)
 *     parabolic, mixing-length   e = (1 + q)/2 - ln(2 + q) + ln 3 - 1: the stress between the lowest two layers is made from the
 *                                difference of their velocities, not of a logarithm
 *     others                     e = 0
 *
 * and the bed brakes the lowest layer by Cd (X / X_b)^2, X_b = X - F; exactly Cd for one layer. X_b is at least p X, for a velocity linear
 * in height: layers may be thinner than the bed is rough. In films the least viscosity nu evens the velocity out, without turbulence;
 * there F goes over, as F F_nu / (F + F_nu), to that of even layers with nu alone. Their u* is that of a Froude number of 0.2, as a
 * coefficient that followed a velocity so steeply would swing:
 *
 *     F_nu = (1 - p)(2 - p)/6 kappa u* H / nu,      u* = 0.2 sqrt(Cd g H)
 */
#ifndef MAEOTIS_MODEL_BED_PROFILE_H
#define MAEOTIS_MODEL_BED_PROFILE_H

#include "gpu/elementary.h"
#include "model/constants.h"
#include "model/momentum/eddies.h"
#include "model/momentum/momentum.h"

/* A face's water, of several layers. */
typedef struct BedWater {
    double share, next; /* of the depth: p, q p */
    double depth;       /* [m] */
    double gravity;     /* [m s-2] */
} BedWater;

/* (X / X_b)^2 for the Cd of the depth's mean velocity. */
POINTWISE double bed_profile_excess(const BedProfile *a, const BedWater *w, double drag) {
    if (!(drag > 0)) return 1.0;
    const double p = w->share, root = sqrt(drag), mean = KARMAN / root;
    const double friction = 0.2 * root * sqrt(w->gravity * w->depth);
    double rise = -max_of(a->bend, BEND_OF_PARABOLA * eddies_bound(friction, a->dt, w->depth));
    if (a->difference > 0) {
        const double q = min_of(2.0, w->next / p);
        rise += 0.5 * (1.0 + q) - elementary_log(2.0 + q) + 0.09861228866810969;
    }
    const double turbulent = max_of(0.0, (1.0 - p) * rise - elementary_log(p));
    const double stress_number = KARMAN * friction * w->depth / max_of(a->least, 1e-300);
    const double laminar = max_of(0.0, (1.0 - p) * (2.0 - p) * (1.0 / 6.0)) * stress_number;
    const double lag = turbulent * (laminar / max_of(turbulent + laminar, 1e-300));
    const double excess = mean / max_of(mean - lag, p * mean);
    return excess * excess;
}

#endif
