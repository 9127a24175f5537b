/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/file_field.h"

#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/file_places.h"
#include "model/forcing/gridded_source.h"
#include "model/forcing/level_heights.h"
#include "model/forcing/moment.h"
#include "model/forcing/nearest.h"
#include "model/forcing/source_parts.h"
#include "model/forcing/source_records.h"
#include <math.h>
#include <string.h>

struct FileField {
    int shape[3];             /* of the area around the whole grid, along x, y, z */
    MapPart own;              /* what of it lies around the rank's own cells */
    FilePlace *place;         /* of each cell or face */
    LevelHeights heights;     /* of the own columns, as are the next */
    double *value;            /* x fastest, then y; complete */
    unsigned char *has_value; /* of columns: in the file */
    char note[400];
    char standard_name[64]; /* "": none */
};

void file_field_destroy(FileField **field) {
    FileField *f = *field;
    if (!f) return;
    memory_free(f->place);
    level_heights_free(&f->heights);
    memory_free(f->value);
    memory_free(f->has_value);
    memory_free(f);
    *field = NULL;
}

const char *file_field_describe(const FileField *field) {
    return field->note;
}

const char *file_field_standard_name(const FileField *field) {
    return field->standard_name;
}

/* ---- rank 0 reads ---- */

typedef struct Reading {
    GriddedSource source; /* its files, records and axes */
    Curvilinear plane;    /* on all ranks */
    Moment moment;
    LevelHeights heights; /* of the columns of the whole area, as are the next */
    double *map, *later;  /* of one level, as it is read */
    double *level;        /* the same in order */
    double *lowest;       /* the lowest value of each column */
    unsigned char *has_value;
    ptrdiff_t *nearest; /* that has values */
} Reading;

static size_t columns_around(const FileField *f) {
    return (size_t)f->shape[0] * (size_t)f->shape[1];
}

static ptrdiff_t place_in_map(const Reading *r, int i, int j) {
    return (ptrdiff_t)(r->source.y.index[j] - r->source.y.first) * r->source.x.extent +
           (r->source.x.index[i] - r->source.x.first);
}

static Status read_map(Reading *r, int k, int record, double *map) {
    size_t local = 0;
    if (r->source.records > 0) TRY(parts_seek(&r->source, r->moment.record[record], &local));
    TRY(netcdf_read_level(r->source.file, &r->source.variable, local, (size_t)r->heights.index[k],
                          (size_t)r->source.x.first, (size_t)r->source.x.extent, (size_t)r->source.y.first,
                          (size_t)r->source.y.extent, map));
    for (int j = 0; j < r->source.y.count; j++)
        for (int i = 0; i < r->source.x.count; i++) {
            const double raw = map[place_in_map(r, i, j)];
            CHECK(!isfinite(raw) || !records_is_code(raw), STATUS_BAD_INPUT,
                  "%s: %s is %g at %.6g, %.6g: is it a code for a missing value that the file does not "
                  "declare? Set its _FillValue",
                  netcdf_path(r->source.file), r->source.variable.name, raw, r->source.x.at[i],
                  r->source.y.at[j]);
        }
    return STATUS_OK;
}

/* A level at the moment, put in order: x and y by the axes, z ascending. */
static Status read_level(Reading *r, const FileField *f, int k) {
    const double part = r->moment.part;
    TRY(read_map(r, k, 0, r->map));
    if (part > 0) TRY(read_map(r, k, 1, r->later));
    for (int j = 0; j < f->shape[1]; j++)
        for (int i = 0; i < f->shape[0]; i++) {
            const ptrdiff_t m = place_in_map(r, i, j);
            const double raw = part > 0 ? r->map[m] + part * (r->later[m] - r->map[m]) : r->map[m];
            r->level[(ptrdiff_t)j * f->shape[0] + i] =
                r->source.change.offset + r->source.change.factor * raw;
        }
    return STATUS_OK;
}

/* Which columns have values, and which of them stand in for the others. */
static Status look_over(Reading *r, const FileField *f, const char *path) {
    const size_t columns = columns_around(f);
    r->map = ALLOCATE((size_t)r->source.x.extent * (size_t)r->source.y.extent, double);
    r->later = ALLOCATE((size_t)r->source.x.extent * (size_t)r->source.y.extent, double);
    r->level = ALLOCATE(columns, double);
    r->lowest = ALLOCATE(columns, double);
    r->has_value = ALLOCATE(columns, unsigned char);
    r->nearest = ALLOCATE(columns, ptrdiff_t);
    for (int k = 0; k < f->shape[2]; k++) {
        TRY(read_level(r, f, k));
        for (size_t m = 0; m < columns; m++)
            if (k == 0 || isnan(r->lowest[m])) r->lowest[m] = r->level[m];
    }
    for (size_t m = 0; m < columns; m++) r->has_value[m] = !isnan(r->lowest[m]);
    CHECK(nearest_columns(f->shape, r->has_value, r->nearest), STATUS_BAD_INPUT,
          "%s: %s has no value anywhere around the grid", path, r->source.variable.name);
    return STATUS_OK;
}

