/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading NetCDF files that users bring: netCDF-3 (classic, 64-bit, CDF-5) and netCDF-4, whatever the order
 * of the dimensions, packed or not. Serial; all functions are local and need no MPI.
 *
 *     ATTEMPT(netcdf_open("era5.nc", &file));
 *     int id = netcdf_find(file, "u10");
 *     if (id < 0) id = netcdf_find_standard_name(file, "eastward_wind");
 *     ATTEMPT(netcdf_describe(file, id, &wind));
 *     ATTEMPT(netcdf_require(file, &wind, "time, y, x"));
 *     // raw numbers; what they mean is in the coordinate's "units" and "calendar":
 *     ATTEMPT(netcdf_read_coordinate(file, &wind, wind.time, &times));
 *     units = netcdf_text(file, wind.coordinate[wind.time], "units");
 *     // values[j*nx + i], missing ones NaN:
 *     ATTEMPT(netcdf_read_map(file, &wind, record, 0, nx, 0, ny, values));
 *
 * Rows and columns come in the file's own order: compare the coordinates to see whether latitudes descend.
 * A file that is truncated, damaged or not NetCDF is refused with a message, never read as zeros.
 */
#ifndef MAEOTIS_BASE_NETCDF_IN_H
#define MAEOTIS_BASE_NETCDF_IN_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct NetcdfFile NetcdfFile;

enum { NETCDF_MOST_DIMENSIONS = 8, NETCDF_WHOLE_FILE = -1 };

/* A variable and its dimensions. `x`, `y`, `z`, `time` say which dimension is which, -1: none. They are found
 * by the coordinate variable's axis, units or standard name, finally by its name. */
typedef struct NetcdfVariable {
    int id;
    const char *name; /* belongs to the file */
    int rank;
    size_t length[NETCDF_MOST_DIMENSIONS];
    int coordinate[NETCDF_MOST_DIMENSIONS]; /* the variable that holds the coordinates along it, -1: none */
    int x, y, z, time;
    int plane_x, plane_y; /* two-dimensional variables with the coordinates of a curvilinear grid; -1: axes */
} NetcdfVariable;

/* What the header of a classic file says: its own length, the number of records, and where the variables
 * without records and all variables end [bytes]. */
typedef struct ClassicHeader {
    int64_t bytes, records, fixed_end, end;
} ClassicHeader;

/* Does the file begin like NetCDF? A file that cannot be opened does not. */
bool netcdf_is_netcdf(const char *path);

/* STATUS_BAD_INPUT for a file that is not there, not NetCDF, cut off or damaged. */
CHECKED Status netcdf_open(const char *path, NetcdfFile **out);
void netcdf_close(NetcdfFile **file);
const char *netcdf_path(const NetcdfFile *file);
int netcdf_id(const NetcdfFile *file); /* the library's own handle */

/* Variables have the ids 0 <= id < netcdf_count. */
int netcdf_count(const NetcdfFile *file);
const char *netcdf_name(const NetcdfFile *file, int id);
int netcdf_rank(const NetcdfFile *file, int id);
int netcdf_find(const NetcdfFile *file, const char *name);               /* -1: none of this name */
int netcdf_find_standard_name(const NetcdfFile *file, const char *name); /* the first, -1: none */
char *netcdf_list(const NetcdfFile *file); /* "elevation(lat, lon), crs": for messages; to be freed */

CHECKED Status netcdf_describe(const NetcdfFile *file, int id, NetcdfVariable *out);

/* Refuses a variable that lacks one of the named dimensions ("time, y, x") or has another one longer than 1.
 */
CHECKED Status netcdf_require(const NetcdfFile *file, const NetcdfVariable *variable, const char *dimensions);
/* The same: x and y, and no others than levels and times. */
CHECKED Status netcdf_require_maps(const NetcdfFile *file, const NetcdfVariable *variable);

/* An attribute of a variable (or NETCDF_WHOLE_FILE) as text, numbers printed; NULL: none. Free with
 * memory_free. */
char *netcdf_text(const NetcdfFile *file, int id, const char *attribute);
/* An attribute that is one number; false: there is none. */
bool netcdf_number(const NetcdfFile *file, int id, const char *attribute, double *value);

/* The coordinates along one dimension of the variable, unpacked: finite and strictly rising or falling, else
 * refused. `dimension` is variable->x and so on. Free with memory_free; there are
 * variable->length[dimension]. Of a coordinate with further dimensions the first along these. */
CHECKED Status netcdf_read_coordinate(const NetcdfFile *file, const NetcdfVariable *variable, int dimension,
                                      double **values);

/* All numbers of a small variable, unpacked, missing ones NaN; refused if there are not `count`. */
CHECKED Status netcdf_read_numbers(const NetcdfFile *file, int id, size_t count, double *out);

/* Refuses more values at once than this machine has memory for, or than messages between ranks can count: a
 * NetCDF-4 file of a few bytes may tell of any number. */
CHECKED Status netcdf_check_room(const NetcdfFile *file, const NetcdfVariable *variable, double columns,
                                 double rows, double levels);

/* One map of the variable: record `record` of its time (0 if it has none), columns first_x .. first_x + nx -
 * 1, rows likewise, to out[j*nx + i], unpacked (scale_factor, add_offset), missing values (_FillValue,
 * missing_value, the type's default fill) as NaN. Needs x and y; all dimensions but time must be of length 1.
 */
CHECKED Status netcdf_read_map(const NetcdfFile *file, const NetcdfVariable *variable, size_t record,
                               size_t first_x, size_t nx, size_t first_y, size_t ny, double *out);

/* The same of level `level` of a variable that may have levels, too. */
CHECKED Status netcdf_read_level(const NetcdfFile *file, const NetcdfVariable *variable, size_t record,
                                 size_t level, size_t first_x, size_t nx, size_t first_y, size_t ny,
                                 double *out);

/* As netcdf_read_map, `records` records one after the other. */
CHECKED Status netcdf_read_maps(const NetcdfFile *file, const NetcdfVariable *variable, size_t record,
                                size_t records, size_t first_x, size_t nx, size_t first_y, size_t ny,
                                double *out);

/* The bounds (CF) of one value of the coordinate along a dimension, as stored; false: the file has none. */
bool netcdf_read_bounds(const NetcdfFile *file, const NetcdfVariable *variable, int dimension, size_t at,
                        double bounds[2]);

/* Refuses a file that is missing, not NetCDF, truncated or damaged, before a library opens it: the libraries
 * crash on bad headers. Code that opens a user's file without netcdf_open must call this first. */
CHECKED Status netcdf_check(const char *path);

/* The parts of it: a child process that reads a NetCDF-4 file, */
CHECKED Status netcdf_probe(const char *path);
/* a classic file (CDF-1, 2, 5), which begins at `bytes`; `length` (NULL: not wanted) is that of its header, */
CHECKED Status netcdf_check_classic(const char *path, const unsigned char *bytes, int64_t size,
                                    int64_t *length);
/* and its header alone, of a file that may be shorter than the header says. */
CHECKED Status netcdf_check_header(const char *path, const unsigned char *bytes, int64_t size,
                                   ClassicHeader *out);

#endif
