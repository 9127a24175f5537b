/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0's side of a gridded forcing: the file, its variable, its times, and the part of its area that the
 * model needs, with columns going east and rows going north whatever the order in the file (latitudes from
 * north to south, longitudes from 0 to 360). Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_GRIDDED_SOURCE_H
#define MAEOTIS_MODEL_FORCING_GRIDDED_SOURCE_H

#include "base/netcdf_in.h"
#include "model/forcing/gridded.h"
#include "model/forcing/source_axis.h"

typedef struct GriddedSource {
    NetcdfFile *file;
    NetcdfVariable variable;
    const char *what;
    double factor, offset; /* to the unit that is wanted */
    bool accumulated;      /* amounts since the last record: over its seconds they are the rate */
    int records;           /* 0: the variable has no time */
    double *time;          /* [s since 1970] */
    SourceAxis x, y;
    double *map; /* what is read, before it is put in order */
} GriddedSource;

CHECKED Status source_open(const char *path, const char *variable, const FieldNames *names, const Axes *axes,
                           double start, double end, GriddedSource *out);
/* The variable of this name, or one that may be called so. */
CHECKED Status source_variable(const NetcdfFile *file, const char *path, const char *name,
                               const FieldNames *names, NetcdfVariable *out);
void source_close(GriddedSource *source);

/* window[row * x.count + column]; a missing value in it is refused. */
CHECKED Status source_read(GriddedSource *source, int record, double *window);

#endif
