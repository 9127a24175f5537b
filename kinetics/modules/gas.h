/* SPDX-License-Identifier: Apache-2.0
 *
 * Oxygen in water and air.
 *
 *     saturation  H. E. Garcia, L. I. Gordon, Limnol. Oceanogr. 37 (1992) 1307-1312, equation 8, with the
 *                 coefficients for the data of Benson and Krause in micromol per kg; at 1 atm of moist air
 *     exchange    F = k (O_sat - O),   k = 0.251 U^2 (Sc/660)^(-1/2) cm/h,
 *                 Sc = 1920.4 - 135.6 T + 5.2122 T^2 - 0.10939 T^3 + 0.00093777 T^4 in sea water
 *                 R. Wanninkhof, Limnol. Oceanogr. Methods 12 (2014) 351-362
 */
#ifndef MAEOTIS_KINETICS_GAS_H
#define MAEOTIS_KINETICS_GAS_H

#include "gpu/elementary.h"

/* [micromol kg-1], of temperature [degree_C] and salinity; -2 to 40 degree_C, 0 to 42. */
POINTWISE double oxygen_saturation(double temperature, double salinity) {
    const double t = min_of(40.0, max_of(-2.0, temperature)), s = min_of(42.0, max_of(0.0, salinity));
    const double x = elementary_log((298.15 - t) / (273.15 + t));
    const double fresh =
        5.80871 + x * (3.20291 + x * (4.17887 + x * (5.10006 + x * (-9.86643e-2 + x * 3.80369))));
    const double salt = -7.01577e-3 + x * (-7.70028e-3 + x * (-1.13864e-2 + x * -9.51519e-3));
    return elementary_exp(fresh + s * (salt + s * -2.75915e-7));
}

/* k [m s-1] for the wind at 10 m [m s-1]. */
POINTWISE double oxygen_transfer(double temperature, double wind) {
    const double t = min_of(40.0, max_of(-2.0, temperature));
    const double schmidt = 1920.4 + t * (-135.6 + t * (5.2122 + t * (-0.10939 + t * 0.00093777)));
    return 0.251 / 360000.0 * wind * wind * sqrt(660.0 / schmidt);
}

#endif
