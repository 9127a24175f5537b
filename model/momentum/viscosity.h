/* SPDX-License-Identifier: Apache-2.0
 *
 * Horizontal viscosity with a constant coefficient A, explicit:  (A u_x)_x + (A u_y)_y
 * Towards closed faces ahead and behind the velocity falls to 0 (no flow through the coast); a coast alongside
 * takes nothing (free slip) or acts at half the distance (no slip). Dry faces take nothing. The sum of all weights
 * is kept at or below 1 by lowering A where the step is too long for it, so the term is stable at any step.
 */
#ifndef MAEOTIS_MODEL_VISCOSITY_H
#define MAEOTIS_MODEL_VISCOSITY_H

#include "model/momentum/neighbours.h"

/* Change of velocity over one step by horizontal viscosity. [m s-1] */
POINTWISE double viscous_change(const Momentum *a, const Neighbours *n, ptrdiff_t column, ptrdiff_t m, int j, int k,
                                int l)
{
    const double here = a->faces.velocity[m];
    const double spacing[SIDES] = {a->faces.spacing[j], a->faces.spacing[j], a->faces.cross_spacing[j],
                                   a->faces.cross_spacing[j]};
    double change = 0, weights = 0;
    for (int s = 0; s < SIDES; s++) {
        const bool open = n->near[s][l] <= k;
        const bool land = !open && a->faces.width[column + n->step[s]] <= 0;
        const double at_wall = s < LEFT ? 1.0 : 2.0 * a->wall;
        const double weight =
            a->viscosity * a->dt / (spacing[s] * spacing[s]) * (open ? 1.0 : (land ? at_wall : 0.0));
        change += weight * ((open ? a->faces.velocity[m + n->step[s]] : 0.0) - here);
        weights += weight;
    }
    return change / fmax(1.0, weights);
}

#endif
