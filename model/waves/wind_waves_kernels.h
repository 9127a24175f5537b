/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAEOTIS_MODEL_WAVES_WIND_WAVES_KERNELS_H
#define MAEOTIS_MODEL_WAVES_WIND_WAVES_KERNELS_H

#include "model/forcing/wind_sample.h"
#include "model/waves/fetch.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WavesFound {
    GridView g;
    Sample height, period, direction; /* [m], [s] or, as a frequency, [s-1], [degrees] */
    bool grows;                       /* made by the wind over its fetch, instead of those */
    WaveGrowth growth;                /* by this law */
    WindSample wind;
    Fetch fetch;
    double period_factor; /* from the period given to that of the peak */
    bool frequency;       /* `period` is one */
    Turn turn;            /* to the grid's axes */
    double sign;          /* of the direction: 1, that waves come from; -1, that they travel to */
    double most_of_depth; /* that the height may have (wave_highest) */
    double gravity;
    const double *depth;       /* [m] */
    double roughness;          /* of the bed, for waves [m] */
    const double *roughness_c; /* the same of columns, where it varies; NULL: it does not */
    double *significant, *peak_period, *x, *y, *stress; /* as in the state */
    double *number, *drift_x, *drift_y; /* k [m-1] and T/h [m s-1] of wave_drift.h; NULL: no drift */
} WavesFound;

/* The Stokes drift of one component's faces. */
typedef struct DriftFound {
    GridView g;
    ptrdiff_t along;
    double dt, ramp;
    const double *depth, *bottom, *phi; /* of the faces */
    const double *stress;               /* -1 where a column cannot have water */
    const double *number, *mean;        /* of columns: k [m-1], one component of T/h [m s-1] */
    double *drift;                      /* of the step before, then of this one [m s-1] */
    double *rise;                       /* its rate of change in the step [m s-2] */
} DriftFound;
void drift_find(Exec exec, RunList faces, DriftFound args);

/* Of columns. */
void waves_find(Exec exec, RunList columns, WavesFound args);

#ifdef __cplusplus
}
#endif
#endif
