/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/gridded_source.h"

#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/field_names.h"
#include "model/forcing/moment.h"
#include "model/forcing/nearest.h"
#include "model/forcing/series.h"
#include "model/forcing/source_parts.h"
#include "model/forcing/source_records.h"
#include "settings/doubt.h"
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

int source_find(const NetcdfFile *file, const char *name, const FieldNames *names) {
    return name ? netcdf_find(file, name) : find_variable(file, names);
}

Status source_variable(const NetcdfFile *file, const char *path, const char *name, const FieldNames *names,
                       NetcdfVariable *out) {
    const int id = source_find(file, name, names);
    if (id >= 0) return netcdf_describe(file, id, out);
    char *list = netcdf_list(file);
    Status status =
        error_raise(STATUS_BAD_INPUT, "%s: %s is missing: looked for a variable \"%s\"; the file has %s",
                    path, names->what, name ? name : names->names[0], list);
    memory_free(list);
    return status;
}

static Status check_unit(const GriddedSource *s) {
    char *unit = netcdf_text(s->file, s->variable.id, "units");
    Status status = STATUS_OK;
    if (s->change.accumulated && s->variable.time < 0)
        status =
            error_raise(STATUS_BAD_INPUT,
                        "%s: %s is in \"%.60s\", an amount, but the file has no times: over which period "
                        "was it accumulated? Give a rate in %s",
                        netcdf_path(s->file), s->variable.name, unit, s->unit);
    else if (unit_missing(unit, s->unit))
        status = doubt_raise(s->scenario, DOUBT_UNITS,
                             "%s: %s has no units: give it an attribute \"units\", here %s",
                             netcdf_path(s->file), s->variable.name, s->unit);
    memory_free(unit);
    return status;
}

static Status read_times(GriddedSource *s, const char *path) {
    const ScenarioTime *run = &s->scenario->time;
    const double first = time_first(run), last = time_last(run);
    TRY(parts_read_times(s));
    CHECK(!s->change.accumulated || s->records > 1, STATUS_BAD_INPUT,
          "%s: %s is accumulated since the previous record, but there is only one record", path, s->name);
    TRY(series_check_bracket(path, s->what, s->time[0], s->time[s->records - 1], first, last));
    s->first = series_before(s->time, s->records, first);
    s->last = s->records > 1 ? series_before(s->time, s->records, last) + 1 : 0;
    return records_check_times(s);
}

Status source_open(const char *path, const char *variable, const FieldNames *names, const Axes *axes,
                   const Scenario *scenario, GriddedSource *out) {
    const SourceWindow window = source_window_of(axes, true);
    return source_open_part(path, variable, names, axes, scenario, &window, false, NULL, out);
}

Status source_open_part(const char *path, const char *variable, const FieldNames *names, const Axes *axes,
                        const Scenario *scenario, const SourceWindow *window, bool layered, Moment *moment,
                        GriddedSource *out) {
    Status status = STATUS_OK;
    *out = (GriddedSource){.scenario = scenario,
                           .what = names->what,
                           .unit = names->unit ? names->unit : field_names_unit(scenario, names->what),
                           .least = names->least,
                           .most = names->most,
                           .layered = layered,
                           .at_sea = names->at_sea};
    ATTEMPT(parts_open(path, variable, names, out));
    if (layered)
        ATTEMPT(netcdf_require_maps(out->file, &out->variable));
    else
        ATTEMPT(netcdf_require(out->file, &out->variable, out->variable.time >= 0 ? "time, y, x" : "y, x"));
    ATTEMPT(unit_of_variable(out->file, out->variable.id, out->unit, names->what, &out->change));
    if (names->unit) ATTEMPT(check_unit(out));
    if (moment)
        ATTEMPT(moment_find(out, moment));
    else if (out->variable.time >= 0)
        ATTEMPT(read_times(out, path));
    out->degrees = source_in_degrees(out->file, &out->variable, axes);
    ATTEMPT(source_area(out->file, &out->variable, path, axes, window, &out->x, &out->y));
    ATTEMPT(netcdf_check_room(out->file, &out->variable, out->x.extent, out->y.extent, 1));
    out->map = ALLOCATE((size_t)out->x.extent * (size_t)out->y.extent, double);
    if (!moment) records_watch(out);
    return STATUS_OK;
cleanup:
    source_close(out);
    return status;
}

