/* SPDX-License-Identifier: Apache-2.0
 *
 * A regular raster of elevations as users have them: GEBCO, ETOPO, EMODnet (NetCDF, also NetCDF-4), ESRI ASCII,
 * XYZ. Whatever the file's order, units, sign and registration, what comes out is: rows from south to north,
 * cell centres, elevation in metres, positive up, above the file's datum. All functions are local.
 */
#ifndef MAEOTIS_BATHYMETRY_RASTER_H
#define MAEOTIS_BATHYMETRY_RASTER_H

#include "base/error.h"
#include <stdbool.h>

typedef struct Raster {
    int nx, ny;
    double x0, y0;         /* centre of cell (0, 0) [degrees or m] */
    double dx, dy;         /* spacing, both positive */
    double *elevation;     /* elevation[j*nx + i] [m], positive up; NaN: land without a known height */
    char *source;          /* what the file says of itself: title, references, licence; never NULL */
    char *checksum;        /* of the file's bytes, as text */
} Raster;

typedef struct RasterOptions {
    const char *variable;  /* NULL: found by standard name or by being the only two-dimensional one */
    const char *positive;  /* "up", "down", or NULL: what the file says; refused where it says nothing */
    double datum_offset_m; /* added to the elevations */
} RasterOptions;

CHECKED Status raster_read(const char *path, const RasterOptions *options, Raster **out);
void raster_destroy(Raster **raster);

/* Gives land without a height one: height(context, x, y) [m]. */
void raster_fill_land(Raster *raster, double (*height)(void *context, double x, double y), void *context);

#endif
