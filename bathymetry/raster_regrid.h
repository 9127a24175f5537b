/* SPDX-License-Identifier: Apache-2.0
 *
 * A raster on the cells of a grid, or of a band of it. Local.
 */
#ifndef MAEOTIS_BATHYMETRY_RASTER_REGRID_H
#define MAEOTIS_BATHYMETRY_RASTER_REGRID_H

#include "bathymetry/raster.h"
#include "numerics/grid/axes.h"

/* values[(j - first)*nx + i] of the band's rows: area-weighted means where the raster is finer than the grid, bilinear
 * where it is coarser. Missing values do not count; NaN where there is no other. `what` names the raster in messages.
 * Refused: as by overlap_check. To be freed. */
CHECKED Status raster_regrid(const Raster *raster, const char *what, const Axes *axes, const Band *band,
                             double **values);

/* The rows of the raster that it needs, for raster_read_rows. */
void raster_regrid_rows(const Raster *shape, const Axes *axes, const Band *band, int rows[2]);

/* The raster at a point, bilinear between the centres around that have a value; NaN: none of them has, or the
 * point lies farther than half a cell outside. Longitudes of either convention. */
double raster_at(const Raster *raster, double x, double y);

/* The value of the nearest centre; NaN as before. */
double raster_nearest(const Raster *raster, double x, double y);

/* The rows that it needs for points from `south` to `north`. */
void raster_rows_between(const Raster *shape, double south, double north, int rows[2]);

#endif
