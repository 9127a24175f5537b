/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading users' NetCDF: order of dimensions, packing, missing values, and files that are cut off anywhere.
 */
#include "base/memory.h"
#include "base/netcdf_in.h"

#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "test_netcdf_in.nc";

static int tidy(void **state) {
    (void)state;
    unlink(path);
    error_clear();
    return 0;
}

static void good(int code) {
    if (code != NC_NOERR) fail_msg("%s", nc_strerror(code));
}

enum { NX = 4, NY = 3, NT = 2 };

/* A wind as a weather service packs it: short, latitudes from north to south. */
static void write_wind(int mode, bool x_before_y) {
    int nc, t, y, x, times, lats, lons, u;
    good(nc_create(path, NC_CLOBBER | mode, &nc));
    good(nc_def_dim(nc, "valid_time", NC_UNLIMITED, &t));
    good(nc_def_dim(nc, "latitude", NY, &y));
    good(nc_def_dim(nc, "longitude", NX, &x));
    good(nc_def_var(nc, "valid_time", NC_INT, 1, &t, &times));
    good(nc_put_att_text(nc, times, "units", 30, "hours since 1900-01-01 00:00:0"));
    good(nc_def_var(nc, "latitude", NC_FLOAT, 1, &y, &lats));
    good(nc_put_att_text(nc, lats, "units", 13, "degrees_north"));
    good(nc_def_var(nc, "longitude", NC_FLOAT, 1, &x, &lons));
    good(nc_put_att_text(nc, lons, "units", 12, "degrees_east"));
    int order[3] = {t, x_before_y ? x : y, x_before_y ? y : x};
    good(nc_def_var(nc, "u10", NC_SHORT, 3, order, &u));
    double scale = 0.01, offset = 3;
    short fill = -32767, other = -32766;
    good(nc_put_att_double(nc, u, "scale_factor", NC_DOUBLE, 1, &scale));
    good(nc_put_att_double(nc, u, "add_offset", NC_DOUBLE, 1, &offset));
    good(nc_put_att_short(nc, u, "_FillValue", NC_SHORT, 1, &fill));
    good(nc_put_att_short(nc, u, "missing_value", NC_SHORT, 1, &other));
    good(nc_put_att_text(nc, u, "standard_name", 13, "eastward_wind"));
    good(nc_enddef(nc));
    float lat[NY] = {47, 46, 45}, lon[NX] = {34, 35, 36, 37};
    good(nc_put_var_float(nc, lats, lat));
    good(nc_put_var_float(nc, lons, lon));
    for (size_t n = 0; n < NT; n++) {
        int hour = 100 + (int)n;
        good(nc_put_var1_int(nc, times, &n, &hour));
        for (size_t j = 0; j < NY; j++)
            for (size_t i = 0; i < NX; i++) {
                short value = (short)(100 * (int)n + 10 * (int)j + (int)i);
                if (i == 1 && j == 1) value = fill;
                if (i == 2 && j == 1) value = other;
                size_t at[3] = {n, x_before_y ? i : j, x_before_y ? j : i};
                good(nc_put_var1_short(nc, u, at, &value));
            }
    }
    good(nc_close(nc));
}

static void check_wind(void) {
    NetcdfFile *file = NULL;
    NetcdfVariable u;
    assert_int_equal(netcdf_open(path, &file), STATUS_OK);
    int id = netcdf_find_standard_name(file, "eastward_wind");
    assert_int_equal(id, netcdf_find(file, "u10"));
    assert_int_equal(netcdf_describe(file, id, &u), STATUS_OK);
    assert_int_equal(netcdf_require(file, &u, "time, y, x"), STATUS_OK);
    double *lat = NULL, *time = NULL, map[NX * NY];
    assert_int_equal(netcdf_read_coordinate(file, &u, u.y, &lat), STATUS_OK);
    assert_int_equal(netcdf_read_coordinate(file, &u, u.time, &time), STATUS_OK);
    assert_true(lat[0] == 47 && lat[2] == 45 && time[1] == 101);
    char *units = netcdf_text(file, u.coordinate[u.time], "units");
    assert_string_equal(units, "hours since 1900-01-01 00:00:0");
    assert_int_equal(netcdf_read_map(file, &u, 1, 0, NX, 0, NY, map), STATUS_OK);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            bool missing = j == 1 && (i == 1 || i == 2);
            assert_true(missing ? isnan(map[j * NX + i])
                                : fabs(map[j * NX + i] - (4 + 0.1 * j + 0.01 * i)) < 1e-12);
        }
    assert_int_equal(netcdf_read_map(file, &u, 0, 2, 2, 0, 1, map), STATUS_OK);
    assert_true(fabs(map[0] - 3.02) < 1e-12 && fabs(map[1] - 3.03) < 1e-12);
    memory_free(lat), memory_free(time), memory_free(units);
    netcdf_close(&file);
    assert_null(file);
}

