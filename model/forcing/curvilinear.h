/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables on curvilinear grids, whose places are two-dimensional variables (CF's attribute "coordinates"): ROMS, NEMO.
 * A place of the model becomes a position among the indices of the file, between which the file is bilinear. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_CURVILINEAR_H
#define MAEOTIS_MODEL_FORCING_CURVILINEAR_H

#include "base/netcdf_in.h"
#include "numerics/grid/axes.h"

typedef struct Curvilinear {
    int nx, ny;    /* 0: the variable has axes */
    double *x, *y; /* [row * nx + column]; [degrees or m] */
} Curvilinear;

/* Refused: coordinates in other units than the grid's, and currents along axes that are turned against east. */
CHECKED Status curvilinear_read(const NetcdfFile *file, const NetcdfVariable *variable, const Axes *axes,
                                bool is_velocity, Curvilinear *out);
void curvilinear_free(Curvilinear *grid);

/* Where the place lies among columns (i) and rows (j); false: farther outside than `shortfall` cells. `hint`, 0 at first,
 * only makes the search short. */
bool curvilinear_locate(const Curvilinear *grid, bool turns, double shortfall, double x, double y, int *hint,
                        double *i, double *j);

#endif
