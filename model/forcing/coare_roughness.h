/* SPDX-License-Identifier: Apache-2.0
 *
 * Roughness of the sea in COARE 3.5: J. B. Edson and others, J. Phys. Oceanogr. 43 (2013) 1589-1610, and
 * their corrigendum,
 *
 *     z_0 = alpha u*^2 / g + 0.11 nu / u*,      alpha = 0.0017 min(U_10N, 19 m/s) - 0.005
 *
 * with the friction velocity u*, the viscosity of the air nu, and the wind U_10N that neutral air would have
 * at 10 m for this u*. Measured up to some 25 m/s.
 */
#ifndef MAEOTIS_MODEL_COARE_ROUGHNESS_H
#define MAEOTIS_MODEL_COARE_ROUGHNESS_H

#include "gpu/elementary.h"
#include "model/constants.h"

POINTWISE double coare_charnock(double wind_10_neutral) {
    return 0.0017 * min_of(wind_10_neutral, 19.0) - 0.005;
}

/* Cd of neutral air for the wind at 10 m, Newton's method on k U = u* ln(10 m / z_0), to 1e-11 of u* up to 80 m/s. */
POINTWISE double coare_drag(double wind, double gravity, double viscosity) {
    const double w = max_of(0.2, wind), charnock = coare_charnock(w) / gravity;
    const double smooth = 0.11 * viscosity;      /* u* z_0 is this and `rough` */
    double friction = (0.0315 + 0.0009 * w) * w; /* u* [m s-1] */
    UNROLLED for (int n = 0; n < 3; n++) {
        const double rough = charnock * friction * friction * friction, inverse = 1.0 / (rough + smooth);
        const double decay = elementary_log(10.0 * friction * inverse);
        const double growth = (2.0 * rough - smooth) * inverse; /* d ln z_0 / d ln u* */
        friction = (KARMAN * w - growth * friction) / (decay - growth);
    }
    return friction * friction / (w * w);
}

#endif
