/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared with the rest of the forcing: series from samples, and the checks of tables. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_SERIES_H
#define MAEOTIS_MODEL_FORCING_SERIES_H

#include "base/expression.h"
#include "model/forcing/csv.h"
#include "model/forcing/forcing.h"

/* Samples `values[n * stride]` at `time[n]` [s since 1970], copied; linear between them. */
Series *series_from_samples(const double *time, const double *values, int stride, int count, double start);

/* From a formula that does not vary in space, which the series owns from now on. */
Series *series_from_formula(Expression **formula, ExpressionPoint point);
Series *series_from_constant(double constant);

bool series_is_table(const Series *series);
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
