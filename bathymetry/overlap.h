/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells of a raster against those of a grid: which of them meet, and over which area. On a sphere areas
 * are exact: longitude times the sine of latitude. Local.
 */
#ifndef MAEOTIS_BATHYMETRY_OVERLAP_H
#define MAEOTIS_BATHYMETRY_OVERLAP_H

#include "bathymetry/raster.h"
#include "numerics/grid/axes.h"
#include "numerics/grid/band.h"
#include <stddef.h>

/* One axis of the raster against the same axis of the grid. Grid cell n meets raster cells first[n] ..
 * first[n] + count[n] - 1 with the weights from weight[start[n]] on. Grid line n (0 .. cells) lies between
 * the raster cells before[n] and after[n], which are the same where it runs through one. */
typedef struct Overlap {
    int cells;
    int *first, *count, *before, *after;
    size_t *start;
    double *weight;
} Overlap;

/* Refuses a raster in other units than the grid's, or one that does not cover the grid (says by how much;
 * half a raster cell is forgiven). `what` names it in messages. `shift`: whole circles that bring the raster's
 * longitudes to the grid's [degrees]. */
CHECKED Status overlap_check(const Raster *raster, const char *what, const Axes *axes, double *shift);

Overlap overlap_along_x(const Raster *raster, const Axes *axes, double shift);
Overlap overlap_along_y(const Raster *raster, const Axes *axes);
void overlap_release(Overlap *overlap);

/* The rows of a raster of this shape, rows[0] <= row < rows[1], that the cells and faces of a band need; the first and the
 * last band get all that lie beside the grid, too. `between`: with those to interpolate from. Not for grids that are
 * periodic in y, whose two ends need each other. */
void overlap_rows(const Raster *shape, const Axes *axes, const Band *band, bool between, int rows[2]);

/* Is the raster coarser than the grid, so that its points must be interpolated? */
bool overlap_is_coarser(const Raster *raster, const Axes *axes);

#endif
