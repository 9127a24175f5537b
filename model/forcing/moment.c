/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/moment.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/forcing/source_records.h"
#include "settings/doubt.h"
#include <math.h>

/* [s since 1970], ascending or descending; NULL comes out for one record whose unit is unknown. */
static Status read_times(const NetcdfFile *file, const NetcdfVariable *v, double **out) {
    const size_t count = v->length[v->time];
    const int id = v->coordinate[v->time];
    char why[160] = "", *units = id < 0 ? NULL : netcdf_text(file, id, "units"),
         *calendar = id < 0 ? NULL : netcdf_text(file, id, "calendar");
    double scale = 1, reference = 0;
    const bool known = units && calendar_parse_units(units, calendar, &scale, &reference, why) == STATUS_OK;
    Status status = STATUS_OK;
    if (!known && count > 1)
        status = error_raise(STATUS_BAD_INPUT, "%s: the units \"%s\" of its times cannot be used: %s",
                             netcdf_path(file), units ? units : "", units ? why : "there are none");
    if (known) status = netcdf_read_coordinate(file, v, v->time, out);
    for (size_t n = 0; known && status == STATUS_OK && n < count; n++)
        (*out)[n] = reference + scale * (*out)[n];
    memory_free(units);
    memory_free(calendar);
    return status;
}

/* Between which records, in whatever order these are. */
static void bracket(const double *time, size_t count, double start, Moment *out) {
    const double same = 1e-9;
    const bool falls = count > 1 && time[1] < time[0];
    size_t low = 0;
    while (low + 2 < count && (falls ? time[low + 1] >= start : time[low + 1] <= start)) low++;
    const size_t next = count > 1 ? low + 1 : low;
    const double part = count > 1 ? (start - time[low]) / (time[next] - time[low]) : 0;
    out->part = part <= same || part >= 1 - same ? 0 : part;
    out->record[0] = part >= 1 - same ? next : low;
    out->record[1] = out->part > 0 ? next : out->record[0];
}

static Status check_near(const char *path, const char *name, const double *time, int count,
                         const Scenario *scenario) {
    const double first = fmin(time[0], time[count - 1]), last = fmax(time[0], time[count - 1]),
                 start = scenario->time.start, beyond = fmax(first - start, start - last);
    char text[3][32];
    double share, usual = count > 1 ? (last - first) / (count - 1) : INFINITY;
    if (count > 2 && time[1] > time[0]) usual = records_usual_interval(time, count, &share);
    if (beyond <= LONG_INTERVAL * usual) return STATUS_OK;
    calendar_format(first, text[0]);
    calendar_format(last, text[1]);
    calendar_format(start, text[2]);
    return doubt_raise(
        scenario, DOUBT_GAPS,
        "%s: %s covers %s to %s, but the run begins at %s: use a file that covers the start, or "
        "change /time/start",
        path, name, text[0], text[1], text[2]);
}

Status moment_find(const NetcdfFile *file, const NetcdfVariable *v, const Scenario *scenario, Moment *out) {
    const double start = scenario->time.start;
    double *time = NULL;
    *out = (Moment){.date = ""};
    if (v->time < 0) return STATUS_OK;
    const size_t count = v->length[v->time];
    CHECK(count > 0, STATUS_BAD_INPUT, "%s: %s has no record", netcdf_path(file), v->name);
    TRY(read_times(file, v, &time));
    if (!time) return STATUS_OK;
    bracket(time, count, start, out);
    calendar_format(out->part > 0 ? start : time[out->record[0]], out->date);
    const Status status = check_near(netcdf_path(file), v->name, time, (int)count, scenario);
    memory_free(time);
    return status;
}
