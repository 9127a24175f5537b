/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the density, column by column: see density.h.
 */
#ifndef MAEOTIS_MODEL_DENSITY_COLUMNS_H
#define MAEOTIS_MODEL_DENSITY_COLUMNS_H

#include "model/density/equation_of_state.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

/* rho [kg m-3] */
POINTWISE double density_of_water(DensityEquation equation, LinearDensity linear, double temperature,
                                  double salinity) {
    if (equation == DENSITY_LINEAR) return density_linear(linear, temperature, salinity);
    if (equation == DENSITY_EOS80) return density_eos80(temperature, salinity);
    return density_teos10(temperature, salinity, 0.0);
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
    const double *profile, *delta; /* NULL: none */
    double profile_bottom, profile_step;
    int profile_count;
    double *density, *anomaly, *pressure; /* density and anomaly may be one */
    double *surface;                      /* b at the surface, two-dimensional */
} DensityColumns;

void density_columns(Exec exec, BlockList blocks, DensityColumns args);

#ifdef __cplusplus
}
#endif
#endif
