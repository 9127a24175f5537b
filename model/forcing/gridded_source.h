/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0's side of a gridded forcing: the file or files, the variable, its times, and the part of its area that the
 * model needs, with columns going east and rows going north whatever the order in the file (latitudes from
 * north to south, longitudes from 0 to 360). Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_GRIDDED_SOURCE_H
#define MAEOTIS_MODEL_FORCING_GRIDDED_SOURCE_H

#include "base/units.h"
#include "model/forcing/gridded.h"
#include "model/forcing/source_axis.h"

typedef struct SourcePart SourcePart; /* source_parts.h */
typedef struct Moment Moment;         /* moment.h */

typedef struct GriddedSource GriddedSource;
struct GriddedSource {
    SourcePart *part; /* the files, in the order of time */
    int parts, open;
    NetcdfFile *file; /* that is open */
    NetcdfVariable variable;
    char *name;               /* of the variable, in all of them */
    const Scenario *scenario; /* not owned */
    const char *what, *unit;
    UnitChange change;      /* to the unit that is wanted */
    double least, most;     /* the range ever observed, in that unit; both 0: any number */
    int records;            /* 0: the variable has no time */
    double *time;           /* [s since 1970] */
    double time_unit;       /* [s] */
    int first, last;        /* the records that the run needs */
    bool layered;           /* may have levels, and places without values */
    bool at_sea;            /* places without values have the nearest one */
    bool told, told_beyond; /* of a value that is allowed, of one in a record that the run does not need */
    bool degrees;           /* the grid is on a map, and the axes are in degrees */
    SourceAxis x, y;
    double *map;         /* what is read, before it is put in order */
    GriddedSource *next; /* that is open (source_records.h) */
    bool looked_at;
};

CHECKED Status source_open(const char *path, const char *variable, const FieldNames *names, const Axes *axes,
                           const Scenario *scenario, GriddedSource *out);
/* A part of the area; `layered`: the variable may have levels, and no value on land or below the bed. `moment`: of the
 * records around the start of the run alone (moment.h); NULL: of those of the run. */
CHECKED Status source_open_part(const char *path, const char *variable, const FieldNames *names,
                                const Axes *axes, const Scenario *scenario, const SourceWindow *window,
                                bool layered, Moment *moment, GriddedSource *out);
/* The number of the variable of this name, or (NULL) of one that may be called so; -1: none. */
int source_find(const NetcdfFile *file, const char *name, const FieldNames *names);
/* The same, described. */
CHECKED Status source_variable(const NetcdfFile *file, const char *path, const char *name,
                               const FieldNames *names, NetcdfVariable *out);
void source_close(GriddedSource *source);

/* What every process knows of a source that rank 0 has opened. */
typedef struct SourceShape {
    int records, count[2]; /* columns and rows of the window */
    bool accumulated;
    double *time;  /* [s since the start] */
    double *at[2]; /* of the columns and rows */
    char *name;    /* of the variable */
} SourceShape;
void source_share(MPI_Comm comm, const GriddedSource *source, double start,
                  SourceShape *out); /* collective */
void source_shape_free(SourceShape *shape);

/* The value of column i and row j of the window, in a map as netcdf_read_map fills it. */
static inline double source_at(const GriddedSource *s, const double *map, int i, int j) {
    return map[(ptrdiff_t)(s->y.index[j] - s->y.first) * s->x.extent + (s->x.index[i] - s->x.first)];
}

/* window[row * x.count + column]; missing and impossible values in it are refused (source_records.h). */
CHECKED Status source_read(GriddedSource *source, int record, double *window);
/* The same of a level; missing values are NaN. */
CHECKED Status source_read_level(GriddedSource *source, int record, int level, double *window);

#endif
