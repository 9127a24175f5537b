/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration by differences of air pressure, with the factor 1 + r of surface_slope.h:
 *
 *     -(1 + r) p_a,x / rho0        [m s-2]
 */
#ifndef MAEOTIS_MODEL_AIR_PRESSURE_H
#define MAEOTIS_MODEL_AIR_PRESSURE_H

#include "model/momentum/neighbours.h"

/* -p_a,x / rho0, without the factor. [m s-2] */
POINTWISE void air_pressure(const Momentum *a, const Place *at, double *acceleration) {
    const ptrdiff_t back = -a->faces.along;
    const double weight = a->density * a->faces.spacing[at->j];
    if (!a->air_pressure) {
        FOR_LANES (l) acceleration[l] = 0.0;
        return;
    }
    const double *pressure = a->air_pressure + at->first;
    FOR_LANES (l) acceleration[l] = -((pressure[l] - pressure[l + back]) / weight);
}

#endif
