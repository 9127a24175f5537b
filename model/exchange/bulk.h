/* SPDX-License-Identifier: Apache-2.0
 *
 * Fluxes of heat and water between air and sea, from the state of the air. Heat is positive into the water
 * [W m-2].
 *
 *     sensible     rho_a c_a C_H W (theta_a - T_s)          theta_a = T_a + 0.0098 z, the potential temperature
 *     latent       L E,   E = rho_a C_E W (q_a - q_s) / rho_w  volume per area that evaporates, here negative
 *     C_H, C_E     of the wind, the temperature and the humidity at the heights where they are measured: kondo.h
 *     long waves   eps (down - sigma T_s^4); if the radiation of the sky is not given, after Berliand and
 *                  Berliand 1952, with e_a in hPa and cloudiness n:
 *                  - eps sigma T_a^4 (0.39 - 0.05 sqrt(e_a)) (1 - 0.8 n) - 4 eps sigma T_a^3 (T_s - T_a)
 *     short waves  (1 - albedo) down, absorbed over the depth as
 *                  I(z) = R exp(-z/d_1) + (1 - R) exp(-z/d_2)
 *
 * Saturation over water: Magnus' formula with the coefficients of WMO-No. 8, times 0.98 over salt water. Light: C. A. Paulson, J. J.
 * Simpson, J. Phys. Oceanogr. 7 (1977) 952-956, for Jerlov's types of water.
 */
#ifndef MAEOTIS_MODEL_BULK_H
#define MAEOTIS_MODEL_BULK_H

#include "model/exchange/kondo.h"

#define STEFAN_BOLTZMANN  5.670374419e-8 /* [W m-2 K-4] */
#define WATER_EMISSIVITY  0.97
#define AIR_HEAT_CAPACITY 1005.0 /* [J kg-1 K-1] */
#define AIR_GAS_CONSTANT  287.05 /* [J kg-1 K-1] */
#define ADIABATIC_LAPSE   0.0098 /* [K m-1] */

/* [Pa]; temperature [deg C] */
POINTWISE double vapour_saturation(double temperature) {
    const double t = max_of(-80.0, min_of(temperature, 80.0));
    return 611.2 * elementary_exp(17.62 * t / (243.12 + t));
}

/* Mass of vapour in that of moist air, from its pressure. */
POINTWISE double humidity_of(double vapour, double pressure) {
    return 0.622 * vapour / (pressure - 0.378 * vapour);
}

POINTWISE double latent_heat(double temperature) {
    return 2.501e6 - 2370.0 * temperature; /* [J kg-1] */
}

typedef struct Air {
    double temperature;    /* [deg C] */
    double vapour;         /* pressure of the vapour [Pa] */
    double pressure;       /* [Pa] */
    double wind;           /* [m s-1] */
    AirHeights height;     /* of temperature, vapour and wind */
    double long_wave_down; /* [W m-2]; negative: from the cloudiness */
    double cloudiness;     /* 0 to 1 */
} Air;

typedef struct BulkFlux {
    double sensible, latent, long_wave; /* [W m-2] */
    double evaporation;                 /* mass, positive out of the water; dew is negative [kg m-2 s-1] */
} BulkFlux;

POINTWISE double long_wave_net(const Air *air, double water) {
    const double ts = water + ZERO_CELSIUS, ta = air->temperature + ZERO_CELSIUS;
    const double scale = WATER_EMISSIVITY * STEFAN_BOLTZMANN;
    const double clear = 0.39 - 0.05 * sqrt(0.01 * max_of(0.0, air->vapour));
    const double sky = -scale * ta * ta * ta * (ta * clear * (1.0 - 0.8 * air->cloudiness) + 4.0 * (ts - ta));
    const double measured = WATER_EMISSIVITY * air->long_wave_down - scale * ts * ts * ts * ts;
    return air->long_wave_down < 0 ? sky : measured;
}

/* `water`: temperature of its surface [deg C]. */
POINTWISE BulkFlux bulk_flux(const Air *air, double water) {
    BulkFlux flux;
    const double q_air = humidity_of(air->vapour, air->pressure);
    const double q_water = humidity_of(0.98 * vapour_saturation(water), air->pressure);
    const double warm = (air->temperature + ZERO_CELSIUS) * (1.0 + 0.61 * q_air);
    const double passing = air->pressure / (AIR_GAS_CONSTANT * warm) * air->wind; /* [kg m-2 s-1] */
    const double excess = water - air->temperature - ADIABATIC_LAPSE * air->height.temperature;
    const TransferCoefficients c = kondo_transfer(air->wind, excess, air->height);
    flux.sensible = -AIR_HEAT_CAPACITY * c.heat * passing * excess;
    flux.evaporation = c.moisture * passing * (q_water - q_air);
    flux.latent = -latent_heat(water) * flux.evaporation;
    flux.long_wave = long_wave_net(air, water);
    return flux;
}

/* ---- light ---- */

typedef struct Light {
    double red;           /* R */
    double red_m, blue_m; /* d_1, d_2 */
} Light;

/* Part of the light that reaches a depth. */
POINTWISE double light_at(Light l, double depth) {
    return l.red * elementary_exp(-depth / l.red_m) + (1.0 - l.red) * elementary_exp(-depth / l.blue_m);
}

#endif
