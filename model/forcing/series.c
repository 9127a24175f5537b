/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/series.h"

#include "base/calendar.h"
#include "base/file_set.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/field_names.h"
#include "model/forcing/formula.h"
#include "model/forcing/level_heights.h"
#include "model/forcing/source_records.h"
#include "settings/doubt.h"
#include <float.h>
#include <math.h>
#include <string.h>

struct Series {
    double constant;
    Expression *formula; /* NULL: constant or samples */
    ExpressionPoint point;
    Value limits;         /* of the formula; owns nothing */
    char *source;         /* the formula in words, NULL: not told */
    int count;            /* of samples */
    double *time, *value; /* [s since the start] */
    Csv *table;           /* that these are from, NULL: none */
};

static Series *from_constant(double constant) {
    Series *series = ALLOCATE(1, Series);
    series->constant = constant;
    return series;
}

Series *series_from_samples(const Csv *csv, double **values, double start) {
    Series *series = ALLOCATE(1, Series);
    series->count = csv->rows;
    series->time = ALLOCATE(csv->rows, double);
    for (int n = 0; n < csv->rows; n++) series->time[n] = csv->time[n] - start;
    series->value = *values;
    *values = NULL;
    return series;
}

Series *series_of_records(int count, const double *time, const double *value) {
    if (count == 1) return from_constant(value[0]);
    Series *series = ALLOCATE(1, Series);
    series->count = count;
    series->time = ALLOCATE(count, double);
    series->value = ALLOCATE(count, double);
    memcpy(series->time, time, (size_t)count * sizeof *time);
    memcpy(series->value, value, (size_t)count * sizeof *value);
    return series;
}

Status series_check_bracket(const char *source, const char *what, double first, double last, double start,
                            double end) {
    if (first <= start && last >= end) return STATUS_OK;
    char text[4][32];
    const double moments[4] = {first, last, start, end};
    for (int n = 0; n < 4; n++) calendar_format(moments[n], text[n]);
    return error_raise(STATUS_BAD_INPUT,
                       "%s: %s covers %s to %s, but the run needs %s to %s: use a file that covers the run, "
                       "or change /time/start and /time/end",
                       source, what, text[0], text[1], text[2], text[3]);
}

Status series_check_times(const Csv *csv, const char *what, const Scenario *scenario) {
    enum { FEW_ROWS = 9 };
    const double start = time_first(&scenario->time), end = time_last(&scenario->time), most_are = 0.75,
                 very_long = 10;
    double share;
    char from[32], to[32];
    const char *path = csv->path[csv->time[0] > start ? 0 : csv->paths - 1];
    TRY(series_check_bracket(path, what, csv->time[0], csv->time[csv->rows - 1], start, end));
    const double usual = records_usual_interval(csv->time, csv->rows, &share);
    const bool regular = csv->rows >= FEW_ROWS && share >= most_are;
    if (!regular && !csv->dated) return STATUS_OK;
    const double longest = usual * (regular ? LONG_INTERVAL : very_long);
    const int after = records_find_gap(csv->time, csv->rows, longest, start, end);
    if (!after) return STATUS_OK;
    calendar_format(csv->time[after - 1], from);
    calendar_format(csv->time[after], to);
    return doubt_raise(
        scenario, DOUBT_GAPS,
        "%s:%d: rows are missing between %s and %s: these rows are %g s apart, usually %g s; fill the gap",
        CSV_ROW(csv, after), from, to, csv->time[after] - csv->time[after - 1], usual);
}

/* "scenario.json:12:7 (/boundaries/0/eta_m)" -> "eta_m" */
static void key_of_place(const char *place, char key[64]) {
    const char *slash = strrchr(place, '/');
    snprintf(key, 64, "%.*s", slash ? (int)strcspn(slash + 1, ")") : 0, slash ? slash + 1 : "");
}

/* The column that `value` asks for: by its "column", by the name of its JSON key, or the only one there is.
 */
static Status find_column(const Csv *csv, const Value *value, const char *what, int *column) {
    char key[64];
    key_of_place(value->place, key);
    *column = csv_column(csv, value->column ? value->column : key);
    if (*column < 0 && !value->column && csv->columns == 1) *column = 0;
    if (*column >= 0) return STATUS_OK;
    char *list = csv_column_list(csv);
    Status status = error_raise(STATUS_BAD_INPUT,
                                "%s: no column \"%s\" for %s; there are %s: name one with "
                                "{\"file\": ..., \"column\": ...} (%s)",
                                csv->path[0], value->column ? value->column : key, what, list, value->place);
    memory_free(list);
    return status;
}

