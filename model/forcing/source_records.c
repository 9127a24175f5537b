/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/source_records.h"

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/source_parts.h"
#include "settings/doubt.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Without bounds of the times, sums are trusted to be those of reanalyses: of one hour, or of three. [s] */
static const double LONGEST_KNOWN_PERIOD = 3 * 3600;
static const double MOST_VALUES_AT_START = 2e6; /* of a variable: half a second at most */
enum { SLAB_VALUES = 1 << 20 };                 /* read at once: 8 MB */

bool records_is_code(double value) {
    static const double codes[] = {-9999, -99999, -999999, -32767, -32768};
    for (size_t n = 0; n < sizeof codes / sizeof *codes; n++)
        if (value == codes[n]) return true;
    return fabs(value) >= 1e19;
}

/* ---- times ---- */

static int ascending(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double records_usual_interval(const double *time, int count, double *share) {
    const int intervals = count - 1;
    *share = 0;
    if (intervals < 1) return 0;
    double *sorted = ALLOCATE(intervals, double);
    for (int n = 0; n < intervals; n++) sorted[n] = time[n + 1] - time[n];
    qsort(sorted, (size_t)intervals, sizeof *sorted, ascending);
    const double usual = sorted[(intervals - 1) / 2];
    for (int n = 0; n < intervals; n++)
        *share +=
            (sorted[n] <= LONG_INTERVAL * usual && usual <= LONG_INTERVAL * sorted[n]) ? 1.0 / intervals : 0;
    memory_free(sorted);
    return usual;
}

int records_find_gap(const double *time, int count, double longest, double start, double end) {
    for (int n = 1; n < count; n++)
        if (time[n] > start && time[n - 1] < end && time[n] - time[n - 1] > longest) return n;
    return 0;
}

/* The period that the file states for its sums [s]; 0: none. */
static double stated_period(const GriddedSource *s) {
    double bounds[2], count;
    char unit[16] = "", *methods = netcdf_text(s->file, s->variable.id, "cell_methods");
    const char *interval = methods ? strstr(methods, "interval:") : NULL;
    double period = 0;
    const size_t last = s->variable.length[s->variable.time] - 1; /* of the file that is open */
    if (netcdf_read_bounds(s->file, &s->variable, s->variable.time, last, bounds))
        period = fabs(bounds[1] - bounds[0]) * s->time_unit;
    else if (interval && sscanf(interval, "interval: %lf %15[a-z]", &count, unit) == 2)
        period = count * (unit[0] == 'd'                ? 86400
                          : unit[0] == 'h'              ? 3600
                          : strncmp(unit, "mi", 2) == 0 ? 60
                                                        : 1);
    memory_free(methods);
    return period;
}

static Status check_period(const GriddedSource *s, double usual) {
    const char *path = netcdf_path(s->file), *name = s->variable.name;
    if (!s->change.accumulated) return STATUS_OK;
    const double stated = stated_period(s);
    if (stated > 0 && fabs(stated - usual) > 0.01 * usual)
        return doubt_raise(s->scenario, DOUBT_ACCUMULATION,
                           "%s: %s contains sums over %g s, but its records are %g s apart: the rest is "
                           "missing; use records without gaps between their periods",
                           path, name, stated, usual);
    if (stated > 0 || usual <= 1.01 * LONGEST_KNOWN_PERIOD) return STATUS_OK;
    return doubt_raise(s->scenario, DOUBT_ACCUMULATION,
                       "%s: %s is accumulated, its records are %g h apart, and the file does not state over "
                       "which period a record is a sum: add bounds to its times (CF), or use rates",
                       path, name, usual / 3600);
}

Status records_check_times(GriddedSource *s) {
    double share;
    const double usual = records_usual_interval(s->time, s->records, &share);
    const int after = records_find_gap(s->time, s->records, LONG_INTERVAL * usual,
                                       time_first(&s->scenario->time), time_last(&s->scenario->time));
    char from[32], to[32];
    TRY(check_period(s, usual));
    if (!after) return STATUS_OK;
    calendar_format(s->time[after - 1], from);
    calendar_format(s->time[after], to);
    const char *path = parts_path(s, after - 1), *next = parts_path(s, after);
    const bool one = path == next;
    return doubt_raise(s->scenario, DOUBT_GAPS,
                       "%s: records are missing between record %d (%s) and record %d (%s)%s%s: they are %g h "
                       "apart, usually %g h; %s",
                       path, parts_number(s, after - 1), from, parts_number(s, after), to, one ? "" : " of ",
                       one ? "" : next, (s->time[after] - s->time[after - 1]) / 3600, usual / 3600,
                       one ? "complete the file" : "add the files between them");
}

/* ---- values ---- */

static bool fits(const GriddedSource *s, double value) {
    const double rounded = value_rounded_into(value, s->least, s->most);
    return rounded >= s->least && rounded <= s->most;
}

/* The likely mistake behind a value that does not fit. */
static const char *guess(const GriddedSource *s, double value, double raw) {
    if (records_is_code(raw)) return "is it a code for a missing value that the file does not declare?";
    if (s->change.accumulated)
        return "outside the range ever observed; accumulate from record to record, not since the start of a "
               "day or forecast";
    const char *unit = unit_guess(s->unit, value, s->least, s->most);
    if (unit) return unit;
    if (s->change.factor != 1 && fits(s, raw)) return "is its unit not the one that the file says?";
    return "outside the range ever observed; correct the record";
}

static Status refuse(GriddedSource *s, int record, double x, double y, double value, double raw) {
    const bool needed = record >= s->first && record <= s->last;
    const char *unit = s->unit ? s->unit : "";
    char date[32] = "always";
    if (s->told || (!needed && s->told_beyond)) return STATUS_OK;
    if (s->records > 0) calendar_format(s->time[record], date);
    const char *const form = "%s: %s is %g %s at %.6g, %.6g in record %d (%s): %s";
    if (!needed) {
        s->told_beyond = true;
        char *text = memory_format(form, netcdf_path(s->file), s->variable.name, value, unit, x, y,
                                   parts_number(s, record), date, guess(s, value, raw));
        log_warn("%s (this run does not need that record)", text);
        memory_free(text);
        return STATUS_OK;
    }
    s->told = doubt_allowed(s->scenario, DOUBT_VALUES);
    return doubt_raise(s->scenario, DOUBT_VALUES, form, netcdf_path(s->file), s->variable.name, value, unit,
                       x, y, parts_number(s, record), date, guess(s, value, raw));
}

/* The first record of sums has no interval of its own: only its numbers can be checked. */
static Status check_value(GriddedSource *s, int record, double x, double y, double raw) {
    const bool open = (s->least == 0 && s->most == 0) || (s->change.accumulated && record == 0);
    const double seconds = s->change.accumulated && record > 0 ? s->time[record] - s->time[record - 1] : 1;
    const double value = (raw * s->change.factor + s->change.offset) / seconds;
    char date[32] = "always";
    if (isfinite(raw)) {
        if ((open || fits(s, value)) && !records_is_code(raw)) return STATUS_OK;
        return refuse(s, record, x, y, value, raw);
    }
    if (s->layered || s->at_sea || record < s->first || record > s->last) return STATUS_OK;
    if (s->records > 0) calendar_format(s->time[record], date);
    return error_raise(STATUS_BAD_INPUT,
                       "%s: %s has no value at %.6g, %.6g in record %d (%s): a forcing needs values at all "
                       "points around the grid, land as well as sea",
                       netcdf_path(s->file), s->variable.name, x, y, parts_number(s, record), date);
}

Status records_check_map(GriddedSource *s, int record, const double *map) {
    for (int j = 0; j < s->y.count; j++)
        for (int i = 0; i < s->x.count; i++)
            TRY(check_value(s, record, s->x.at[i], s->y.at[j], source_at(s, map, i, j)));
    return STATUS_OK;
}

/* ---- all of them ---- */

/* How the mean over the area changes from record to record. */
typedef struct Changes {
    double before, least, most;
    int rises, falls, count;
} Changes;

static void follow(const GriddedSource *s, const double *map, Changes *c) {
    double sum = 0;
    for (int j = 0; j < s->y.count; j++)
        for (int i = 0; i < s->x.count; i++) sum += source_at(s, map, i, j);
    if (c->count > 0) c->rises += sum > c->before, c->falls += sum < c->before;
    if (c->count == 0 || sum < c->least) c->least = sum;
    if (c->count == 0 || sum > c->most) c->most = sum;
    c->before = sum;
    c->count++;
}

/* Amounts of one interval rise and fall equally often; those since the start of a day fall once a day. */
static Status check_changes(const GriddedSource *s, const Changes *c) {
    enum { MANY_RISES = 14 };
    if (!s->change.accumulated || c->rises < MANY_RISES || c->rises < 8 * c->falls || c->most < 4 * c->least)
        return STATUS_OK;
    return doubt_raise(s->scenario, DOUBT_ACCUMULATION,
                       "%s: %s rises %d times and falls %d times from record to record: does it accumulate "
                       "since the start of a day or forecast? It must accumulate from record to record",
                       netcdf_path(s->file), s->variable.name, c->rises, c->falls);
}

static bool has_values(const GriddedSource *s, const double *map) {
    for (int j = 0; j < s->y.count; j++)
        for (int i = 0; i < s->x.count; i++)
            if (isfinite(source_at(s, map, i, j))) return true;
    return false;
}

Status records_refuse_empty(const GriddedSource *s, int record) {
    char date[32] = "always";
    if (s->records > 0) calendar_format(s->time[record], date);
    return error_raise(STATUS_BAD_INPUT, "%s: %s has no value anywhere in record %d (%s)",
                       netcdf_path(s->file), s->variable.name, parts_number(s, record), date);
}

/* Where the nearest value holds, there must be one. */
static Status check_filled(const GriddedSource *s, int record, bool filled) {
    return filled || record < s->first || record > s->last ? STATUS_OK : records_refuse_empty(s, record);
}

static Status check_levels(GriddedSource *s, int record, double *map) {
    bool filled = false;
    size_t local;
    TRY(parts_seek(s, record, &local));
    for (size_t level = 0; level < s->variable.length[s->variable.z]; level++) {
        TRY(netcdf_read_level(s->file, &s->variable, local, level, (size_t)s->x.first, (size_t)s->x.extent,
                              (size_t)s->y.first, (size_t)s->y.extent, map));
        TRY(records_check_map(s, record, map));
        filled = filled || has_values(s, map);
    }
    return check_filled(s, record, filled);
}

static Status check_all(GriddedSource *s, bool every) {
    const int first = every ? 0 : s->first, last = every && s->records > 0 ? s->records - 1 : s->last;
    const size_t width = (size_t)s->x.extent, points = width * (size_t)s->y.extent;
    const double levels = s->variable.z < 0 ? 1 : (double)s->variable.length[s->variable.z];
    const int at_once = (int)fmax(1, SLAB_VALUES / (double)points);
    Changes changes = {0};
    Status status = STATUS_OK;
    if (!every && (double)points * levels * (last - first + 1.0) > MOST_VALUES_AT_START) {
        static char told[256]; /* once for all variables of a file */
        if (strncmp(told, netcdf_path(s->file), sizeof told - 1) != 0)
            log_info("%s: its %d records are checked when they are read; \"check\" looks at all of them",
                     netcdf_path(s->file), last - first + 1);
        snprintf(told, sizeof told, "%s", netcdf_path(s->file));
        return STATUS_OK;
    }
    double *slab = ALLOCATE(points * (size_t)at_once, double);
    for (int record = first; record <= last && s->variable.z >= 0; record++)
        ATTEMPT(check_levels(s, record, slab));
    for (int record = first, count; record <= last && s->variable.z < 0; record += count) {
        const int wanted = at_once < last - record + 1 ? at_once : last - record + 1,
                  left = parts_left(s, record);
        size_t local;
        count = wanted < left ? wanted : left;
        ATTEMPT(parts_seek(s, record, &local));
        ATTEMPT(netcdf_read_maps(s->file, &s->variable, local, (size_t)count, (size_t)s->x.first, width,
                                 (size_t)s->y.first, (size_t)s->y.extent, slab));
        for (int n = 0; n < count; n++) {
            const double *map = slab + points * (size_t)n;
            ATTEMPT(records_check_map(s, record + n, map));
            ATTEMPT(check_filled(s, record + n, has_values(s, map)));
            if (record + n >= s->first && record + n <= s->last) follow(s, map, &changes);
        }
    }
    status = check_changes(s, &changes);
cleanup:
    memory_free(slab);
    return status;
}

static GriddedSource *open_sources; /* the oldest first */

void records_watch(GriddedSource *source) {
    GriddedSource **end = &open_sources;
    while (*end) end = &(*end)->next;
    *end = source;
}

void records_forget(const GriddedSource *source) {
    GriddedSource **at = &open_sources;
    while (*at && *at != source) at = &(*at)->next;
    if (*at) *at = source->next;
}

Status records_check_open(MPI_Comm comm, bool every) {
    Status status = STATUS_OK;
    for (GriddedSource *s = open_sources; s && status == STATUS_OK; s = s->next) {
        if (!s->looked_at) status = check_all(s, every);
        s->looked_at = true;
    }
    return status_agree(comm, status);
}