static void test_formats(void **state) {
    (void)state;
    static const int modes[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA, NC_NETCDF4};
    for (int m = 0; m < 4; m++)
        for (int turned = 0; turned < 2; turned++) {
            write_wind(modes[m], turned);
            check_wind();
        }
}

/* Every length short of the whole one is refused, or every number can still be read as it was. */
static void test_cut_off(void **state) {
    (void)state;
    static const int modes[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA, NC_NETCDF4};
    for (int m = 0; m < 4; m++) {
        write_wind(modes[m], false);
        FILE *stream = fopen(path, "rb");
        fseek(stream, 0, SEEK_END);
        long size = ftell(stream);
        fclose(stream);
        for (long cut = size - 4; cut >= 0; cut -= m == 3 ? 211 : 7) {
            assert_int_equal(truncate(path, cut), 0);
            NetcdfFile *file = NULL;
            if (netcdf_open(path, &file) == STATUS_OK) {
                netcdf_close(&file);
                fail_msg("mode %d accepted %ld of %ld bytes", modes[m], cut, size);
            }
            assert_null(file);
            assert_true(error_count() > 0);
            error_clear();
        }
    }
}

/* ---- damage ---- */

/* Reads all that the program's readers read; what cannot be is refused with a message. */
static void walk(void) {
    static const char *const attributes[] = {"units", "calendar", "standard_name", "scale_factor"};
    NetcdfFile *file = NULL;
    double *values, map[1000];
    if (netcdf_open(path, &file) == STATUS_OK) memory_free(netcdf_list(file));
    for (int id = 0; file && id < netcdf_count(file); id++) {
        NetcdfVariable v;
        for (int n = 0; n < 4; n++) memory_free(netcdf_text(file, id, attributes[n]));
        if (netcdf_describe(file, id, &v) != STATUS_OK) continue;
        for (int d = 0; d < v.rank; d++) {
            (void)!netcdf_read_coordinate(file, &v, d, &values);
            memory_free(values);
        }
        if (v.x >= 0 && v.y >= 0 && v.length[v.x] <= 1000 && v.length[v.x] * v.length[v.y] <= 1000)
            (void)!netcdf_read_map(file, &v, 0, 0, v.length[v.x], 0, v.length[v.y], map);
    }
    assert_true(file || error_count() > 0);
    netcdf_close(&file);
    error_clear();
}

static unsigned char *take_file(long *size) {
    FILE *stream = fopen(path, "rb");
    fseek(stream, 0, SEEK_END);
    *size = ftell(stream);
    rewind(stream);
    unsigned char *bytes = malloc((size_t)*size);
    assert_int_equal(fread(bytes, 1, (size_t)*size, stream), *size);
    fclose(stream);
    return bytes;
}

static void put_file(const unsigned char *bytes, long size) {
    FILE *stream = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, (size_t)size, stream), size);
    fclose(stream);
}

/* One bit of the file turned over; put_file for each of thousands would wait for the disk. */
static void flip(int file, long bit) {
    unsigned char byte;
    assert_int_equal(pread(file, &byte, 1, bit / 8), 1);
    byte ^= (unsigned char)(1 << bit % 8);
    assert_int_equal(pwrite(file, &byte, 1, bit / 8), 1);
}

/* Every single bit of a classic file, one after the other: no crash, no hang, no endless allocation. */
static void test_flipped_bits(void **state) {
    (void)state;
    static const int modes[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA};
    for (int m = 0; m < 3; m++) {
        write_wind(modes[m], false);
        int file = open(path, O_RDWR);
        const long bits = 8 * lseek(file, 0, SEEK_END);
        for (long bit = 0; bit < bits; bit++) {
            flip(file, bit);
            walk();
            flip(file, bit);
        }
        close(file);
    }
}

/* A size in HDF5's global heap, on which the library relies. */
static void test_broken_heap(void **state) {
    (void)state;
    long size, at = 0;
    write_wind(NC_NETCDF4, false);
    unsigned char *bytes = take_file(&size);
    while (at + 128 < size && memcmp(bytes + at, "GCOL", 4) != 0) at++;
    assert_true(at + 128 < size);
    bytes[at + 98] ^= 0x10;
    put_file(bytes, size);
    walk();
    free(bytes);
}

