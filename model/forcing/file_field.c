/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/file_field.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/forcing/gridded_source.h"
#include "model/forcing/level_heights.h"
#include "model/forcing/nearest.h"
#include "model/forcing/source_records.h"
#include "model/forcing/units.h"
#include <math.h>
#include <string.h>

struct FileField {
    int shape[3];             /* along x, y, z */
    double *at[2];            /* ascending [degrees or m] */
    LevelHeights heights;     /* of the columns */
    double *value;            /* x fastest, then y; complete */
    unsigned char *has_value; /* of columns: in the file */
    char note[400];
    char standard_name[64]; /* "": none */
};

static size_t columns_of(const FileField *f) {
    return (size_t)f->shape[0] * (size_t)f->shape[1];
}

void file_field_destroy(FileField **field) {
    FileField *f = *field;
    if (!f) return;
    for (int n = 0; n < 2; n++) memory_free(f->at[n]);
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
    NetcdfFile *file;
    NetcdfVariable variable;
    SourceAxis x, y;
    double factor, offset;
    size_t record;
    char date[32];
} Reading;

static Status choose_record(Reading *r, const char *path, double start) {
    const NetcdfVariable *v = &r->variable;
    double *times = NULL, scale = 1, reference = 0;
    char why[160] = "";
    if (v->time < 0) return STATUS_OK;
    const size_t count = v->length[v->time];
    CHECK(count > 0, STATUS_BAD_INPUT, "%s: %s has no record", path, v->name);
    const int id = v->coordinate[v->time];
    char *units = id < 0 ? NULL : netcdf_text(r->file, id, "units"),
         *calendar = id < 0 ? NULL : netcdf_text(r->file, id, "calendar");
    Status status = STATUS_OK;
    if (!units || calendar_parse_units(units, calendar, &scale, &reference, why) != STATUS_OK) {
        if (count > 1)
            status = error_raise(STATUS_BAD_INPUT, "%s: the units \"%s\" of its times cannot be used: %s",
                                 path, units ? units : "", units ? why : "there are none");
    } else {
        status = netcdf_read_coordinate(r->file, v, v->time, &times);
        for (size_t n = 1; status == STATUS_OK && n < count; n++)
            if (fabs(reference + scale * times[n] - start) <
                fabs(reference + scale * times[r->record] - start))
                r->record = n;
        if (status == STATUS_OK) calendar_format(reference + scale * times[r->record], r->date);
    }
    memory_free(times);
    memory_free(units);
    memory_free(calendar);
    return status;
}

static Status choose_factor(Reading *r, const char *path, const FieldNames *names) {
    char *unit = netcdf_text(r->file, r->variable.id, "units");
    Status status = STATUS_OK;
    r->offset = unit_offset(unit, names->unit);
    if (!unit_factor(unit, names->unit, &r->factor))
        status = error_raise(STATUS_BAD_INPUT, "%s: %s is in \"%s\", which cannot be converted to %s (%s)",
                             path, r->variable.name, unit, names->unit, names->what);
    memory_free(unit);
    return status;
}

/* Level by level, put in order: x and y by the axes, z ascending. */
static Status read_values(Reading *r, FileField *f) {
    double *map = ALLOCATE((size_t)r->x.extent * (size_t)r->y.extent, double);
    Status status = STATUS_OK;
    f->value = ALLOCATE(columns_of(f) * (size_t)f->shape[2], double);
    for (int k = 0; k < f->shape[2] && status == STATUS_OK; k++) {
        double *level = f->value + columns_of(f) * (size_t)k;
        status = netcdf_read_level(r->file, &r->variable, r->record, (size_t)f->heights.index[k],
                                   (size_t)r->x.first, (size_t)r->x.extent, (size_t)r->y.first,
                                   (size_t)r->y.extent, map);
        for (int j = 0; status == STATUS_OK && j < f->shape[1]; j++)
            for (int i = 0; i < f->shape[0]; i++) {
                const double raw =
                    map[(ptrdiff_t)(r->y.index[j] - r->y.first) * r->x.extent + (r->x.index[i] - r->x.first)];
                if (isfinite(raw) && records_is_code(raw) && status == STATUS_OK)
                    status =
                        error_raise(STATUS_BAD_INPUT,
                                    "%s: %s is %g at %.6g, %.6g: is it a code for a missing value that the "
                                    "file does not declare? Set its _FillValue",
                                    netcdf_path(r->file), r->variable.name, raw, r->x.at[i], r->y.at[j]);
                level[(ptrdiff_t)j * f->shape[0] + i] = r->offset + r->factor * raw;
            }
    }
    memory_free(map);
    return status;
}

