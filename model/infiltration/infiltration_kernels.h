/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of infiltration, column by column: see infiltration.h.
 */
#ifndef MAEOTIS_MODEL_INFILTRATION_KERNELS_H
#define MAEOTIS_MODEL_INFILTRATION_KERNELS_H

#include "model/subgrid/hypsometry.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ways that water takes off the ground. */
typedef enum GroundLoss { LOSS_INTERCEPTED, LOSS_INFILTRATED, LOSS_DRAINED, GROUND_LOSSES } GroundLoss;

/* Even ground at the very height where land begins is land. [m] */
#define LAND_SLACK 1e-9

typedef struct Soak {
    GridView g;
    ptrdiff_t law;                            /* InfiltrationLaw */
    double dt, above;                         /* land begins at this height [m] */
    const double *land;                       /* its share of a column's area */
    Hypsometry ground;                        /* inside the cells; all NULL: they are even */
    const double *rain;                       /* of the step [m]; NULL: none */
    const double *rate, *second, *third;      /* of the law (ground.h), in SI; NULL: it has none */
    const double *canopy, *drains;            /* [m]; [m s-1]; NULL: none */
    double *total[GROUND_LOSSES];             /* since the start, over the column's area [m] */
    double *lost[GROUND_LOSSES], *lost_water; /* in the step, and all of it [m] */
    double *depth, *eta;
} Soak;
void ground_soak(Exec exec, RunList columns, Soak args);

/* What the water that is lost takes of a tracer along: its mean over the column. */
typedef struct SoakCarried {
    GridView g;
    const double *lost_water, *c;
    double *brought; /* negative: value times depth [m] */
} SoakCarried;
void ground_carry(Exec exec, RunList columns, SoakCarried args);

#ifdef __cplusplus
}
#endif
#endif
