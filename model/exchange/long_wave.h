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

/* What the air radiates, before the temperature of the water is known: the balance is
 *     coming - radiated(emissivity, T_s), with Berliand's formula (whose emissivity is 0 here) slope (coming + 4 (T_s - air)) */
typedef struct Sky {
    double coming, emissivity, slope, air;
} Sky;

POINTWISE Sky sky_given(double down) {
    return (Sky){WATER_EMISSIVITY * down, WATER_EMISSIVITY, 0.0, 0.0};
}

POINTWISE Sky sky_berliand(const Air *air) {
    const double ta = air->temperature + ZERO_CELSIUS, scale = WATER_EMISSIVITY * STEFAN_BOLTZMANN;
    const double clear = 0.39 - 0.05 * sqrt(0.01 * max_of(0.0, air->vapour));
    return (Sky){ta * clear * (1.0 - 0.8 * air->cloudiness), 0.0, -scale * ta * ta * ta, ta};
}

POINTWISE Sky sky_bignami(const Air *air) {
    const double n = air->cloudiness, moist = 0.653 + 0.00535 * 0.01 * max_of(0.0, air->vapour);
    return (Sky){radiated(moist * (1.0 + 0.1762 * n * n), air->temperature + ZERO_CELSIUS), 0.98, 0.0, 0.0};
}

POINTWISE Sky sky_josey(const Air *air) {
    const double n = air->cloudiness, depression = dew_point(air->vapour) - air->temperature;
    const double sky =
        air->temperature + ZERO_CELSIUS + n * (10.77 * n + 2.34) - 18.44 + 0.84 * (depression + 4.01);
    return (Sky){radiated(0.955, sky), 0.98, 0.0, 0.0};
}

POINTWISE Sky sky_by(SkyLaw law, const Air *air) {
    if (law == SKY_BIGNAMI) return sky_bignami(air);
    return law == SKY_JOSEY ? sky_josey(air) : sky_berliand(air);
}

POINTWISE Sky sky_over(const Air *air) {
    return air->long_wave_down >= 0 ? sky_given(air->long_wave_down) : sky_by(air->sky, air);
}

/* `water`: temperature of its skin [deg C] */
POINTWISE double long_wave_net(Sky sky, double water) {
    const double ts = water + ZERO_CELSIUS;
    return sky.emissivity > 0 ? sky.coming - radiated(sky.emissivity, ts)
                              : sky.slope * (sky.coming + 4.0 * (ts - sky.air));
}

#endif