static Status read_file(Reading *r, const char *path, const char *variable, const FieldNames *names,
                        const Grid *grid, double start, FileField *f) {
    TRY(netcdf_open(path, &r->file));
    TRY(source_variable(r->file, path, variable, names, &r->variable));
    TRY(netcdf_require_maps(r->file, &r->variable));
    TRY(choose_factor(r, path, names));
    TRY(choose_record(r, path, start));
    const SourceWindow window = source_window_of(&grid->axes, false);
    TRY(source_area(r->file, &r->variable, path, &grid->axes, &window, &r->x, &r->y));
    f->shape[0] = r->x.count, f->shape[1] = r->y.count;
    const SourceAxis *axes[] = {&r->x, &r->y};
    for (int n = 0; n < 2; n++) {
        f->at[n] = ALLOCATE(f->shape[n], double);
        memcpy(f->at[n], axes[n]->at, (size_t)f->shape[n] * sizeof(double));
    }
    f->shape[2] = r->variable.z < 0 ? 1 : (int)r->variable.length[r->variable.z];
    TRY(netcdf_check_room(r->file, &r->variable, r->x.extent, r->y.extent, f->shape[2]));
    TRY(level_heights_read(r->file, &r->variable, &r->x, &r->y, &f->heights));
    TRY(read_values(r, f));
    f->has_value = ALLOCATE(columns_of(f), unsigned char);
    CHECK(nearest_fill(f->shape, f->value, f->has_value), STATUS_BAD_INPUT,
          "%s: %s has no value anywhere around the grid", path, r->variable.name);
    char *name = netcdf_text(r->file, r->variable.id, "standard_name");
    snprintf(f->standard_name, sizeof f->standard_name, "%s", name ? name : "");
    memory_free(name);
    snprintf(f->note, sizeof f->note, "%.200s (%.60s%s%s, %d level%s)", path, r->variable.name,
             *r->date ? ", " : "", r->date, f->shape[2], f->shape[2] == 1 ? "" : "s");
    return STATUS_OK;
}

/* ---- and all get it ---- */

static void share(FileField *f, const Grid *grid, bool reader) {
    MPI_Bcast(f->shape, 3, MPI_INT, 0, grid->comm);
    MPI_Bcast(f->note, sizeof f->note, MPI_CHAR, 0, grid->comm);
    MPI_Bcast(f->standard_name, sizeof f->standard_name, MPI_CHAR, 0, grid->comm);
    const size_t columns = columns_of(f);
    int per_column = f->heights.stride > 0;
    MPI_Bcast(&per_column, 1, MPI_INT, 0, grid->comm);
    for (int n = 0; n < 2; n++) {
        if (!reader) f->at[n] = ALLOCATE(f->shape[n], double);
        MPI_Bcast(f->at[n], f->shape[n], MPI_DOUBLE, 0, grid->comm);
    }
    const size_t heights = (per_column ? columns : 1) * (size_t)f->shape[2];
    if (!reader) {
        f->heights = (LevelHeights){
            .count = f->shape[2], .stride = per_column ? f->shape[2] : 0, .z = ALLOCATE(heights, double)};
        f->value = ALLOCATE(columns * (size_t)f->shape[2], double);
        f->has_value = ALLOCATE(columns, unsigned char);
    }
    for (size_t k = 0; k < heights; k += columns)
        MPI_Bcast(f->heights.z + k, (int)(heights - k < columns ? heights - k : columns), MPI_DOUBLE, 0,
                  grid->comm);
    for (int k = 0; k < f->shape[2]; k++)
        MPI_Bcast(f->value + columns * (size_t)k, (int)columns, MPI_DOUBLE, 0, grid->comm);
    MPI_Bcast(f->has_value, (int)columns, MPI_UNSIGNED_CHAR, 0, grid->comm);
}

Status file_field_create(const char *path, const char *variable, const FieldNames *names, const Grid *grid,
                         double start, FileField **out) {
    FileField *f = *out = ALLOCATE(1, FileField);
    Status status = STATUS_OK;
    int rank;
    MPI_Comm_rank(grid->comm, &rank);
    if (rank == 0) {
        Reading reading = {.factor = 1};
        status = read_file(&reading, path, variable, names, grid, start, f);
        netcdf_close(&reading.file);
        source_axis_free(&reading.x);
        source_axis_free(&reading.y);
    }
    status = status_agree(grid->comm, status);
    if (status == STATUS_OK)
        share(f, grid, rank == 0);
    else
        file_field_destroy(out);
    return status;
}

/* ---- values ---- */

static double mixed(double a, double b, double part) {
    return part > 0 ? a + part * (b - a) : a;
}

double file_field_at(const FileField *f, double x, double y, double z) {
    double px, py, pz, corner[2][2];
    const int i = level_locate(f->at[0], f->shape[0], x, &px),
              j = level_locate(f->at[1], f->shape[1], y, &py);
    const size_t level = columns_of(f), step[2] = {px > 0 ? 1 : 0, py > 0 ? (size_t)f->shape[0] : 0},
                 first = (size_t)j * (size_t)f->shape[0] + (size_t)i;
    for (int b = 0; b < 2; b++)
        for (int a = 0; a < 2; a++) {
            const size_t column = first + (size_t)a * step[0] + (size_t)b * step[1];
            const int k =
                level_locate(f->heights.z + (ptrdiff_t)column * f->heights.stride, f->shape[2], z, &pz);
            const double *below = f->value + (size_t)k * level + column;
            corner[b][a] = mixed(below[0], below[pz > 0 ? level : 0], pz);
        }
    return mixed(mixed(corner[0][0], corner[0][1], px), mixed(corner[1][0], corner[1][1], px), py);
}

bool file_field_covers(const FileField *f, double x, double y) {
    const double at[2] = {x, y};
    double part[2];
    int low[2];
    for (int n = 0; n < 2; n++) {
        const double *along = f->at[n], slack = 1e-6 * (along[f->shape[n] - 1] - along[0]);
        if (at[n] < along[0] - slack || at[n] > along[f->shape[n] - 1] + slack) return false;
        low[n] = level_locate(along, f->shape[n], at[n], &part[n]);
    }
    for (int b = 0; b <= (part[1] > 0); b++)
        for (int a = 0; a <= (part[0] > 0); a++)
            if (!f->has_value[(ptrdiff_t)(low[1] + b) * f->shape[0] + low[0] + a]) return false;
    return true;
}
