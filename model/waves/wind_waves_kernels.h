/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAEOTIS_MODEL_WAVES_WIND_WAVES_KERNELS_H
#define MAEOTIS_MODEL_WAVES_WIND_WAVES_KERNELS_H

#include "model/forcing/sample.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WavesFound {
    GridView g;
    Sample height, period, direction; /* [m], [s] or, as a frequency, [s-1], [degrees] */
    double period_factor;             /* from the period given to that of the peak */
    bool frequency;                   /* `period` is one */
    double sign;                      /* of the direction: 1, that waves come from; -1, that they travel to */
    double most_of_depth;             /* of the height */
    double gravity;
    const double *depth;       /* [m] */
    double roughness;          /* of the bed, for waves [m] */
    const double *roughness_c; /* the same of columns, where it varies; NULL: it does not */
    double *significant, *peak_period, *x, *y, *stress; /* as in the state */
} WavesFound;

/* Of columns. */
void waves_find(Exec exec, RunList columns, WavesFound args);

#ifdef __cplusplus
}
#endif
#endif
