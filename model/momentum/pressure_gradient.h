/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration by the slope of the old surface and by air pressure:  -g eta_x - p_a,x / rho0   [m s-2]
 * The change of the surface during the step acts through the response G (momentum.h).
 */
#ifndef MAEOTIS_MODEL_PRESSURE_GRADIENT_H
#define MAEOTIS_MODEL_PRESSURE_GRADIENT_H

#include "model/momentum/momentum.h"

POINTWISE void pressure_acceleration(const Momentum *a, ptrdiff_t first, int j, double *acceleration) {
    const double *eta = a->eta + first, *pressure = a->air_pressure ? a->air_pressure + first : NULL;
    const ptrdiff_t back = -a->faces.along;
    const double spacing = a->faces.spacing[j];
    FOR_LANES (l) acceleration[l] = -a->gravity * (eta[l] - eta[l + back]) / spacing;
    if (pressure)
        FOR_LANES (l) acceleration[l] -= (pressure[l] - pressure[l + back]) / (a->density * spacing);
}

#endif
