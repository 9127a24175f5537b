/* SPDX-License-Identifier: Apache-2.0
 *
 * Wind and air pressure on a grid: exact values for each way of giving them, the same bits on every
 * decomposition, an ERA5-like file, and what is refused before the first step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/forcing.h"
#include "model/forcing/initial_field.h"
#include "model/forcing/wind_drag.h"
#include "tests/support/messages.h"
#include "tests/support/near.h"
#include "tests/support/ranks.h"
#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define text(literal) ((char *)(size_t)(literal))

static const double hour = 3600, ratio = 1.22 / 1008;
static double start;
static char path[32]; /* tests of several rank counts run at the same time: each has its own */
static int rank;
static double levels[] = {-10, -5, 0};
static const Axes azov = {.spherical = true,
                          .nx = 40,
                          .ny = 20,
                          .nz = 2,
                          .west = 35,
                          .south = 45,
                          .step_x = 0.1,
                          .step_y = 0.1,
                          .interfaces = levels};
static const Axes greenwich = {.spherical = true,
                               .nx = 40,
                               .ny = 20,
                               .nz = 2,
                               .west = -2,
                               .south = 45,
                               .step_x = 0.1,
                               .step_y = 0.1,
                               .interfaces = levels};
static const Axes plane = {.nx = 40, .ny = 20, .nz = 2, .step_x = 1000, .step_y = 500, .interfaces = levels};

/* A sea with an island, closed on all sides. */
static Grid *make_grid(MPI_Comm comm, const Axes *axes) {
    int nx = axes->nx, ny = axes->ny, mine;
    double *bed = ALLOCATE(nx * ny, double), *wet = ALLOCATE(nx * ny, double);
    double *west = ALLOCATE((nx + 1) * ny, double), *south = ALLOCATE(nx * (ny + 1), double);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            bool land = i > 10 && i < 15 && j > 5 && j < 9;
            bed[j * nx + i] = land ? 5 : -8;
            wet[j * nx + i] = land ? 0 : 1;
        }
    for (int j = 0; j < ny; j++)
        for (int i = 1; i < nx; i++) west[j * (nx + 1) + i] = wet[j * nx + i] > 0 && wet[j * nx + i - 1] > 0;
    for (int j = 1; j < ny; j++)
        for (int i = 0; i < nx; i++) south[j * nx + i] = wet[j * nx + i] > 0 && wet[(j - 1) * nx + i] > 0;
    GridGround ground = {.bed = bed, .wet_area = wet, .open_west = west, .open_south = south};
    Grid *grid = NULL;
    MPI_Comm_rank(comm, &mine);
    assert_int_equal(grid_create(comm, axes, mine == 0 ? &ground : NULL, NULL, &grid), STATUS_OK);
    memory_free(bed), memory_free(wet), memory_free(west), memory_free(south);
    return grid;
}

static Scenario make_scenario(void) {
    Scenario s = {0};
    s.time.start = start, s.time.end = start + 6 * hour, s.time.step_s = 60;
    s.time.duration_s = s.time.to_s = 6 * hour;
    s.physics.water_density_kg_m3 = 1008;
    s.forcing.wind_factor = 1, s.forcing.drag = WIND_DRAG_CONSTANT, s.forcing.drag_constant = 2e-3;
    s.forcing.drag_cap_m_s = 33, s.forcing.wind_height_m = 10, s.forcing.air_density_kg_m3 = 1.22;
    return s;
}

static Value formula(const char *expression) {
    return (Value){
        .kind = VALUE_EXPRESSION, .expression = text(expression), .place = text("s.json:9:3 (/forcing/x)")};
}

static Value constant(double number) {
    return (Value){.kind = VALUE_CONSTANT, .constant = number};
}

/* What is tested: the forcing on all ranks, the same on one rank, and the fields of both. */
typedef struct Pair {
    Grid *grid[2];
    Forcing *forcing[2];
    double *u[2], *v[2], *p[2];
} Pair;

static Pair pair_create(const Scenario *s, const Axes *axes) {
    Pair pair;
    const MPI_Comm comm[2] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    for (int n = 0; n < 2; n++) {
        pair.grid[n] = make_grid(comm[n], axes);
        Status status = forcing_create(s, pair.grid[n], &pair.forcing[n]);
        if (status != STATUS_OK) error_print(stderr);
        assert_int_equal(status, STATUS_OK);
        pair.u[n] = field2_create(pair.grid[n]);
        pair.v[n] = field2_create(pair.grid[n]);
        pair.p[n] = field2_create(pair.grid[n]);
    }
    return pair;
}

