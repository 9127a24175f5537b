/* SPDX-License-Identifier: Apache-2.0
 *
 * The ground under a grid: shares of areas and faces against geometry, and the repairs.
 */
#include "base/memory.h"
#include "bathymetry/topography_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static int clear(void **state) {
    (void)state;
    error_clear();
    return 0;
}

/* ---- rasters from formulas ---- */

static Raster *raster_of(int nx, int ny, double west, double south, double dx, double dy,
                         double (*height)(double, double)) {
    Raster *r = ALLOCATE(1, Raster);
    *r = (Raster){.nx = nx, .ny = ny, .x0 = west + 0.5 * dx, .y0 = south + 0.5 * dy, .dx = dx, .dy = dy};
    r->elevation = ALLOCATE(nx * ny, double);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) r->elevation[j * nx + i] = height(r->x0 + i * dx, r->y0 + j * dy);
    return r;
}

static Axes plane(int nx, int ny, double west, double south, double step) {
    return (Axes){.nx = nx, .ny = ny, .west = west, .south = south, .step_x = step, .step_y = step};
}

static Topography *made(const Raster *raster, const Axes *axes, const TopographyOptions *options) {
    Topography *t = NULL;
    if (topography_from_raster(raster, axes, options, &t) != STATUS_OK) {
        error_print(stderr);
        fail_msg("refused");
    }
    return t;
}

static double wet_area(const Topography *t, const Axes *axes) {
    double sum = 0;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) sum += t->wet_area[j * t->nx + i] * axes_area_m2(axes, j + 0.5);
    return sum;
}

static double volume(const Topography *t, const Axes *axes) {
    double sum = 0;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++)
            if (t->wet_area[j * t->nx + i] > 0)
                sum -= t->bed[j * t->nx + i] * t->wet_area[j * t->nx + i] * axes_area_m2(axes, j + 0.5);
    return sum;
}

static const TopographyOptions full = {.fullness = true}, whole = {.fullness = false};

/* ---- shares ---- */

static double half_plane(double x, double y) {
    (void)y;
    return x < 2.5 ? -x : NAN;
}

static void test_half_plane(void **state) {
    (void)state;
    Raster *r = raster_of(16, 12, 0, 0, 0.25, 0.25, half_plane);
    Axes axes = plane(4, 3, 0, 0, 1);
    Topography *t = made(r, &axes, &full);
    static const double area[] = {1, 1, 0.5, 0}, bed[] = {-0.5, -1.5, -2.25, 10}, west[] = {1, 1, 1, 0, 0};
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 4; i++) {
            assert_true(t->wet_area[j * 4 + i] == area[i] && fabs(t->bed[j * 4 + i] - bed[i]) < 1e-14);
            assert_true(t->open_south[j * 4 + i] == area[i]);
        }
        for (int i = 0; i < 5; i++) assert_true(t->open_west[j * 5 + i] == west[i]);
    }
    assert_true(t->open_south[3 * 4 + 2] == 0.5); /* the domain's northern edge */
    topography_destroy(&t);
    axes = plane(3, 2, 0.25, 0, 1.1); /* cells that cut raster cells */
    t = made(r, &axes, &full);
    assert_true(t->wet_area[2] == 0); /* 2.45 .. 2.5: a sliver */
    assert_true(fabs(wet_area(t, &axes) - 2.2 * 2.2) < 1e-13);
    topography_destroy(&t);
    axes = plane(3, 2, 0.15, 0, 1.1);
    t = made(r, &axes, &full);
    assert_true(fabs(t->wet_area[2] - 0.15 / 1.1) < 1e-14 && fabs(t->bed[2] + 2.375) < 1e-14);
    topography_destroy(&t);
    t = made(r, &axes, &whole);
    assert_true(t->wet_area[2] == 0 && t->bed[2] == 10 && t->wet_area[1] == 1 && t->open_west[2] == 0);
    topography_destroy(&t);
    raster_destroy(&r);
}

static double cone(double x, double y) {
    return hypot(x - 0.4871, y - 0.5133) - 0.37;
}

/* A round sea. The volume converges with order 2. The area does with order 1.5 on average, because raster
 * cells are wet or not (a single cell around it all shows that), but for the slivers, a thousandth of the
 * coast's cells. */