void source_close(GriddedSource *source) {
    records_forget(source);
    netcdf_close(&source->file);
    parts_free(source);
    memory_free(source->time);
    source_axis_free(&source->x);
    source_axis_free(&source->y);
    memory_free(source->map);
    *source = (GriddedSource){0};
}

void source_share(MPI_Comm comm, const GriddedSource *s, double start, SourceShape *out) {
    int rank, shape[5] = {s->records, s->x.count, s->y.count, s->change.accumulated};
    const char *name = s->file ? s->variable.name : "";
    MPI_Comm_rank(comm, &rank);
    shape[4] = (int)strlen(name) + 1;
    MPI_Bcast(shape, 5, MPI_INT, 0, comm);
    *out = (SourceShape){.records = shape[0],
                         .count = {shape[1], shape[2]},
                         .accumulated = shape[3] != 0,
                         .time = ALLOCATE(shape[0] + 1, double),
                         .at = {ALLOCATE(shape[1], double), ALLOCATE(shape[2], double)},
                         .name = ALLOCATE(shape[4], char)};
    if (rank == 0) {
        for (int n = 0; n < out->records; n++) out->time[n] = s->time[n] - start;
        memcpy(out->at[0], s->x.at, (size_t)shape[1] * sizeof(double));
        memcpy(out->at[1], s->y.at, (size_t)shape[2] * sizeof(double));
        memcpy(out->name, name, (size_t)shape[4]);
    }
    MPI_Bcast(out->time, out->records, MPI_DOUBLE, 0, comm);
    for (int d = 0; d < 2; d++) MPI_Bcast(out->at[d], out->count[d], MPI_DOUBLE, 0, comm);
    MPI_Bcast(out->name, shape[4], MPI_CHAR, 0, comm);
}

void source_shape_free(SourceShape *shape) {
    memory_free(shape->time), memory_free(shape->name);
    memory_free(shape->at[0]), memory_free(shape->at[1]);
    *shape = (SourceShape){0};
}

/* Places without a value take the nearest one. */
static Status fill_land(const GriddedSource *s, int record, double *window) {
    unsigned char *has_value = ALLOCATE((size_t)s->x.count * (size_t)s->y.count, unsigned char);
    const bool any = nearest_fill((const int[]){s->x.count, s->y.count, 1}, window, has_value);
    memory_free(has_value);
    return any ? STATUS_OK : records_refuse_empty(s, record);
}

Status source_read(GriddedSource *s, int record, double *window) {
    TRY(source_read_level(s, record, 0, window));
    return s->at_sea ? fill_land(s, record, window) : STATUS_OK;
}

Status source_read_level(GriddedSource *s, int record, int level, double *window) {
    size_t local;
    TRY(parts_seek(s, record, &local));
    TRY(netcdf_read_level(s->file, &s->variable, local, (size_t)level, (size_t)s->x.first,
                          (size_t)s->x.extent, (size_t)s->y.first, (size_t)s->y.extent, s->map));
    TRY(records_check_map(s, record, s->map));
    for (int j = 0; j < s->y.count; j++)
        for (int i = 0; i < s->x.count; i++) {
            const double value = source_at(s, s->map, i, j) * s->change.factor + s->change.offset;
            window[(ptrdiff_t)j * s->x.count + i] =
                s->change.accumulated ? value : value_rounded_into(value, s->least, s->most);
        }
    return STATUS_OK;
}