static void pair_destroy(Pair *pair) {
    for (int n = 0; n < 2; n++) {
        forcing_destroy(&pair->forcing[n]);
        field2_destroy(pair->grid[n], &pair->u[n]);
        field2_destroy(pair->grid[n], &pair->v[n]);
        field2_destroy(pair->grid[n], &pair->p[n]);
        grid_destroy(&pair->grid[n]);
    }
}

static void compare_faces(const Pair *pair, RunList faces, double *const field[2]) {
    const Grid *mine = pair->grid[0], *whole = pair->grid[1];
    for (int n = 0; n < faces.count; n++)
        for (int i = faces.run[n].i0, j = faces.run[n].j; i < faces.run[n].i1; i++) {
            double here = field[0][AT2(*mine, i, j)];
            double there = field[1][AT2(*whole, i + mine->i_first, j + mine->j_first)];
            assert_memory_equal(&here, &there, sizeof here);
        }
}

/* Goes to the time on both grids; the fields must agree to the last bit. */
static void pair_update(Pair *pair, double time) {
    for (int n = 0; n < 2; n++)
        assert_int_equal(forcing_update(pair->forcing[n], time, pair->u[n], pair->v[n], pair->p[n]),
                         STATUS_OK);
    const Grid *mine = pair->grid[0], *whole = pair->grid[1];
    compare_faces(pair, mine->faces_u, pair->u);
    compare_faces(pair, mine->faces_v, pair->v);
    for (int j = -1; j <= mine->n2; j++)
        for (int i = -1; i <= mine->n1; i++)
            assert_true(pair->p[0][AT2(*mine, i, j)] ==
                        pair->p[1][AT2(*whole, i + mine->i_first, j + mine->j_first)]);
}

/* `wind` gives the expected wind at a place and time. */
typedef void (*WindAt)(double x, double y, double t, double *u, double *v);

static WindDrag law = WIND_DRAG_CONSTANT; /* that expect_wind expects */

static double expected_factor(double u, double v) {
    const double speed = sqrt(u * u + v * v);
    return ratio * wind_drag_coefficient((WindStress){law, 2e-3, 33, ratio, 0}, speed) * speed;
}

static void expect_wind(const Pair *pair, double time, WindAt wind, double ramp, double tolerance) {
    const Grid *g = pair->grid[0];
    double u, v;
    for (int n = 0; n < g->faces_u.count; n++)
        for (int i = g->faces_u.run[n].i0, j = g->faces_u.run[n].j; i < g->faces_u.run[n].i1; i++) {
            wind(g->x_u[i], g->y_c[j], time, &u, &v);
            assert_near(pair->u[0][AT2(*g, i, j)], ramp * expected_factor(u, v) * u, tolerance);
        }
    for (int n = 0; n < g->faces_v.count; n++)
        for (int i = g->faces_v.run[n].i0, j = g->faces_v.run[n].j; i < g->faces_v.run[n].i1; i++) {
            wind(g->x_c[i], g->y_v[j], time, &u, &v);
            assert_near(pair->v[0][AT2(*g, i, j)], ramp * expected_factor(u, v) * v, tolerance);
        }
}

static void wind_3_4(double x, double y, double t, double *u, double *v) {
    (void)x, (void)y, (void)t;
    *u = 3, *v = -4;
}

static void a_constant_wind_with_factor_and_ramp(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_u_m_s = constant(1.5), s.forcing.wind_v_m_s = constant(-2);
    s.forcing.wind_factor = 2, s.forcing.ramp_s = hour;
    Pair pair = pair_create(&s, &azov);
    const double times[] = {0, 1800, 3600, 7200}, ramps[] = {0, 0.5, 1, 1};
    for (int n = 0; n < 4; n++) {
        pair_update(&pair, times[n]);
        expect_wind(&pair, times[n], wind_3_4, ramps[n], 1e-18);
    }
    assert_false(forcing_has_air_pressure(pair.forcing[0]));
    char *line = forcing_describe(pair.forcing[0]);
    assert_non_null(strstr(line, "wind: 1.5 m/s eastward, -2 m/s northward, times 2"));
    memory_free(line);
    pair_destroy(&pair);
}

static void no_wind_is_no_stress(void **state) {
    (void)state;
    Scenario s = make_scenario();
    Pair pair = pair_create(&s, &plane);
    pair_update(&pair, 100);
    assert_near(pair.u[0][AT2(*pair.grid[0], 2, 2)], 0, 0);
    pair_destroy(&pair);
}

