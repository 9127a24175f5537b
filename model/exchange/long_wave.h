/* SPDX-License-Identifier: Apache-2.0
 *
 * Long waves between air and sea, positive into the water [W m-2]:
 *
 *     eps (down - sigma T_s^4)
 *
 * or, if the radiation of the sky is not given, from temperature T_a [K], vapour pressure e_a [hPa], dew point
 * T_d [K] and cloud cover n by one of
 *
 *     berliand  - eps sigma T_a^4 (0.39 - 0.05 sqrt(e_a)) (1 - 0.8 n) - 4 eps sigma T_a^3 (T_s - T_a)
 *     bignami   sigma T_a^4 (0.653 + 0.00535 e_a) (1 + 0.1762 n^2) - 0.98 sigma T_s^4
 *     josey     0.955 sigma (T_a + 10.77 n^2 + 2.34 n - 18.44 + 0.84 (T_d - T_a + 4.01))^4 - 0.98 sigma T_s^4
 *
 * M. E. Berliand, T. G. Berliand 1952, Izv. Akad. Nauk SSSR, Ser. Geofiz. 1; F. Bignami and others 1995, J.
 * Geophys. Res. 100, 2501-2514 (Mediterranean); S. A. Josey, R. W. Pascal, P. K. Taylor, M. J. Yelland 2003,
 * J. Geophys. Res. 108, 3108 (Atlantic, middle and high latitudes).
 */
#ifndef MAEOTIS_MODEL_LONG_WAVE_H
#define MAEOTIS_MODEL_LONG_WAVE_H

#include "model/exchange/air.h"

#define STEFAN_BOLTZMANN 5.670374419e-8 /* [W m-2 K-4] */
#define WATER_EMISSIVITY 0.97

/* Of a body with this emissivity; temperature [K] */
POINTWISE double radiated(double emissivity, double temperature) {
    const double square = temperature * temperature;
    return emissivity * STEFAN_BOLTZMANN * square * square;
}

POINTWISE double long_wave_berliand(const Air *air, double ts) {
    const double ta = air->temperature + ZERO_CELSIUS, scale = WATER_EMISSIVITY * STEFAN_BOLTZMANN;
    const double clear = 0.39 - 0.05 * sqrt(0.01 * max_of(0.0, air->vapour));
    return -scale * ta * ta * ta * (ta * clear * (1.0 - 0.8 * air->cloudiness) + 4.0 * (ts - ta));
}

POINTWISE double long_wave_bignami(const Air *air, double ts) {
    const double n = air->cloudiness, moist = 0.653 + 0.00535 * 0.01 * max_of(0.0, air->vapour);
    return radiated(moist * (1.0 + 0.1762 * n * n), air->temperature + ZERO_CELSIUS) - radiated(0.98, ts);
}

POINTWISE double long_wave_josey(const Air *air, double ts) {
    const double n = air->cloudiness, depression = dew_point(air->vapour) - air->temperature;
    const double sky =
        air->temperature + ZERO_CELSIUS + n * (10.77 * n + 2.34) - 18.44 + 0.84 * (depression + 4.01);
    return radiated(0.955, sky) - radiated(0.98, ts);
}

/* `water`: temperature of its skin [deg C] */
POINTWISE double long_wave_net(const Air *air, double water) {
    const double ts = water + ZERO_CELSIUS;
    if (air->long_wave_down >= 0)
        return WATER_EMISSIVITY * air->long_wave_down - radiated(WATER_EMISSIVITY, ts);
    if (air->sky == SKY_BIGNAMI) return long_wave_bignami(air, ts);
    return air->sky == SKY_JOSEY ? long_wave_josey(air, ts) : long_wave_berliand(air, ts);
}

#endif