static void test_circle(void **state) {
    (void)state;
    double area_error[4], alone_error[4], volume_error[4];
    for (int n = 0; n < 4; n++) {
        int cells = 16 << n;
        Raster *r = raster_of(8 * cells, 8 * cells, 0, 0, 0.125 / cells, 0.125 / cells, cone);
        Axes axes = plane(cells, cells, 0, 0, 1.0 / cells);
        Topography *t = made(r, &axes, &full);
        area_error[n] = fabs(wet_area(t, &axes) / (PI * 0.37 * 0.37) - 1);
        volume_error[n] = fabs(volume(t, &axes) / (PI * pow(0.37, 3) / 3) - 1);
        for (int i = 0; i < cells; i++)
            for (int j = 0; j < cells;
                 j++) { /* each share to half a raster cell, where coast and cells are parallel */
                double inside = 0;
                for (int s = 0; n == 0 && s < 10000; s++)
                    inside +=
                        cone((i + (s % 100 + 0.5) / 100) / cells, (j + (s / 100 + 0.5) / 100) / cells) < 0;
                if (n == 0 && inside >= 1200)
                    assert_true(fabs(t->wet_area[j * cells + i] - inside / 1e4) < 0.0626);
            }
        topography_destroy(&t);
        axes = plane(1, 1, 0, 0, 1);
        t = made(r, &axes, &full);
        alone_error[n] = fabs(t->wet_area[0] / (PI * 0.37 * 0.37) - 1);
        topography_destroy(&t);
        raster_destroy(&r);
    }
    for (int n = 0; n < 4; n++) assert_true(area_error[n] < 0.02 / (16 << n));
    assert_true(alone_error[0] < 1e-3 && alone_error[3] < alone_error[0] / 16);
    assert_true(volume_error[0] < 1e-4 && volume_error[3] < volume_error[0] / 50);
}

static double speckled(double x, double y) {
    double noise = sin(127.1 * x + 311.7 * y) * 43758.5453;
    return noise - floor(noise) < 0.6 ? -1 - (noise - floor(noise)) : 3;
}

/* Nothing is lost or gained: 16 raster cells to a cell, so that none is a sliver; areas of the sphere. */
static void test_conservation(void **state) {
    (void)state;
    Raster *r = raster_of(160, 120, 394, 44, 0.025, 0.025, speckled); /* 34 E, in the other convention */
    Axes axes = {
        .spherical = true, .nx = 40, .ny = 30, .west = 34, .south = 44, .step_x = 0.1, .step_y = 0.1};
    Topography *t = made(r, &axes, &full);
    double area = 0, water = 0, got = 0, got_water = 0;
    for (int j = 0; j < r->ny; j++) {
        double band = sin((44 + (j + 1) * 0.025) * PI / 180) - sin((44 + j * 0.025) * PI / 180);
        for (int i = 0; i < r->nx; i++) {
            double z = r->elevation[j * r->nx + i];
            if (z < 0) area += 0.025 * band, water += 0.025 * band * z;
        }
    }
    for (int j = 0; j < t->ny; j++) {
        double band = sin((44 + (j + 1) * 0.1) * PI / 180) - sin((44 + j * 0.1) * PI / 180);
        for (int i = 0; i < t->nx; i++) {
            double share = t->wet_area[j * t->nx + i] * 0.1 * band;
            got += share, got_water += share > 0 ? share * t->bed[j * t->nx + i] : 0;
        }
    }
    assert_true(fabs(got / area - 1) < 1e-12 && fabs(got_water / water - 1) < 1e-12);
    for (int n = 0; n < t->nx * t->ny; n++) assert_true(t->wet_area[n] >= 0 && t->wet_area[n] <= 1);
    topography_destroy(&t);
    raster_destroy(&r);
}

static double strait(double x, double y) { /* a wall at x = 1.875 .. 2 with an opening of 0.25 */
    return x > 1.875 && x < 2 && !(y > 0.5 && y < 0.75) ? 2 : -5;
}