Status series_column(const Csv *csv, int column, const char *unit, double **values) {
    const char *given = csv->units[column] ? csv->units[column] : unit_of_key(csv->names[column]);
    UnitChange change;
    CHECK(unit_change(given, unit, &change) && !change.accumulated, STATUS_BAD_INPUT,
          "%s: the column %.60s is in [%.60s], which cannot be converted to %s", csv->path[0],
          csv->names[column], given, unit);
    double *value = *values = ALLOCATE(csv->rows, double);
    for (int n = 0; n < csv->rows; n++)
        value[n] = csv->values[(ptrdiff_t)n * csv->columns + column] * change.factor + change.offset;
    return STATUS_OK;
}

static Status check_samples(const Value *value, const Csv *csv, int column, const char *unit,
                            const Scenario *scenario, double *samples) {
    char date[32];
    bool told = false; /* of a code that is allowed */
    for (int n = 0; n < csv->rows; n++) {
        const double raw = csv->values[(ptrdiff_t)n * csv->columns + column];
        samples[n] = value_rounded_into(samples[n], value->least, value->most);
        const char *guess = unit_guess(unit, samples[n], value->least, value->most);
        calendar_format(csv->time[n], date);
        if (!value_allows(value, samples[n]))
            return error_raise(STATUS_BAD_INPUT, "%s:%d: %s is %g at %s, but it %s%s%s (%s)", CSV_ROW(csv, n),
                               csv->names[column], samples[n], date, value_limits(value), guess ? ": " : "",
                               guess ? guess : "", value->place);
        const bool code = records_is_code(raw) || raw == -999; /* the latter in archives of rivers */
        if (!code || told) continue;
        TRY(doubt_raise(scenario, DOUBT_VALUES,
                        "%s:%d: %s is %g at %s: a code for a missing value? Fill the gap or leave the row "
                        "out (%s)",
                        CSV_ROW(csv, n), csv->names[column], raw, date, value->place));
        told = true;
    }
    return STATUS_OK;
}

static Status doubt_range(const char *where, const FieldNames *is, double value, const char *when,
                          const char *why, const Scenario *scenario) {
    const char *guess = unit_guess(is->unit, value, is->least, is->most);
    return doubt_raise(scenario, DOUBT_VALUES, "%s%s is %g %s%s, but %g to %g is %s%s%s", where, is->what,
                       value, is->unit, when, is->least, is->most, why, guess ? ": " : "",
                       guess ? guess : "");
}

const char SERIES_OBSERVED[] = "the range ever observed";

Status series_check_values(const Csv *csv, const double *values, const FieldNames *is, const char *why,
                           const Scenario *scenario) {
    int n = 0;
    while (n < csv->rows && values[n] >= is->least && values[n] <= is->most) n++;
    if (n == csv->rows) return STATUS_OK;
    char date[32], when[40];
    calendar_format(csv->time[n], date);
    snprintf(when, sizeof when, " at %s", date);
    char *where = memory_format("%s:%d: ", CSV_ROW(csv, n));
    const Status status = doubt_range(where, is, values[n], when, why, scenario);
    memory_free(where);
    return status;
}

Status series_check_range(const Series *s, const FieldNames *is, const char *why, const Scenario *scenario) {
    if (s->table) return series_check_values(s->table, s->value, is, why, scenario);
    const bool fits = s->formula || (s->constant >= is->least && s->constant <= is->most);
    return fits ? STATUS_OK : doubt_range("", is, s->constant, "", why, scenario);
}

static Status from_file(const Value *value, const char *what, const Scenario *scenario, Series **out) {
    Status status = STATUS_OK;
    Csv *csv = NULL;
    double *samples = NULL;
    int column = 0;
    char key[64];
    key_of_place(value->place, key);
    const char *unit = unit_of_key(key) ? unit_of_key(key) : field_names_unit(scenario, what);
    char *first = file_set_first(value->file);
    const bool netcdf = netcdf_is_netcdf(first);
    memory_free(first);
    if (netcdf)
        return error_raise(STATUS_BAD_INPUT,
                           "%s: %s takes a series, a CSV file with a column of times, but \"%s\" is NetCDF",
                           value->place, what, value->file);
    ATTEMPT(csv_read(value->file, scenario->time.start, &csv));
    ATTEMPT(find_column(csv, value, what, &column));
    ATTEMPT(series_check_times(csv, what, scenario));
    ATTEMPT(series_column(csv, column, unit, &samples));
    ATTEMPT(check_samples(value, csv, column, unit, scenario, samples));
    *out = series_from_samples(csv, &samples, scenario->time.start);
    (*out)->table = csv;
    csv = NULL;
cleanup:
    memory_free(samples);
    csv_destroy(&csv);
    return status;
}

