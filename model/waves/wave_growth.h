/* SPDX-License-Identifier: Apache-2.0
 *
 * Waves that a steady wind U at 10 m has made over a fetch F in water of the depth h. In a lake of 2 m (I. R. Young,
 * L. A. Verhagen, Coastal Eng. 29 (1996) 47-78), with x = g F / U^2, d = g h / U^2, the variance E and the frequency f_p
 * of the peak,
 *
 *     g^2 E / U^4 = 3.64e-3 (t_1 tanh(3.13e-3  x^0.57 / t_1))^1.74,    t_1 = tanh(0.493 d^0.75),    H_s = 4 sqrt(E)
 *     f_p U / g   = 0.133   (t_2 tanh(5.215e-4 x^0.73 / t_2))^-0.37,   t_2 = tanh(0.331 d^1.01),    T_p = 1 / f_p
 *
 * or, with U_A = 0.71 U^1.23,
 *
 *     g H_s / U_A^2 = 0.283 a tanh(0.00565 (g F / U_A^2)^(1/2) / a),   a = tanh(0.530 (g h / U_A^2)^(3/4))
 *     g T_p / U_A   = 7.54  b tanh(0.0379 (g F / U_A^2)^(1/3) / b),    b = tanh(0.833 (g h / U_A^2)^(3/8))
 *
 * (Shore Protection Manual, US Army Corps of Engineers, 4th ed., 1984, equations 3-39 and 3-40).
 */
#ifndef MAEOTIS_MODEL_WAVES_WAVE_GROWTH_H
#define MAEOTIS_MODEL_WAVES_WAVE_GROWTH_H

#include "gpu/elementary.h"
#include "settings/choices.h"

typedef struct Grown {
    double height, period; /* H_s [m], T_p [s] */
} Grown;

/* tanh of a number from 0 up. */
POINTWISE double tangent_of(double x) {
    const double fall = elementary_exp(-2.0 * min_of(x, 20.0));
    return (1.0 - fall) / (1.0 + fall);
}

/* What both fetch and depth leave of growth. */
POINTWISE double bounded_growth(double by_fetch, double by_depth) {
    const double most = max_of(1e-12, tangent_of(by_depth));
    return most * tangent_of(by_fetch / most);
}

POINTWISE Grown young_verhagen(double wind, double fetch, double depth, double gravity) {
    const double scale = gravity / (wind * wind), x = scale * fetch, d = scale * depth;
    const double energy =
        bounded_growth(3.13e-3 * elementary_power(x, 0.57), 0.493 * elementary_power(d, 0.75));
    const double slow =
        bounded_growth(5.215e-4 * elementary_power(x, 0.73), 0.331 * elementary_power(d, 1.01));
    return (Grown){4.0 * sqrt(3.64e-3) * elementary_power(energy, 0.87) / scale,
                   elementary_power(slow, 0.37) * wind / (0.133 * gravity)};
}

POINTWISE Grown shore_protection(double wind, double fetch, double depth, double gravity) {
    const double stressed = 0.71 * elementary_power(wind, 1.23);
    const double scale = gravity / (stressed * stressed);
    const double shallow = tangent_of(0.530 * elementary_power(scale * depth, 0.75));
    const double slow = tangent_of(0.833 * elementary_power(scale * depth, 0.375));
    const double height = 0.283 * shallow * tangent_of(0.00565 * sqrt(scale * fetch) / shallow);
    const double period = 7.54 * slow * tangent_of(0.0379 * elementary_cbrt(scale * fetch) / slow);
    return (Grown){height / scale, period * stressed / gravity};
}

POINTWISE Grown waves_grown(WaveGrowth law, double wind, double fetch, double depth, double gravity) {
    if (!(wind > 0.01) || !(fetch > 0) || !(depth > 0)) return (Grown){0.0, 0.0};
    return law == GROWTH_SHORE_PROTECTION ? shore_protection(wind, fetch, depth, gravity)
                                          : young_verhagen(wind, fetch, depth, gravity);
}

#endif
