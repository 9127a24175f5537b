/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the density, column by column: see density.h.
 */
#ifndef MAEOTIS_MODEL_DENSITY_COLUMNS_H
#define MAEOTIS_MODEL_DENSITY_COLUMNS_H

#include "model/density/equation_of_state.h"
#include "model/density/rest_heights.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

/* At the pressure of the surface [kg m-3]. */
POINTWISE double density_of_water(DensityEquation equation, LinearDensity linear, double temperature,
                                  double salinity) {
    if (equation == DENSITY_LINEAR) return density_linear(linear, temperature, salinity);
    if (equation == DENSITY_EOS80) return density_eos80(temperature, salinity);
    if (equation == DENSITY_TEOS10) return density_teos10_at_surface(temperature, salinity);
    return density_teos10_practical_at_surface(temperature, salinity);
}

/* At a depth [m], with `compression` the pressure per depth [dbar m-1]; of TEOS-10 without the part that depends
 * on depth alone. */
POINTWISE double density_at_depth(DensityEquation equation, double temperature, double salinity, double depth,
                                  double compression) {
    if (equation == DENSITY_EOS80) return density_eos80_at(temperature, salinity, compression * depth);
    if (equation == DENSITY_TEOS10) return density_teos10(temperature, salinity, depth);
    return density_teos10_practical(temperature, salinity, depth);
}

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DensityColumns {
    GridView g;
    DensityEquation equation;
    LinearDensity linear; /* its T_0 and S_0 also where there is no temperature, no salinity */
    double reference, gravity;
    const double *temperature, *salinity; /* may be NULL */
    const double *depth, *eta;
    double *
        below; /* with ground inside cells: how far the middles of layers lie below the level; NULL: as the depth has it [m] */
    double compression;            /* pressure per depth [dbar m-1]; 0: density does not depend on pressure */
    double level;                  /* height where the pressure is that of the surface [m] */
    const double *profile, *delta; /* NULL: none */
    double profile_bottom, profile_step;
    int profile_count;
    double *density, *anomaly, *pressure; /* density and anomaly may be one without compression */
    double *surface;                      /* b at the surface, two-dimensional */
    RestTable table;
    RestHeights rest;
} DensityColumns;

void density_columns(Exec exec, BlockList blocks, DensityColumns args);

#ifdef __cplusplus
}
#endif
#endif
