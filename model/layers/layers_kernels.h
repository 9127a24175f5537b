/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of layers that move with the stratification (adaptive.h).
 */
#ifndef MAEOTIS_MODEL_LAYERS_KERNELS_H
#define MAEOTIS_MODEL_LAYERS_KERNELS_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* New shares of columns, of those that the grid has. */
typedef struct Monitor {
    GridView g;
    const double *depth;   /* [m] */
    const double *density; /* at the pressure of the surface [kg m-3]; NULL: constant */
    const double *u, *v;   /* [m s-1] */
    double *share;         /* the new ones */
    double moved;          /* dt/T; 0: the old shares, rounded */
    double drawn;          /* by how much heights go towards each neighbour's */
    double of_density, of_shear, of_surface, of_bed, of_rest; /* weights */
    double zone;                                              /* of surface and bed [m] */
    double thinnest;                                          /* layer, of one of n equal ones */
} Monitor;
void monitor_shares(Exec exec, BlockList blocks, Monitor args);

/* Fields that go over to new shares. */
enum { MOST_RESHARED = 8 };
typedef struct Reshare {
    GridView g;
    const double *bottom;   /* of the columns or faces */
    const double *own_area; /* columns without are left alone; NULL: all are taken */
    double *phi;            /* the old shares, at the end the new ones */
    const double *share;    /* the new ones; NULL: the mean of the two columns of a face */
    ptrdiff_t along;        /* from a face to the column behind */
    int means, fluxes, at_interfaces;
    double *field
        [MOST_RESHARED]; /* means of layers, then what belongs to whole layers, then values at lower faces */
    bool ends;           /* no field is left: phi may change */
} Reshare;
void reshare(Exec exec, BlockList blocks, Reshare args);

#ifdef __cplusplus
}
#endif
#endif