static void test_faces(void **state) {
    (void)state;
    Raster *r = raster_of(32, 16, 0, 0, 0.125, 0.125, strait);
    Axes axes = plane(4, 2, 0, 0, 1);
    Topography *t = made(r, &axes, &full);
    assert_true(t->open_west[2] == 0.25 &&
                t->open_west[5 + 2] == 0); /* its true width; shut in the row above */
    assert_true(t->open_west[1] == 1 && t->open_west[0] == 1 && t->open_west[4] == 1);
    assert_true(t->open_south[4 + 1] == 0.875 && t->wet_area[1] == 0.90625 && t->bed[1] == -5);
    topography_destroy(&t);
    t = made(r, &axes, &whole);
    assert_true(t->open_west[2] == 1 && t->open_west[5 + 2] == 0 && t->wet_area[1] == 1);
    topography_destroy(&t);
    axes.periodic_x = true;
    r->elevation[31] = 1; /* one raster cell at the seam */
    t = made(r, &axes, &full);
    assert_true(t->open_west[0] == 0.875 && t->open_west[4] == 0.875);
    topography_destroy(&t);
    TopographyOptions flooding = {.fullness = true, .flood_to_m = 2.5};
    t = made(r, &axes, &flooding);
    assert_true(t->open_west[2] == 1 && t->wet_area[1] == 1 &&
                fabs(t->bed[1] - (-5 * 0.90625 + 2 * 0.09375)) < 1e-14);
    topography_destroy(&t);
    raster_destroy(&r);
}

static double slope(double x, double y) {
    return -20 + x + 2 * y;
}

static double slope_with_land(double x, double y) {
    return x > 6 ? NAN : slope(x, y);
}

static void test_refining(void **state) {
    (void)state;
    Raster *r = raster_of(8, 6, 0, 0, 1, 1, slope);
    Axes axes = plane(24, 16, 1, 1, 0.25);
    Topography *t = made(r, &axes, &full);
    for (int j = 0; j < axes.ny; j++)
        for (int i = 0; i < axes.nx; i++)
            assert_true(fabs(t->bed[j * axes.nx + i] -
                             slope(axes_x(&axes, i + 0.5), axes_y(&axes, j + 0.5))) < 1e-12);
    topography_destroy(&t);
    raster_destroy(&r);
    r = raster_of(8, 6, 0, 0, 1, 1, slope_with_land);
    t = made(r, &axes, &full);
    for (int i = 0; i < axes.nx; i++) assert_true(t->wet_area[i] == (axes_x(&axes, i + 0.5) < 6));
    assert_true(t->bed[19] == t->bed[18] || t->bed[19] < 0); /* nearest wet value up to the coast */
    topography_destroy(&t);
    raster_destroy(&r);
}

static void refused(const Raster *raster, const Axes *axes) {
    Topography *t = NULL;
    assert_int_equal(topography_from_raster(raster, axes, &full, &t), STATUS_BAD_INPUT);
    assert_null(t);
    error_clear();
}

static void test_coverage(void **state) {
    (void)state;
    Raster *r = raster_of(10, 10, 0, 0, 1, 1, slope);
    Axes axes = plane(10, 10, -0.5, -0.5, 1); /* half a raster cell lacks */
    Topography *t = made(r, &axes, &full);
    assert_true(t->bed[0] == slope(0.5, 0.5));
    topography_destroy(&t);
    axes = plane(10, 10, 1, 0, 1);
    refused(r, &axes);
    axes = plane(10, 10, 0, -0.6, 1);
    refused(r, &axes);
    axes = plane(9, 9, 0, 0, 1);
    r->units = RASTER_DEGREES;
    refused(r, &axes);
    axes.spherical = true;
    r->units = RASTER_METRES;
    refused(r, &axes);
    raster_destroy(&r);
}

/* ---- repairs ---- */

/* A topography from a drawing, north at the top: '#' land, 'o' sea 5 m deep, '.' shallow 0.1 m, '+' land at 1
 * m. */
static Topography *drawn(const char *const *rows, int ny, const Axes *axes, double flood_to) {
    Topography *t = NULL;
    assert_int_equal(topography_create(axes->nx, ny, &t), STATUS_OK);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < axes->nx; i++) {
            char c = rows[ny - 1 - j][i];
            t->bed[j * axes->nx + i] = c == 'o' ? -5 : c == '.' ? -0.1 : c == '+' ? 1 : NAN;
        }
    TopographyOptions options = {.flood_to_m = flood_to};
    topography_mask_from_bed(t, axes, &options);
    return t;
}

static void same(const Topography *t, const char *const *rows) {
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++)
            if ((t->wet_area[j * t->nx + i] > 0) != (rows[t->ny - 1 - j][i] != '#'))
                fail_msg("cell %d %d", i, j);
}

