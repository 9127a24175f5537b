/* SPDX-License-Identifier: Apache-2.0 */
#include "program/pixels.h"

#include "base/memory.h"
#include "program/pixels_ground.h"
#include "program/waters.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 512 }; /* along a side of what is compressed at once */

/* The file that is made. */
typedef struct Canvas {
    Painting of;
    const char *path;
    int file, depth, bed;
    size_t records;
    double *eta; /* of a record, NaN where a cell is dry */
    bool *under, *source;
    float *row;
} Canvas;

#define NC_TRY(canvas, call)                                                                                 \
    do {                                                                                                     \
        const int code_ = (call);                                                                            \
        CHECK(code_ == NC_NOERR, STATUS_FAILED, "cannot write \"%s\": %s", (canvas)->path,                   \
              nc_strerror(code_));                                                                           \
    } while (0)

/* ---- the file ---- */

static Status put_text(const Canvas *c, int variable, const char *name, const char *text) {
    NC_TRY(c, nc_put_att_text(c->file, variable, name, strlen(text), text));
    return STATUS_OK;
}

/* The same text as in the file of the run, if it is there. */
static Status copy_text(const Canvas *c, const DataVariable *from, const char *name, int to) {
    char *text = datafile_text(c->of.from, from->id, name);
    const Status status = text ? put_text(c, to, name, text) : STATUS_OK;
    memory_free(text);
    return status;
}

static Status define_map(Canvas *c, const char *name, int n_dims, const int *dims, int level, int *out) {
    const size_t chunks[3] = {1, (size_t)(c->of.ny < CHUNK ? c->of.ny : CHUNK),
                              (size_t)(c->of.nx < CHUNK ? c->of.nx : CHUNK)};
    const float fill = NC_FILL_FLOAT;
    NC_TRY(c, nc_def_var(c->file, name, NC_FLOAT, n_dims, dims, out));
    NC_TRY(c, nc_def_var_chunking(c->file, *out, NC_CHUNKED, chunks + 3 - n_dims));
    NC_TRY(c, nc_def_var_deflate(c->file, *out, NC_SHUFFLE, 1, level));
    NC_TRY(c, nc_put_att_float(c->file, *out, "_FillValue", NC_FLOAT, 1, &fill));
    TRY(put_text(c, *out, "units", "m"));
    return datafile_find(c->of.from, "crs") ? put_text(c, *out, "grid_mapping", "crs") : STATUS_OK;
}

static Status define_axis(Canvas *c, int dimension, int dim, int *out) {
    static const char *const kept[] = {"standard_name", "units", "axis"};
    const DataVariable *axis = datafile_find(c->of.from, c->of.level->dims[dimension]);
    NC_TRY(c, nc_def_var(c->file, axis->name, NC_DOUBLE, 1, &dim, out));
    for (int n = 0; n < 3; n++) TRY(copy_text(c, axis, kept[n], *out));
    return put_text(c, *out, "long_name", "middle of the pixel");
}

static Status define_times(Canvas *c, int *dim) {
    const DataVariable *bounds = datafile_find(c->of.from, "time_bnds");
    int two;
    NC_TRY(c, nc_def_dim(c->file, "time", c->of.level->lengths[0], dim));
    if (bounds) NC_TRY(c, nc_def_dim(c->file, bounds->dims[1], 2, &two));
    return STATUS_OK;
}

static Status copy_variable(const Canvas *c, const char *name) {
    const DataVariable *v = datafile_find(c->of.from, name);
    if (v) NC_TRY(c, nc_copy_var(c->of.from->id, v->id, c->file));
    return STATUS_OK;
}

static Status copy_attributes(const Canvas *c) {
    const int from = c->of.from->id;
    int count;
    NC_TRY(c, nc_inq_natts(from, &count));
    for (int n = 0; n < count; n++) {
        char name[NC_MAX_NAME + 1];
        NC_TRY(c, nc_inq_attname(from, NC_GLOBAL, n, name));
        NC_TRY(c, nc_copy_att(from, NC_GLOBAL, name, c->file, NC_GLOBAL));
    }
    return put_text(c, NC_GLOBAL, "summary",
                    "Water on the pixels of the ground, from the levels of a numerical simulation");
}

