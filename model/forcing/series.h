/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared with the rest of the forcing: series from samples, and the checks of tables. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_SERIES_H
#define MAEOTIS_MODEL_FORCING_SERIES_H

#include "model/forcing/csv.h"
#include "model/forcing/forcing.h"
#include "model/forcing/gridded.h"

/* A column of a table, turned into `unit` (units.h) where its header says that it is in another (NULL: as it is); to be
 * freed. */
CHECKED Status series_column(const Csv *csv, int column, const char *unit, double **values);

/* See series_check_range. Local. */
CHECKED Status series_check_values(const Csv *csv, const double *values, const FieldNames *is,
                                   const char *why, const Scenario *scenario);

/* Doubts a number, or the first row of a table, that lies beyond the range of what it is; `why` says what is the matter with
 * it. Of a formula nothing is known. Local. */
CHECKED Status series_check_range(const Series *series, const FieldNames *is, const char *why,
                                  const Scenario *scenario);
extern const char SERIES_OBSERVED[]; /* the common `why` */

/* The series becomes the owner of the values of the table's rows; linear between them. */
Series *series_from_samples(const Csv *csv, double **values, double start);

/* Linear between `count` values at ascending times [s since the start], which it copies; one value: always. */
Series *series_of_records(int count, const double *time, const double *value);

bool series_is_steady(const Series *series); /* the same at all times */

/* The last of `count` ascending times at or before t, but not the last of all: the next one is needed too. */
int series_before(const double *time, int count, double t);

/* Refuses records that do not cover [start, end], all [s since 1970]. `source` is a file, `what` its use. */
CHECKED Status series_check_bracket(const char *source, const char *what, double first, double last,
                                    double start, double end);

/* The same, and refuses gaps within the run (source_records.h). In a table that is irregular or short, a gap has ten usual
 * intervals, and only where its times are dates: rows made by hand may be as irregular as their author wants. */
CHECKED Status series_check_times(const Csv *csv, const char *what, const Scenario *scenario);

#endif
