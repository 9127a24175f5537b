/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/small_sea.h"

#include "base/memory.h"
#include "numerics/grid/halo.h"
#include <math.h>
#include <stdlib.h>

enum { NX = SMALL_SEA_NX, NY = SMALL_SEA_NY, NZ = SMALL_SEA_NZ };

static void must(Status status) {
    if (status == STATUS_OK) return;
    error_report(MPI_COMM_WORLD);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double bed_at(int i, int j) {
    if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1) return 10;
    if (i > 20 && i < 24 && j > 8 && j < 14) return 8;      /* island */
    if (i > 30 && j < 4) return 0.5;                        /* floods */
    return -1.0 - 0.3 * i - 0.1 * j + 2 * sin(0.7 * i * j); /* to about -15 */
}

static Scenario *make_scenario(const char *output, const char *folder, bool spherical, bool periodic) {
    static const char *const sphere = "\"kind\": \"spherical\", \"west\": 35, \"east\": 36, \"south\": 45, "
                                      "\"north\": 46.3, \"dlon_deg\": 0.025, "
                                      "\"dlat_deg\": 0.05";
    static const char *const plane =
        "\"kind\": \"cartesian\", \"length_x_m\": 40e3, \"length_y_m\": 26e3, \"dx_m\": 1000";
    char *text = memory_format(
        "{\"title\": \"A small sea\", \"grid\": {%s%s, \"levels\": {\"interfaces_m\": [-16, -8, -4, -2, 0]}, "
        "\"flood_to_m\": 2}, \"bathymetry\": {\"bed_m\": -5}, \"time\": {\"start\": "
        "\"2014-09-23T00:00:00Z\", "
        "\"end\": \"2014-09-23T02:00:00Z\", \"step_s\": 60}, \"output\": %s, \"output_folder\": \"%s\"}",
        spherical ? sphere : plane, periodic ? ", \"periodic\": [\"x\"]" : "", output, folder);
    Scenario *scenario = NULL;
    must(scenario_parse("small_sea.json", text, NULL, 0, &scenario));
    memory_free(text);
    return scenario;
}

typedef struct Ground {
    double bed[NY * NX], wet[NY * NX], west[NY * (NX + 1)], south[(NY + 1) * NX];
} Ground;

static Ground *make_ground(bool periodic) {
    Ground *g = ALLOCATE(1, Ground);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            g->bed[j * NX + i] = bed_at(periodic && (i == 0 || i == NX - 1) ? 1 : i, j);
            g->wet[j * NX + i] = g->bed[j * NX + i] < 2 ? 0.5 + 0.5 * ((i + j) % 2) : 0;
        }
    for (int j = 0; j < NY; j++)
        for (int i = 0; i <= NX; i++) {
            bool seam = i == 0 || i == NX;
            double a = g->wet[j * NX + (i + NX - 1) % NX], b = g->wet[j * NX + i % NX];
            g->west[j * (NX + 1) + i] = (seam && !periodic) || a <= 0 || b <= 0 ? 0 : 0.75;
        }
    for (int j = 1; j < NY; j++)
        for (int i = 0; i < NX; i++)
            g->south[j * NX + i] = g->wet[(j - 1) * NX + i] > 0 && g->wet[j * NX + i] > 0;
    return g;
}

static Grid *make_grid(MPI_Comm comm, bool spherical, bool periodic) {
    static double interfaces[] = {-16, -8, -4, -2, 0};
    const Axes axes = {.spherical = spherical,
                       .periodic_x = periodic,
                       .nx = NX,
                       .ny = NY,
                       .nz = NZ,
                       .west = spherical ? 35 : 0,
                       .south = spherical ? 45 : 0,
                       .step_x = spherical ? 0.025 : 1000,
                       .step_y = spherical ? 0.05 : 1000,
                       .interfaces = interfaces};
    int rank;
    MPI_Comm_rank(comm, &rank);
    Ground *g = rank == 0 ? make_ground(periodic) : NULL;
    GridGround ground = {0};
    if (g)
        ground =
            (GridGround){.bed = g->bed, .wet_area = g->wet, .open_west = g->west, .open_south = g->south};
    Grid *grid = NULL;
    must(grid_create(comm, &axes, &ground, NULL, &grid));
    memory_free(g);
    return grid;
}