static Status write_axis(const Canvas *c, int variable, double first, double step, int count) {
    double *values = ALLOCATE(count, double);
    for (int n = 0; n < count; n++) values[n] = first + n * step;
    const int code = nc_put_var_double(c->file, variable, values);
    memory_free(values);
    NC_TRY(c, code);
    return STATUS_OK;
}

static Status begin_file(Canvas *c, int level) {
    const Painting *p = &c->of;
    const bool highest = strcmp(p->level->name, "max_eta") == 0;
    int dims[3], x, y;
    NC_TRY(c, nc_create(c->path, NC_NETCDF4 | NC_NOCLOBBER, &c->file));
    TRY(define_times(c, &dims[0]));
    NC_TRY(c, nc_def_dim(c->file, p->level->dims[1], (size_t)p->ny, &dims[1]));
    NC_TRY(c, nc_def_dim(c->file, p->level->dims[2], (size_t)p->nx, &dims[2]));
    TRY(define_axis(c, 1, dims[1], &y));
    TRY(define_axis(c, 2, dims[2], &x));
    TRY(define_map(c, "bed", 2, dims + 1, level, &c->bed));
    TRY(put_text(c, c->bed, "long_name", "height of the pixel above the datum"));
    TRY(define_map(c, highest ? "max_depth" : "depth", 3, dims, level, &c->depth));
    TRY(put_text(c, c->depth, "standard_name", "sea_floor_depth_below_sea_surface"));
    TRY(put_text(c, c->depth, "long_name",
                 highest ? "greatest depth of water on the pixel" : "depth of water on the pixel"));
    TRY(copy_text(c, p->level, "cell_methods", c->depth));
    TRY(copy_attributes(c));
    NC_TRY(c, nc_enddef(c->file));
    TRY(copy_variable(c, "time"));
    TRY(copy_variable(c, "time_bnds"));
    TRY(copy_variable(c, "crs"));
    TRY(write_axis(c, y, p->raster->y0 + p->y0 * p->raster->dy, p->raster->dy, p->ny));
    return write_axis(c, x, p->raster->x0 + p->shift + p->x0 * p->raster->dx, p->raster->dx, p->nx);
}

/* ---- painting ---- */

static Status read_levels(Canvas *c, size_t record) {
    const DataVariable *v = c->of.level;
    const size_t start[3] = {record, 0, 0}, count[3] = {1, v->lengths[1], v->lengths[2]};
    const int code = nc_get_vara_double(c->of.from->id, v->id, start, count, c->eta);
    CHECK(code == NC_NOERR, STATUS_FAILED, "cannot read \"%s\": %s", c->of.from->path, nc_strerror(code));
    for (size_t n = 0; n < count[1] * count[2]; n++)
        if (v->has_fill && c->eta[n] == v->fill) c->eta[n] = NAN;
    return STATUS_OK;
}

/* Of a row of pixels: which are below the level of their cell; `source`: of which of them water comes, or NULL. */
static void wet_row(const Canvas *c, int row, bool *under, bool *source) {
    const Painting *p = &c->of;
    const size_t cells = (size_t)p->cell_j[row] * (size_t)p->ni;
    const double *height = painting_heights(p, row);
    for (int n = 0; n < p->nx; n++) {
        const size_t cell = cells + (size_t)p->cell_i[n];
        under[n] = height[n] < c->eta[cell] && height[n] < p->scenario->grid.flood_to_m;
        if (source) source[n] = p->source[cell] == (int64_t)row * p->nx + n;
    }
}

static Status find_waters(Canvas *c, Waters *waters) {
    Painting *p = &c->of;
    for (int strip = 0; strip < p->strips; strip++) {
        TRY(painting_strip(p, strip));
        for (int row = p->from_y[p->strip_j]; row < p->from_y[painting_strip_end(p, strip)]; row++) {
            wet_row(c, row, c->under, c->source);
            waters_add(waters, c->under, c->source, p->nx);
        }
    }
    return STATUS_OK;
}

