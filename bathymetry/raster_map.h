/* SPDX-License-Identifier: Apache-2.0
 *
 * Rasters in degrees for grids on a map (/grid/crs): they become rasters in metres of the map, whose cells divide those of the
 * grid about as finely as the file's, so that all that follows knows one kind of raster.
 *
 * A value is bilinear between the file's centres that have one; where the nearest of them has none there is none. Places within
 * a cell of the grid are found between its corners, which are exact: cells of 10 km are straight to 2 m.
 */
#ifndef MAEOTIS_BATHYMETRY_RASTER_MAP_H
#define MAEOTIS_BATHYMETRY_RASTER_MAP_H

#include "bathymetry/raster.h"
#include "numerics/grid/axes.h"

/* raster_read_rows for a grid with these axes, on a map or not. `options->window` and `cover`, `needed`: in its coordinates, as
 * is the raster that comes out; what a file in degrees does not cover has no value if `cover` says so, and is refused otherwise.
 * Collective. */
CHECKED Status raster_read_for(const Axes *axes, const Band *band, const char *path,
                               const RasterOptions *options, RasterRows *needed, const void *context,
                               Raster **out);

#endif
