/* SPDX-License-Identifier: Apache-2.0
 *
 * The ground made by many ranks, each a band of rows: the same heights, shares, shores and messages as that of one; and
 * the grid that is made from bands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "base/memory.h"
#include "bathymetry/raster_regrid.h"
#include "bathymetry/raster_write.h"
#include "bathymetry/topography_internal.h"
#include "numerics/grid/grid.h"
#include "tests/support/ranks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

/* A number between 0 and 1 that looks like chance. */
static double noise(int seed, int64_t n) {
    const double x = 12.9898 * (double)n + 78.233 * seed;
    return fabs(fmod(43758.5453 * sin(x), 1));
}

static Axes plane(int nx, int ny, bool around_x, bool around_y) {
    static double interfaces[] = {-20, -10, 0};
    return (Axes){.nx = nx,
                  .ny = ny,
                  .nz = 2,
                  .west = 10,
                  .south = 20,
                  .step_x = 1,
                  .step_y = 0.5,
                  .periodic_x = around_x,
                  .periodic_y = around_y,
                  .interfaces = interfaces};
}

/* Waters of any shape: of such noise, some wind through all bands, others are single cells. */
static void draw(Topography *t, int seed) {
    const int64_t first = (int64_t)t->band.first * t->nx;
    for (int64_t n = 0; n < (int64_t)t->nx * t->ny; n++)
        t->bed[n] = noise(seed, first + n) < 0.58 ? -0.1 - 30 * noise(seed + 1, first + n) : 5;
}

static void assert_rows(const double *own, const double *all, const Topography *t, size_t width, int more) {
    if (t->ny > 0)
        assert_memory_equal(own, all + (size_t)t->band.first * width,
                            (size_t)(t->ny + more) * width * sizeof *own);
}

static void assert_same(const Topography *own, const Topography *all) {
    const size_t nx = (size_t)all->nx;
    assert_rows(own->bed, all->bed, own, nx, 0);
    assert_rows(own->wet_area, all->wet_area, own, nx, 0);
    assert_rows(own->open_west, all->open_west, own, nx + 1, 0);
    assert_rows(own->open_south, all->open_south, own, nx, 1);
    assert_true(!own->shore_west == !all->shore_west);
    if (own->shore_west) {
        assert_rows(&own->shore_west->begins, &all->shore_west->begins, own, 2 * (nx + 1), 0);
        assert_rows(&own->shore_south->begins, &all->shore_south->begins, own, 2 * nx, 1);
    }
    if (rank == 0) assert_string_equal(own->ledger, all->ledger);
}

static void repair_both(Topography *own, Topography *all, const Axes *axes,
                        const TopographyOptions *options) {
    assert_int_equal(topography_repair(own, axes, options), STATUS_OK);
    assert_int_equal(topography_repair(all, axes, options), STATUS_OK);
    assert_same(own, all);
}

static void waters_are_those_of_one_rank(void **state) {
    (void)state;
    const double lines[2][4] = {{12, 21, 47, 31}, {30, 34, 30.2, 22}};
    for (int n = 0; n < 24; n++) {
        const int nx = 9 + 17 * (n % 3), ny = 3 + 13 * (n % 4);
        const Axes axes = plane(nx, ny, n & 1, n & 2);
        const TopographyOptions options = {.minimum_depth_m = 4,
                                           .n_close = n % 5 == 0 ? 2 : 0,
                                           .close = lines,
                                           .keep_all = n % 6 == 1,
                                           .has_keep_point = n % 3 == 2,
                                           .keep_point = {10.5 + nx / 2, 20.25 + 0.5 * (ny / 2)}};
        const Band band = band_of(MPI_COMM_WORLD, ny, n % 7 == 6 ? 2 : ny);
        Topography *own, *all;
        assert_int_equal(topography_create_band(nx, &band, &own), STATUS_OK);
        assert_int_equal(topography_create(nx, ny, &all), STATUS_OK);
        draw(own, n), draw(all, n);
        topography_mask_from_bed(own, &axes, &options);
        topography_mask_from_bed(all, &axes, &options);
        repair_both(own, all, &axes, &options);
        topography_destroy(&own);
        topography_destroy(&all);
    }
}

/* ---- from a raster ---- */

static char path[64];

