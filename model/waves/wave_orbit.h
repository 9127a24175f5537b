/* SPDX-License-Identifier: Apache-2.0
 *
 * What waves of a significant height H_s and a peak period T_p do at the bed of water of the depth h.
 *
 * Orbits, for a JONSWAP spectrum: with T_z = 0.781 T_p the root mean square of the velocity at the bed is
 *
 *     U_rms = H_s/4 sqrt(g/h) exp(-(3.65/T_z sqrt(h/g))^2.1),      U = sqrt(2) U_rms
 *
 * (R. L. Soulsby, Simplified calculation of wave orbital velocities, HR Wallingford TR 155, 2006). Their stress over
 * density, with the roughness length z0 of the bed and A = U T_p / 2 pi:
 *
 *     tau_w = f U^2 / 2,      f = 1.39 (A/z0)^-0.52, at most 0.3
 *
 * With the stress tau_c of the current alone, the stress that brakes the current is, in the mean over a wave,
 *
 *     tau_m = tau_c (1 + 1.2 (tau_w / (tau_c + tau_w))^3.2)
 *
 * and the largest one, which moves the bed, with the angle p between waves and current,
 *
 *     tau_max^2 = (tau_m + tau_w |cos p|)^2 + (tau_w sin p)^2
 *
 * (R. L. Soulsby, Dynamics of Marine Sands, Thomas Telford, 1997, chapters 4 and 5; DATA2 of his table of models).
 */
#ifndef MAEOTIS_MODEL_WAVES_WAVE_ORBIT_H
#define MAEOTIS_MODEL_WAVES_WAVE_ORBIT_H

#include "gpu/elementary.h"

/* U. [m s-1] */
POINTWISE double wave_orbital_speed(double height, double period, double depth, double gravity) {
    if (!(height > 0) || !(period > 0) || !(depth > 0)) return 0.0;
    const double fall = sqrt(depth / gravity);
    const double zero_crossing = 0.781 * period;
    const double deep = elementary_power(3.65 / zero_crossing * fall, 2.1);
    return deep < 300 ? 0.35355339059327373 * height / fall * elementary_exp(-deep) : 0.0;
}

/* tau_w over density. [m2 s-2] */
POINTWISE double wave_bed_stress(double speed, double period, double roughness) {
    if (!(speed > 0)) return 0.0;
    const double reach = speed * period / 6.283185307179586;
    const double friction = min_of(0.3, 1.39 * elementary_power(reach / roughness, -0.52));
    return 0.5 * friction * speed * speed;
}

/* tau_m / tau_c. */
POINTWISE double wave_enhancement(double wave_stress, double current_stress) {
    if (!(wave_stress > 0)) return 1.0;
    return 1.0 + 1.2 * elementary_power(wave_stress / (current_stress + wave_stress), 3.2);
}

/* tau_max, with the cosine of p. */
POINTWISE double wave_largest_stress(double mean_stress, double wave_stress, double cosine) {
    const double along = mean_stress + wave_stress * fabs(cosine);
    const double aside = wave_stress * wave_stress * max_of(0.0, 1.0 - cosine * cosine);
    return sqrt(along * along + aside);
}

#endif
