/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of a gridded source that follow each other in time, in this order, on one grid: their records are counted through all
 * of them. Where two overlap the later one holds from its first record on; of amounts since the record before, of which a first
 * record has none, from its second on, if the earlier file has one of the same time. One file is open at a time, and only those
 * that the run needs and the next are looked at. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_SOURCE_PARTS_H
#define MAEOTIS_MODEL_FORCING_SOURCE_PARTS_H

#include "model/forcing/gridded_source.h"

struct SourcePart {
    char *path;
    double from; /* its first time [s since 1970] */
    int first;   /* of its records, among all; what follows is its own as far as the next part's first */
    int skip;    /* records at its start that another file has */
};

/* Opens the first that the run needs and finds the variable in it. */
CHECKED Status parts_open(const char *paths, const char *variable, const FieldNames *names, GriddedSource *s);

/* Reads the times of all that the run needs, checks that they fit each other, and lines them up. */
CHECKED Status parts_read_times(GriddedSource *s);

/* Opens the file of this record; `local` is its number there. */
CHECKED Status parts_seek(GriddedSource *s, int record, size_t *local);

/* For messages: the number of a record in its file, from 1, and the name of the file. */
int parts_number(const GriddedSource *s, int record);
const char *parts_path(const GriddedSource *s, int record);

/* The records from this one to the last of its file. */
int parts_left(const GriddedSource *s, int record);

void parts_free(GriddedSource *s);

#endif
