/* SPDX-License-Identifier: Apache-2.0
 *
 * Change of the Stokes drift, which is a part of the velocity (../waves/wave_drift.h):
 *
 *     (u_s)_t        [m s-2]
 */
#ifndef MAEOTIS_MODEL_STOKES_RISE_H
#define MAEOTIS_MODEL_STOKES_RISE_H

#include "model/momentum/neighbours.h"

POINTWISE void stokes_rise(const Momentum *a, const Place *at, double *acceleration) {
    const double *rise = a->faces.stokes_rise;
    FOR_LANES (l) acceleration[l] = 0.0;
    if (!rise) return;
    FOR_LANES (l) acceleration[l] = rise[at->layer + l];
}

#endif
