/* SPDX-License-Identifier: Apache-2.0
 *
 * The bed under the model grid: for each cell the mean bed elevation of the part that can be wet and that
 * part's share of the cell's area, and for each face the share of its width through which water can pass
 * ("fullness"). Made from a raster finer or coarser than the grid, then repaired; every edit is recorded.
 *
 * Processes may share the work, each with a band of rows; then all functions but topography_destroy are collective over
 * the band's communicator. Heights, shares and shores do not depend on the number of bands.
 */
#ifndef MAEOTIS_BATHYMETRY_TOPOGRAPHY_H
#define MAEOTIS_BATHYMETRY_TOPOGRAPHY_H

#include "base/error.h"
#include "bathymetry/open_lines.h"
#include "bathymetry/raster.h"
#include "numerics/grid/axes.h"
#include "numerics/grid/band.h"
#include "numerics/grid/shore.h"

typedef struct Topography {
    Band band; /* which rows of the grid these are; all, if one process has it alone */
    int nx, ny;
    /* bed[j*nx + i]: elevation above the datum, positive up [m], of the wet part if there is one, else of the
     * land; land of unknown height is set 10 m above the level to which land can flood. */
    double *bed;
    double *wet_area;   /* wet_area[j*nx + i]: share of the cell that can be wet, 0 = land, 1 = whole */
    double *open_west;  /* open_west[j*(nx+1) + i]: of the face between cells i-1 and i, i = 0..nx */
    double *open_south; /* open_south[j*nx + i]: of the face between cells j-1 and j, j = 0..ny */
    Shore *shore_west, *shore_south; /* of the same faces; NULL: all of them are whole or closed */
    /* ghost[j*nx + i]: beyond open lines, where bed and area are those of the cells inside; NULL: there are no lines */
    unsigned char *ghost;
    /* one line per edit: "closed 3 cells by line 1", "deepened 12 cells to 0.3 m", ...; whole on rank 0 */
    char *ledger;
} Topography;

typedef struct TopographyOptions {
    double flood_to_m; /* ground below this height can be wet; 0: only ground below the datum */
    /* The bed of a cell is the lowest of its wet part; any wet part counts, and cells have what of a face's width is wet. */
    bool subgrid;
    double minimum_depth_m; /* sea (bed < 0) shallower than this is deepened to it */
    bool fullness;          /* false: cells are whole or land (by half of their area), faces open or closed */
    int n_close;
    const double (*close)[4]; /* lines x1, y1, x2, y2: cells they cross become land */
    int n_open;
    const OpenLine *open; /* what lies behind them is cut off */
    bool keep_all;        /* false: only one component connected through open faces stays: */
    bool has_keep_point;
    double keep_point[2]; /* the one of this point (or of the wet cell nearest to it); else the largest */
} TopographyOptions;

/* All-land and all-closed topographies; the caller fills them (analytic grounds). */
CHECKED Status topography_create(int nx, int ny, Topography **out);
CHECKED Status topography_create_band(int nx, const Band *band, Topography **out);
void topography_destroy(Topography **topography);

/* Area-weighted where the raster is finer than the grid, bilinear where it is coarser; raster cells without a
 * height are land, and so are cells wet on less than 5 % of their area. Faces beside land are closed; on the
 * domain's edge a face is as open as the ground on its inner side is wet. Refused: a raster that does not
 * cover the grid (says by how much; half a raster cell is forgiven), degrees for a grid in metres or the
 * reverse. */
CHECKED Status topography_from_raster(const Raster *raster, const Axes *axes,
                                      const TopographyOptions *options, Topography **out);

/* The same of a band, from the rows of the raster that it needs. */
CHECKED Status topography_band_from_raster(const Raster *raster, const Axes *axes, const Band *band,
                                           const TopographyOptions *options, Topography **out);

/* Those rows, rows[0] <= row < rows[1], of a raster of this shape; the first and the last band get all that lie beside
 * the grid, too. Not for grids that are periodic in y, whose two ends need each other. Local. */
void topography_raster_rows(const Raster *shape, const Axes *axes, const Band *band, int rows[2]);

/* From bed elevations alone (formulas): sets wet_area and the faces from `bed`: whole cells, faces open
 * between wet cells and, where the axes are periodic, across the seam; edges of the domain are open (1)
 * beside a wet cell so that boundary conditions may use them; the grid closes what no condition claims. */
void topography_mask_from_bed(Topography *topography, const Axes *axes, const TopographyOptions *options);

/* Minimum depth, closing lines, open lines, connected component, reports one-cell straits; each edit goes to the
 * ledger. Refused: an open line around whose end water passes, or that meets none. */
CHECKED Status topography_repair(Topography *topography, const Axes *axes, const TopographyOptions *options);

#endif
