/* SPDX-License-Identifier: Apache-2.0
 *
 * Wind from speed and the direction it blows from (degrees clockwise from north), by + - * / alone: the C
 * library's sin and cos may differ in the last bit between machines, and give v = 6e-17 for an exact west
 * wind.
 */
#ifndef MAEOTIS_MODEL_FORCING_DIRECTION_H
#define MAEOTIS_MODEL_FORCING_DIRECTION_H

#include "gpu/kernel.h"

/* Sine and cosine of an angle in degrees; exact at multiples of 90. */
POINTWISE void direction_sincos(double degrees, double *sine, double *cosine) {
    double quarter = floor(degrees / 90.0 + 0.5), turn = quarter - 4.0 * floor(quarter / 4.0);
    double x = (degrees - 90.0 * quarter) * (3.14159265358979323846 / 180.0), z = x * x; /* |x| <= pi/4 */
    /* Taylor series, the next term below 1e-17 */
    double s =
        x *
        (1 -
         z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156 * (1 - z / 210)))))));
    double c =
        1 -
        z / 2 *
            (1 -
             z / 12 *
                 (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132 * (1 - z / 182 * (1 - z / 240)))))));
    *sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
    *cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
}

/* Wind *from* 0 is from the north, v < 0; from 270 is from the west, u > 0. */
POINTWISE void direction_wind(double speed, double from_degrees, double *u, double *v) {
    double sine, cosine;
    direction_sincos(from_degrees, &sine, &cosine);
    *u = 0.0 - speed * sine;
    *v = 0.0 - speed * cosine;
}

#endif
