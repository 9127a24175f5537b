/* SPDX-License-Identifier: Apache-2.0
 *
 * Where water would be at rest: Z(r), the height at which the reference profile P (density.h) has its density r, found
 * from the cell's own height z as the rise along which P falls by b = r - P(z): nothing where b is 0. What it is for:
 * model/momentum/restoring.h. Of the density r the compression of water of the reference temperature and salinity is taken
 * off, so that water keeps its r on its way up or down.
 */
#ifndef MAEOTIS_MODEL_REST_HEIGHTS_H
#define MAEOTIS_MODEL_REST_HEIGHTS_H

#include "numerics/grid/grid.h"

/* Fields with halo, of cells; NULL: there are none. */
typedef struct RestHeights {
    const double *density; /* r [kg m-3] */
    double *rise;          /* from the cell's own height to Z(r) [m] */
    double *sum;           /* of uppermost cells: integral of P along the rise [kg m-2] */
} RestHeights;

/* P at equal steps, from the bottom up, without compression; straight lines between its nodes. */
typedef struct RestTable {
    const double *density; /* falls from node to node; NULL: there is no table */
    const double *
        per_density; /* height over density of what follows a node; beyond all measure where P does not fall [m4 kg-1] */
    const double *sum;         /* integral of P from the bottom to node 1, 2, ... [kg m-2] */
    const double *compression; /* of the reference water; NULL: none */
    double *lighter;           /* r, if compression is taken off, else NULL */
    double step;               /* distance of nodes [m] */
    int last;                  /* number of the uppermost node */
} RestTable;

/* From P's nodes, which are overwritten, to the nearest ones that fall upwards; their slopes and integral. Local. */
void rest_table_fall(double *density, int count, double step);
void rest_table_slopes(const double *density, int count, double step, double *per_density);
void rest_table_sum(const double *density, int count, double step, double *sum);

#endif
