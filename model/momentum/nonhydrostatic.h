/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration by the non-hydrostatic pressure of the last step, -q_x [m s-2], which model/pressure finds
 * before the momentum equation; what q changes in this step is its own correction, after the surface.
 */
#ifndef MAEOTIS_MODEL_NONHYDROSTATIC_H
#define MAEOTIS_MODEL_NONHYDROSTATIC_H

#include "model/momentum/neighbours.h"

/* [m s-2] */
POINTWISE void nonhydrostatic(const Momentum *a, const Place *at, double *acceleration) {
    const double *found = a->faces.acceleration;
    if (!found) {
        FOR_LANES (l) acceleration[l] = 0.0;
        return;
    }
    FOR_LANES (l) acceleration[l] = found[at->layer + l];
}

#endif
