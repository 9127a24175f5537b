/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of many pixels, kept in a file: a later start on the same ground reads in a moment what takes long to make.
 *
 *     KeptHeader, KeptBlock[blocks], then blocks of double numbers:
 *         number of the place on the whole grid, how many numbers its table has, numbers of its own, its table
 *
 * So it serves any number of processes. A checksum guards the header and each block; the key is one of all that tables are made
 * from. What does not fit is rebuilt. All functions are collective, and none of them fails.
 */
#ifndef MAEOTIS_MODEL_KEPT_H
#define MAEOTIS_MODEL_KEPT_H

#include "model/subgrid/making.h"

/* The file's path, on all ranks: NAME.tables beside the scenario, NULL if the pixels are few; or in the folder that MAEOTIS_TABLES
 * names, for few pixels, too, NULL if that is empty. To be freed. */
char *kept_path(const Scenario *scenario, const Making *making);

/* A number for all that the tables depend on. */
uint64_t kept_key(const Making *making);

/* Takes the place of making_tables; counts of all ranks go to the first. False: there is no such file, or not with this key. */
bool kept_read(const char *path, uint64_t key, Subgrid *subgrid);

/* Replaces an older file, none of another kind. Counts and divided cells must be those of all ranks. */
void kept_write(const char *path, uint64_t key, const Subgrid *subgrid);

/* ---- shared by reading and writing ---- */

typedef struct KeptHeader {
    char kind[16];
    uint64_t key;
    int64_t blocks;
    SubgridCounts counts;
    SubgridDivided divided[DIVIDED_NAMED];
    uint64_t checksum; /* of what is before it, and of the list of blocks */
} KeptHeader;

/* Places of some rows of a work list. */
typedef struct KeptBlock {
    int64_t list, at, numbers;        /* which list; where in the file [bytes]; how many numbers */
    int64_t west, east, south, north; /* the first and the last place of the whole grid */
    uint64_t checksum;
} KeptBlock;

extern const char kept_kind[16];

/* Are all ranks of this opinion? Collective. */
bool kept_agree(MPI_Comm comm, bool good);

/* Is there no file, or one of tables? If there is another one, a message says so. Local. */
bool kept_may_replace(const char *path);

/* So many numbers from one place of the file. Local, and each rank opens the file itself: where one cannot, as it runs on another
 * machine with folders of its own, the others do not wait for it inside MPI. */
bool kept_read_at(int file, int64_t at, double *numbers, int64_t count);

uint64_t kept_checksum(const KeptHeader *header, const KeptBlock *blocks);

/* Three lists: columns, faces to the west, faces to the south. A place's numbers begin with KEPT_HEAD ones, then at most KEPT_FIELDS. */
enum { KEPT_LISTS = 3, KEPT_FIELDS = 7, KEPT_HEAD = 2 };
const RunList *kept_list(const Grid *grid, int list);

/* What a place has beside its table; NULL: that is 1 everywhere. Returns how many. */
int kept_fields(const Subgrid *subgrid, int list, double *fields[KEPT_FIELDS]);

#endif
