/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/source_parts.h"

#include "base/calendar.h"
#include "base/file.h"
#include "base/file_set.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static const double SAME_TIME = 1e-3; /* [s] */

/* ---- times of one file ---- */

static Status unit_of_times(const NetcdfFile *file, int id, double *scale, double *reference) {
    char why[160] = "", *units = netcdf_text(file, id, "units"),
         *calendar = netcdf_text(file, id, "calendar");
    Status status = STATUS_OK;
    if (!units || calendar_parse_units(units, calendar, scale, reference, why) != STATUS_OK)
        status = error_raise(STATUS_BAD_INPUT, "%s: the units \"%.80s\" of its times cannot be used: %s",
                             netcdf_path(file), units ? units : "", units ? why : "there are none");
    memory_free(units);
    memory_free(calendar);
    return status;
}

/* [s since 1970], to be freed whatever happens; `unit` is theirs [s]. */
static Status read_times(const NetcdfFile *file, const NetcdfVariable *v, double **time, int *count,
                         double *unit) {
    double reference = 0;
    *time = NULL;
    CHECK(v->time >= 0, STATUS_BAD_INPUT, "%s: %s has no times; each of several files must have them",
          netcdf_path(file), v->name);
    *count = (int)v->length[v->time];
    const int id = v->coordinate[v->time];
    CHECK(*count > 0 && id >= 0, STATUS_BAD_INPUT, "%s: %s has no %s along its time", netcdf_path(file),
          v->name, *count > 0 ? "coordinate variable" : "record");
    TRY(unit_of_times(file, id, unit, &reference));
    TRY(netcdf_read_coordinate(file, v, v->time, time));
    for (int n = 0; n < *count; n++) (*time)[n] = reference + *unit * (*time)[n];
    CHECK(*count == 1 || (*time)[0] < (*time)[1], STATUS_BAD_INPUT,
          "%s: its times go backwards; sort the records", netcdf_path(file));
    return STATUS_OK;
}

static Status first_time(const char *path, const char *variable, const FieldNames *names, double *out) {
    NetcdfFile *file = NULL;
    NetcdfVariable v;
    double *time = NULL, unit;
    int count;
    Status status;
    ATTEMPT(netcdf_open(path, &file));
    ATTEMPT(source_variable(file, path, variable, names, &v));
    ATTEMPT(read_times(file, &v, &time, &count, &unit));
    *out = time[0];
cleanup:
    memory_free(time);
    netcdf_close(&file);
    return status;
}

/* ---- which files ---- */

/* The one before the last that begins no later than the run: records before its start may be wanted, too. */
static Status find_first(char *const *paths, int count, const char *variable, const FieldNames *names,
                         const Scenario *scenario, int *out) {
    int low = 0, high = count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        double time;
        TRY(first_time(paths[middle], variable, names, &time));
        if (time <= time_first(&scenario->time))
            low = middle;
        else
            high = middle - 1;
    }
    *out = low > 0 ? low - 1 : 0;
    return STATUS_OK;
}

/* In place of the one that is open; `variable`: its name, or NULL and the names that it may have. */
static Status open_part(GriddedSource *s, int n, const char *variable, const FieldNames *names) {
    NetcdfFile *file = NULL;
    NetcdfVariable v;
    TRY(netcdf_open(s->part[n].path, &file));
    const Status status = source_variable(file, s->part[n].path, variable, names, &v);
    if (status != STATUS_OK) {
        netcdf_close(&file);
        return status;
    }
    netcdf_close(&s->file);
    s->file = file, s->variable = v, s->open = n;
    return STATUS_OK;
}

Status parts_open(const char *text, const char *variable, const FieldNames *names, GriddedSource *s) {
    char **paths = NULL;
    int count = 0, first = 0;
    Status status;
    ATTEMPT(file_set_list(text, &paths, &count));
    if (count > 1) ATTEMPT(find_first(paths, count, variable, names, s->scenario, &first));
    s->parts = count - first;
    s->part = ALLOCATE(s->parts, SourcePart);
    for (int n = 0; n < s->parts; n++) s->part[n].path = memory_copy_text(paths[first + n]);
    ATTEMPT(open_part(s, 0, variable, names));
    s->name = memory_copy_text(s->variable.name);
cleanup:
    file_list_free(&paths, &count);
    return status;
}

/* ---- do they fit each other? ---- */

static Status check_axis(const GriddedSource *s, const NetcdfFile *file, const NetcdfVariable *v, int here,
                         int there, const char *what) {
    const NetcdfVariable *first = &s->variable;
    double *a = NULL, *b = NULL;
    bool same = (here < 0) == (there < 0);
    if (!same || here < 0) goto told;
    same = first->length[here] == v->length[there];
    if (!same || first->coordinate[here] < 0 || v->coordinate[there] < 0) goto told;
    same = netcdf_read_coordinate(s->file, first, here, &a) == STATUS_OK &&
           netcdf_read_coordinate(file, v, there, &b) == STATUS_OK &&
           memcmp(a, b, v->length[there] * sizeof *a) == 0;
told:
    memory_free(a);
    memory_free(b);
    CHECK(same, STATUS_BAD_INPUT, "%s: %s has other %s than in %s: consecutive files need the same grid",
          netcdf_path(file), s->name, what, netcdf_path(s->file));
    return STATUS_OK;
}

static bool same_text(const NetcdfFile *a, int in_a, const NetcdfFile *b, int in_b, const char *attribute) {
    char *one = netcdf_text(a, in_a, attribute), *other = netcdf_text(b, in_b, attribute);
    const bool same = strcmp(one ? one : "", other ? other : "") == 0;
    memory_free(one);
    memory_free(other);
    return same;
}

