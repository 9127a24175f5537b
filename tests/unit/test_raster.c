/* SPDX-License-Identifier: Apache-2.0
 *
 * Rasters of every format, order, sign, unit and convention of longitudes give the same elevations; what does
 * not say what it is, is refused.
 */
#include "base/memory.h"
#include "bathymetry/raster.h"
#include "bathymetry/raster_write.h"
#include "tests/support/messages.h"

#include <math.h>
#include <netcdf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "test_raster.file";

static int tidy(void **state) {
    (void)state;
    unlink(path);
    error_clear();
    return 0;
}

static const RasterOptions up = {.positive = "up"}, down = {.positive = "down"}, silent = {0};

static void write_text(const char *text) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static Raster *accepted(const RasterOptions *options) {
    Raster *raster = NULL;
    if (raster_read(path, options, &raster) != STATUS_OK) {
        error_print(stderr);
        fail_msg("refused");
    }
    return raster;
}

/* The file must be refused with a message that mentions `word`. */
static void refused(const RasterOptions *options, const char *word) {
    Raster *raster = NULL;
    assert_int_equal(raster_read(path, options, &raster), STATUS_BAD_INPUT);
    assert_null(raster);
    messages_expect(word);
}

static void refused_text(const char *text, const char *word) {
    write_text(text);
    refused(&up, word);
}

/* ---- ESRI ASCII ---- */

static void test_ascii(void **state) {
    (void)state;
    write_text("NCOLS 3\r\nnrows 2\r\nXLLCORNER 30\r\nyllcorner 4.5e1\r\ncellsize 0.5\r\nnodata_VALUE -99\r\n"
               " 1 -2.5 -3e0\r\n\r\n-99 +5 .25\r\n");
    Raster *r = accepted(&up);
    assert_true(r->nx == 3 && r->ny == 2 && r->x0 == 30.25 && r->y0 == 45.25 && r->dx == 0.5 && r->dy == 0.5);
    const double expected[] = {NAN, 5, 0.25, 1, -2.5, -3};
    for (int n = 0; n < 6; n++)
        assert_true(isnan(expected[n]) ? isnan(r->elevation[n]) : r->elevation[n] == expected[n]);
    assert_non_null(strstr(r->checksum, "fnv1a64:"));
    assert_string_equal(r->source, path);
    raster_destroy(&r);
    write_text("ncols 2\nnrows 1\nxllcenter 0\nyllcentre 0\ndx 2\ndy 3\n7 -9999");
    r = accepted(&down);
    assert_true(r->dx == 2 && r->dy == 3 && r->x0 == 0 && r->y0 == 0 && r->elevation[0] == -7 &&
                isnan(r->elevation[1]));
    raster_destroy(&r);
    refused(&silent, "positive");
}

#define HEAD "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"

static void test_ascii_refusals(void **state) {
    (void)state;
    refused_text(HEAD "1 2 3\n4 5\n", ":7: 2 numbers");
    refused_text(HEAD "1 2 3\n4 5 6 7\n", ":7: more than ncols");
    refused_text(HEAD "1 2 3\n", "cut off");
    refused_text(HEAD "1 2 3\n4 5 6\n7 8 9\n", ":8: more than nrows");
    refused_text(HEAD "1 2 3\n4 x 6\n", "\"x\"");
    refused_text(HEAD "1 2 3\n4 5,5 6\n", ":7");
    refused_text(HEAD "1 2 3\n4 inf 6\n", "\"inf\"");
    refused_text(HEAD "1 2 3\n4 1e999 6\n", "1e999");
    refused_text(HEAD "cellsize 2\n1 2 3\n4 5 6\n", "twice");
    refused_text(HEAD "colour 2\n1 2 3\n4 5 6\n", "colour");
    refused_text(HEAD "dx 2\ndy 2\n1 2 3\n4 5 6\n", "either cellsize");
    refused_text("ncols 3\nnrows 2\nxllcorner 0\nxllcenter 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5 6\n",
                 "one of");
    refused_text("ncols 3\nnrows 2\nyllcorner 0\ncellsize 1\n1 2 3\n4 5 6\n", "xllcorner");
    refused_text("ncols 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n", "lacks nrows");
    refused_text("ncols 30000\nnrows 30000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n", "cut off");
    refused_text("ncols 2.5\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n", "size");
    refused_text("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n1 2\n3 4\n", "above 0");
    refused_text("ncols three\nnrows 2\n", "three");
}