/* A header of nothing but counts: refused with the place and the reason. */
static void test_reasons(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *words;
        long size;
    } cases[] = {
        {"CDF\3\0\0\0\0", "byte 3 of its header: version 3", 8},
        {"CDF\1\0\0\0\0\0\0\0\7\0\0\0\0", "byte 8 of its header: tag 7", 16},
        {"CDF\1\0\0\0\0\0\0\0\12\0\1\0\0", "byte 12 of its header: 65536 dimensions", 16},
        {"CDF\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "byte 4 of its header: 1 records",
         32},
        {"CDF\1\0\0\0\0\0\0", "header continues beyond its 10 bytes", 10},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char words[1000] = "";
        FILE *said = fmemopen(words, sizeof words, "w");
        put_file((const unsigned char *)cases[n].bytes, cases[n].size);
        assert_int_equal(netcdf_check(path), STATUS_BAD_INPUT);
        error_print(said);
        fclose(said);
        if (!strstr(words, cases[n].words)) fail_msg("%s, not %s", words, cases[n].words);
    }
}

/* Compressed, never written: a small file with more values than any memory takes. */
static void test_endless(void **state) {
    (void)state;
    int nc, lon, x;
    good(nc_create(path, NC_CLOBBER | NC_NETCDF4, &nc));
    good(nc_def_dim(nc, "lon", (size_t)1 << 40, &lon));
    good(nc_def_var(nc, "lon", NC_DOUBLE, 1, &lon, &x));
    good(nc_def_var_chunking(nc, x, NC_CHUNKED, &(size_t){1000}));
    good(nc_close(nc));
    NetcdfFile *file = NULL;
    NetcdfVariable v;
    double *values;
    assert_int_equal(netcdf_open(path, &file), STATUS_OK);
    assert_int_equal(netcdf_describe(file, 0, &v), STATUS_OK);
    assert_int_equal(netcdf_read_coordinate(file, &v, 0, &values), STATUS_BAD_INPUT);
    netcdf_close(&file);
}

static void test_refusals(void **state) {
    (void)state;
    NetcdfFile *file = NULL;
    assert_int_equal(netcdf_open("/nowhere/at/all.nc", &file), STATUS_BAD_INPUT);
    assert_int_equal(netcdf_open("http://localhost/all.nc", &file), STATUS_BAD_INPUT);
    assert_int_equal(netcdf_open(".", &file), STATUS_BAD_INPUT);
    FILE *stream = fopen(path, "w");
    fputs("time,u,v\n", stream);
    fclose(stream);
    assert_int_equal(netcdf_open(path, &file), STATUS_BAD_INPUT);
    write_wind(0, false);
    NetcdfVariable lat;
    double value;
    assert_int_equal(netcdf_open(path, &file), STATUS_OK);
    assert_int_equal(netcdf_describe(file, 99, &lat), STATUS_BAD_INPUT);
    assert_int_equal(netcdf_describe(file, netcdf_find(file, "latitude"), &lat), STATUS_OK);
    assert_int_equal(netcdf_require(file, &lat, "y, x"), STATUS_BAD_INPUT);
    assert_int_equal(netcdf_read_map(file, &lat, 0, 0, 1, 0, 1, &value), STATUS_BAD_INPUT);
    assert_null(netcdf_text(file, NETCDF_WHOLE_FILE, "title"));
    assert_false(netcdf_number(file, lat.id, "units", &value));
    char *list = netcdf_list(file);
    assert_non_null(strstr(list, "u10(valid_time, latitude, longitude)"));
    memory_free(list);
    netcdf_close(&file);
}

/* Memory that a child process neither has nor gets, as a GPU's managed memory. */
static pid_t owner;

static void *get_own(size_t bytes, bool single) {
    (void)single;
    if (getpid() != owner) abort();
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED || madvise(block, bytes, MADV_DONTFORK) != 0) return NULL;
    return block;
}

static void put_own(void *block, size_t bytes) {
    (void)munmap(block, bytes);
}

static void test_memory_of_its_own(void **state) {
    (void)state;
    static const MemorySource own = {get_own, put_own};
    NetcdfFile *file;
    write_wind(NC_NETCDF4, false);
    owner = getpid();
    const MemorySource *before = memory_use_source(&own);
    char *name = memory_copy_text(path);
    assert_int_equal(netcdf_open(name, &file), STATUS_OK);
    netcdf_close(&file);
    memory_free(name);
    (void)memory_use_source(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_formats, tidy),
        cmocka_unit_test_teardown(test_cut_off, tidy),
        cmocka_unit_test_teardown(test_refusals, tidy),
        cmocka_unit_test_teardown(test_flipped_bits, tidy),
        cmocka_unit_test_teardown(test_endless, tidy),
        cmocka_unit_test_teardown(test_broken_heap, tidy),
        cmocka_unit_test_teardown(test_reasons, tidy),
        cmocka_unit_test_teardown(test_memory_of_its_own, tidy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