static void write_raster(int nx, int ny, double step) {
    Raster r = {
        .nx = nx, .ny = ny, .rows = ny, .x0 = 9, .y0 = 19, .dx = step, .dy = step, .units = RASTER_METRES};
    r.source = r.checksum = "made here";
    r.elevation = ALLOCATE((size_t)nx * (size_t)ny, double);
    for (int n = 0; n < nx * ny; n++) {
        const double x = 9 + n % nx * step, y = 19 + n / nx * step;
        r.elevation[n] = 4 * sin(0.9 * x + 0.4 * y) * sin(0.7 * y - 0.35 * x) - 2 + 3 * noise(1, n);
        if (r.elevation[n] > 2) r.elevation[n] = NAN;
    }
    if (rank == 0) assert_int_equal(raster_write(path, &r, "here", NULL), STATUS_OK);
    memory_free(r.elevation);
    MPI_Barrier(MPI_COMM_WORLD);
}

typedef struct BandOfAxes {
    const Axes *axes;
    const Band *band;
} BandOfAxes;

static void rows_of_ground(const void *context, const Raster *shape, int rows[2]) {
    const BandOfAxes *b = context;
    topography_raster_rows(shape, b->axes, b->band, rows);
}

static void rows_of_map(const void *context, const Raster *shape, int rows[2]) {
    const BandOfAxes *b = context;
    raster_regrid_rows(shape, b->axes, b->band, rows);
}

static double height(void *context, double x, double y) {
    (void)context;
    return 3 + 0.01 * x + 0.1 * y;
}

static void compare_grounds(const Axes *axes, const RasterOptions *reading, bool fullness) {
    const TopographyOptions options = {.fullness = fullness, .minimum_depth_m = 0.5, .flood_to_m = 4};
    const Band band = band_of(MPI_COMM_WORLD, axes->ny, axes->ny);
    const BandOfAxes rows = {axes, &band};
    Raster *some, *whole;
    Topography *own, *all;
    assert_int_equal(raster_read_rows(&band, path, reading, rows_of_ground, &rows, &some), STATUS_OK);
    assert_int_equal(raster_read(path, reading, &whole), STATUS_OK);
    if (ranks > 2) assert_true(some->rows < whole->rows);
    raster_fill_land(some, height, NULL);
    raster_fill_land(whole, height, NULL);
    assert_int_equal(topography_band_from_raster(some, axes, &band, &options, &own), STATUS_OK);
    assert_int_equal(topography_from_raster(whole, axes, &options, &all), STATUS_OK);
    repair_both(own, all, axes, &options);
    topography_destroy(&own);
    topography_destroy(&all);
    raster_destroy(&some);
    raster_destroy(&whole);
}

static void compare_maps(const Axes *axes, const RasterOptions *reading) {
    const Band band = band_of(MPI_COMM_WORLD, axes->ny, axes->ny), alone = band_alone(axes->ny);
    const BandOfAxes rows = {axes, &band};
    Raster *some, *whole;
    double *own, *all;
    assert_int_equal(raster_read_rows(&band, path, reading, rows_of_map, &rows, &some), STATUS_OK);
    assert_int_equal(raster_read(path, reading, &whole), STATUS_OK);
    assert_int_equal(raster_regrid(some, "it", axes, &band, &own), STATUS_OK);
    assert_int_equal(raster_regrid(whole, "it", axes, &alone, &all), STATUS_OK);
    const size_t nx = (size_t)axes->nx;
    if (band.rows > 0)
        assert_memory_equal(own, all + (size_t)band.first * nx, (size_t)band.rows * nx * sizeof *own);
    memory_free(own), memory_free(all);
    raster_destroy(&some);
    raster_destroy(&whole);
}

/* Rasters finer and coarser than the grid; such that do not reach as far as the grid. */
static void rasters_are_read_in_rows(void **state) {
    (void)state;
    static const double steps[] = {0.13, 0.4, 1.7};
    for (int n = 0; n < 3; n++) {
        const Axes axes = plane(30, 41, false, false);
        const double around[4] = {10, 40, 20, 40.5}, farther[4] = {3, 47, 14, 49};
        write_raster((int)(33 / steps[n]) + 2, (int)(23.5 / steps[n]) + 2, steps[n]);
        const RasterOptions near = {.window = around, .positive = "up", .datum_offset_m = 0.1},
                            far = {.cover = farther, .positive = "up"};
        compare_grounds(&axes, &near, n != 1);
        compare_maps(&axes, &near);
        const Axes larger = {.nx = 44, .ny = 70, .west = 3, .south = 14, .step_x = 1, .step_y = 0.5};
        compare_grounds(&larger, &far, true);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) unlink(path);
    }
}

