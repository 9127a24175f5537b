/* SPDX-License-Identifier: Apache-2.0
 *
 * Stokes drift. Waves of the significant height H_s carry, in the direction they travel to, the volume
 *
 *     T = g H_s^2 / (16 c),   c = w/k,   w^2 = g k tanh(k h)        [m2 s-1]
 *
 * with the mean period T_m01 = 0.834 T_p of a JONSWAP spectrum, whose waves in deep water carry just this. Of it the part
 *
 *     R(z) = sinh(2 k z) / sinh(2 k h)
 *
 * flows between the bed and the height z above it. Layers take differences of R: their sum is T whatever the layers.
 *
 * With the drift u_s the model's velocity u is that of the water itself, u_E + u_s (u_E: its mean at a fixed place), which
 * moves volume and tracers and feels the Coriolis force; viscosity and bed act on u_E alone, and a change of the drift
 * is one of u:
 *
 *     u_t + f x u + ... = (nu (u - u_s)_z)_z + (u_s)_t
 *
 * So walls stop the whole of it, budgets close as they do without waves, and the Coriolis force does no work. Left out
 * are the forces of waves that change along the coast or break (set-up, vortex force, radiation stress).
 * (S. Leibovich, J. Fluid Mech. 99 (1980) 715-724; J. A. Polton, D. M. Lewis, S. E. Belcher, J. Phys. Oceanogr. 35
 * (2005) 444-457.)
 */
#ifndef MAEOTIS_MODEL_WAVES_WAVE_DRIFT_H
#define MAEOTIS_MODEL_WAVES_WAVE_DRIFT_H

#include "gpu/elementary.h"

#define TURN 6.283185307179586

/* k of waves with the angular frequency w: a start within 1 % (J. Guo, Coastal Eng. 45 (2002) 71-74), and Newton's
 * method to round-off. [m-1] */
POINTWISE double wave_number(double frequency, double depth, double gravity) {
    const double y = frequency * frequency * depth / gravity;
    double kh =
        y * elementary_power(1.0 - elementary_exp(-min_of(600.0, elementary_power(y, 1.2454))), -0.40147744);
    for (int n = 0; n < 3; n++) {
        const double fall = elementary_exp(-min_of(600.0, 2.0 * kh)), tangent = (1.0 - fall) / (1.0 + fall);
        kh -= (kh * tangent - y) / (tangent + kh * (1.0 - tangent * tangent));
    }
    return kh / depth;
}

/* The significant height that breaking leaves of waves with the period of the peak T_p: a part of the depth in shallow
 * water, and the same part of L / 2 pi in deep water, by Miche's tanh(k h) / k. [m] */
POINTWISE double wave_highest(double part, double period, double depth, double gravity) {
    if (!(period > 0) || !(depth > 1e-9)) return 0.0;
    const double number = wave_number(TURN / period, depth, gravity);
    const double fall = elementary_exp(-min_of(600.0, 2.0 * number * depth));
    return part * (1.0 - fall) / (1.0 + fall) / number;
}

/* T. [m2 s-1] */
POINTWISE double wave_transport(double height, double frequency, double number, double gravity) {
    return gravity * height * height * number / (16.0 * frequency);
}

/* R at the height z above the bed. */
POINTWISE double wave_drift_below(double number, double depth, double z) {
    const double fall = elementary_exp(-min_of(600.0, 2.0 * number * (depth - z)));
    const double here = 1.0 - elementary_exp(-min_of(600.0, 4.0 * number * z));
    return fall * here / (1.0 - elementary_exp(-min_of(600.0, 4.0 * number * depth)));
}

#endif
