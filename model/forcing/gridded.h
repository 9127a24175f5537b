/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable of a gridded NetCDF file (such as ERA5) at the points of the model's grid: linear in time
 * between two records, bilinear in space.
 *
 * Rank 0 holds the file and reads one record at a time, cut to the model's area; each rank gets the part around its own
 * cells (deal.h). Two records lie where kernels see them, which interpolate; a new one goes there without waiting for who
 * reads the old.
 * Positions and weights come from the global index, so that a point has the same value on every
 * decomposition.
 *
 * If the units say that a record is accumulated since the previous one (J m-2, m), it becomes the mean rate
 * of that interval, constant until the next record, so that the accumulated amounts are kept.
 */
#ifndef MAEOTIS_MODEL_FORCING_GRIDDED_H
#define MAEOTIS_MODEL_FORCING_GRIDDED_H

#include "base/error.h"
#include "model/forcing/sample.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

typedef enum Place { PLACE_C, PLACE_U, PLACE_V, PLACES } Place;

#define NAMES(...)                                                                                           \
    (const char *const[]) {                                                                                  \
        __VA_ARGS__, NULL                                                                                    \
    }

/* What a file may hold, and how it may be called there; the lists end with NULL. */
typedef struct FieldNames {
    const char *what;   /* for messages: "eastward wind" */
    const char *unit;   /* wanted, as in units.h */
    double least, most; /* all that was ever observed lies between, in that unit; both 0: any number */
    const char *const *names, *const *standard_names, *const *long_names;
    bool at_sea; /* has no values on land: the nearest ones stand in */
} FieldNames;

typedef struct Gridded Gridded;

/* Does the file begin like NetCDF? A file that cannot be opened does not. Rank 0 decides for all: the file
 * may lie on a disk that only it sees. Collective. */
bool gridded_is_netcdf(MPI_Comm comm, const char *path);

/* Does the NetCDF file hold the quantity (`variable`: its name in the file, NULL: found)? Its CF standard name comes out,
 * empty where it has none; NULL: not wanted. Not found where the file is none of NetCDF. Collective. */
CHECKED Status gridded_find(MPI_Comm comm, const char *path, const char *variable, const FieldNames *names,
                            bool *found, char standard_name[128]);

/* `variable`: its name in the file, NULL: found. Refused: no such variable, unknown units, records that do
 * not bracket the run, an area smaller than the grid's. Collective. */
CHECKED Status gridded_create(const char *path, const char *variable, const FieldNames *names,
                              const Grid *grid, const Scenario *scenario, Gridded **out);
void gridded_destroy(Gridded **gridded);

bool gridded_is_steady(const Gridded *gridded); /* no time in the file */

/* Refuses, from now on, records with values beyond these around the grid; both 0: any number. Those that were
 * read before are read again. Local. */
void gridded_limit(Gridded *gridded, double least, double most);

/* Goes to the time since the start [s]. Collective; costs messages only when a new record is needed. */
CHECKED Status gridded_advance(Gridded *gridded, double time);

/* Of a grid on a map: are the file's places longitudes and latitudes? */
bool gridded_in_degrees(const Gridded *gridded);

/* The two records around the time, for kernels at points of this kind, halo included; points beyond the file's area have
 * the value at its rim. Valid until the next gridded_advance. Local. */
Sample gridded_records(const Gridded *gridded, Place place);

/* The values at these points, of this kind, into a field, by kernels. Local. */
void gridded_fill(Gridded *gridded, Place place, RunList points, double *field);

/* "storm.nc (u10, 2014-09-22T00:00Z to 2014-09-27T00:00Z, 121 records)"; to be freed. Local. */
char *gridded_describe(const Gridded *gridded);

#endif
