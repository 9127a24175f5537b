/* SPDX-License-Identifier: Apache-2.0
 *
 * What series.c shares with the rest of the forcing: series from samples, and the checks of tables. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_SERIES_H
#define MAEOTIS_MODEL_FORCING_SERIES_H

#include "base/expression.h"
#include "model/forcing/csv.h"
#include "model/forcing/forcing.h"

/* Samples `values[n * stride]` at `time[n]` [s since 1970], copied; linear between them. */
Series *series_from_samples(const double *time, const double *values, int stride, int count, double start);

/* A column turned into `unit` (units.h), where its header says that it is in another; NULL: as it is. */
CHECKED Status series_from_column(const Csv *csv, int column, const char *unit, double start, Series **out);

/* From a formula that does not vary in space, which the series owns from now on. */
Series *series_from_formula(Expression **formula, ExpressionPoint point);
Series *series_from_constant(double constant);

bool series_is_steady(const Series *series); /* the same at all times */

/* The smallest and largest sample; a formula gives its value at the start. */
void series_range(const Series *series, double *least, double *most);

/* Refuses records that do not cover [start, end], all [s since 1970]. `source` is a file, `what` its use. */
CHECKED Status series_check_bracket(const char *source, const char *what, double first, double last,
                                    double start, double end);

/* The column that `value` asks for: by its "column", by the name of its JSON key, or the only one there is.
 */
CHECKED Status series_find_column(const Csv *csv, const Value *value, const char *what, int *column);

#endif
