/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a gridded NetCDF variable around places of the model: open faces, zones, or all cells. Bilinear in space,
 * linear in height (level_heights.h). Where the file has no value, on its land or below its bed, the nearest one holds: of the
 * column, or of the nearest column with values.
 *
 * Rank 0 reads the part around the places of all ranks and sends each rank, level by level, the columns that its own places
 * need. Places are located among global positions: the values are the same on any number of ranks.
 */
#ifndef MAEOTIS_MODEL_FORCING_COLUMNS_H
#define MAEOTIS_MODEL_FORCING_COLUMNS_H

#include "model/forcing/gridded.h"

/* What is wanted. */
typedef struct ProfileSource {
    const char *path, *variable; /* NULL: found by the names */
    FieldNames names;
    const char *carried; /* standard name of the tracer, NULL: any */
    const char *place;   /* in the scenario, for messages */
    const char *beside;  /* "the boundary \"west\"": what the places belong to */
    bool flat;           /* without levels */
    /* Of a velocity: the other component, by which an eastward one is turned on a map (turn.h); NULL: no vector. */
    const FieldNames *across;
    const char *across_variable; /* NULL: found by the names */
    bool along_y;                /* of the two this is the one along y */
    bool cubic;                  /* in time (profiles.h) */
    /* Initial values: of the records around the start (moment.h); places beyond the file take the nearest values. */
    bool initial;
    /* 'x', 'y': not what lies between, but the higher of the two columns along this axis at the nearest row, infinity
     * where one has no value; 0: bilinear */
    char sill;
} ProfileSource;

typedef struct Columns Columns;

/* At x, y [degrees or m]. NULL comes out where no rank has a place. Collective. */
CHECKED Status columns_create(const ProfileSource *source, int places, const double *x, const double *y,
                              const Grid *grid, const Scenario *scenario, Columns **out);
void columns_destroy(Columns **columns);

/* The numbers that a record has on this rank, and the record itself. Collective. */
size_t columns_size(const Columns *columns);
CHECKED Status columns_load(Columns *columns, int record, double *values);

/* At a place, z above the datum [m]. Local, as are the next. */
double columns_at(const Columns *columns, const double *values, int place, double z);
bool columns_cover(const Columns *columns, int place); /* has the last record values around it? (initial) */
int columns_row(const Columns *columns, int place);    /* of a sill: the row of the file that it took */
int columns_levels(const Columns *columns);

/* Times of the records [s since the start], none where the variable has no time; of initial values the two that hold, and the
 * part of the way from the first to the second. */
int columns_records(const Columns *columns, const double **time);
double columns_moment(const Columns *columns, int record[2]);

/* "storm.nc (2014-09-22T00:00Z to 2014-09-27T00:00Z, 121 records)", of initial values "storm.nc (salt, 2014-09-22T00:00:00Z, 40
 * levels)"; to be freed. */
char *columns_describe(const Columns *columns);
const char *columns_name(const Columns *columns); /* of the variable */

#endif
