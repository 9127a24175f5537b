/* SPDX-License-Identifier: Apache-2.0
 *
 * A number of each column that lasts for the run, such as the roughness of its bed: from a number, a formula of
 * place, or a map in a file, which is regridded like the bathymetry (bathymetry/raster_regrid.h). The values are those
 * of cells; beyond an edge lies what is on it. Positions come from global indices: the same on any number of ranks.
 */
#ifndef MAEOTIS_MODEL_COLUMN_MAP_H
#define MAEOTIS_MODEL_COLUMN_MAP_H

#include "bathymetry/raster.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

/* Fills the field with its halo. Refused, with the place: wet columns without a value, or with one beyond the limits of
 * the key. `what` names the quantity in messages; `content`: whether its unit is metres. Collective. */
CHECKED Status column_map_fill(const Value *value, const char *what, RasterContent content, const Grid *grid,
                               double *field);

/* The map of a value's file, its classes replaced by their numbers; rows of it as raster_read_for. Refused: a class without a
 * number. Collective. */
CHECKED Status column_map_raster(const Value *value, const char *what, RasterContent content,
                                 const Axes *axes, const Band *band, RasterRows *needed, const void *context,
                                 Raster **out);

/* Over all wet columns; the mean is that of the area. Collective. */
typedef struct MapRange {
    double least, mean, most;
} MapRange;
MapRange column_map_range(const Grid *grid, const double *field);

/* "0.02 to 0.06, mean 0.031, from map.nc (manning)"; to be freed. Collective. */
char *column_map_describe(const Value *value, const Grid *grid, const double *field);

#endif
