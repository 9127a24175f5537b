/* SPDX-License-Identifier: Apache-2.0
 *
 * Tidal constituents: their phase at a given time. A tide of amplitude A and phase lag g (at Greenwich, as in
 * atlases and tables) is
 *
 *     f A cos(V + u - g)
 *
 * with V, the argument of the equilibrium tide at Greenwich, from the mean longitudes of moon and sun, and
 * f, u, which follow the moon's node in 18.6 years.
 *
 * Mean longitudes: J. Meeus, Astronomical Algorithms, 2nd ed. (1998), chapters 22, 25, 47. Arguments:
 * A. T. Doodson, Proc. R. Soc. A 100 (1921) 305-329. Factors: his series in the node's longitude, Phil.
 * Trans. R. Soc. A 227 (1928) 223-279, which follow P. Schureman's formulas (Coast and Geodetic Survey
 * Special Publication 98, 1958) to 0.3 % and 0.4 degrees; of the overtides, products of those of M2.
 *
 * The bits of tide_at are the same everywhere: only + - * / and floor are used. Left out are S1, Sa and M3, whose phases
 * atlases and tables refer to different arguments. Local.
 */
#ifndef MAEOTIS_MODEL_TIDE_H
#define MAEOTIS_MODEL_TIDE_H

#include "settings/scenario.h"

int tide_find(const char *name); /* its number; -1: none */

/* f cos(V + u) and f sin(V + u); without `nodal` f = 1, u = 0. */
typedef struct TideMoment {
    double cosine, sine;
} TideMoment;
TideMoment tide_at(int constituent, double seconds_since_1970, bool nodal);

/* How much of a tide that grows over this time is there: from 0 to 1 without a jump of the rate. */
double tide_ramp(double time, double length);

/* The parts of it. [degrees] */
double tide_argument(int constituent, double seconds_since_1970);
void tide_node(int constituent, double seconds_since_1970, double *f, double *u);

/* An angle in degrees, from 0 to 360. */
double tide_degrees(double radians);
/* The ellipse of a current whose components have these amplitudes times cosine and sine of their phase lags: half-axes (the
 * short one positive where the current turns counter-clockwise), the long one's direction, counter-clockwise from the first
 * component, in [0, pi), and the phase lag of the greatest speed in that direction [radians]. */
void tide_ellipse(const double u[2], const double v[2], double *major, double *minor, double *inclination,
                  double *lag);

/* Mean longitudes of moon, sun, lunar perigee, lunar node, solar perigee. [degrees] */
typedef struct Longitudes {
    double moon, sun, perigee, node, solar_perigee;
} Longitudes;
Longitudes tide_longitudes(double seconds_since_1970);

#endif
