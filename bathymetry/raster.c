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
    const bool tiff = file->size > 4 &&
                      (memcmp(file->bytes, "II", 2) == 0 || memcmp(file->bytes, "MM", 2) == 0) &&
                      memchr(file->bytes, 0, 4);
    const bool vrt = file->size > 11 && memcmp(file->bytes, "<VRTDataset", 11) == 0;
    CHECK(!tiff && !vrt, STATUS_BAD_INPUT,
          "%s is a %s: ./maeotis new NAME.json --bbox W S E N --bathymetry %s brings the part around a grid "
          "into a form "
          "that the program reads, by GDAL's tools",
          file->path, tiff ? "TIFF" : "VRT", file->path);
    CHECK(!memchr(file->bytes, 0, file->size < 4096 ? file->size : 4096), STATUS_BAD_INPUT,
          "%s is neither NetCDF nor text (ESRI ASCII, XYZ)", file->path);
    CHECK(positive, STATUS_BAD_INPUT,
          "%s: files of this format do not say whether they contain elevations or depths; set \"positive\": "
          "\"up\" or \"down\" in the scenario's bathymetry, or --positive up|down",
          file->path);
    TRY(raster_is_ascii(file) ? raster_read_ascii(file, raster) : raster_read_xyz(file, raster));
    if (strcmp(positive, "up") == 0) return STATUS_OK;
    size_t cells = (size_t)raster->nx * (size_t)raster->ny;
    for (size_t n = 0; n < cells; n++) raster->elevation[n] = -raster->elevation[n];
    return STATUS_OK;
}

/* A file that is open. */
typedef struct RasterFile {
    Raster shape; /* as its users see it; of text files, `elevation` holds what is in the file */
    RasterNetcdf *netcdf;
    int nx, ny, west, south; /* columns and rows that are in the file, and where they begin in the raster */
    double offset;           /* added to elevations [m] */
} RasterFile;

static void close_raster(RasterFile *f) {
    raster_netcdf_close(&f->netcdf);
    memory_free(f->shape.elevation);
    memory_free(f->shape.source);
    memory_free(f->shape.checksum);
    *f = (RasterFile){0};
}

static int steps_between(double from, double to, double step) {
    return (int)ceil(fmax(0, to - from) / step);
}

/* What is added has no values. */
static void extend(const double cover[4], bool turns, RasterFile *f) {
    Raster *r = &f->shape;
    const double middle = r->x0 + 0.5 * (r->nx - 1) * r->dx;
    if (turns) r->x0 += 360 * nearbyint((0.5 * (cover[0] + cover[1]) - middle) / 360);
    f->west = steps_between(cover[0], r->x0 - 0.5 * r->dx, r->dx);
    f->south = steps_between(cover[2], r->y0 - 0.5 * r->dy, r->dy);
    const int east = steps_between(r->x0 + (r->nx - 0.5) * r->dx, cover[1], r->dx),
              north = steps_between(r->y0 + (r->ny - 0.5) * r->dy, cover[3], r->dy);
    r->nx += f->west + east, r->ny += f->south + north;
    r->x0 -= f->west * r->dx;
    r->y0 -= f->south * r->dy;
}

static Status open_file(const char *path, const RasterOptions *options, RasterFile *f) {
    FileBytes file;
    TRY(raster_check_positive(options->positive));
    CHECK(isfinite(options->datum_offset_m), STATUS_BAD_INPUT, "the datum offset %g is not a height",
          options->datum_offset_m);
    TRY(file_map(path, &file));
    f->offset = options->datum_offset_m;
    Status status = netcdf_is_netcdf(path) ? raster_netcdf_open(path, options, &f->shape, &f->netcdf)
                                           : read_text(&file, options, &f->shape);
    if (status == STATUS_OK) {
        f->shape.checksum = checksum_of(&file);
        if (!f->shape.source) {
            const char *name = strrchr(path, '/');
            f->shape.source = memory_copy_text(name ? name + 1 : path);
        }
        f->nx = f->shape.nx, f->ny = f->shape.ny;
        const bool turned = options->map && f->shape.units == RASTER_DEGREES;
        if (options->cover && !turned) extend(options->cover, options->turns, f);
    }
    file_unmap(&file);
    return status;
}

static Status open_raster(const char *path, const RasterOptions *options, RasterFile *out) {
    RasterOptions used = options ? *options : (RasterOptions){0};
    *out = (RasterFile){0};
    char *shipped;
    TRY(raster_find_shipped(path, &shipped));
    if (shipped && !used.positive) used.positive = "up"; /* all shipped grids are elevations */
    Status status = open_file(shipped ? shipped : path, &used, out);
    memory_free(shipped);
    if (status != STATUS_OK) close_raster(out);
    if (status == STATUS_OK && strcmp(path, "peer_basin") == 0)
        out->shape.units = RASTER_METRES; /* its format cannot say so */
    return status;
}

/* Rows of what is in the file. */
static Status read_inner(const RasterFile *f, int first, int rows, double *out) {
    const size_t nx = (size_t)f->nx, cells = nx * (size_t)rows;
    if (f->netcdf)
        TRY(raster_netcdf_rows(f->netcdf, first, rows, out));
    else
        memcpy(out, f->shape.elevation + (size_t)first * nx, cells * sizeof *out);
    for (size_t n = 0; f->offset != 0 && n < cells; n++) out[n] += f->offset;
    return STATUS_OK;
}

