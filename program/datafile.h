/* SPDX-License-Identifier: Apache-2.0
 *
 * A NetCDF file of any format, read on one process a piece at a time, for the commands that inspect files.
 */
#ifndef MAEOTIS_PROGRAM_DATAFILE_H
#define MAEOTIS_PROGRAM_DATAFILE_H

#include "base/error.h"
#include <netcdf.h>
#include <stdbool.h>
#include <stdint.h>

enum { DATA_DIMS = 8, DATA_NAME = NC_MAX_NAME + 1 };

typedef struct DataVariable {
    char name[DATA_NAME];
    int id, n_dims;
    nc_type type;
    char dims[DATA_DIMS][DATA_NAME];
    size_t lengths[DATA_DIMS];
    size_t size;    /* values in all */
    bool by_record; /* the first dimension is unlimited */
    bool has_fill;
    double fill;
} DataVariable;

typedef struct DataFile {
    int id;
    const char *path;        /* not owned */
    DataVariable *variables; /* sorted by name; those of types that hold no numbers or letters are left out */
    int n_variables;
} DataFile;

CHECKED Status datafile_open(const char *path, DataFile *out);
void datafile_close(DataFile *file);
const DataVariable *datafile_find(const DataFile *file, const char *name); /* NULL: none */

/* A text attribute, to be freed; NULL if there is none. `variable`: an id or NC_GLOBAL. */
char *datafile_text(const DataFile *file, int variable, const char *name);

/* A value in eight bytes: 64-bit integers as they are, letters and all else as a double. */
typedef union Datum {
    double number;
    int64_t whole;
    uint64_t bits;
} Datum;
bool data_is_whole(const DataVariable *variable);              /* which of the two */
double data_number(const DataVariable *variable, Datum datum); /* NaN where it is fill */

/* A number of the variable as seconds since 1970; false where its units are none of time. */
bool data_seconds(const DataFile *file, const DataVariable *time, double value, double *seconds);

/* The same as a date; false where its units are none of time. */
bool data_date(const DataFile *file, const DataVariable *time, double value, char date[32]);

/* Pieces: so many indices of the first dimension at a time that they fit into memory. */
typedef struct Pieces {
    size_t rows;    /* indices of the first dimension in one piece; the last piece may be shorter */
    size_t per_row; /* values for each of them */
    size_t count;
} Pieces;
Pieces data_pieces(const DataVariable *variable);

/* Reads piece `n` into `out`, which holds rows * per_row values; says how many there are. */
CHECKED Status data_read(const DataFile *file, const DataVariable *variable, Pieces pieces, size_t n,
                         Datum *out, size_t *values);

/* Of the state, at a record of a file of fields, as the log prints it: from its two halves, or from the text of older
 * files; empty where the file has none. */
void datafile_state_digest(const DataFile *file, size_t record, char digest[17]);

/* A number for all values of the variable and its shape. */
CHECKED Status data_digest(const DataFile *file, const DataVariable *variable, uint64_t *digest);

/* Lines under one another, each cut to what a terminal shows; then where all of it stands. */
void datafile_print_note(const char *label, const char *text, const char *where);

#endif
