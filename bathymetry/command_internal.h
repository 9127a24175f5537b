/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the three commands.
 */
#ifndef MAEOTIS_BATHYMETRY_COMMAND_INTERNAL_H
#define MAEOTIS_BATHYMETRY_COMMAND_INTERNAL_H

#include "bathymetry/raster.h"
#include "numerics/grid/axes.h"

enum { COMMAND_MOST_LINES = 256 };

/* The parsed command line. Options that were not given are NaN, NULL or 0. */
typedef struct CommandOptions {
    const char *input, *output;
    const char *variable, *positive, *coordinates;
    double datum_offset;
    double west, east, south, north;
    double dx_m, dlon, dlat;
    double minimum_depth, smooth;
    double close[COMMAND_MOST_LINES][4];
    int n_close;
    double keep_point[2];
    bool has_keep_point, help;
    char *history; /* the command as it was given */
} CommandOptions;

CHECKED Status command_inspect(const CommandOptions *options);
CHECKED Status command_import(const CommandOptions *options);
CHECKED Status command_repair(const CommandOptions *options);

/* Reads the input. Coordinates that neither the file nor the user explains are refused, or, where the caller
 * wants to know (`guessed`), taken for degrees if they could be. `window` as in RasterOptions. */
CHECKED Status command_read(const CommandOptions *options, const double *window, bool *guessed, Raster **out);

/* The raster's own cells as a grid. */
Axes command_axes(const Raster *raster);

#endif