static void reading_end(Reading *r) {
    source_close(&r->source);
    level_heights_free(&r->heights);
    curvilinear_free(&r->plane);
    memory_free(r->map);
    memory_free(r->later);
    memory_free(r->level);
    memory_free(r->lowest);
    memory_free(r->has_value);
    memory_free(r->nearest);
}

static Status open_file(Reading *r, const char *path, const char *variable, const FieldNames *names,
                        const Grid *grid, const Scenario *scenario) {
    const bool is_velocity = strcmp(names->unit ? names->unit : "", "m/s") == 0;
    r->source = (GriddedSource){.scenario = scenario, .what = names->what, .unit = names->unit};
    TRY(parts_open(path, variable, names, &r->source));
    TRY(netcdf_require_maps(r->source.file, &r->source.variable));
    TRY(unit_of_variable(r->source.file, r->source.variable.id, names->unit, names->what, &r->source.change));
    TRY(moment_find(&r->source, &r->moment));
    return curvilinear_read(r->source.file, &r->source.variable, &grid->axes, is_velocity, &r->plane);
}

static Status read_file(Reading *r, const char *path, const Axes *axes, const SourceWindow *window,
                        FileField *f) {
    TRY(source_area(r->source.file, &r->source.variable, path, axes, window, &r->source.x, &r->source.y));
    f->shape[0] = r->source.x.count, f->shape[1] = r->source.y.count;
    f->shape[2] = r->source.variable.z < 0 ? 1 : (int)r->source.variable.length[r->source.variable.z];
    TRY(netcdf_check_room(r->source.file, &r->source.variable, r->source.x.extent, r->source.y.extent,
                          f->shape[2]));
    TRY(level_heights_read(r->source.file, &r->source.variable, &r->source.x, &r->source.y, &r->heights));
    TRY(look_over(r, f, path));
    char *name = netcdf_text(r->source.file, r->source.variable.id, "standard_name");
    snprintf(f->standard_name, sizeof f->standard_name, "%s", name ? name : "");
    memory_free(name);
    snprintf(f->note, sizeof f->note, "%.200s (%.60s%s%s, %d level%s)", path, r->source.variable.name,
             *r->moment.date ? ", " : "", r->moment.date, f->shape[2], f->shape[2] == 1 ? "" : "s");
    return STATUS_OK;
}

/* ---- and each rank gets its part ---- */

/* `r`: on rank 0, NULL on the others; so below. */
static void send_heights(const MapParts *parts, const Reading *r, MPI_Comm comm, FileField *f) {
    const size_t columns = map_part_points(&f->own);
    const int levels = f->shape[2];
    int per_column = r && r->heights.stride > 0;
    MPI_Bcast(&per_column, 1, MPI_INT, 0, comm);
    const size_t count = (per_column ? columns : 1) * (size_t)levels;
    f->heights =
        (LevelHeights){.count = levels, .stride = per_column ? levels : 0, .z = ALLOCATE(count, double)};
    if (!per_column) {
        if (r) memcpy(f->heights.z, r->heights.z, count * sizeof(double));
        MPI_Bcast(f->heights.z, levels, MPI_DOUBLE, 0, comm);
        return;
    }
    double *map = ALLOCATE(columns, double);
    for (int k = 0; k < levels; k++) {
        map_parts_send(parts, r ? r->heights.z + k : NULL, levels, map);
        for (size_t m = 0; m < columns; m++) f->heights.z[m * (size_t)levels + (size_t)k] = map[m];
    }
    memory_free(map);
}

static void send_has_value(const MapParts *parts, const Reading *r, FileField *f) {
    const size_t all = r ? columns_around(f) : 0, columns = map_part_points(&f->own);
    double *from = ALLOCATE(all + 1, double), *to = ALLOCATE(columns, double);
    for (size_t m = 0; m < all; m++) from[m] = r->has_value[m];
    map_parts_send(parts, from, 1, to);
    f->has_value = ALLOCATE(columns, unsigned char);
    for (size_t m = 0; m < columns; m++) f->has_value[m] = to[m] > 0;
    memory_free(from);
    memory_free(to);
}

/* Level after level, read once more, so that no rank holds them all: in a column without a value there that of the level
 * below, or its lowest; in a column without any those of the nearest. */
