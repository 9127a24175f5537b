/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/raster_internal.h"

#include "base/memory.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* FNV-1a: tells files apart, is no protection against forgery. */
static char *checksum_of(const FileBytes *file) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t n = 0; n < file->size; n++) sum = (sum ^ (unsigned char)file->bytes[n]) * 0x100000001b3u;
    return memory_format("fnv1a64:%016llx (%zu bytes)", (unsigned long long)sum, file->size);
}

static Status read_text(const FileBytes *file, const RasterOptions *options, Raster *raster) {
    const char *positive = options->content == RASTER_HEIGHTS ? options->positive : "up";
    CHECK(!memchr(file->bytes, 0, file->size < 4096 ? file->size : 4096), STATUS_BAD_INPUT,
          "%s is neither NetCDF nor text (ESRI ASCII, XYZ)", file->path);
    CHECK(positive, STATUS_BAD_INPUT,
          "%s: files of this format do not say whether they hold elevations or depths; set \"positive\": "
          "\"up\" or \"down\" in the scenario's bathymetry, or --positive up|down",
          file->path);
    TRY(raster_is_ascii(file) ? raster_read_ascii(file, raster) : raster_read_xyz(file, raster));
    if (strcmp(positive, "up") == 0) return STATUS_OK;
    size_t cells = (size_t)raster->nx * (size_t)raster->ny;
    for (size_t n = 0; n < cells; n++) raster->elevation[n] = -raster->elevation[n];
    return STATUS_OK;
}

static void add_datum_offset(Raster *raster, double offset) {
    size_t cells = (size_t)raster->nx * (size_t)raster->ny;
    if (offset != 0)
        for (size_t n = 0; n < cells; n++) raster->elevation[n] += offset;
}

static Status read_file(const char *path, const RasterOptions *options, Raster *raster) {
    FileBytes file;
    TRY(raster_check_positive(options->positive));
    CHECK(isfinite(options->datum_offset_m), STATUS_BAD_INPUT, "the datum offset %g is not a height",
          options->datum_offset_m);
    TRY(file_map(path, &file));
    Status status = netcdf_is_netcdf(path) ? raster_read_netcdf(path, options, raster)
                                           : read_text(&file, options, raster);
    if (status == STATUS_OK) {
        raster->checksum = checksum_of(&file);
        if (!raster->source) {
            const char *name = strrchr(path, '/');
            raster->source = memory_copy_text(name ? name + 1 : path);
        }
        add_datum_offset(raster, options->datum_offset_m);
    }
    file_unmap(&file);
    return status;
}

Status raster_read(const char *path, const RasterOptions *options, Raster **out) {
    RasterOptions used = options ? *options : (RasterOptions){0};
    *out = NULL;
    char *shipped;
    TRY(raster_find_shipped(path, &shipped));
    if (shipped && !used.positive) used.positive = "up"; /* all shipped grids are elevations */
    Raster *raster = ALLOCATE(1, Raster);
    Status status = read_file(shipped ? shipped : path, &used, raster);
    memory_free(shipped);
    if (status != STATUS_OK) raster_destroy(&raster);
    if (raster && strcmp(path, "peer_basin") == 0)
        raster->units = RASTER_METRES; /* its format cannot say so */
    *out = raster;
    return status;
}

void raster_destroy(Raster **raster) {
    if (!*raster) return;
    memory_free((*raster)->elevation);
    memory_free((*raster)->source);
    memory_free((*raster)->checksum);
    memory_free(*raster);
    *raster = NULL;
}

void raster_fill_land(Raster *raster, double (*height)(void *context, double x, double y), void *context) {
    for (int j = 0; j < raster->ny; j++)
        for (int i = 0; i < raster->nx; i++) {
            double *cell = &raster->elevation[(size_t)j * (size_t)raster->nx + (size_t)i];
            if (isnan(*cell))
                *cell = height(context, raster->x0 + i * raster->dx, raster->y0 + j * raster->dy);
        }
}