SmallSea small_sea_create(MPI_Comm comm, const char *output, const char *folder, bool spherical,
                          bool periodic) {
    SmallSea sea = {.scenario = make_scenario(output, folder, spherical, periodic),
                    .grid = make_grid(comm, spherical, periodic)};
    must(state_create(sea.grid, &sea.state));
    state_make(sea.state, STATE_air_pressure, 0);
    sea.state->dry_depth = sea.scenario->output_dry_depth_m;
    sea.state->start = sea.scenario->time.start;
    small_sea_set(&sea, 0);
    return sea;
}

void small_sea_destroy(SmallSea *sea) {
    state_destroy(&sea->state);
    grid_destroy(&sea->grid);
    scenario_destroy(&sea->scenario);
}

/* Something irregular between -1 and 1. */
static double value_at(const Grid *g, int i, int j, int k, int field, double t) {
    int x = (g->i_first + i + g->nx) % g->nx, y = g->j_first + j;
    return sin(0.37 * x + 0.11 * y * (field + 1) + 1.3 * k + 0.01 * t + field);
}

static void set_plane(const Grid *g, double *field, int number, double t) {
    for (int j = 0; j < g->n2 + 1; j++)
        for (int i = 0; i < g->n1 + 1; i++) field[AT2(*g, i, j)] = value_at(g, i, j, 0, number, t);
}

static void set_levels(const Grid *g, double *field, int number, double t) {
    for (int k = 0; k < g->n3; k++)
        for (int j = 0; j < g->n2 + 1; j++)
            for (int i = 0; i < g->n1 + 1; i++) field[AT(*g, i, j, k)] = value_at(g, i, j, k, number, t);
}

static void set_water(State *s) {
    const Grid *g = s->grid;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            ptrdiff_t n = AT2(*g, i, j);
            double level = 0.8 * value_at(g, i, j, 0, 0, s->time);
            s->depth[n] = g->area[n] > 0 ? fmax(0, level - g->bed[n]) : 0;
            s->eta[n] = g->bed[n] + s->depth[n];
            s->air_pressure[n] = 101300 + 500 * value_at(g, i, j, 0, 9, s->time);
        }
}

static void set_faces(State *s) {
    const Grid *g = s->grid;
    for (int j = 0; j < g->n2 + 1; j++)
        for (int i = 0; i < g->n1 + 1; i++) {
            ptrdiff_t n = AT2(*g, i, j);
            double x = fmax(s->eta[n - 1], s->eta[n]) - g->bed_u[n],
                   y = fmax(s->eta[n - g->row], s->eta[n]) - g->bed_v[n];
            s->depth_u[n] = g->width_u[n] > 0 ? fmax(0, x) : 0;
            s->depth_v[n] = g->width_v[n] > 0 ? fmax(0, y) : 0;
        }
}

void small_sea_set(SmallSea *sea, int64_t step) {
    State *s = sea->state;
    s->step = step;
    s->time = (double)step * sea->scenario->time.step_s;
    set_water(s);
    Halo *halo = NULL;
    must(halo_create(s->grid, 8 + 7 * SMALL_SEA_NZ, &halo));
    halo_exchange(halo, 2, (double *const[]){s->depth, s->eta}, 0, NULL);
    set_faces(s);
    set_plane(s->grid, s->stress_u, 10, s->time);
    set_plane(s->grid, s->stress_v, 11, s->time);
    double *const deep[] = {s->u, s->v, s->flux_u, s->flux_v, s->flux_w};
    for (int n = 0; n < 5; n++) set_levels(s->grid, deep[n], n + 1, s->time);
    halo_exchange(halo, 2, (double *const[]){s->depth_u, s->depth_v}, 5, deep);
    halo_destroy(&halo);
}
