/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/gridded_source.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/forcing/series.h"
#include "model/forcing/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int find_long_name(const NetcdfFile *file, const char *const *long_names) {
    for (int id = 0; id < netcdf_count(file); id++) {
        char *text = netcdf_text(file, id, "long_name");
        bool found = false;
        for (int n = 0; text && long_names[n] && !found; n++) found = strcasecmp(text, long_names[n]) == 0;
        memory_free(text);
        if (found) return id;
    }
    return -1;
}

static int find_variable(const NetcdfFile *file, const FieldNames *names) {
    int id = -1;
    for (int n = 0; names->names[n] && id < 0; n++) id = netcdf_find(file, names->names[n]);
    for (int n = 0; names->standard_names[n] && id < 0; n++)
        id = netcdf_find_standard_name(file, names->standard_names[n]);
    return id >= 0 ? id : find_long_name(file, names->long_names);
}

static Status choose_variable(GriddedSource *s, const char *path, const char *name, const FieldNames *names) {
    int id = name ? netcdf_find(s->file, name) : find_variable(s->file, names);
    if (id < 0) {
        char *list = netcdf_list(s->file);
        Status status = error_raise(STATUS_BAD_INPUT,
                                    "%s: %s is not in it: looked for a variable \"%s\"; the file has %s",
                                    path, names->what, name ? name : names->names[0], list);
        memory_free(list);
        return status;
    }
    TRY(netcdf_describe(s->file, id, &s->variable));
    return netcdf_require(s->file, &s->variable, s->variable.time >= 0 ? "time, y, x" : "y, x");
}

static Status choose_factor(GriddedSource *s, const char *path, const char *expected) {
    char *unit = netcdf_text(s->file, s->variable.id, "units");
    Status status = STATUS_OK;
    s->offset = unit_offset(unit, expected);
    s->accumulated = unit_accumulates(unit, expected, &s->factor);
    if (!s->accumulated && !unit_factor(unit, expected, &s->factor))
        status = error_raise(STATUS_BAD_INPUT, "%s: %s is in \"%s\", which cannot be turned into %s (%s)",
                             path, s->variable.name, unit, expected, s->what);
    memory_free(unit);
    return status;
}

static Status read_times(GriddedSource *s, const char *path, double start, double end) {
    Status status = STATUS_OK;
    char why[160] = "", *units = NULL, *calendar = NULL;
    double scale = 1, reference = 0;
    s->records = (int)s->variable.length[s->variable.time];
    int id = s->variable.coordinate[s->variable.time];
    CHECK(s->records > 0 && id >= 0, STATUS_BAD_INPUT, "%s: %s has no %s along its time", path,
          s->variable.name, s->records > 0 ? "coordinate variable" : "record");
    TRY(netcdf_read_coordinate(s->file, &s->variable, s->variable.time, &s->time));
    units = netcdf_text(s->file, id, "units");
    calendar = netcdf_text(s->file, id, "calendar");
    if (!units || calendar_parse_units(units, calendar, &scale, &reference, why) != STATUS_OK)
        status = error_raise(STATUS_BAD_INPUT, "%s: the units \"%s\" of its times cannot be used: %s", path,
                             units ? units : "", units ? why : "there are none");
    memory_free(units);
    memory_free(calendar);
    if (status != STATUS_OK) return status;
    CHECK(!s->accumulated || s->records > 1, STATUS_BAD_INPUT,
          "%s: %s is what came since the record before, but there is only one record", path,
          s->variable.name);
    for (int n = 0; n < s->records; n++) s->time[n] = reference + scale * s->time[n];
    CHECK(s->records == 1 || s->time[0] < s->time[1], STATUS_BAD_INPUT,
          "%s: its times go backwards; sort the records", path);
    return series_check_bracket(path, s->what, s->time[0], s->time[s->records - 1], start, end);
}

typedef struct Ordered {
    double at;
    int index;
} Ordered;

static int ascending(const void *a, const void *b) {
    double left = ((const Ordered *)a)->at, right = ((const Ordered *)b)->at;
    return (left > right) - (left < right);
}

/* Sorts the coordinates and keeps those around [low, high], with one to spare beyond each `margin`. */
static void cut(Ordered *all, int count, double low, double high, double margin, SourceAxis *out) {
    int first = 0, last = count - 1;
    while (first < last && all[first + 1].at <= low - margin) first++;
    while (last > first && all[last - 1].at >= high + margin) last--;
    out->count = last - first + 1;
    out->at = ALLOCATE(out->count, double);
    out->index = ALLOCATE(out->count, int);
    int least = all[first].index, most = least;
    for (int n = 0; n < out->count; n++) {
        int index = all[first + n].index;
        out->at[n] = all[first + n].at, out->index[n] = index;
        if (index < least) least = index;
        if (index > most) most = index;
    }
    out->first = least, out->extent = most - least + 1;
}

/* On the model's side of the world: within half a turn of `middle`. */
static double turned(double longitude, double middle) {
    return longitude + 360.0 * floor((middle - longitude) / 360.0 + 0.5);
}