/* Rows of the raster: `out`, to be freed. */
static Status read_rows(const RasterFile *f, int first, int rows, double **out) {
    const Raster *r = &f->shape;
    const int low = first > f->south ? first : f->south,
              end = first + rows < f->south + f->ny ? first + rows : f->south + f->ny;
    const size_t nx = (size_t)r->nx, cells = nx * (size_t)rows;
    double *all = *out = ALLOCATE(cells, double);
    if (f->nx == r->nx && low == first && end == first + rows)
        return read_inner(f, low - f->south, rows, all);
    for (size_t n = 0; n < cells; n++) all[n] = NAN;
    if (low >= end) return STATUS_OK;
    double *inner = ALLOCATE((size_t)f->nx * (size_t)(end - low), double);
    const Status status = read_inner(f, low - f->south, end - low, inner);
    for (int j = low; status == STATUS_OK && j < end; j++)
        memcpy(all + (size_t)(j - first) * nx + f->west, inner + (size_t)(j - low) * (size_t)f->nx,
               (size_t)f->nx * sizeof *all);
    memory_free(inner);
    return status;
}

/* The raster without elevations; its texts are no longer the file's. */
static Raster *take_shape(RasterFile *f) {
    Raster *raster = ALLOCATE(1, Raster);
    *raster = f->shape;
    raster->elevation = NULL;
    f->shape.source = f->shape.checksum = NULL;
    return raster;
}

Status raster_read(const char *path, const RasterOptions *options, Raster **out) {
    RasterFile file;
    *out = NULL;
    TRY(open_raster(path, options, &file));
    Raster *raster = take_shape(&file);
    raster->rows = raster->ny;
    const Status status = read_rows(&file, 0, raster->ny, &raster->elevation);
    close_raster(&file);
    if (status != STATUS_OK) raster_destroy(&raster);
    *out = raster;
    return status;
}

/* ---- for many ranks ---- */

/* Rank 0 reads what each needs and sends it; a rank whose rows cannot be read gets none. */
static Status send_rows(const Band *band, const RasterFile *f, const int (*needed)[2], double **own) {
    Status status = STATUS_OK;
    MPI_Datatype row;
    MPI_Type_contiguous(f->shape.nx, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    for (int r = 0; r < band->ranks; r++) {
        const int rows = needed[r][1] - needed[r][0];
        double *values = NULL;
        if (rows == 0) continue;
        if (status == STATUS_OK) status = read_rows(f, needed[r][0], rows, &values);
        if (r == 0)
            *own = values;
        else {
            MPI_Send(values, status == STATUS_OK ? rows : 0, row, r, 0, band->comm);
            memory_free(values);
        }
    }
    MPI_Type_free(&row);
    return status;
}

static void receive_rows(const Band *band, Raster *raster) {
    MPI_Datatype row;
    if (raster->rows == 0) return;
    MPI_Type_contiguous(raster->nx, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    raster->elevation = ALLOCATE((size_t)raster->nx * (size_t)raster->rows, double);
    MPI_Recv(raster->elevation, raster->rows, row, 0, 0, band->comm, MPI_STATUS_IGNORE);
    MPI_Type_free(&row);
}

Status raster_read_rows(const Band *band, const char *path, const RasterOptions *options, RasterRows *needed,
                        const void *context, Raster **out) {
    RasterFile file = {0};
    *out = NULL;
    if (band->comm == MPI_COMM_NULL) return raster_read(path, options, out);
    Status status = band->rank == 0 ? open_raster(path, options, &file) : STATUS_OK;
    TRY(status_agree(band->comm, status));
    Raster *raster = take_shape(&file), shape = *raster;
    MPI_Bcast(&shape, sizeof shape, MPI_BYTE, 0, band->comm);
    shape.source = raster->source, shape.checksum = raster->checksum;
    *raster = shape;
    int own[2], (*all)[2] = NULL;
    needed(context, raster, own);
    raster->first_row = own[0], raster->rows = own[1] - own[0];
    if (band->rank == 0) all = (int(*)[2])ALLOCATE(2 * (size_t)band->ranks, int);
    MPI_Gather(own, 2, MPI_INT, all, 2, MPI_INT, 0, band->comm);
    if (band->rank == 0)
        status = send_rows(band, &file, (const int(*)[2])all, &raster->elevation);
    else
        receive_rows(band, raster);
    memory_free(all);
    close_raster(&file);
    status = status_agree(band->comm, status);
    if (status != STATUS_OK) raster_destroy(&raster);
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
    for (int j = raster->first_row; j < raster->first_row + raster->rows; j++)
        for (int i = 0; i < raster->nx; i++) {
            double *cell =
                &raster->elevation[(size_t)(j - raster->first_row) * (size_t)raster->nx + (size_t)i];
            if (isnan(*cell))
                *cell = height(context, raster->x0 + i * raster->dx, raster->y0 + j * raster->dy);
        }
}
