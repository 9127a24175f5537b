/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration by compact advection along the layers [m s-2], which compact_advection.h finds before the
 * momentum equation.
 */
#ifndef MAEOTIS_MODEL_COMPACT_TERM_H
#define MAEOTIS_MODEL_COMPACT_TERM_H

#include "model/momentum/neighbours.h"

/* [m s-2] */
POINTWISE void compact_advection(const Momentum *a, const Place *at, double *acceleration) {
    const double *found = a->faces.advective;
    if (!found) {
        FOR_LANES (l) acceleration[l] = 0.0;
        return;
    }
    FOR_LANES (l) acceleration[l] = found[at->layer + l];
}

#endif