/* ---- XYZ ---- */

static void check_xyz(const char *text) {
    write_text(text);
    Raster *r = accepted(&up);
    assert_true(r->nx == 3 && r->ny == 2);
    assert_true(fabs(r->x0 - 10) < 1e-12 && r->y0 == -1 && fabs(r->dx - 0.1) < 1e-12 && r->dy == 2);
    const double expected[] = {1, 2, 3, 4, NAN, 6};
    for (int n = 0; n < 6; n++)
        assert_true(isnan(expected[n]) ? isnan(r->elevation[n]) : r->elevation[n] == expected[n]);
    raster_destroy(&r);
}

static void test_xyz(void **state) {
    (void)state;
    check_xyz("10 -1 1\n10.1 -1 2\n10.2 -1 3\n10 1 4\n10.2 1 6\n");
    check_xyz("# made by hand\nlon,lat,z\n10.2,1,6\n10,1,4\n\n10.1,-1,2\n10.2,-1,3\n# end\n10,-1,1\n");
    check_xyz("10.2;1;6\r\n10; 1 ;4\r\n10.1;-1;2\r\n10.1;1;nan\r\n10.2;-1;3\r\n10;-1;1");
    check_xyz("\t10.1999 -1 3\n10.0 1 4\n10 -1 1\n10.1 -1 2\n10.2 1 6\n"); /* rounded text */
    write_text("10 -1 1\n10.1 -1 2\n10.2 -1 3\n10 1 4\n10.2 1 6\n");
    refused(&silent, "positive");
}

/* One column more than are kept apart, then a point far beyond them. */
static void test_xyz_too_wide(void **state) {
    (void)state;
    Raster *raster = NULL;
    FILE *file = fopen(path, "w");
    fputs("0 1 1\n", file);
    for (int n = 0; n < 1 << 22; n++) fprintf(file, "%d 0 1\n", n);
    fputs("900000000 0 5\n", file);
    fclose(file);
    assert_int_equal(raster_read(path, &(RasterOptions){.positive = "up"}, &raster), STATUS_BAD_INPUT);
    assert_null(raster);
}

static void test_xyz_refusals(void **state) {
    (void)state;
    refused_text("0 0 1\n1 0 2\n0 1 3\n1 1 4\n0.5 1.3 5\n", "regular grid");
    refused_text("0 0 1\n1 0 2\n2 0 2\n3 0 2\n3.3 1 2\n0 1 3\n1 1 4\n2 1 4\n3 1 4\n", ":5");
    refused_text("0 0 1\n1 0 2\n0 1 3\n1 1 4\n1 1 5\n", ":5: the point (1, 1) is in the file twice");
    refused_text("0 0 1\n1 0 2\n0 1\n", ":3: 2 columns");
    refused_text("0 0 1 1\n", "more than the three");
    refused_text("0 0 1\n1 a 2\n", "\"a\"");
    refused_text("0 0 1\nnan 1 2\n", "without coordinates");
    refused_text("0 0 1\n1 0 2\n", "do not form a raster");
    refused_text("x y z\n", "do not form a raster");
    refused_text("x y z\nand more\n", "\"and\"");
    refused_text("5 4 1\n6 2 0\n26 6 0\n2 5 0\n2 35 3\n0 1 3\n1 6 0\n2 3 3\n10 21 4\n", "regular grid");
    refused_text("0.1 0.7 1\n33.3 12.9 2\n701.17 90.2 1\n12.01 3.3 7\n", "regular grid");
    write_text("");
    refused(&up, "empty");
}

/* ---- NetCDF ---- */

typedef struct Case {
    const char *standard_name, *long_name, *positive, *units, *name;
    nc_type type;
    bool packed, x_falls, y_falls, x_first, one_level, second_map;
    int mode;
    double x0, dx; /* eight columns */
    size_t nx;
} Case;

static void good(int code) {
    if (code != NC_NOERR) fail_msg("%s", nc_strerror(code));
}

static void text(int nc, int variable, const char *name, const char *value) {
    if (value) good(nc_put_att_text(nc, variable, name, strlen(value), value));
}

static double truth(double x, double y) { /* repeats around the globe */
    return round(100 * sin(x / 57.29577951308232) + y);
}

