/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the readers of the formats. Nothing outside bathymetry/ includes this.
 */
#ifndef MAEOTIS_BATHYMETRY_RASTER_INTERNAL_H
#define MAEOTIS_BATHYMETRY_RASTER_INTERNAL_H

#include "bathymetry/raster.h"

#include "base/file.h"
#include "base/netcdf_in.h"
#include <stddef.h>

/* More cells than this are no raster but a damaged header. */
#define RASTER_MOST_CELLS 2e9

/* Opens the file and fills shape, place and, if there is anything to say, `source`; then its rows, positive up and in
 * metres, missing ones NaN. */
typedef struct RasterNetcdf RasterNetcdf;
CHECKED Status raster_netcdf_open(const char *path, const RasterOptions *options, Raster *shape,
                                  RasterNetcdf **out);
CHECKED Status raster_netcdf_rows(const RasterNetcdf *file, int first, int rows, double *out);
void raster_netcdf_close(RasterNetcdf **file);

/* Each fills shape, place and elevation: the file's own numbers, missing ones NaN. The sign is the caller's. */
CHECKED Status raster_read_ascii(const FileBytes *file, Raster *raster);
CHECKED Status raster_read_xyz(const FileBytes *file, Raster *raster);
bool raster_is_ascii(const FileBytes *file);

/* The factor from the variable's numbers to metres: its unit; and positive up: its sign times its unit. */
CHECKED Status raster_metres(const NetcdfFile *file, const NetcdfVariable *variable, double *factor);
CHECKED Status raster_sign(const NetcdfFile *file, const NetcdfVariable *variable, const char *positive,
                           double *factor);
CHECKED Status raster_check_positive(const char *positive);

/* True for the standard names of elevations and depths. */
bool raster_knows_standard_name(const char *name);

/* ---- text ---- */

/* A line of a text file, without its end; `number` counts from 1. */
typedef struct RasterLine {
    const char *at, *end;
    int number;
} RasterLine;

/* The next line from `*next` on; false at the end of the file. */
bool raster_next_line(const FileBytes *file, const char **next, RasterLine *line);

/* Skips blanks (and, in XYZ files, commas and semicolons) before the next word; false: the line ends. */
bool raster_skip_blanks(RasterLine *line, bool separators);

/* Reads one number and the place behind it; false: the text there is not a number. NaN is one. */
bool raster_take_number(RasterLine *line, double *value);

/* The word at the line's place, shortened to fit a message. */
void raster_word(const RasterLine *line, char word[32]);

#endif
