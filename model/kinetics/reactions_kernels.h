/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of reactions, column by column: see reactions.h.
 */
#ifndef MAEOTIS_MODEL_REACTIONS_KERNELS_H
#define MAEOTIS_MODEL_REACTIONS_KERNELS_H

#include "kinetics/integrate.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct React {
    GridView g;
    double dt;
    const KineticsPlan *plan;
    KineticsOptions options;
    const double *depth;
    const double *sunk, *wide; /* of subgrid_kernels.h; NULL: cells are even */
    const double *lit;         /* the part of the area on which the light fell; NULL: all */
    /* in three dimensions; NULL: the number below */
    const double *temperature, *salinity, *anomaly;
    double same_temperature, same_salinity, density;
    /* of columns; NULL: none */
    const double *light; /* of the sun, into the depth [W m-2] */
    const double *wind, *stress;
    const double *input[MAEOTIS_MOST_INPUTS];
    double blue, blue_m; /* the part of the light that goes deep, and the depth [m] */
    double time;         /* [s since 1970] */
    double *c[MAEOTIS_MOST_VARIABLES], *bed[MAEOTIS_MOST_VARIABLES];
    double *amount[MAEOTIS_MOST_PROCESSES]; /* of columns: what the processes did [units m] */
    double *fault; /* of columns: number + 1 of a variable that is not finite any more; 0: none */
} React;
void react(Exec exec, BlockList blocks, React args);

/* The largest `fault`. Waits. */
typedef struct ReactFault {
    ptrdiff_t row;
    const double *fault;
} ReactFault;
void react_fault(Exec exec, RunList columns, ReactFault args, double *most);

/* Attenuation by what is in the water, in each layer [m-1]. */
typedef struct Shade {
    GridView g;
    int count;
    const double *c[MAEOTIS_MOST_VARIABLES];
    double per_unit[MAEOTIS_MOST_VARIABLES];
    double *shade;
} Shade;
void find_shade(Exec exec, BlockList blocks, Shade args);

#ifdef __cplusplus
}
#endif
#endif
