/* SPDX-License-Identifier: Apache-2.0
 *
 * The air above a column, and its vapour. Saturation over water: Magnus' formula with the coefficients of
 * WMO-No. 8.
 */
#ifndef MAEOTIS_MODEL_AIR_H
#define MAEOTIS_MODEL_AIR_H

#include "gpu/elementary.h"
#include "model/constants.h"
#include "settings/choices.h"

#define AIR_HEAT_CAPACITY 1005.0 /* [J kg-1 K-1] */
#define AIR_GAS_CONSTANT  287.05 /* [J kg-1 K-1] */
#define ADIABATIC_LAPSE   0.0098 /* [K m-1] */

/* Where the air is measured [m]. */
typedef struct AirHeights {
    double wind, temperature, humidity;
} AirHeights;

typedef struct Air {
    double temperature;    /* [deg C] */
    double vapour;         /* pressure of the vapour [Pa] */
    double pressure;       /* [Pa] */
    double wind;           /* [m s-1] */
    AirHeights height;     /* of temperature, vapour and wind */
    double long_wave_down; /* [W m-2]; negative: from the cloudiness */
    SkyLaw sky;            /* by this formula */
    double cloudiness;     /* 0 to 1 */
    double sun;            /* short waves that enter the water [W m-2] */
} Air;

/* [Pa]; temperature [deg C] */
POINTWISE double vapour_saturation(double temperature) {
    const double t = max_of(-80.0, min_of(temperature, 80.0));
    return 611.2 * elementary_exp(17.62 * t / (243.12 + t));
}

/* Its inverse [deg C]; vapour [Pa] */
POINTWISE double dew_point(double vapour) {
    const double x = elementary_log(max_of(1e-2, vapour) / 611.2);
    return 243.12 * x / (17.62 - x);
}

/* Mass of vapour in that of moist air, from its pressure. */
POINTWISE double humidity_of(double vapour, double pressure) {
    return 0.622 * vapour / (pressure - 0.378 * vapour);
}

/* Kinematic [m2 s-1], as COARE has it; temperature [deg C] */
POINTWISE double air_viscosity(double temperature) {
    const double t = temperature;
    return 1.326e-5 * (1.0 + t * (6.542e-3 + t * (8.301e-6 - t * 4.84e-9)));
}

/* Enthalpy of evaporation [J kg-1]; temperature [deg C] */
POINTWISE double latent_heat(double temperature) {
    return 2.501e6 - 2370.0 * temperature;
}

#endif