static Status check_same(const GriddedSource *s, const NetcdfFile *file, const NetcdfVariable *v) {
    const NetcdfVariable *first = &s->variable;
    TRY(check_axis(s, file, v, first->x, v->x, "columns"));
    TRY(check_axis(s, file, v, first->y, v->y, "rows"));
    TRY(check_axis(s, file, v, first->z, v->z, "levels"));
    CHECK(same_text(s->file, first->id, file, v->id, "units"), STATUS_BAD_INPUT,
          "%s: %s has other units than in %s", netcdf_path(file), s->name, netcdf_path(s->file));
    return STATUS_OK;
}

/* ---- one after the other ---- */

static Status append(GriddedSource *s, int n, const double *time, int count) {
    SourcePart *part = &s->part[n], *before = &s->part[n - 1];
    int kept = s->records;
    part->from = time[0];
    CHECK(part->from > before->from, STATUS_BAD_INPUT,
          "%s does not begin later than %s, which precedes it: list the files, or name them, in the order of "
          "time",
          part->path, before->path);
    while (kept > before->first && s->time[kept - 1] > part->from - SAME_TIME) kept--;
    const bool same = kept < s->records && fabs(s->time[kept] - part->from) < SAME_TIME;
    part->skip = s->change.accumulated && same ? 1 : 0;
    part->first = kept + part->skip;
    s->records = part->first + count - part->skip;
    s->time = ENLARGE(s->time, s->records, double);
    memcpy(s->time + part->first, time + part->skip, (size_t)(count - part->skip) * sizeof *time);
    return STATUS_OK;
}

static Status add_part(GriddedSource *s, int n) {
    NetcdfFile *file = NULL;
    NetcdfVariable v;
    double *time = NULL, unit;
    int count;
    Status status;
    ATTEMPT(netcdf_open(s->part[n].path, &file));
    const int id = netcdf_find(file, s->name);
    if (id < 0)
        status = error_raise(STATUS_BAD_INPUT, "%s: the file has no %s, but %s has", s->part[n].path, s->name,
                             netcdf_path(s->file));
    else
        status = netcdf_describe(file, id, &v);
    if (status != STATUS_OK) goto cleanup;
    ATTEMPT(check_same(s, file, &v));
    ATTEMPT(read_times(file, &v, &time, &count, &unit));
    ATTEMPT(append(s, n, time, count));
cleanup:
    memory_free(time);
    netcdf_close(&file);
    return status;
}

/* One record beyond the end is wanted by interpolation of third order; a file that begins at `next` replaces none. */
static bool is_enough(const GriddedSource *s, double next) {
    int end = s->records;
    while (end > 0 && s->time[end - 1] >= time_last(&s->scenario->time)) end--;
    return end + 1 < s->records && s->time[end + 1] < next - SAME_TIME;
}

Status parts_read_times(GriddedSource *s) {
    int n = 1;
    TRY(read_times(s->file, &s->variable, &s->time, &s->records, &s->time_unit));
    s->part[0].from = s->time[0];
    for (; n < s->parts; n++) {
        double next = INFINITY;
        if (is_enough(s, next))
            TRY(first_time(s->part[n].path, s->name, &(FieldNames){.what = s->what}, &next));
        if (is_enough(s, next)) break;
        TRY(add_part(s, n));
    }
    for (int m = n; m < s->parts; m++) memory_free(s->part[m].path);
    s->parts = n;
    return STATUS_OK;
}

/* ---- of a record ---- */

static int part_of(const GriddedSource *s, int record) {
    int n = s->parts - 1;
    while (n > 0 && s->part[n].first > record) n--;
    return n;
}

/* The open file, which the run has read before, may have been replaced since. */
static Status check_unchanged(const GriddedSource *s) {
    const SourcePart *part = &s->part[s->open];
    const int end = s->open + 1 < s->parts ? s->part[s->open + 1].first : s->records;
    double *time = NULL, unit;
    int count;
    Status status = read_times(s->file, &s->variable, &time, &count, &unit);
    bool same = status == STATUS_OK && end - part->first + part->skip <= count;
    for (int n = part->first; same && n < end; n++) same = time[n - part->first + part->skip] == s->time[n];
    memory_free(time);
    TRY(status);
    CHECK(same, STATUS_BAD_INPUT,
          "the times of %s have changed since the run began: do not replace a file while a run reads it",
          part->path);
    return STATUS_OK;
}

Status parts_seek(GriddedSource *s, int record, size_t *local) {
    const int n = part_of(s, record);
    *local = (size_t)(record - s->part[n].first + s->part[n].skip);
    if (n == s->open) return STATUS_OK;
    TRY(open_part(s, n, s->name, &(FieldNames){.what = s->what}));
    return s->records > 0 ? check_unchanged(s) : STATUS_OK;
}

int parts_number(const GriddedSource *s, int record) {
    const SourcePart *part = &s->part[part_of(s, record)];
    return record - part->first + part->skip + 1;
}

const char *parts_path(const GriddedSource *s, int record) {
    return s->part[part_of(s, record)].path;
}

int parts_left(const GriddedSource *s, int record) {
    const int n = part_of(s, record), last = s->records > 0 ? s->records : 1;
    return (n + 1 < s->parts ? s->part[n + 1].first : last) - record;
}

void parts_free(GriddedSource *s) {
    for (int n = 0; n < s->parts; n++) memory_free(s->part[n].path);
    memory_free(s->part);
    memory_free(s->name);
}