static void a_stress_is_divided_by_the_density(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.stress_x_Pa = constant(1), s.forcing.stress_y_Pa = formula("-0.5 + 0*x");
    Pair pair = pair_create(&s, &plane);
    pair_update(&pair, 100);
    assert_near(pair.u[0][AT2(*pair.grid[0], 2, 2)], 1 / 1008.0, 1e-18);
    assert_near(pair.v[0][AT2(*pair.grid[0], 2, 2)], -0.5 / 1008.0, 1e-18);
    pair_destroy(&pair);
}

static void wind_polar(double x, double y, double t, double *u, double *v) {
    (void)x, (void)y;
    *u = 10 + t / 3600, *v = 0;
}

static void speed_and_direction_by_formulas(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_speed_m_s = formula("10 + t/3600"), s.forcing.wind_from_deg = constant(270);
    Pair pair = pair_create(&s, &azov);
    pair_update(&pair, 5400);
    expect_wind(&pair, 5400, wind_polar, 1, 1e-18);
    pair_destroy(&pair);
}

static void wind_of_place(double x, double y, double t, double *u, double *v) {
    *u = 5 + x / 1e4, *v = y / 1e3 - t / 1e4;
}

static void wind_of_place_at_start(double x, double y, double t, double *u, double *v) {
    (void)t;
    wind_of_place(x, y, 0, u, v);
}

static void formulas_of_place_and_time(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_u_m_s = formula("5 + x/1e4"), s.forcing.wind_v_m_s = formula("y/1e3 - t/1e4");
    Pair pair = pair_create(&s, &plane);
    pair_update(&pair, 7200);
    expect_wind(&pair, 7200, wind_of_place, 1, 1e-17);
    pair_destroy(&pair);
    s.forcing.wind_v_m_s = formula("y/1e3"); /* steady: computed once, with the ramp on top */
    s.forcing.ramp_s = hour;
    pair = pair_create(&s, &plane);
    pair_update(&pair, 1800);
    expect_wind(&pair, 0, wind_of_place_at_start, 0.5, 1e-17);
    pair_update(&pair, 7200);
    expect_wind(&pair, 0, wind_of_place_at_start, 1, 1e-17);
    pair_destroy(&pair);
}

/* Before a file is replaced all ranks have to be done with it: each has read it for itself, too. */
static void write_text(const char *content) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *file = fopen(path, "wb");
        fputs(content, file);
        fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void wind_of_table(double x, double y, double t, double *u, double *v) {
    (void)x, (void)y;
    *u = 2 + 4 * t / 21600, *v = -1;
}

static void a_table_of_wind(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_file = path;
    write_text("time,u_m_s,v_m_s\n2014-09-23T00:00Z,2,-1\n2014-09-23T06:00Z,6,-1\n");
    Pair pair = pair_create(&s, &azov);
    pair_update(&pair, 7200);
    expect_wind(&pair, 7200, wind_of_table, 1, 1e-18);
    char *line = forcing_describe(pair.forcing[0]);
    assert_non_null(strstr(line, "2014-09-23T00:00:00Z to 2014-09-23T06:00:00Z, 2 records"));
    memory_free(line);
    pair_destroy(&pair);
    Value column = {.kind = VALUE_FILE, .file = path, .column = text("u_m_s"), .place = text("/u_m_s")};
    s.forcing.wind_file = NULL, s.forcing.wind_u_m_s = column, s.forcing.wind_v_m_s = constant(-1);
    pair = pair_create(&s, &azov);
    pair_update(&pair, 7200);
    expect_wind(&pair, 7200, wind_of_table, 1, 1e-18);
    pair_destroy(&pair);
}

/* An ERA5-like file: records of 3 hours, latitudes from north to south, winds packed into 16 bits, pressure
 * as floats. */
typedef struct Era {
    double west, step;
    int columns, records;
    const char *pressure_units;
    double pressure_scale; /* the file holds Pa times this */
    int hole;              /* record whose first wind is missing, -1: none */
    const char *wind_units;
} Era;

enum { ROWS = 13 };
static const Era usual = {34.5, 0.25, 21, 4, "Pa", 1, -1, "m s**-1"};
/* so many points that each rank gets its part of them */
static const Era fine = {34.5, 0.005, 1001, 4, "Pa", 1, -1, "m s**-1"};
static const double scale = 0.01, offset = 3;

