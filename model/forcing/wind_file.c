/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/wind_file.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/direction.h"
#include "model/forcing/wind.h"
#include "settings/doubt.h"
#include <math.h>

static const char *const u_names[] = {"u_m_s", "u10_m_s", "u", "u10", "wind_u_m_s", "eastward_wind", NULL};
static const char *const v_names[] = {"v_m_s", "v10_m_s", "v", "v10", "wind_v_m_s", "northward_wind", NULL};
static const char *const speed_names[] = {"speed_m_s",  "speed",          "wind_speed_m_s",
                                          "wind_speed", "wind_speed_10m", NULL};
static const char *const from_names[] = {
    "from_deg", "from", "wind_from_deg", "wind_from_direction", "wind_from_direction_deg", NULL};

static int find(const Csv *csv, const char *const *names) {
    int column = -1;
    for (int n = 0; names[n] && column < 0; n++) column = csv_column(csv, names[n]);
    return column;
}

static Status column_factor(const Csv *csv, int column, const char *unit, const Scenario *scenario,
                            double *factor) {
    UnitChange change;
    const char *given = csv->units[column] ? csv->units[column] : unit_of_key(csv->names[column]);
    CHECK(unit_change(given, unit, &change), STATUS_BAD_INPUT, "%s: the column %s is in [%s]; expected [%s]",
          csv->path[0], csv->names[column], given, unit);
    *factor = change.factor;
    if (!unit_missing(given, unit)) return STATUS_OK;
    return doubt_raise(scenario, DOUBT_UNITS,
                       "%s: the column %s has no unit: call it \"%s [%s]\" if that is right", csv->path[0],
                       csv->names[column], csv->names[column], unit);
}

static Status refuse_row(const Csv *csv, int row, const Scenario *scenario, const char *why, double value) {
    char time[32];
    calendar_format(csv->time[row], time);
    return doubt_raise(scenario, DOUBT_VALUES, "%s:%d: at %s: %s: %g", CSV_ROW(csv, row), time, why, value);
}

/* Components in place of what the file has: values[2 row], values[2 row + 1]. */
static Status to_components(const Csv *csv, int a, int b, bool polar, const Scenario *scenario,
                            double *values) {
    double factor_a, factor_b;
    TRY(column_factor(csv, a, "m/s", scenario, &factor_a));
    TRY(column_factor(csv, b, polar ? "deg" : "m/s", scenario, &factor_b));
    for (int row = 0; row < csv->rows; row++) {
        double first = csv->values[(ptrdiff_t)row * csv->columns + a] * factor_a;
        double second = csv->values[(ptrdiff_t)row * csv->columns + b] * factor_b;
        double u = first, v = second;
        if (polar && first < 0) TRY(refuse_row(csv, row, scenario, "a wind speed below 0", first));
        if (polar && !(second >= -360 && second <= 360))
            TRY(refuse_row(csv, row, scenario,
                           "a direction that is not within 0 to 360 degrees (a code for a missing value?)",
                           second));
        if (polar) direction_wind(first, second, &u, &v);
        if (!(sqrt(u * u + v * v) <= STRONGEST_WIND))
            TRY(refuse_row(csv, row, scenario,
                           "a wind of more than 100 m/s (another unit, or a code for a missing value?)",
                           sqrt(u * u + v * v)));
        values[2 * row] = u, values[2 * row + 1] = v;
    }
    return STATUS_OK;
}

static Status choose_columns(const Csv *csv, int *a, int *b, bool *polar) {
    *a = find(csv, u_names), *b = find(csv, v_names);
    *polar = *a < 0 || *b < 0;
    if (*polar) *a = find(csv, speed_names), *b = find(csv, from_names);
    if (*a >= 0 && *b >= 0) return STATUS_OK;
    char *list = csv_column_list(csv);
    Status status = error_raise(STATUS_BAD_INPUT,
                                "%s: no wind found: expected the columns \"time,u_m_s,v_m_s\" or "
                                "\"time,speed_m_s,from_deg\", but there are \"%s\"",
                                csv->path[0], list);
    memory_free(list);
    return status;
}

Status wind_file_read(const char *path, const Scenario *scenario, Series **u, Series **v, char **source) {
    const double start = scenario->time.start;
    Status status = STATUS_OK;
    Csv *csv = NULL;
    double *values = NULL;
    char text[2][32];
    int a, b;
    bool polar;
    ATTEMPT(csv_read(path, start, &csv));
    ATTEMPT(choose_columns(csv, &a, &b, &polar));
    ATTEMPT(series_check_times(csv, "the wind", scenario));
    values = ALLOCATE(2 * (size_t)csv->rows, double);
    ATTEMPT(to_components(csv, a, b, polar, scenario, values));
    *u = series_from_samples(csv->time, values, 2, csv->rows, start);
    *v = series_from_samples(csv->time, values + 1, 2, csv->rows, start);
    calendar_format(csv->time[0], text[0]);
    calendar_format(csv->time[csv->rows - 1], text[1]);
    *source = memory_format("%s (%s to %s, %d records)", path, text[0], text[1], csv->rows);
cleanup:
    memory_free(values);
    csv_destroy(&csv);
    return status;
}
