/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of the records of gridded forcing, on rank 0: the times have no gap, amounts are those since the
 * previous record, and each value around the grid is a number within the range ever observed. A record is
 * checked when a step reads it; `check` looks at all of them before, and a run at its start if they are few.
 *
 * The usual interval is the median. Local.
 */
#ifndef MAEOTIS_MODEL_SOURCE_RECORDS_H
#define MAEOTIS_MODEL_SOURCE_RECORDS_H

#include "model/forcing/gridded_source.h"

#define LONG_INTERVAL 1.5 /* in usual ones: a longer one is a gap */

/* The usual interval of `count` ascending times, and in `share` the part of the intervals that are about as
 * long; 0 if there is none. */
double records_usual_interval(const double *time, int count, double *share);

/* The first record after an interval of more than `longest` among those that lie in [start, end] at least in part; 0:
 * none. */
int records_find_gap(const double *time, int count, double longest, double start, double end);

/* Refuses gaps among the records that the run needs, and amounts whose period is not their interval. */
CHECKED Status records_check_times(GriddedSource *source);

/* Refuses a value of the map (s.x.extent wide) that is missing or beyond the limits. */
CHECKED Status records_check_map(GriddedSource *source, int record, const double *map);

/* Every open source is in one list on rank 0, whatever it drives: what is opened is checked. */
void records_watch(GriddedSource *source);
void records_forget(const GriddedSource *source);

/* Reads and checks the records of all open sources that nobody has looked at: those that the run needs, unless they are too
 * many for the start of a run; all of the files if `every`, where others than the run's only raise a warning. Collective. */
CHECKED Status records_check_open(MPI_Comm comm, bool every);

/* For a record without any value. */
CHECKED Status records_refuse_empty(const GriddedSource *source, int record);

/* A code for a missing value that nobody declared. */
bool records_is_code(double value);

#endif