static double turned(double lon) {
    return lon > 180 ? lon - 360 : lon;
}

static void era_wind(double lon, double lat, double t, double *u, double *v) {
    *u = 4 + (lon - 36) + 2 * (lat - 46) + t / 7200;
    *v = -3 + 2 * (lon - 36) - (lat - 46) - t / 3600;
}

static double era_pressure(double lon, double lat, double t) {
    return 101000 + 100 * (lon - 36) - 50 * (lat - 46) + t / 60;
}

static int define(int file, const char *name, nc_type type, int rank_of, const int *dims, const char *units) {
    int id = -1;
    assert_int_equal(nc_def_var(file, name, type, rank_of, dims, &id), NC_NOERR);
    assert_int_equal(nc_put_att_text(file, id, "units", strlen(units), units), NC_NOERR);
    return id;
}

static int define_packed(int file, const char *name, const int *dims, const char *units) {
    const short missing = -32767;
    int id = define(file, name, NC_SHORT, 3, dims, units);
    nc_put_att_double(file, id, "scale_factor", NC_DOUBLE, 1, &scale);
    nc_put_att_double(file, id, "add_offset", NC_DOUBLE, 1, &offset);
    nc_put_att_short(file, id, "_FillValue", NC_SHORT, 1, &missing);
    return id;
}

static void write_records(int file, const Era *e, int u_id, int v_id, int p_id) {
    for (size_t n = 0; n < (size_t)e->records; n++)
        for (size_t j = 0; j < ROWS; j++)
            for (size_t i = 0; i < (size_t)e->columns; i++) {
                size_t at[3] = {n, j, i};
                double u, v, lon = turned(e->west + (double)i * e->step), lat = 47.5 - (double)j * 0.25;
                double t = (double)n * 3 * hour - 3 * hour;
                era_wind(lon, lat, t, &u, &v);
                bool missing = (int)n == e->hole && i == 8 && j == 4;
                short packed_u = missing ? -32767 : (short)lrint((u - offset) / scale);
                short packed_v = (short)lrint((v - offset) / scale);
                float p = (float)(era_pressure(lon, lat, t) * e->pressure_scale);
                nc_put_var1_short(file, u_id, at, &packed_u);
                nc_put_var1_short(file, v_id, at, &packed_v);
                nc_put_var1_float(file, p_id, at, &p);
            }
}

