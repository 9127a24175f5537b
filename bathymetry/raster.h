/* SPDX-License-Identifier: Apache-2.0
 *
 * A regular raster of elevations from a user's file: GEBCO, ETOPO, EMODnet (NetCDF, also NetCDF-4), ESRI
 * ASCII, XYZ. Whatever the file's order, units, sign and registration, the result has rows from south to
 * north, cell centres, and elevations in metres, positive up, above the file's datum. All functions are
 * local, but those that say so.
 *
 * Whether a file holds elevations or depths must be said by the file (attribute `positive`, a standard name,
 * a long name that leaves no doubt) or by the user; a guess would turn a sea into a mountain.
 */
#ifndef MAEOTIS_BATHYMETRY_RASTER_H
#define MAEOTIS_BATHYMETRY_RASTER_H

#include "base/error.h"
#include "numerics/grid/axes.h"
#include "numerics/grid/band.h"
#include <stdbool.h>

typedef enum RasterUnits { RASTER_UNKNOWN, RASTER_DEGREES, RASTER_METRES } RasterUnits;

typedef struct Raster {
    int nx, ny;
    double x0, y0;       /* centre of cell (0, 0) [degrees or m] */
    double dx, dy;       /* spacing, both positive */
    RasterUnits units;   /* of x and y, where the file says so */
    int first_row, rows; /* those that are here: all as raster_read leaves it */
    double *elevation;   /* elevation[(j - first_row)*nx + i] [m], positive up; NaN: land without a known
                          height. Of other content: its values, NaN where they are missing */
    char *source;        /* from the file's attributes: title, references, licence; never NULL */
    char *checksum;      /* of the file's bytes, as text */
} Raster;

/* Heights of the ground; lengths, in metres; or other numbers, as they are in the file. */
typedef enum RasterContent { RASTER_HEIGHTS, RASTER_LENGTHS, RASTER_NUMBERS } RasterContent;

typedef struct RasterOptions {
    const char *variable;  /* NULL: found by standard name or by being the only two-dimensional one */
    const char *positive;  /* "up", "down", or NULL: from the file, which is refused if it does not say */
    double datum_offset_m; /* added to the elevations */
    /* West, east, south, north: a NetCDF file larger than this is read only there, with a cell or two around;
     * longitudes of either convention. NULL: all of it. Text files are always read whole. */
    const double *window;
    /* West, east, south, north: where the file does not reach that far, the raster does, without values. NULL: no. */
    const double *cover;
    /* Of a grid on a map: the window of a file in degrees, for which `cover` does not count (raster_map.h). */
    const double *degrees;
    const Axes *map; /* of such a grid; NULL: of another */
    bool nearest;    /* of such a grid: no means of neighbours, which would be other classes */
    bool turns;      /* x are longitudes, and the raster is turned by whole circles to meet `cover` */
    RasterContent content;
} RasterOptions;

/* `path`: a file, or the name of a shipped grid ("azov", "peer_basin"). NULL options: what the file says. */
CHECKED Status raster_read(const char *path, const RasterOptions *options, Raster **out);
void raster_destroy(Raster **raster);

/* The same by rank 0, and to each rank the rows that it needs: rows[0] <= row < rows[1] of a raster of this shape, which
 * has no elevations yet. Rank 0 has a NetCDF file's rows no longer than it takes to send them. Source and checksum are
 * those of rank 0 there, NULL elsewhere. Collective over the band's communicator. */
typedef void RasterRows(const void *context, const Raster *shape, int rows[2]);
CHECKED Status raster_read_rows(const Band *band, const char *path, const RasterOptions *options,
                                RasterRows *needed, const void *context, Raster **out);

/* The file of a shipped grid; NULL if none has this name. To be freed. */
CHECKED Status raster_find_shipped(const char *name, char **out);

/* Gives land without a height one: height(context, x, y) [m], of the rows that are here. */
void raster_fill_land(Raster *raster, double (*height)(void *context, double x, double y), void *context);

#endif