static Status check_cover(const char *path, const char *axis, const Ordered *all, int count, double low,
                          double high) {
    /* a hundredth of the file's spacing: coordinates are often single precision */
    double slack = count > 1 ? 0.01 * (all[count - 1].at - all[0].at) / (count - 1) : 0;
    CHECK(count > 1 && all[0].at <= low + slack && all[count - 1].at >= high - slack, STATUS_BAD_INPUT,
          "%s: covers %s %g to %g, but the grid reaches from %g to %g: get a larger cut-out (the edges of "
          "the grid have to lie inside)",
          path, axis, all[0].at, all[count - 1].at, low, high);
    return STATUS_OK;
}

typedef struct Side {
    const char *axis;
    int dimension;
    double low, high, margin;
    bool turns; /* longitudes */
} Side;

static Status read_side(GriddedSource *s, const char *path, Side side, SourceAxis *out) {
    double *values = NULL;
    int count = (int)s->variable.length[side.dimension], kept = 0;
    TRY(netcdf_read_coordinate(s->file, &s->variable, side.dimension, &values));
    Ordered *all = ALLOCATE(count, Ordered);
    for (int n = 0; n < count; n++) {
        double at = side.turns ? turned(values[n], 0.5 * (side.low + side.high)) : values[n];
        all[n] = (Ordered){at, n};
    }
    qsort(all, (size_t)count, sizeof *all, ascending);
    for (int n = 0; n < count; n++) /* 0 and 360 are one place */
        if (n == 0 || all[n].at > all[kept - 1].at) all[kept++] = all[n];
    Status status = check_cover(path, side.axis, all, kept, side.low, side.high);
    if (status == STATUS_OK) cut(all, kept, side.low, side.high, side.margin, out);
    memory_free(all);
    memory_free(values);
    return status;
}

/* Degrees for a sphere, metres for a plane. */
static Status check_kind(GriddedSource *s, const char *path, const Axes *axes) {
    int id = s->variable.coordinate[s->variable.x];
    CHECK(id >= 0, STATUS_BAD_INPUT, "%s: %s has no coordinate variable along x", path, s->variable.name);
    char *unit = netcdf_text(s->file, id, "units");
    bool degrees = unit && strncasecmp(unit, "degree", 6) == 0;
    bool metres = unit && (strcmp(unit, "m") == 0 || strncasecmp(unit, "met", 3) == 0);
    Status status = STATUS_OK;
    if (axes->spherical ? metres || (unit && !degrees) : !metres)
        status = error_raise(STATUS_BAD_INPUT, "%s: its coordinates are in \"%s\", but the grid is in %s",
                             path, unit ? unit : "?", axes->spherical ? "degrees" : "metres");
    memory_free(unit);
    return status;
}

static Status read_area(GriddedSource *s, const char *path, const Axes *axes) {
    bool sphere = axes->spherical;
    Side x = {sphere ? "longitudes" : "x", s->variable.x,       axes_x(axes, 0),
              axes_x(axes, axes->nx),      HALO * axes->step_x, sphere};
    Side y = {sphere ? "latitudes" : "y", s->variable.y,       axes_y(axes, 0),
              axes_y(axes, axes->ny),     HALO * axes->step_y, false};
    TRY(check_kind(s, path, axes));
    TRY(read_side(s, path, x, &s->x));
    TRY(read_side(s, path, y, &s->y));
    s->map = ALLOCATE((size_t)s->x.extent * (size_t)s->y.extent, double);
    return STATUS_OK;
}

Status source_open(const char *path, const char *variable, const FieldNames *names, const Axes *axes,
                   double start, double end, GriddedSource *out) {
    Status status = STATUS_OK;
    *out = (GriddedSource){.what = names->what};
    ATTEMPT(netcdf_open(path, &out->file));
    ATTEMPT(choose_variable(out, path, variable, names));
    ATTEMPT(choose_factor(out, path, names->unit));
    out->accumulated &= out->variable.time >= 0;
    if (out->variable.time >= 0) ATTEMPT(read_times(out, path, start, end));
    ATTEMPT(read_area(out, path, axes));
    return STATUS_OK;
cleanup:
    source_close(out);
    return status;
}

void source_close(GriddedSource *source) {
    netcdf_close(&source->file);
    memory_free(source->time);
    memory_free(source->x.at), memory_free(source->x.index);
    memory_free(source->y.at), memory_free(source->y.index);
    memory_free(source->map);
    *source = (GriddedSource){0};
}

Status source_read(GriddedSource *s, int record, double *window) {
    TRY(netcdf_read_map(s->file, &s->variable, (size_t)record, (size_t)s->x.first, (size_t)s->x.extent,
                        (size_t)s->y.first, (size_t)s->y.extent, s->map));
    for (int j = 0; j < s->y.count; j++)
        for (int i = 0; i < s->x.count; i++) {
            ptrdiff_t row = s->y.index[j] - s->y.first, column = s->x.index[i] - s->x.first;
            double value = s->map[row * s->x.extent + column];
            CHECK(isfinite(value), STATUS_BAD_INPUT,
                  "%s: %s has no value at %g, %g in record %d: a forcing needs values at all points around "
                  "the grid, land as well as sea",
                  netcdf_path(s->file), s->variable.name, s->x.at[i], s->y.at[j], record + 1);
            window[(ptrdiff_t)j * s->x.count + i] = value * s->factor + s->offset;
        }
    return STATUS_OK;
}
