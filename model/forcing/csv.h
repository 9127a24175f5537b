/* SPDX-License-Identifier: Apache-2.0
 *
 * Time series in text files:
 *
 *     # wind at Taganrog, from the harbour's log           comments and empty lines anywhere
 *     time,speed_m_s,from_deg                              names, with the unit in the name ...
 *     2014-09-23T00:00Z,8.5,230
 *
 *     time; u [m/s]; v [m/s]                               ... or in brackets; semicolons as well as commas
 *     0; 3.5; -1.0                                         seconds since the start instead of dates
 *
 * The column of times is the first and is called time (date, datetime, time_s, t). Values that are missing or
 * not numbers, and times that do not increase, are refused with file and line: a gap filled silently gives a
 * wrong result. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_CSV_H
#define MAEOTIS_MODEL_FORCING_CSV_H

#include "base/error.h"
#include <stdbool.h>

typedef struct Csv {
    char **path; /* of the files that the rows are from */
    int paths;
    int rows, columns; /* columns of values, the times not counted */
    char **names;      /* as in the file, without the unit in brackets */
    char **units;      /* the text in brackets, NULL if there is none */
    bool dated;        /* times are dates, not seconds since the start */
    double *time;      /* [s since 1970], strictly ascending; `rows` */
    int *file, *line;  /* of each row */
    double *values;    /* row by row */
} Csv;

/* "%s:%d" of a message about a row. */
#define CSV_ROW(csv, row) (csv)->path[(csv)->file[row]], (csv)->line[row]

/* `start` is the moment that times in seconds count from [s since 1970]. Of several files (base/file_set.h), which must have the
 * same columns and follow each other in time, a later one holds from its first row on. */
CHECKED Status csv_read(const char *paths, double start, Csv **out);
void csv_destroy(Csv **csv);

/* The column of that name (case does not matter), -1: none. */
int csv_column(const Csv *csv, const char *name);

/* "time,u_m_s,v_m_s": the columns there are, for messages; to be freed. */
char *csv_column_list(const Csv *csv);

#endif
