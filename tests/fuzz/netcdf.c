/* SPDX-License-Identifier: Apache-2.0
 *
 * Classic NetCDF files of any damage through all that read them: depth maps, forcing, initial fields, and the
 * commands that look into files. NetCDF-4 is left out: there a process of its own takes the damage.
 */
#include "bathymetry/raster.h"
#include "model/forcing/columns.h"
#include "model/forcing/gridded_source.h"
#include "program/datafile.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/small_sea.h"
#include <string.h>

static SmallSea sea;
static int64_t before;

static const FieldNames wind = {"wind", "m/s", 0, 0, NAMES("u10"), NAMES("eastward_wind"), NAMES(NULL)};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    sea = small_sea_create(MPI_COMM_SELF, "[]", "/tmp/maeotis_fuzz", true, false);
    before = memory_in_use();
    return 0;
}

static Status read_raster(const char *path) {
    Raster *raster = NULL;
    Status status = raster_read(path, NULL, &raster);
    raster_destroy(&raster);
    return status;
}

static Status read_forcing(const char *path) {
    const Axes around = {true, false, false, 4, 4, 1, 30, 45, 0.2, 0.2, NULL};
    const Scenario run = {.time = {.start = 1577836800, .end = 1577836800 + 3600, .to_s = 3600}};
    GriddedSource source;
    TRY(source_open(path, NULL, &wind, &around, &run, &source));
    double *window = ALLOCATE((size_t)source.x.count * (size_t)source.y.count, double);
    Status status = source_read(&source, 0, window);
    memory_free(window);
    source_close(&source);
    return status;
}

static Status read_initial(const char *path) {
    const ProfileSource source = {
        .path = path, .names = wind, .place = "/initial", .beside = "the grid", .initial = true};
    const double x = sea.grid->x_c[0], y = sea.grid->y_c[0];
    const Scenario run = {.time = {.start = 1577836800}};
    Columns *columns = NULL;
    int record[2];
    TRY(columns_create(&source, 1, &x, &y, sea.grid, &run, &columns));
    (void)columns_moment(columns, record);
    double *values = ALLOCATE(columns_size(columns), double);
    Status status = columns_load(columns, record[0], values);
    if (status == STATUS_OK) (void)columns_at(columns, values, 0, -1);
    memory_free(values);
    columns_destroy(&columns);
    return status;
}

static Status look_into(const char *path) {
    DataFile file;
    uint64_t digest;
    Status status = datafile_open(path, &file);
    for (int n = 0; n < file.n_variables && status == STATUS_OK; n++)
        status = data_digest(&file, &file.variables[n], &digest);
    datafile_close(&file);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || memcmp(data, "CDF", 3) != 0) return -1;
    const char *path = fuzz_file(data, size);
    fuzz_check(read_raster(path));
    fuzz_check(read_forcing(path));
    fuzz_check(read_initial(path));
    fuzz_check(look_into(path));
    if (memory_in_use() != before) abort();
    return 0;
}