/* A grid beyond 180 degrees east, a raster of the same water with longitudes to the west. */
static void what_is_covered_is_turned_first(void **state) {
    (void)state;
    const double here[4] = {3, 47, 14, 49}, turned[4] = {363, 407, 14, 49};
    const RasterOptions options[] = {{.cover = here, .positive = "up"},
                                     {.cover = turned, .positive = "up", .turns = true}};
    Raster *raster[2];
    write_raster(40, 30, 0.75); /* steps without rounding */
    for (int n = 0; n < 2; n++) assert_int_equal(raster_read(path, &options[n], &raster[n]), STATUS_OK);
    assert_int_equal(raster[0]->nx, raster[1]->nx);
    assert_true(fabs(raster[1]->x0 - raster[0]->x0 - 360) < 1e-9);
    assert_memory_equal(raster[0]->elevation, raster[1]->elevation,
                        (size_t)raster[0]->nx * (size_t)raster[0]->ny * sizeof(double));
    for (int n = 0; n < 2; n++) raster_destroy(&raster[n]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) unlink(path);
}

static void a_file_that_is_none_is_refused_on_all_ranks(void **state) {
    (void)state;
    const Axes axes = plane(30, 41, false, false);
    const Band band = band_of(MPI_COMM_WORLD, axes.ny, axes.ny);
    const BandOfAxes rows = {&axes, &band};
    Raster *raster;
    assert_int_equal(raster_read_rows(&band, "none.nc", NULL, rows_of_ground, &rows, &raster),
                     STATUS_BAD_INPUT);
    error_clear();
}

/* ---- the grid ---- */

static void assert_field(const Grid *a, const Grid *b, const double *x, const double *y) {
    for (int j = -HALO; j < a->n2 + HALO; j++)
        for (int i = -HALO; i < a->n1 + HALO; i++) assert_true(x[AT2(*a, i, j)] == y[AT2(*b, i, j)]);
}

static GridGround ground_of(const Topography *t) {
    return (GridGround){t->bed, t->wet_area, t->open_west, t->open_south, t->shore_west, t->shore_south,
                        {NULL}, t->ghost,    {NULL},       t->band.first, t->ny};
}

static void a_grid_of_bands_is_that_of_the_whole(void **state) {
    (void)state;
    for (int n = 0; n < 8; n++) {
        const int nx = 8 * ranks + 3 * (n % 3), ny = 4 * ranks + n;
        const Axes axes = plane(nx, ny, n & 1, n & 2);
        const TopographyOptions options = {.keep_all = true};
        /* some ranks know nothing, or rows far from theirs */
        const Band band = band_of(MPI_COMM_WORLD, ny, n & 4 ? 2 : ny);
        Topography *own, *all;
        assert_int_equal(topography_create_band(nx, &band, &own), STATUS_OK);
        assert_int_equal(topography_create(nx, ny, &all), STATUS_OK);
        draw(own, n), draw(all, n);
        topography_mask_from_bed(own, &axes, &options);
        topography_mask_from_bed(all, &axes, &options);
        const GridGround bands = ground_of(own), whole = rank == 0 ? ground_of(all) : (GridGround){0};
        Grid *a, *b;
        assert_int_equal(grid_create(MPI_COMM_WORLD, &axes, &bands, NULL, &a), STATUS_OK);
        assert_int_equal(grid_create(MPI_COMM_WORLD, &axes, &whole, NULL, &b), STATUS_OK);
        assert_true(a->i_first == b->i_first && a->j_first == b->j_first && a->n1 == b->n1 && a->n2 == b->n2);
        assert_field(a, b, a->bed, b->bed);
        assert_field(a, b, a->area, b->area);
        assert_field(a, b, a->width_u, b->width_u);
        assert_field(a, b, a->width_v, b->width_v);
        double *x = field2_create(a), *y = field2_create(b);
        field2_spread(a, own->bed, band.first, band.rows, x);
        field2_spread(b, all->bed, 0, rank == 0 ? ny : 0, y);
        assert_field(a, b, x, y);
        for (int j = 0; j < a->n2; j++)
            for (int i = 0; i < a->n1; i++)
                assert_true(x[AT2(*a, i, j)] ==
                            all->bed[(size_t)(a->j_first + j) * (size_t)nx + (size_t)(a->i_first + i)]);
        field2_destroy(a, &x), field2_destroy(b, &y);
        grid_destroy(&a), grid_destroy(&b);
        topography_destroy(&own);
        topography_destroy(&all);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waters_are_those_of_one_rank),
        cmocka_unit_test(rasters_are_read_in_rows),
        cmocka_unit_test(what_is_covered_is_turned_first),
        cmocka_unit_test(a_file_that_is_none_is_refused_on_all_ranks),
        cmocka_unit_test(a_grid_of_bands_is_that_of_the_whole),
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "bands_%d.nc", ranks);
    log_start(rank);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
