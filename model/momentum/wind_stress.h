/* SPDX-License-Identifier: Apache-2.0
 *
 * Wind stress over density, tau / rho0 [m2 s-2], which acts on the topmost layer. Water thinner than
 * `full_stress_depth` feels a part of it, so that a film is not blown away. With ground inside cells it acts on the wet part of a
 * face's width, and the depth is that of the water there.
 */
#ifndef MAEOTIS_MODEL_WIND_STRESS_H
#define MAEOTIS_MODEL_WIND_STRESS_H

#include "model/momentum/neighbours.h"

/* The force per area and density on a block of faces. [m2 s-2] */
POINTWISE void wind_stress(const Momentum *a, const Place *at, double *stress) {
    const double *depth = a->faces.depth + at->first;
    if (at->k < a->g.n3 - 1) {
        FOR_LANES (l) stress[l] = 0.0;
        return;
    }
    if (a->faces.thick) {
        const double *thick = a->faces.thick + at->first;
        FOR_LANES (l) {
            const double wet = depth[l] / max_of(thick[l], 1e-12),
                         part = min_of(1.0, thick[l] / a->full_stress_depth);
            stress[l] = a->faces.stress[at->first + l] * wet * part;
        }
        return;
    }
    FOR_LANES (l) {
        const double part = min_of(1.0, depth[l] / a->full_stress_depth);
        stress[l] = a->faces.stress[at->first + l] * part;
    }
}

#endif
