/* SPDX-License-Identifier: Apache-2.0
 *
 * Waves that a steady wind U has made over a fetch F in water of the depth h: with U_A = 0.71 U^1.23,
 *
 *     g H_s / U_A^2 = 0.283 a tanh(0.00565 (g F / U_A^2)^(1/2) / a),   a = tanh(0.530 (g h / U_A^2)^(3/4))
 *     g T_p / U_A   = 7.54  b tanh(0.0379 (g F / U_A^2)^(1/3) / b),    b = tanh(0.833 (g h / U_A^2)^(3/8))
 *
 * (Shore Protection Manual, US Army Corps of Engineers, 4th ed., 1984, equations 3-39 and 3-40).
 */
#ifndef MAEOTIS_MODEL_WAVES_WAVE_GROWTH_H
#define MAEOTIS_MODEL_WAVES_WAVE_GROWTH_H

#include "gpu/elementary.h"

typedef struct Grown {
    double height, period; /* H_s [m], T_p [s] */
} Grown;

/* tanh of a number from 0 up. */
POINTWISE double tangent_of(double x) {
    const double fall = elementary_exp(-2.0 * min_of(x, 20.0));
    return (1.0 - fall) / (1.0 + fall);
}

POINTWISE Grown waves_grown(double wind, double fetch, double depth, double gravity) {
    if (!(wind > 0.01) || !(fetch > 0) || !(depth > 0)) return (Grown){0.0, 0.0};
    const double stressed = 0.71 * elementary_power(wind, 1.23);
    const double scale = gravity / (stressed * stressed);
    const double shallow = tangent_of(0.530 * elementary_power(scale * depth, 0.75));
    const double slow = tangent_of(0.833 * elementary_power(scale * depth, 0.375));
    const double height = 0.283 * shallow * tangent_of(0.00565 * sqrt(scale * fetch) / shallow);
    const double period = 7.54 * slow * tangent_of(0.0379 * elementary_cbrt(scale * fetch) / slow);
    return (Grown){height / scale, period * stressed / gravity};
}

#endif