static double in_file(const Case *c, double x, double y) {
    bool depth = (c->positive && strcmp(c->positive, "down") == 0) ||
                 (c->standard_name && strstr(c->standard_name, "depth"));
    double metres = c->units && strcmp(c->units, "cm") == 0   ? 0.01
                    : c->units && strcmp(c->units, "km") == 0 ? 1000
                                                              : 1;
    return (depth ? -1 : 1) * truth(x, y) / metres;
}

static void define_heights(int nc, const Case *c, int x, int y, int level, int *variable) {
    int order[3] = {c->x_first ? x : y, c->x_first ? y : x, level};
    int with_level[3] = {level, order[0], order[1]};
    const char *name = c->name ? c->name : "band";
    good(nc_def_var(nc, name, c->type ? c->type : NC_FLOAT, c->one_level ? 3 : 2,
                    c->one_level ? with_level : order, variable));
    text(nc, *variable, "standard_name", c->standard_name);
    text(nc, *variable, "long_name", c->long_name);
    text(nc, *variable, "positive", c->positive);
    text(nc, *variable, "units", c->units);
    if (c->packed) {
        double scale = 0.5, offset = 10;
        short fill = -32767;
        good(nc_put_att_double(nc, *variable, "scale_factor", NC_DOUBLE, 1, &scale));
        good(nc_put_att_double(nc, *variable, "add_offset", NC_DOUBLE, 1, &offset));
        good(nc_put_att_short(nc, *variable, "_FillValue", NC_SHORT, 1, &fill));
    }
}

enum { NY = 5 };

static void write_case(const Case *c) {
    int nc, x, y, level, xs, ys, heights, other;
    size_t nx = c->nx ? c->nx : 8;
    good(nc_create(path, NC_CLOBBER | c->mode, &nc));
    good(nc_def_dim(nc, "longitude", nx, &x));
    good(nc_def_dim(nc, "latitude", NY, &y));
    good(nc_def_dim(nc, "level", 1, &level));
    good(nc_def_var(nc, "longitude", NC_DOUBLE, 1, &x, &xs));
    good(nc_def_var(nc, "latitude", NC_DOUBLE, 1, &y, &ys));
    text(nc, xs, "units", "degrees_east");
    text(nc, ys, "units", "degrees_north");
    text(nc, NC_GLOBAL, "title", "a test");
    define_heights(nc, c, x, y, level, &heights);
    if (c->second_map) good(nc_def_var(nc, "quality", NC_BYTE, 2, (int[]){y, x}, &other));
    good(nc_enddef(nc));
    for (size_t i = 0; i < nx; i++) {
        double lon = c->x0 + c->dx * (double)(c->x_falls ? nx - 1 - i : i);
        good(nc_put_var1_double(nc, xs, &i, &lon));
        for (size_t j = 0; j < NY; j++) {
            double lat = 40 + 0.5 * (double)(c->y_falls ? NY - 1 - j : j);
            good(nc_put_var1_double(nc, ys, &j, &lat));
            size_t at[3] = {0, c->x_first ? i : j, c->x_first ? j : i};
            double value = in_file(c, lon, lat);
            if (c->packed) value = (value - 10) / 0.5;
            good(nc_put_var1_double(nc, heights, c->one_level ? at : at + 1, &value));
        }
    }
    good(nc_close(nc));
}

static void check_case(const Case *c, const RasterOptions *options) {
    write_case(c);
    Raster *r = accepted(options);
    assert_true(r->units == RASTER_DEGREES && r->ny == NY && r->y0 == 40 && r->dy == 0.5);
    assert_string_equal(r->source, "title: a test");
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            double expected = truth(r->x0 + i * r->dx, r->y0 + j * r->dy);
            if (fabs(r->elevation[j * r->nx + i] - expected) > 0.51)
                fail_msg("%d %d: %g, not %g", i, j, r->elevation[j * r->nx + i], expected);
        }
    raster_destroy(&r);
}

static void test_netcdf(void **state) {
    (void)state;
    const Case base = {.standard_name = "height_above_mean_sea_level", .units = "m", .x0 = 30, .dx = 0.25};
    for (int m = 0; m < 64; m++) {
        Case c = base;
        c.x_falls = m & 1, c.y_falls = m & 2, c.x_first = m & 4, c.one_level = m & 8;
        c.mode = m & 16 ? NC_NETCDF4 : 0, c.type = m & 32 ? NC_SHORT : NC_DOUBLE;
        check_case(&c, NULL);
    }
}

