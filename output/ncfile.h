/* SPDX-License-Identifier: Apache-2.0
 *
 * A NetCDF file that all ranks write or read together (PnetCDF), with collected errors. The calls that define
 * and put only note the first failure of this rank, so that a definition reads like a table. The collective
 * calls (`Status`) agree on it over the ranks and raise one message. After a failure, further calls of the
 * first kind do nothing, the collective ones are still made by all ranks, and no rank is left waiting.
 */
#ifndef MAEOTIS_OUTPUT_NCFILE_H
#define MAEOTIS_OUTPUT_NCFILE_H

#include "base/error.h"
#include <pnetcdf.h>
#include <stdbool.h>

/* The fill value; also NetCDF's own default. */
#define FILL_FLOAT  NC_FILL_FLOAT
#define FILL_DOUBLE NC_FILL_DOUBLE

typedef struct NcFile {
    MPI_Comm comm; /* not owned */
    int id;
    bool open, writes;
    bool reads_back; /* ncfile_wait reads what it wrote and compares; set at first */
    char *path;
    int code;          /* the first failure on this rank, NC_NOERR: none */
    const char *doing; /* what was being done then */
    bool failed;       /* some rank failed, and it was said */
    MPI_Offset end;    /* of the furthest byte that this rank has put */
    struct Slab *slab; /* what was put since the last ncfile_wait, cut to what one round may hold */
    int n_slabs, most_slabs;
    char *copy; /* of what was written, read back */
    MPI_Offset copy_bytes;
} NcFile;

/* PnetCDF takes no more than 2 GiB of one rank at a time. So what is put or got goes in rounds of at most so
 * many bytes of each rank; tests make them small. */
extern MPI_Offset ncfile_round_bytes;

/* A file that exists is replaced. CDF-2, which every program opens, holds less than 4 GiB of one variable (of
 * one record, if it has records); CDF-5 has no such limit. Collective. */
enum { CDF2 = 2, CDF5 = 5 };
CHECKED Status ncfile_create(NcFile *file, MPI_Comm comm, const char *path, int format);
CHECKED Status ncfile_open(NcFile *file, MPI_Comm comm, const char *path, bool to_write);
/* To read the records that are whole in a file that may be shorter than its header says. Collective. */
CHECKED Status ncfile_open_cut(NcFile *file, MPI_Comm comm, const char *path);

/* Leaves the define mode. Collective. */
CHECKED Status ncfile_end_define(NcFile *file);

/* Writes the data put since the last call, reads them back, and agrees whether all ranks succeeded. Collective. */
CHECKED Status ncfile_wait(NcFile *file);

/* Brings everything to the disk: it is there even if the machine fails afterwards. Collective. */
CHECKED Status ncfile_flush(NcFile *file);

/* Flushes what was written. Collective; a file that is not open is fine. */
CHECKED Status ncfile_close(NcFile *file);

/* Also closes it if it is still open, ignoring failures, and frees its memory. Collective. */
void ncfile_abandon(NcFile *file);

/* Did anything fail on any rank so far? Raises the message once. Collective. */
CHECKED Status ncfile_agree(NcFile *file);

/* Defining: the same calls with the same values on every rank. NULL texts are left out. */
void ncfile_note(NcFile *file, int code, const char *doing);
int ncfile_dimension(NcFile *file, const char *name, MPI_Offset size);
int ncfile_define(NcFile *file, const char *name, nc_type type, int n_dims, const int *dims);
void ncfile_text(NcFile *file, int variable, const char *name, const char *text);
void ncfile_number(NcFile *file, int variable, const char *name, double value);
void ncfile_integer(NcFile *file, int variable, const char *name, int value);
void ncfile_fill(NcFile *file, int variable, nc_type type); /* its _FillValue */

/* Of an open file; notes a failure where there is no such variable. */
int ncfile_find(NcFile *file, const char *name);

/* How many dimensions the variable has, and how long they are; notes a failure where they are more than
 * `most`. */
int ncfile_lengths(NcFile *file, int variable, int most, MPI_Offset *lengths);
int ncfile_leading_dimension(NcFile *file, int variable); /* its id, -1 for a single number */

/* Remembers data for the next ncfile_wait: `data` must stay as it is until then. Local; ranks may put
 * nothing. */
void ncfile_put(NcFile *file, int variable, const MPI_Offset *start, const MPI_Offset *count,
                MPI_Datatype type, const void *data);

/* Reads at once. Collective. */
void ncfile_get(NcFile *file, int variable, const MPI_Offset *start, const MPI_Offset *count,
                MPI_Datatype type, void *data);

#endif
