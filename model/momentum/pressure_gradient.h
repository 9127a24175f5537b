/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration by the slope of the old surface and by air pressure:  -g eta_x - p_a,x / rho0   [m s-2]
 * The change of the surface during the step acts through the response G (momentum.h).
 */
#ifndef MAEOTIS_MODEL_PRESSURE_GRADIENT_H
#define MAEOTIS_MODEL_PRESSURE_GRADIENT_H

#include "model/momentum/momentum.h"

POINTWISE double pressure_acceleration(const Momentum *a, ptrdiff_t column, int j)
{
    const ptrdiff_t back = column - a->faces.along;
    double rise = a->gravity * (a->eta[column] - a->eta[back]);
    if (a->air_pressure) rise += (a->air_pressure[column] - a->air_pressure[back]) / a->density;
    return -rise / a->faces.spacing[j];
}

#endif