static void test_signs_and_units(void **state) {
    (void)state;
    const Case cases[] = {
        {.standard_name = "sea_floor_depth_below_mean_sea_level", .units = "m"},
        {.standard_name = "depth", .units = "meters"},
        {.positive = "down", .units = "cm"},
        {.positive = "up", .units = "km", .type = NC_DOUBLE},
        {.positive = "UP"},
        {.long_name = "Elevation relative to sea level", .units = "metres"},
        {.positive = "up", .units = "m", .packed = true, .type = NC_SHORT},
        {.standard_name = "surface_altitude", .units = "m", .second_map = true},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        Case c = cases[n];
        c.x0 = 30, c.dx = 0.25;
        check_case(&c, NULL);
    }
    const Case elevation = {.name = "elevation", .units = "m", .x0 = 30, .dx = 0.25};
    check_case(&elevation, &up);
    refused(NULL, "positive"); /* a name is not enough */
    const Case vague = {.name = "z", .long_name = "depth", .x0 = 30, .dx = 0.25};
    write_case(&vague);
    refused(NULL, "positive");
    const Case pressures = {.positive = "down", .units = "dbar", .x0 = 30, .dx = 0.25};
    write_case(&pressures);
    refused(NULL, "dbar");
    const Case two = {.positive = "up", .second_map = true, .x0 = 30, .dx = 0.25};
    write_case(&two);
    refused(NULL, "several maps");
    check_case(&two, &(RasterOptions){.variable = "band"});
    refused(&(RasterOptions){.variable = "nothing"}, "band(latitude, longitude)");
    refused(&(RasterOptions){.variable = "band", .positive = "left"}, "left");
    write_case(&elevation);
    Raster *r = accepted(&(RasterOptions){.positive = "up", .datum_offset_m = -1.5});
    assert_true(fabs(r->elevation[0] - (truth(30, 40) - 1.5)) < 1e-9);
    raster_destroy(&r);
}

static void check_extent(const Case *c, const double *window, double x0, int nx) {
    RasterOptions options = {.window = window};
    write_case(c);
    Raster *r = accepted(&options);
    if (r->nx != nx || fabs(r->x0 - x0) > 1e-9)
        fail_msg("%d cells from %g, not %d from %g", r->nx, r->x0, nx, x0);
    for (int i = 0; i < nx; i++) assert_true(fabs(r->elevation[i] - truth(r->x0 + i * r->dx, r->y0)) < 0.51);
    raster_destroy(&r);
}

static void test_longitudes(void **state) {
    (void)state;
    Case c = {.standard_name = "altitude", .x0 = 15, .dx = 30, .nx = 12};
    check_extent(&c, NULL, -165, 12);                       /* pixels, 0 .. 360 */
    check_extent(&c, (double[]){-50, 20, 40, 42}, -75, 5);  /* across the file's seam */
    check_extent(&c, (double[]){170, 200, 40, 42}, 135, 4); /* across the date line */
    c.x_falls = true;
    check_extent(&c, (double[]){-50, 20, 40, 42}, -75, 5);
    c = (Case){.standard_name = "altitude", .x0 = 0, .dx = 30, .nx = 13}; /* grid lines, 0 and 360 */
    check_extent(&c, NULL, -180, 12);
    c = (Case){.standard_name = "altitude", .x0 = -180, .dx = 30, .nx = 13};
    check_extent(&c, NULL, -180, 12);
    c = (Case){.standard_name = "altitude", .x0 = 330, .dx = 1};
    check_extent(&c, NULL, -30, 8);
    check_extent(&c, (double[]){332, 333, 40, 42}, 331, 4);
    check_extent(&c, (double[]){-28, -27, 40, 42}, -29, 4);
    c = (Case){.standard_name = "altitude", .x0 = 170, .dx = 2};
    check_extent(&c, NULL, 170, 8);
    refused(&(RasterOptions){.window = (double[]){100, 110, 40, 42}}, "covers");
    refused(&(RasterOptions){.window = (double[]){172, 176, 30, 42}}, "covers");
}

static void test_uneven(void **state) {
    (void)state;
    const Case c = {.standard_name = "altitude", .x0 = 30, .dx = 1};
    write_case(&c);
    int nc, lon;
    double value = 33.2;
    good(nc_open(path, NC_WRITE, &nc));
    good(nc_inq_varid(nc, "longitude", &lon));
    good(nc_put_var1_double(nc, lon, (size_t[]){3}, &value));
    good(nc_close(nc));
    refused(NULL, "not evenly spaced");
}

