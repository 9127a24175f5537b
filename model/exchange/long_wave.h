/* SPDX-License-Identifier: Apache-2.0
 *
 * Long waves between air and sea, positive into the water [W m-2]:
 *
 *     eps (down - sigma T_s^4)
 *
 * or, if the radiation of the sky is not given, after Berliand and Berliand 1952, with e_a in hPa and
 * cloudiness n:
 *
 *     - eps sigma T_a^4 (0.39 - 0.05 sqrt(e_a)) (1 - 0.8 n) - 4 eps sigma T_a^3 (T_s - T_a)
 */
#ifndef MAEOTIS_MODEL_LONG_WAVE_H
#define MAEOTIS_MODEL_LONG_WAVE_H

#include "model/exchange/air.h"

#define STEFAN_BOLTZMANN 5.670374419e-8 /* [W m-2 K-4] */
#define WATER_EMISSIVITY 0.97

POINTWISE double long_wave_net(const Air *air, double water) {
    const double ts = water + ZERO_CELSIUS, ta = air->temperature + ZERO_CELSIUS;
    const double scale = WATER_EMISSIVITY * STEFAN_BOLTZMANN;
    const double clear = 0.39 - 0.05 * sqrt(0.01 * max_of(0.0, air->vapour));
    const double sky = -scale * ta * ta * ta * (ta * clear * (1.0 - 0.8 * air->cloudiness) + 4.0 * (ts - ta));
    const double measured = WATER_EMISSIVITY * air->long_wave_down - scale * ts * ts * ts * ts;
    return air->long_wave_down < 0 ? sky : measured;
}

#endif