static void test_mask_from_bed(void **state) {
    (void)state;
    static const char *const rows[] = {"o#+o", "oooo"};
    Axes axes = plane(4, 2, 0, 0, 1);
    Topography *t = drawn(rows, 2, &axes, 0);
    static const double west[] = {1, 1, 1, 1, 1, 1, 0, 0, 0, 1},
                        south[] = {1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    assert_memory_equal(t->open_west, west, sizeof west);
    assert_memory_equal(t->open_south, south, sizeof south);
    topography_destroy(&t);
    axes.periodic_x = true;
    t = drawn((const char *const[]){"o##+", "oooo"}, 2, &axes, 2);
    assert_true(t->wet_area[7] == 1 && t->open_west[5] == 1 && t->open_west[9] == 1 && t->open_west[8] == 0);
    topography_destroy(&t);
    t = drawn((const char *const[]){"o##+", "oooo"}, 2, &axes, 0);
    assert_true(t->wet_area[7] == 0 && t->open_west[5] == 0 && t->open_west[9] == 0);
    topography_destroy(&t);
}

static void test_components(void **state) {
    (void)state;
    static const char *const rows[] = {"oo###.", "o####.", "##ooo#", "#o.#oo"};
    Axes axes = plane(6, 4, 0, 0, 1000);
    TopographyOptions options = {.minimum_depth_m = 0.3};
    Topography *t = drawn(rows, 4, &axes, 0);
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    same(t, (const char *const[]){"######", "######", "##ooo#", "#oo#oo"});
    assert_true(t->bed[2] == -0.3 && t->bed[1] == -5);
    assert_non_null(strstr(t->ledger, "removed 2 isolated water bodies: 5 cells, 5 km2"));
    assert_non_null(strstr(t->ledger, "deepened 1 cell to 0.3 m"));
    topography_destroy(&t);
    options.has_keep_point = true, options.keep_point[0] = 5500, options.keep_point[1] = 3500;
    t = drawn(rows, 4, &axes, 0);
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    same(t, (const char *const[]){"#####o", "#####o", "######", "######"});
    topography_destroy(&t);
    options.keep_point[0] = 2100; /* land, the two cells in the north-west are nearest */
    t = drawn(rows, 4, &axes, 0);
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    same(t, (const char *const[]){"oo####", "o#####", "######", "######"});
    assert_non_null(strstr(t->ledger, "is on land"));
    topography_destroy(&t);
    axes.periodic_x = true;
    t = drawn(rows, 4, &axes, 0);
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    same(t, (const char *const[]){"oo###o", "o####o", "######", "######"});
    topography_destroy(&t);
    axes.periodic_y = true, options.has_keep_point = false;
    t = drawn(rows, 4, &axes, 0);
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    same(t, rows);
    topography_destroy(&t);
}

static void test_keep_all(void **state) {
    (void)state;
    static const char *const rows[] = {"o#o", "###", "o#o"};
    Axes axes = plane(3, 3, 0, 0, 1);
    TopographyOptions options = {.keep_all = true};
    Topography *t = drawn(rows, 3, &axes, 0);
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    same(t, rows);
    options.keep_all = false, options.has_keep_point = true, options.keep_point[0] = 7;
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_BAD_INPUT);
    options.has_keep_point = false, options.minimum_depth_m = -1;
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_BAD_INPUT);
    options.minimum_depth_m = 0, options.n_close = 1, options.close = (const double[][4]){{0, 0, NAN, 3}};
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_BAD_INPUT);
    topography_destroy(&t);
    t = drawn((const char *const[]){"###"}, 1, &(Axes){.nx = 3, .ny = 1, .step_x = 1, .step_y = 1}, 0);
    options.n_close = 0;
    axes.ny = 1;
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_BAD_INPUT);
    topography_destroy(&t);
}