static void test_cut_off(void **state) {
    (void)state;
    Case c = {.standard_name = "altitude", .x0 = 30, .dx = 1};
    for (int m = 0; m < 2; m++) {
        c.mode = m ? NC_NETCDF4 : 0;
        write_case(&c);
        FILE *stream = fopen(path, "rb");
        fseek(stream, 0, SEEK_END);
        long size = ftell(stream);
        fclose(stream);
        for (long cut = size - 1; cut > 4; cut = cut * 3 / 4) {
            assert_int_equal(truncate(path, cut), 0);
            refused(&up, path);
        }
    }
}

static void test_shipped(void **state) {
    (void)state;
    Raster *r = NULL;
    char *file, *none;
    assert_int_equal(raster_find_shipped("azov", &file), STATUS_OK);
    assert_non_null(file);
    memory_free(file);
    assert_int_equal(raster_find_shipped("atlantis", &none), STATUS_OK);
    assert_null(none);
    assert_int_equal(raster_read("azov", NULL, &r), STATUS_OK);
    assert_true(r->nx == 376 && r->ny == 288 && r->units == RASTER_DEGREES);
    double area = 0, volume = 0; /* north of the strait, as the README says */
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            double x = r->x0 + i * r->dx, y = r->y0 + j * r->dy, z = r->elevation[j * r->nx + i];
            double cell = r->dx * r->dy * 111.195 * 111.195 * cos(y / 57.29577951308232);
            if (z < 0 && (y > 45.42 || (y > 45.3 && (x < 36.3 || x > 37))))
                area += cell, volume -= cell * z / 1000;
        }
    assert_true(fabs(area - 37100) < 60 && fabs(volume - 312) < 1);
    raster_destroy(&r);
    assert_int_equal(raster_read("peer_basin", NULL, &r), STATUS_OK);
    assert_true(r->nx == 360 && r->ny == 200 && r->units == RASTER_METRES);
    int64_t wet = 0;
    for (int n = 0; n < r->nx * r->ny; n++) wet += r->elevation[n] < 0;
    assert_int_equal(wet, 40265);
    raster_destroy(&r);
}

static double high(void *context, double x, double y) {
    return *(double *)context + x + 10 * y;
}

static void test_write_and_fill(void **state) {
    (void)state;
    double elevation[] = {-1, 2, NAN, 4.5, -5, 6};
    Raster raster = {.nx = 3, .ny = 2, .x0 = 1, .y0 = 2, .dx = 1, .dy = 0.5, .units = RASTER_METRES};
    raster.elevation = elevation, raster.source = "here", raster.checksum = "none";
    assert_int_equal(raster_write(path, &raster, "by hand", "nothing\n"), STATUS_OK);
    Raster *r = accepted(NULL);
    assert_true(r->nx == 3 && r->ny == 2 && r->x0 == 1 && r->y0 == 2 && r->dx == 1 && r->dy == 0.5);
    assert_true(r->units == RASTER_METRES && r->elevation[3] == 4.5 && isnan(r->elevation[2]));
    assert_non_null(strstr(r->source, "here"));
    double base = 100;
    raster_fill_land(r, high, &base);
    assert_true(r->elevation[2] == 100 + 3 + 20 && r->elevation[0] == -1);
    raster_destroy(&r);
    assert_int_equal(raster_write("/nowhere/at/all.nc", &raster, "", NULL), STATUS_FAILED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_ascii, tidy),
        cmocka_unit_test_teardown(test_ascii_refusals, tidy),
        cmocka_unit_test_teardown(test_xyz, tidy),
        cmocka_unit_test_teardown(test_xyz_refusals, tidy),
        cmocka_unit_test_teardown(test_xyz_too_wide, tidy),
        cmocka_unit_test_teardown(test_netcdf, tidy),
        cmocka_unit_test_teardown(test_signs_and_units, tidy),
        cmocka_unit_test_teardown(test_longitudes, tidy),
        cmocka_unit_test_teardown(test_uneven, tidy),
        cmocka_unit_test_teardown(test_cut_off, tidy),
        cmocka_unit_test_teardown(test_shipped, tidy),
        cmocka_unit_test_teardown(test_write_and_fill, tidy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