/* Of the run, when formulas are looked at before it; those between are looked at when they come. */
enum { MOMENTS = 5 };
static const double moments[MOMENTS] = {0, 1, 0.5, 0.25, 0.75};

/* Of a formula: as many as show the crests of a tide, in golden sections, which keep time with nothing that is periodic. */
enum { LOOKS = 40 };
static const double GOLDEN = 0.6180339887498949;

double series_time_of_extreme(const Series *s, double sign, double length) {
    const int count = s->count > 0 ? s->count : s->formula ? LOOKS : 1;
    double best = 0;
    for (int n = 0; n < count; n++) {
        const double time = s->count > 0 ? s->time[n] : length * (n * GOLDEN - floor(n * GOLDEN));
        if (n == 0 || sign * series_at(s, time) > sign * series_at(s, best)) best = time;
    }
    return best;
}

static Status from_expression(const Value *value, const char *what, const Axes *axes, ExpressionPoint point,
                              double length, Series **out) {
    Expression *formula = NULL;
    TRY(formula_create(value, what, axes, &formula));
    if (expression_uses(formula, "t")) {
        *out = ALLOCATE(1, Series);
        (*out)->formula = formula;
        (*out)->point = point;
    } else {
        *out = from_constant(expression_at(formula, point));
        expression_destroy(&formula);
    }
    (*out)->limits = (Value){.least = value->least, .most = value->most};
    (*out)->source = memory_format("%s: the formula \"%s\" of %s", value->place, value->expression, what);
    Status status = STATUS_OK;
    for (int n = 0; n < MOMENTS && status == STATUS_OK; n++) status = series_check(*out, moments[n] * length);
    if (status != STATUS_OK) series_destroy(out);
    return status;
}

double series_at_or_nan(const Series *series, double time) {
    double value = series_at(series, time);
    if (!series->source || value_allows(&series->limits, value)) return value;
    return error_count() == 0 && series_check(series, time) == STATUS_OK ? value : NAN;
}

Status series_check(const Series *series, double time) {
    if (!series->source) return STATUS_OK;
    const double value = series_at(series, time);
    if (value_allows(&series->limits, value)) return STATUS_OK;
    char number[32];
    return error_raise(STATUS_BAD_INPUT, "%s gives %s at %.10g s after the start, but it %s", series->source,
                       log_number(value, number), time, value_limits(&series->limits));
}

Status series_create(const Value *value, const char *what, const Axes *axes, double x, double y,
                     const Scenario *scenario, Series **out) {
    *out = NULL;
    switch (value->kind) {
    case VALUE_ABSENT:
        *out = from_constant(0);
        return STATUS_OK;
    case VALUE_CONSTANT:
        *out = from_constant(value->constant);
        return STATUS_OK;
    case VALUE_EXPRESSION:
        return from_expression(value, what, axes, formula_point(axes, x, y, 0),
                               scenario->time.end - scenario->time.start, out);
    case VALUE_FILE:
        return from_file(value, what, scenario, out);
    }
    return error_raise(STATUS_FAILED, "%s: a value of unknown kind %d", what, (int)value->kind);
}

int series_before(const double *time, int count, double t) {
    double part;
    return level_locate(time, count, t, &part);
}

/* Held at the ends: the bracket was checked, only rounding and the closing step come here. */
static double interpolate(const Series *s, double t) {
    if (t <= s->time[0]) return s->value[0];
    if (t >= s->time[s->count - 1]) return s->value[s->count - 1];
    int n = series_before(s->time, s->count, t);
    double part = (t - s->time[n]) / (s->time[n + 1] - s->time[n]);
    return s->value[n] + part * (s->value[n + 1] - s->value[n]);
}

double series_at(const Series *series, double seconds_since_start) {
    if (series->count > 0) return interpolate(series, seconds_since_start);
    if (!series->formula) return series->constant;
    ExpressionPoint point = series->point;
    point.t = seconds_since_start;
    return expression_at(series->formula, point);
}

bool series_is_steady(const Series *series) {
    return series->count == 0 && !series->formula;
}

void series_destroy(Series **series) {
    if (!*series) return;
    expression_destroy(&(*series)->formula);
    memory_free((*series)->time);
    memory_free((*series)->value);
    memory_free((*series)->source);
    csv_destroy(&(*series)->table);
    memory_free(*series);
    *series = NULL;
}
