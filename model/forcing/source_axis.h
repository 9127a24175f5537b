/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of a NetCDF file's area that the model needs, with columns going east and rows going north
 * whatever the order in the file (latitudes from north to south, longitudes from 0 to 360). Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_SOURCE_AXIS_H
#define MAEOTIS_MODEL_FORCING_SOURCE_AXIS_H

#include "base/netcdf_in.h"
#include "numerics/grid/axes.h"

/* One axis of the window: ascending coordinates and where they stand in the file. */
typedef struct SourceAxis {
    int count;
    double *at; /* [degrees or m] as the model's grid */
    int *index;
    int first, extent; /* the file's indices that hold them all */
} SourceAxis;

/* The area that is wanted, in the grid's coordinates; [0]: x, [1]: y. */
typedef struct SourceWindow {
    double low[2], high[2], margin[2];
    int spare;        /* further points of the file on each side */
    bool degrees;     /* low and high are longitudes and latitudes of a grid on a map */
    bool by_index;    /* the coordinates are the file's columns and rows (curvilinear.h) */
    bool cover;       /* the file must reach as far, */
    double shortfall; /* except for so many of its spacings */
    const char *what; /* must lie inside, for messages */
} SourceWindow;

/* The whole grid with its halo. */
SourceWindow source_window_of(const Axes *axes, bool cover);

/* Is the grid on a map, and are the variable's coordinates degrees? Then places are sought in these. */
bool source_in_degrees(const NetcdfFile *file, const NetcdfVariable *variable, const Axes *axes);

/* Axes in other units than the grid's are refused, metres of another map, and a file that does not cover what it must. */
CHECKED Status source_area(const NetcdfFile *file, const NetcdfVariable *variable, const char *path,
                           const Axes *axes, const SourceWindow *window, SourceAxis *x, SourceAxis *y);

/* The same, whatever the axes are said to be in; `sphere`: longitudes and latitudes. */
CHECKED Status source_axes_find(const NetcdfFile *file, const NetcdfVariable *variable, const char *path,
                                bool sphere, const SourceWindow *window, SourceAxis *x, SourceAxis *y);
void source_axis_free(SourceAxis *axis);

/* A level of a record, out[row * x.count + column]; missing values are NaN. */
CHECKED Status source_axes_read(const NetcdfFile *file, const NetcdfVariable *variable, size_t record,
                                size_t level, const SourceAxis *x, const SourceAxis *y, double *out);

#endif
