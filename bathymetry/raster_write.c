/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/raster_write.h"

#include "base/memory.h"
#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One call into the library; the first failure is kept in `code`. */
#define NC(call)                                                                                             \
    do {                                                                                                     \
        if (code == NC_NOERR) code = (call);                                                                 \
    } while (0)

static int put_text(int file, int variable, const char *name, const char *text) {
    return text && *text ? nc_put_att_text(file, variable, name, strlen(text), text) : NC_NOERR;
}

static int define_axis(int file, bool is_x, const Raster *raster, int *dimension, int *variable) {
    bool sphere = raster->units == RASTER_DEGREES;
    const char *name = sphere ? (is_x ? "lon" : "lat") : (is_x ? "x" : "y");
    const char *standard = sphere ? (is_x ? "longitude" : "latitude")
                                  : (is_x ? "projection_x_coordinate" : "projection_y_coordinate");
    int code = nc_def_dim(file, name, (size_t)(is_x ? raster->nx : raster->ny), dimension);
    NC(nc_def_var(file, name, NC_DOUBLE, 1, dimension, variable));
    NC(put_text(file, *variable, "standard_name", standard));
    NC(put_text(file, *variable, "long_name", standard));
    NC(put_text(file, *variable, "units", sphere ? (is_x ? "degrees_east" : "degrees_north") : "m"));
    NC(put_text(file, *variable, "axis", is_x ? "X" : "Y"));
    return code;
}

static int define_heights(int file, const int dimensions[2], int *variable) {
    float fill = NC_FILL_FLOAT;
    int code = nc_def_var(file, "elevation", NC_FLOAT, 2, dimensions, variable);
    NC(nc_def_var_deflate(file, *variable, 1, 1, 4));
    NC(nc_put_att_float(file, *variable, "_FillValue", NC_FLOAT, 1, &fill));
    NC(put_text(file, *variable, "standard_name", "height_above_mean_sea_level"));
    NC(put_text(file, *variable, "long_name", "elevation of the ground above the datum"));
    NC(put_text(file, *variable, "units", "m"));
    NC(put_text(file, *variable, "positive", "up"));
    return code;
}

static int define_file(int file, const Raster *raster, const char *history, const char *ledger) {
    int code = put_text(file, NC_GLOBAL, "Conventions", "CF-1.11");
    NC(put_text(file, NC_GLOBAL, "title", "Ground elevation for an ocean model; not for navigation"));
    NC(put_text(file, NC_GLOBAL, "source", raster->source));
    NC(put_text(file, NC_GLOBAL, "history", history));
    NC(put_text(file, NC_GLOBAL, "ledger", ledger));
    NC(put_text(file, NC_GLOBAL, "input_checksum", raster->checksum));
    return code;
}

static int write_axis(int file, int variable, double first, double step, int count) {
    double *values = ALLOCATE(count, double);
    for (int n = 0; n < count; n++) values[n] = first + n * step;
    int code = nc_put_var_double(file, variable, values);
    memory_free(values);
    return code;
}

static int write_heights(int file, int variable, const Raster *raster) {
    float *row = ALLOCATE(raster->nx, float);
    int code = NC_NOERR;
    for (int j = 0; j < raster->ny && code == NC_NOERR; j++) {
        const double *from = raster->elevation + (size_t)j * (size_t)raster->nx;
        for (int i = 0; i < raster->nx; i++)
            row[i] = from[i] == from[i] ? (float)from[i] : NC_FILL_FLOAT; /* NaN differs from itself */
        size_t start[2] = {(size_t)j, 0}, count[2] = {1, (size_t)raster->nx};
        code = nc_put_vara_float(file, variable, start, count, row);
    }
    memory_free(row);
    return code;
}

static int write_file(const char *path, const Raster *raster, const char *history, const char *ledger) {
    int file, dimensions[2], y, x, heights;
    int code = nc_create(path, NC_CLOBBER | NC_NETCDF4, &file);
    if (code != NC_NOERR) return code;
    NC(define_axis(file, false, raster, &dimensions[0], &y));
    NC(define_axis(file, true, raster, &dimensions[1], &x));
    NC(define_heights(file, dimensions, &heights));
    NC(define_file(file, raster, history, ledger));
    NC(nc_enddef(file));
    NC(write_axis(file, y, raster->y0, raster->dy, raster->ny));
    NC(write_axis(file, x, raster->x0, raster->dx, raster->nx));
    NC(write_heights(file, heights, raster));
    int closed = nc_close(file);
    return code == NC_NOERR ? closed : code;
}

Status raster_write(const char *path, const Raster *raster, const char *history, const char *ledger) {
    char *temporary = memory_format("%s.part%ld", path, (long)getpid());
    Status status = STATUS_OK;
    int code = write_file(temporary, raster, history, ledger);
    if (code != NC_NOERR)
        status = error_raise(STATUS_FAILED, "cannot write %s: %s", path, nc_strerror(code));
    else if (rename(temporary, path) != 0)
        status = error_raise(STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    if (status != STATUS_OK) unlink(temporary);
    memory_free(temporary);
    return status;
}