static void write_era(const Era *e, int format) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        int file, dims[3];
        assert_int_equal(nc_create(path, NC_CLOBBER | format, &file), NC_NOERR);
        bool since_2024 = format == NC_NETCDF4; /* the archive names and counts times in another way since */
        const char *name = since_2024 ? "valid_time" : "time";
        nc_def_dim(file, name, NC_UNLIMITED, &dims[0]);
        nc_def_dim(file, "latitude", ROWS, &dims[1]);
        nc_def_dim(file, "longitude", (size_t)e->columns, &dims[2]);
        int time = define(file, name, NC_INT, 1, &dims[0],
                          since_2024 ? "seconds since 1970-01-01" : "hours since 1900-01-01 00:00:00.0");
        int lat = define(file, "latitude", NC_FLOAT, 1, &dims[1], "degrees_north");
        int lon = define(file, "longitude", NC_FLOAT, 1, &dims[2], "degrees_east");
        int u = define_packed(file, "u10", dims, e->wind_units),
            v = define_packed(file, "v10", dims, e->wind_units);
        int p = define(file, "msl", NC_FLOAT, 3, dims, e->pressure_units);
        assert_int_equal(nc_enddef(file), NC_NOERR);
        for (size_t n = 0; n < (size_t)e->records; n++) {
            double moment = start + 3 * hour * ((double)n - 1);
            int count = (int)(since_2024 ? moment : (moment + 2208988800.0) / hour);
            nc_put_var1_int(file, time, &n, &count);
        }
        for (size_t n = 0; n < ROWS; n++)
            nc_put_var1_double(file, lat, &n, &(double){47.5 - (double)n * 0.25});
        for (size_t n = 0; n < (size_t)e->columns; n++)
            nc_put_var1_double(file, lon, &n, &(double){e->west + (double)n * e->step});
        write_records(file, e, u, v, p);
        assert_int_equal(nc_close(file), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void expect_pressure(const Pair *pair, double time) {
    const Grid *g = pair->grid[0];
    for (int j = -1; j <= g->n2; j++)
        for (int i = -1; i <= g->n1; i++) {
            double lon = axes_x(&g->axes, g->i_first + i + 0.5), lat = axes_y(&g->axes, g->j_first + j + 0.5);
            assert_near(pair->p[0][AT2(*g, i, j)], era_pressure(lon, lat, time), 0.02);
        }
}

static void gridded_wind_and_pressure(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_file = path, s.forcing.air_pressure_file = path;
    const Era *const files[] = {&usual, &usual, &fine};
    const int formats[] = {0, NC_NETCDF4, 0};
    for (int n = 0; n < 3; n++) {
        s.forcing.drag = law = n == 1 ? WIND_DRAG_COARE35 : WIND_DRAG_CONSTANT;
        write_era(files[n], formats[n]);
        Pair pair = pair_create(&s, &azov);
        assert_true(forcing_has_air_pressure(pair.forcing[0]));
        const double times[] = {0, 1000, 3 * hour, 4.5 * hour, 6 * hour, 600};
        for (int k = 0; k < 6; k++) {
            pair_update(&pair, times[k]);
            expect_wind(&pair, times[k], era_wind, 1, ratio * 2e-3 * 40 * scale);
            expect_pressure(&pair, times[k]);
        }
        char *line = forcing_describe(pair.forcing[0]);
        assert_non_null(strstr(line, "(u10, 2014-09-22T21:00:00Z to 2014-09-23T06:00:00Z, 4 records"));
        memory_free(line);
        pair_destroy(&pair);
    }
}

static void longitudes_around_the_globe(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_file = path;
    write_era(&(Era){0, 5, 72, 4, "Pa", 1, -1, "m/s"}, 0);
    Pair pair = pair_create(&s, &greenwich);
    pair_update(&pair, 3 * hour);

    expect_wind(&pair, 3 * hour, era_wind, 1, ratio * 2e-3 * 250 * scale);
    pair_destroy(&pair);
}

static void hectopascals_by_their_units(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.air_pressure_file = path;
    Era e = usual;
    e.pressure_units = "hPa", e.pressure_scale = 0.01;
    write_era(&e, 0);
    Pair pair = pair_create(&s, &azov);
    pair_update(&pair, 3 * hour);
    expect_pressure(&pair, 3 * hour);
    pair_destroy(&pair);
}

/* Refused on all ranks, with `expected` in a message of rank 0 and no rank left waiting. */
static void refused(const Scenario *s, const Axes *axes, const char *expected) {
    Grid *grid = make_grid(MPI_COMM_WORLD, axes);
    Forcing *forcing = NULL;
    error_clear();
    assert_int_equal(forcing_create(s, grid, &forcing), STATUS_BAD_INPUT);
    assert_null(forcing);
    if (rank == 0) messages_expect(expected);
    grid_destroy(&grid);
}

static void bad_gridded_files_are_refused(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_file = path;
    Era e = usual;
    e.records = 3;
    write_era(&e, 0);
    refused(&s, &azov, "but the run needs 2014-09-23T00:00:00Z to 2014-09-23T06:00:00Z");
    e = usual, e.columns = 15;
    write_era(&e, 0);
    refused(&s, &azov, "covers longitudes 34.5 to 38, but the grid reaches from 35 to 39");
    refused(&s, &plane, "the grid is in metres");
    e = usual, e.hole = 2;
    write_era(&e, 0);
    refused(&s, &azov, "has no value at 36.5, 46.5 in record 3");
    e = usual, e.wind_units = "K";
    write_era(&e, 0);
    refused(&s, &azov, "\"K\", which cannot be converted to m/s");
    write_era(&usual, 0);
    if (rank == 0) assert_int_equal(truncate(path, 3000), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    refused(&s, &azov, path);
    if (rank == 0) unlink(path);
    MPI_Barrier(MPI_COMM_WORLD);
    refused(&s, &azov, path);
    s.forcing.wind_file = NULL, s.forcing.air_pressure_file = path;
    e = usual, e.pressure_scale = 0.01;
    write_era(&e, 0);
    refused(&s, &azov, "that is hPa");
    Value temperature = {.kind = VALUE_FILE, .file = path, .column = text("t2m"), .place = text("/Pa")};
    s.forcing.air_pressure_file = NULL, s.forcing.air_pressure_Pa = temperature;
    refused(&s, &azov, "the file has");
}

static void bad_values_are_refused(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.air_pressure_Pa = constant(1013);
    refused(&s, &azov, "that is hPa");
    s.forcing.air_pressure_Pa = formula("1013 + lon/10");
    refused(&s, &azov, "that is hPa");
    s = make_scenario();
    s.forcing.wind_u_m_s = formula("sqrt(3600 - t)");
    refused(&s, &azov, "must be a finite number");
    s.forcing.wind_u_m_s = formula("0.1 * sqrt(x - 1000)"); /* on the westernmost rank only */
    s.forcing.wind_v_m_s = constant(1);
    refused(&s, &plane, "");
    static char values[] = "values", *allow[] = {values};
    const Value strong[] = {constant(120), formula("120"), formula("120 + x/1e9")};
    for (int n = 0; n < 3; n++) { /* numbers and formulas have the range of files */
        s.forcing.wind_u_m_s = strong[n];
        s.n_allow = 0;
        refused(&s, &plane,
                n < 2 ? "-100 to 100 is the range ever observed" : "outside the range ever observed");
        s.allow = allow, s.n_allow = 1;
        Pair pair = pair_create(&s, &plane);
        pair_update(&pair, 100);
        pair_destroy(&pair);
    }
}

static void a_formula_that_fails_in_the_run_stops_all_ranks(void **state) {
    (void)state;
    Scenario s = make_scenario();
    s.forcing.wind_u_m_s = formula("0.1 * sqrt(abs(t - 7200) - 1 + x/1e9)"),
    s.forcing.wind_v_m_s = constant(0);
    Pair pair = pair_create(&s, &plane);
    pair_update(&pair, 100);
    for (int n = 0; n < 2; n++)
        assert_int_equal(forcing_update(pair.forcing[n], 7200, pair.u[n], pair.v[n], NULL), STATUS_BAD_INPUT);
    error_clear();
    pair_destroy(&pair);
}

static void fields_from_values(void **state) {
    (void)state;
    const Scenario s = make_scenario();
    Value value = formula("x + 10*y + 0*Lx");
    Grid *grid = make_grid(MPI_COMM_WORLD, &plane);
    double *field = field2_create(grid);
    const char places[] = "cuv";
    for (int n = 0; n < 3; n++) {
        assert_int_equal(initial_fill_2d(&value, "eta_m", grid, places[n], &s, field), STATUS_OK);
        for (int j = -HALO; j < grid->n2 + HALO; j++)
            for (int i = -HALO; i < grid->n1 + HALO; i++) {
                double x = 1000 * (grid->i_first + i + (n == 1 ? 0.0 : 0.5));
                double y = 500 * (grid->j_first + j + (n == 2 ? 0.0 : 0.5));
                assert_near(field[AT2(*grid, i, j)], x + 10 * y, 1e-9);
            }
    }
    value = formula("sqrt(x)"); /* west of the grid there is none: the edge's value */
    assert_int_equal(initial_fill_2d(&value, "eta_m", grid, 'c', &s, field), STATUS_OK);
    value = formula("1/(x - 500)");
    Status status = initial_fill_2d(&value, "eta_m", grid, 'c', &s, field);
    assert_int_equal(status, STATUS_BAD_INPUT);
    value = (Value){.kind = VALUE_FILE, .file = text("eta.nc")};
    assert_int_equal(initial_fill_2d(&value, "eta_m", grid, 'c', &s, field), STATUS_BAD_INPUT);
    error_clear();
    field2_destroy(grid, &field);
    grid_destroy(&grid);
}

static int prepare(void **state) {
    (void)state;
    if (calendar_parse("2014-09-23T00:00Z", &start, NULL) != STATUS_OK) return -1;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "test_forcing_%d.file", ranks);
    return 0;
}

static int tidy(void **state) {
    (void)state;
    MPI_Barrier(MPI_COMM_WORLD);
    return rank == 0 ? unlink(path) : 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_wind_with_factor_and_ramp),
        cmocka_unit_test(no_wind_is_no_stress),
        cmocka_unit_test(a_stress_is_divided_by_the_density),
        cmocka_unit_test(speed_and_direction_by_formulas),
        cmocka_unit_test(formulas_of_place_and_time),
        cmocka_unit_test(a_table_of_wind),
        cmocka_unit_test(gridded_wind_and_pressure),
        cmocka_unit_test(longitudes_around_the_globe),
        cmocka_unit_test(hectopascals_by_their_units),
        cmocka_unit_test(bad_gridded_files_are_refused),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(a_formula_that_fails_in_the_run_stops_all_ranks),
        cmocka_unit_test(fields_from_values),
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    log_start(rank);
    return ranks_finish(cmocka_run_group_tests(tests, prepare, tidy));
}
