/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration towards the equilibrium tide E (../boundary/equilibrium_tide.h), with the factor 1 + r of
 * surface_slope.h:
 *
 *     (1 + r) g E_x        [m s-2]
 *
 * The attraction of the tide's own water, and the load that bends the earth below it, raise it further by a part b of
 * the level: wherever the slope of the surface acts, g stands for g (1 - b) (`slope_gravity`).
 */
#ifndef MAEOTIS_MODEL_TIDAL_POTENTIAL_H
#define MAEOTIS_MODEL_TIDAL_POTENTIAL_H

#include "model/momentum/neighbours.h"

/* g E_x, without the factor. [m s-2] */
POINTWISE void tidal_potential(const Momentum *a, const Place *at, double *acceleration) {
    const ptrdiff_t back = -a->faces.along;
    const double weight = a->gravity / a->faces.spacing[at->j];
    if (!a->equilibrium) {
        FOR_LANES (l) acceleration[l] = 0.0;
        return;
    }
    const double *level = a->equilibrium + at->first;
    FOR_LANES (l) acceleration[l] = weight * (level[l] - level[l + back]);
}

#endif
