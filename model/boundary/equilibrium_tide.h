/* SPDX-License-Identifier: Apache-2.0
 *
 * The tide-generating potential of moon and sun, as the level of the equilibrium tide over an earth that yields to it:
 *
 *     E = sum of (1 + k - h) A f cos(V + u + m lon) F(lat)        [m]
 *
 * with m = 2 and F = cos^2 lat (semidiurnal), m = 1 and F = sin 2 lat (diurnal), m = 0 and F = 1/2 - 3/2 sin^2 lat
 * (of long period); V, f, u as in tide.h. Amplitudes: D. E. Cartwright, A. C. Edden, Geophys. J. R. Astron. Soc. 33
 * (1973) 253-264; amplitudes and factors 1 + k - h, which differ among diurnal tides by the resonance of the earth's
 * core, as B. K. Arbic et al. list them, Deep-Sea Res. II 51 (2004) 3069-3101. The acceleration is
 * momentum/tidal_potential.h.
 */
#ifndef MAEOTIS_MODEL_EQUILIBRIUM_TIDE_H
#define MAEOTIS_MODEL_EQUILIBRIUM_TIDE_H

#include "numerics/grid/grid.h"
#include "settings/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EquilibriumTide EquilibriumTide;

/* NULL comes out where the scenario has no tidal potential. Local. */
EquilibriumTide *equilibrium_tide_create(const Scenario *scenario, const Grid *grid);
void equilibrium_tide_destroy(EquilibriumTide **tide);

/* E at centres, with one halo cell, at the time since the start [s]. Local. */
void equilibrium_tide_fill(const EquilibriumTide *tide, double time, double *level);

/* "M2, S2; self-attraction 0.09"; to be freed. */
char *equilibrium_tide_describe(const EquilibriumTide *tide);

/* The constituents of each species at one moment, and where they act. */
typedef struct EquilibriumFill {
    ptrdiff_t row;
    double cosine[3], sine[3];   /* sums of A f cos(V + u), A f sin(V + u), by m [m] */
    const double *latitude[3];   /* F by j, by m */
    const double *lon_cosine[3]; /* cos m lon by i */
    const double *lon_sine[3];
    const double *map_cosine[3], *map_sine[3]; /* on a map: F cos m lon, F sin m lon by column; else NULL */
    double *to;                                /* [m] */
} EquilibriumFill;
void equilibrium_fill(Exec exec, RunList points, EquilibriumFill args);

#ifdef __cplusplus
}
#endif
#endif