static Status send_values(const MapParts *parts, Reading *r, FileField *f) {
    const size_t all = r ? columns_around(f) : 0, columns = map_part_points(&f->own);
    double *level = ALLOCATE(all + 1, double), *below = r ? r->lowest : NULL;
    Status status = STATUS_OK;
    f->value = ALLOCATE(columns * (size_t)f->shape[2], double);
    for (int k = 0; k < f->shape[2]; k++) {
        if (r && status == STATUS_OK) status = read_level(r, f, k);
        for (size_t m = 0; m < all; m++)
            if (!isnan(r->level[m])) below[m] = r->level[m];
        for (size_t m = 0; m < all; m++) level[m] = below[r->nearest[m]];
        map_parts_send(parts, level, 1, f->value + columns * (size_t)k);
    }
    memory_free(level);
    return status;
}

static Status share(FileField *f, const Positions *positions, const Grid *grid, Reading *r) {
    double *at[2];
    MPI_Bcast(f->shape, 3, MPI_INT, 0, grid->comm);
    MPI_Bcast(f->note, sizeof f->note, MPI_CHAR, 0, grid->comm);
    MPI_Bcast(f->standard_name, sizeof f->standard_name, MPI_CHAR, 0, grid->comm);
    for (int n = 0; n < 2; n++) {
        at[n] = ALLOCATE(f->shape[n], double);
        if (r) memcpy(at[n], n == 0 ? r->source.x.at : r->source.y.at, (size_t)f->shape[n] * sizeof(double));
        MPI_Bcast(at[n], f->shape[n], MPI_DOUBLE, 0, grid->comm);
    }
    const MapPart wanted =
        positions_locate(positions, grid, f->shape, (const double *const[]){at[0], at[1]}, &f->place);
    MapParts *parts = map_parts_create(grid->comm, f->shape, wanted, &f->own);
    send_heights(parts, r, grid->comm, f);
    send_has_value(parts, r, f);
    const Status status = send_values(parts, r, f);
    map_parts_destroy(&parts);
    for (int n = 0; n < 2; n++) memory_free(at[n]);
    return status_agree(grid->comm, status);
}

Status file_field_create(const char *path, const char *variable, const FieldNames *names, const Grid *grid,
                         char place, const Scenario *scenario, FileField **out) {
    FileField *f = *out = ALLOCATE(1, FileField);
    Reading reading = {0};
    Positions positions = {0};
    Status status = STATUS_OK;
    int rank;
    MPI_Comm_rank(grid->comm, &rank);
    if (rank == 0) status = open_file(&reading, path, variable, names, grid, scenario);
    status = status_agree(grid->comm, status);
    if (status == STATUS_OK) {
        curvilinear_share(grid->comm, grid->axes.spherical, &reading.plane);
        positions = positions_find(&reading.plane, grid, place);
        if (rank == 0) status = read_file(&reading, path, &grid->axes, &positions.window, f);
        status = status_agree(grid->comm, status);
    }
    if (status == STATUS_OK) status = share(f, &positions, grid, rank == 0 ? &reading : NULL);
    if (status != STATUS_OK) file_field_destroy(out);
    positions_free(&positions);
    reading_end(&reading);
    return status;
}

/* ---- values ---- */

static double mixed(double a, double b, double part) {
    return part > 0 ? a + part * (b - a) : a;
}

/* Of the column with this place in the area around the whole grid. */
static size_t column_at(const MapPart *p, int i, int j) {
    return (size_t)(j - p->first[1]) * (size_t)p->count[0] + (size_t)(i - p->first[0]);
}

double file_field_at(const FileField *f, ptrdiff_t number, double z) {
    const FilePlace *at = &f->place[number];
    const size_t level = map_part_points(&f->own), first = column_at(&f->own, at->low[0], at->low[1]),
                 step[2] = {at->part[0] > 0 ? 1 : 0, at->part[1] > 0 ? (size_t)f->own.count[0] : 0};
    double pz, corner[2][2];
    for (int b = 0; b < 2; b++)
        for (int a = 0; a < 2; a++) {
            const size_t column = first + (size_t)a * step[0] + (size_t)b * step[1];
            const int k =
                level_locate(f->heights.z + (ptrdiff_t)column * f->heights.stride, f->shape[2], z, &pz);
            const double *below = f->value + (size_t)k * level + column;
            corner[b][a] = mixed(below[0], below[pz > 0 ? level : 0], pz);
        }
    return mixed(mixed(corner[0][0], corner[0][1], at->part[0]),
                 mixed(corner[1][0], corner[1][1], at->part[0]), at->part[1]);
}

bool file_field_covers(const FileField *f, ptrdiff_t number) {
    const FilePlace *at = &f->place[number];
    if (!at->within) return false;
    for (int b = 0; b <= (at->part[1] > 0); b++)
        for (int a = 0; a <= (at->part[0] > 0); a++)
            if (!f->has_value[column_at(&f->own, at->low[0] + a, at->low[1] + b)]) return false;
    return true;
}