static Status paint_row(const Canvas *c, size_t record, int row) {
    const Painting *p = &c->of;
    const double *height = painting_heights(p, row), *eta = c->eta + (size_t)p->cell_j[row] * (size_t)p->ni;
    const size_t start[3] = {record, (size_t)row, 0}, count[3] = {1, 1, (size_t)p->nx};
    for (int n = 0; record == 0 && n < p->nx; n++) c->row[n] = (float)height[n];
    if (record == 0) NC_TRY(c, nc_put_vara_float(c->file, c->bed, start + 1, count + 1, c->row));
    for (int n = 0; n < p->nx; n++) {
        const double depth = c->under[n] ? eta[p->cell_i[n]] - height[n] : 0;
        c->row[n] = depth > 0 && depth >= p->scenario->output_dry_depth_m ? (float)depth : NC_FILL_FLOAT;
    }
    NC_TRY(c, nc_put_vara_float(c->file, c->depth, start, count, c->row));
    return STATUS_OK;
}

static Status paint(Canvas *c, size_t record, Waters *waters) {
    Painting *p = &c->of;
    TRY(read_levels(c, record));
    TRY(find_waters(c, waters));
    for (int strip = 0; strip < p->strips; strip++) {
        TRY(painting_strip(p, strip));
        for (int row = p->from_y[p->strip_j]; row < p->from_y[painting_strip_end(p, strip)]; row++) {
            wet_row(c, row, c->under, NULL);
            waters_drain(waters, c->under, p->nx);
            TRY(paint_row(c, record, row));
        }
    }
    return STATUS_OK;
}

static Status paint_all(Canvas *c) {
    const Painting *p = &c->of;
    Status status = STATUS_OK;
    c->eta = ALLOCATE((size_t)p->ni * (size_t)p->nj, double);
    c->under = ALLOCATE(2 * (size_t)p->nx, bool), c->source = c->under + p->nx;
    c->row = ALLOCATE(p->nx, float);
    for (size_t record = 0; record < p->level->lengths[0] && status == STATUS_OK; record++) {
        Waters waters = {0};
        status = paint(c, record, &waters);
        waters_release(&waters);
    }
    memory_free(c->eta), memory_free(c->under), memory_free(c->row);
    return status;
}

Status pixels_write(const DataFile *from, const char *path, PixelsWanted wanted) {
    Canvas c = {.path = path, .file = -1};
    Status status;
    ATTEMPT(painting_begin(from, wanted.folder, &c.of));
    ATTEMPT(begin_file(&c, wanted.level));
    ATTEMPT(paint_all(&c));
cleanup:
    painting_end(&c.of);
    if (c.file >= 0) {
        const int code = nc_close(c.file);
        if (status == STATUS_OK && code != NC_NOERR)
            status = error_raise(STATUS_FAILED, "cannot write \"%s\": %s", path, nc_strerror(code));
    }
    return status;
}

/* ---- GeoTIFF ---- */

Status geotiff_possible(void) {
    CHECK(system("command -v gdal_translate >/dev/null 2>&1") == 0, STATUS_FAILED,
          "gdal_translate is missing: install gdal-bin (Debian, Ubuntu)");
    return STATUS_OK;
}

Status pixels_geotiff(const char *path, const char *geotiff) {
    DataFile file;
    TRY(datafile_open(path, &file));
    const char *variable = datafile_find(&file, "max_depth") ? "max_depth" : "depth";
    datafile_close(&file);
    char *source = memory_format("NETCDF:\"%s\":%s", path, variable);
    const char *const words[] = {
        "gdal_translate",   "-q",   "-of",   "GTiff", "-co", "COMPRESS=DEFLATE", "-co", "TILED=YES", "-co",
        "BIGTIFF=IF_SAFER", source, geotiff, NULL};
    int code = 0;
    pid_t child;
    const bool started =
        posix_spawnp(&child, words[0], NULL, NULL, (char *const *)(uintptr_t)words, environ) == 0;
    if (started) (void)waitpid(child, &code, 0);
    memory_free(source);
    CHECK(started && WIFEXITED(code) && WEXITSTATUS(code) == 0, STATUS_FAILED,
          "gdal_translate cannot write \"%s\"", geotiff);
    return STATUS_OK;
}
