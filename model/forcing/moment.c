/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/moment.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/forcing/source_parts.h"
#include "model/forcing/source_records.h"
#include "settings/doubt.h"
#include <math.h>

/* Of one file: [s since 1970], ascending or descending; none comes out for one record whose unit is unknown. */
static Status read_times(GriddedSource *s) {
    const NetcdfVariable *v = &s->variable;
    const size_t count = v->length[v->time];
    const int id = v->coordinate[v->time];
    char why[160] = "", *units = id < 0 ? NULL : netcdf_text(s->file, id, "units"),
         *calendar = id < 0 ? NULL : netcdf_text(s->file, id, "calendar");
    double scale = 1, reference = 0;
    const bool known = units && calendar_parse_units(units, calendar, &scale, &reference, why) == STATUS_OK;
    Status status = STATUS_OK;
    if (!known && count > 1)
        status = error_raise(STATUS_BAD_INPUT, "%s: the units \"%.80s\" of its times cannot be used: %s",
                             netcdf_path(s->file), units ? units : "", units ? why : "there are none");
    if (known) status = netcdf_read_coordinate(s->file, v, v->time, &s->time);
    if (known && status == STATUS_OK) s->records = (int)count;
    for (int n = 0; n < s->records; n++) s->time[n] = reference + scale * s->time[n];
    memory_free(units);
    memory_free(calendar);
    return status;
}

/* Between which records, in whatever order these are. */
static void bracket(const double *time, int count, double start, Moment *out) {
    const double same = 1e-9;
    const bool falls = count > 1 && time[1] < time[0];
    int low = 0;
    while (low + 2 < count && (falls ? time[low + 1] >= start : time[low + 1] <= start)) low++;
    const int next = count > 1 ? low + 1 : low;
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

Status moment_find(GriddedSource *s, Moment *out) {
    const double start = s->scenario->time.start;
    const char *path = netcdf_path(s->file);
    *out = (Moment){.date = ""};
    if (s->variable.time < 0 && s->parts == 1) return STATUS_OK;
    CHECK(s->variable.time < 0 || s->variable.length[s->variable.time] > 0, STATUS_BAD_INPUT,
          "%s: %s has no record", path, s->name);
    TRY(s->parts > 1 ? parts_read_times(s) : read_times(s));
    if (s->records == 0) return STATUS_OK;
    bracket(s->time, s->records, start, out);
    s->first = out->record[0], s->last = out->record[1];
    calendar_format(out->part > 0 ? start : s->time[out->record[0]], out->date);
    return check_near(path, s->name, s->time, s->records, s->scenario);
}
