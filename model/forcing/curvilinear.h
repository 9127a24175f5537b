/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables on curvilinear grids, whose places are two-dimensional variables (CF's attribute "coordinates"): ROMS, NEMO.
 * A place of the model becomes a position among the indices of the file, between which the file is bilinear.
 */
#ifndef MAEOTIS_MODEL_FORCING_CURVILINEAR_H
#define MAEOTIS_MODEL_FORCING_CURVILINEAR_H

#include "base/netcdf_in.h"
#include "numerics/grid/axes.h"
#include <mpi.h>

#define CURVILINEAR_REACH 0.51 /* half a cell: a file of cells reaches to the edge of the last */

/* Which cells between the file's points may hold a place: those of the bin that it is in, in their order. */
typedef struct CellBins {
    double low[2], size[2];
    int count[2];
    ptrdiff_t *first; /* of each bin in `cell` */
    int *cell;
} CellBins;

typedef struct Curvilinear {
    int nx, ny;    /* 0: the variable has axes */
    double *x, *y; /* [row * nx + column]; [degrees or m] */
    bool turns;    /* longitudes */
    CellBins bin;
    int *rim, rims; /* points at the file's edge */
} Curvilinear;

/* Refused: coordinates in other units than the grid's, and currents along axes that are turned against east. Local. */
CHECKED Status curvilinear_read(const NetcdfFile *file, const NetcdfVariable *variable, const Axes *axes,
                                bool is_velocity, Curvilinear *out);
void curvilinear_free(Curvilinear *grid);

/* Gives all ranks what rank 0 has read, ready to be searched. Collective. */
void curvilinear_share(MPI_Comm comm, bool turns, Curvilinear *grid);

/* Where the place lies among columns (i) and rows (j). How far it lies outside comes out [cells]; INFINITY: more than
 * CURVILINEAR_REACH. Local, as is the next. */
double curvilinear_locate(const Curvilinear *grid, double x, double y, double *i, double *j);

/* The nearest of the file's points, for a place outside. */
void curvilinear_nearest(const Curvilinear *grid, double x, double y, double *i, double *j);

#endif