/* Whatever its direction, a line from one side of the sea to the other leaves no way through. */
static void test_closing_lines(void **state) {
    (void)state;
    Axes axes = plane(40, 30, 10, 20, 0.5);
    for (int n = 0; n < 400; n++) {
        double y1 = 20 + 15 * fabs(sin(1.7 * n)), y2 = 20 + 15 * fabs(cos(2.3 * n));
        double line[1][4] = {{5, y1, 35, y2}};
        if (n % 4 == 1) line[0][0] = 35, line[0][2] = 5;
        if (n % 4 == 2) line[0][1] = line[0][3] = 20 + 0.5 * (n % 29 + 1); /* along faces */
        if (n == 3) line[0][0] = 15, line[0][1] = 10, line[0][2] = 15, line[0][3] = 50;
        Topography *t = NULL;
        assert_int_equal(topography_create(40, 30, &t), STATUS_OK);
        for (int m = 0; m < 1200; m++) t->bed[m] = -1;
        TopographyOptions options = {.n_close = 1, .close = (const double(*)[4])line, .keep_all = true};
        topography_mask_from_bed(t, &axes, &options);
        assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
        int low_i = n == 3 ? 0 : 20, low_j = n == 3 ? 15 : 0, high_i = n == 3 ? 39 : 20,
            high_j = n == 3 ? 15 : 29;
        Components c;
        components_find(t, &axes, &c);
        int32_t low = c.label[low_j * 40 + low_i], high = c.label[high_j * 40 + high_i];
        if (low >= 0 && low == high) fail_msg("line %d leaks", n);
        components_release(&c);
        topography_destroy(&t);
    }
    Topography *t = drawn((const char *const[]){"oooo", "oooo"}, 2, &(Axes){.nx = 4, .ny = 2}, 0);
    axes = plane(4, 2, 0, 0, 1);
    TopographyOptions outside = {.n_close = 1, .close = (const double[][4]){{-3, 5, 9, 5}}};
    assert_int_equal(topography_repair(t, &axes, &outside), STATUS_OK);
    same(t, (const char *const[]){"oooo", "oooo"});
    assert_non_null(strstr(t->ledger, "closed 0 cells"));
    topography_destroy(&t);
}

static void test_narrows(void **state) {
    (void)state;
    static const char *const rows[] = {"########", "#oo#ooo#", "#ooooo##", "#oo##oo#",
                                       "###o#o##", "#####o##", "########"};
    Axes axes = plane(8, 7, 0, 0, 1);
    Topography *t = drawn(rows, 7, &axes, 0);
    TopographyOptions options = {0};
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    Narrows narrows;
    narrows_find(t, &axes, &narrows);
    assert_int_equal(narrows.straits,
                     2); /* (3, 4) between the waters; (5, 2), north of the bay's end at (5, 1) */
    assert_int_equal(narrows.strait_cells, 2);
    assert_int_equal(narrows.bays, 3); /* (6, 5), (6, 3), (5, 1) */
    assert_string_equal(narrows.strait_places, "(5.5, 2.5), (3.5, 4.5)");
    assert_string_equal(narrows.bay_places, "(5.5, 1.5), (6.5, 3.5), (6.5, 5.5)");
    narrows_release(&narrows);
    topography_destroy(&t);
}

static void test_azov(void **state) {
    (void)state;
    Raster *r = NULL;
    assert_int_equal(raster_read("azov", NULL, &r), STATUS_OK);
    Axes axes = {.spherical = true, .nx = 179, .ny = 130, .west = 34.75, .south = 45};
    axes.step_y = 2000 / (EARTH_RADIUS_M * PI / 180), axes.step_x = axes.step_y / cos(46.175 * PI / 180);
    TopographyOptions options = {
        .fullness = true, .minimum_depth_m = 0.3, .has_keep_point = true, .keep_point = {36.6, 46}};
    Topography *t = made(r, &axes, &options);
    assert_int_equal(topography_repair(t, &axes, &options), STATUS_OK);
    print_message("%s", t->ledger);
    assert_true(fabs(wet_area(t, &axes) / 38.65e9 - 1) < 1e-3 && fabs(volume(t, &axes) / 327.4e9 - 1) < 1e-3);
    for (int n = 0; n < t->nx * t->ny; n++) assert_true(isfinite(t->bed[n]));
    topography_destroy(&t);
    raster_destroy(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_half_plane, clear),
        cmocka_unit_test_teardown(test_circle, clear),
        cmocka_unit_test_teardown(test_conservation, clear),
        cmocka_unit_test_teardown(test_faces, clear),
        cmocka_unit_test_teardown(test_refining, clear),
        cmocka_unit_test_teardown(test_coverage, clear),
        cmocka_unit_test_teardown(test_mask_from_bed, clear),
        cmocka_unit_test_teardown(test_components, clear),
        cmocka_unit_test_teardown(test_keep_all, clear),
        cmocka_unit_test_teardown(test_closing_lines, clear),
        cmocka_unit_test_teardown(test_narrows, clear),
        cmocka_unit_test_teardown(test_azov, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
