/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/systems.h"

#include "base/data.h"
#include "base/memory.h"
#include "model/terrain.h"
#include "numerics/grid/halo.h"
#include "settings/load.h"
#include <math.h>

static const double GRAVITY = 9.81, THETA = 0.6, DIFFUSIVITY = 1e-2, MIXING = 10, SPEED = 0.3;
static const double LEAST_DEPTH = 0.1; /* of columns and faces above the datum [m] */

static double depth_at(double bed) {
    return fmax(-bed, LEAST_DEPTH);
}

/* A smooth pattern of the whole grid with a tenth of noise. */
static double pattern(const Grid *g, int i, int j, int k) {
    const double x = (g->i_first + i + 0.5) / g->nx, y = (g->j_first + j + 0.5) / g->ny,
                 z = (k + 0.5) / g->n3;
    uint64_t bits = (uint64_t)((int64_t)(g->j_first + j) * g->nx + g->i_first + i) * 977 + (uint64_t)k;
    for (int n = 0; n < 2; n++) {
        bits ^= bits >> 31;
        bits = bits * 0x9E3779B97F4A7C15u + 1;
    }
    return sin(7 * x + 2) * cos(5 * y) + 0.5 * sin(2 * z) + 0.1 * ((double)(bits >> 11) * 0x1p-53 - 0.5);
}

static void each_cell(BenchSystem *s, double dt, void (*set)(BenchSystem *, double, int, int, int)) {
    const RunList runs = s->flat ? s->grid->columns : s->grid->cells;
    for (int n = 0; n < runs.count; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++) set(s, dt, i, runs.run[n].j, runs.run[n].k);
}

/* Openings of a face: their area per distance of the two cells [m]. */
static double reach_west(const Grid *g, ptrdiff_t m, ptrdiff_t mk, int j) {
    return g->width_u[m] * g->phi_u[mk] * depth_at(g->bed_u[m]) / g->dx_c[j];
}
static double reach_south(const Grid *g, ptrdiff_t m, ptrdiff_t mk, int j) {
    return g->width_v[m] * g->phi_v[mk] * depth_at(g->bed_v[m]) / g->dy_c[j];
}
static double reach_down(const Grid *g, ptrdiff_t m, ptrdiff_t mk, int k) {
    if (k <= (int)g->bottom_c[m]) return 0;
    return g->area[m] / (0.5 * (g->phi_c[mk] + g->phi_c[mk - g->plane]) * depth_at(g->bed[m]));
}

static void set_couplings(BenchSystem *s, double dt, int i, int j, int k) {
    const Grid *g = s->grid;
    const ptrdiff_t m = AT2(*g, i, j), mk = AT(*g, i, j, k);
    if (s->flat) {
        const double factor = GRAVITY * THETA * THETA * dt;
        s->field[BENCH_WEST][m] = factor * g->width_u[m] * depth_at(g->bed_u[m]) / g->dx_c[j];
        s->field[BENCH_SOUTH][m] = factor * g->width_v[m] * depth_at(g->bed_v[m]) / g->dy_c[j];
        return;
    }
    s->field[BENCH_WEST][mk] = g->bottom_u[m] <= k ? reach_west(g, m, mk, j) : 0;
    s->field[BENCH_SOUTH][mk] = g->bottom_v[m] <= k ? reach_south(g, m, mk, j) : 0;
    s->field[BENCH_LOWER][mk] = reach_down(g, m, mk, k);
}

static double sum_of_couplings(const BenchSystem *s, ptrdiff_t m) {
    const Grid *g = s->grid;
    double *const *f = s->field;
    const double plane =
        f[BENCH_WEST][m] + f[BENCH_WEST][m + 1] + f[BENCH_SOUTH][m] + f[BENCH_SOUTH][m + g->row];
    return s->flat ? plane : plane + f[BENCH_LOWER][m] + f[BENCH_LOWER][m + g->plane];
}

static void set_surface(BenchSystem *s, double dt, int i, int j, int k) {
    const ptrdiff_t m = AT2(*s->grid, i, j);
    s->field[BENCH_CENTRE][m] = s->grid->area[m] / dt + sum_of_couplings(s, m);
    s->field[BENCH_RHS][m] = s->grid->area[m] * pattern(s->grid, i, j, k);
}

static void set_pressure(BenchSystem *s, int i, int j, int k, double at_surface) {
    const Grid *g = s->grid;
    const ptrdiff_t m = AT2(*g, i, j), mk = AT(*g, i, j, k);
    s->field[BENCH_CENTRE][mk] = sum_of_couplings(s, mk) + (k == g->n3 - 1 ? g->area[m] * at_surface : 0);
    s->field[BENCH_RHS][mk] = g->area[m] * g->phi_c[mk] * depth_at(g->bed[m]) * pattern(g, i, j, k);
}

static void set_dirichlet(BenchSystem *s, double dt, int i, int j, int k) {
    (void)dt;
    const Grid *g = s->grid;
    const double top = g->phi_c[AT(*g, i, j, g->n3 - 1)] * depth_at(g->bed[AT2(*g, i, j)]);
    set_pressure(s, i, j, k, 2 / top);
}

static void set_robin(BenchSystem *s, double dt, int i, int j, int k) {
    set_pressure(s, i, j, k, 1 / (GRAVITY * dt * dt));
}

static void set_poisson(BenchSystem *s, double vertical, int i, int j, int k) {
    const Grid *g = s->grid;
    const ptrdiff_t m = AT(*g, i, j, k);
    s->field[BENCH_WEST][m] = g->i_first + i > 0;
    s->field[BENCH_SOUTH][m] = g->j_first + j > 0;
    if (!s->flat) s->field[BENCH_LOWER][m] = k > 0 ? vertical : 0;
    s->field[BENCH_CENTRE][m] = s->flat ? 4 : 4 + 2 * vertical;
    s->field[BENCH_RHS][m] = pattern(g, i, j, k);
}

/* ---- transport ---- */

/* Flow along x, and along y, through the faces of (i, j, k): a shallow eddy pattern [m3 s-1]. */
static double flow_west(const Grid *g, int i, int j, int k) {
    const ptrdiff_t m = AT2(*g, i, j), mk = AT(*g, i, j, k);
    if (g->bottom_u[m] > k) return 0;
    const double y = (double)(g->j_first + j) / g->ny, x = (double)(g->i_first + i) / g->nx;
    return SPEED * sin(20 * y) * cos(9 * x) * (k + 1.0) / g->n3 * g->width_u[m] * g->phi_u[mk] *
           depth_at(g->bed_u[m]);
}
static double flow_south(const Grid *g, int i, int j, int k) {
    const ptrdiff_t m = AT2(*g, i, j), mk = AT(*g, i, j, k);
    if (g->bottom_v[m] > k) return 0;
    const double y = (double)(g->j_first + j) / g->ny, x = (double)(g->i_first + i) / g->nx;
    return SPEED * cos(12 * y) * sin(17 * x) * (k + 1.0) / g->n3 * g->width_v[m] * g->phi_v[mk] *
           depth_at(g->bed_v[m]);
}

/* Upwards through the lower face, by continuity from the bed. */
static double flow_up(const Grid *g, int i, int j, int k) {
    double flow = 0;
    for (int below = (int)g->bottom_c[AT2(*g, i, j)]; below < k; below++)
        flow += flow_west(g, i, j, below) - flow_west(g, i + 1, j, below) + flow_south(g, i, j, below) -
                flow_south(g, i, j + 1, below);
    return flow;
}

static void set_transport(BenchSystem *s, double dt, int i, int j, int k) {
    const Grid *g = s->grid;
    const ptrdiff_t m = AT2(*g, i, j), mk = AT(*g, i, j, k), east = m + 1, north = m + g->row;
    const double flow[6] = {flow_west(g, i, j, k),       flow_south(g, i, j, k),
                            flow_up(g, i, j, k),         -flow_west(g, i + 1, j, k),
                            -flow_south(g, i, j + 1, k), -flow_up(g, i, j, k + 1)};
    const double reach[6] = {g->bottom_u[m] <= k ? MIXING * reach_west(g, m, mk, j) : 0,
                             g->bottom_v[m] <= k ? MIXING * reach_south(g, m, mk, j) : 0,
                             DIFFUSIVITY * reach_down(g, m, mk, k),
                             g->bottom_u[east] <= k ? MIXING * reach_west(g, east, mk + 1, j) : 0,
                             g->bottom_v[north] <= k ? MIXING * reach_south(g, north, mk + g->row, j + 1) : 0,
                             k < g->n3 - 1 ? DIFFUSIVITY * reach_down(g, m, mk + g->plane, k + 1) : 0};
    const double volume = g->area[m] * g->phi_c[mk] * depth_at(g->bed[m]);
    double sum = volume / dt;
    for (int d = 0; d < 6; d++) {
        const bool closed = d == 5 && k == g->n3 - 1; /* the surface moves with the water */
        const double coupling = closed ? 0 : reach[d] + fmax(0, flow[d]);
        s->field[BENCH_WEST + d][mk] = coupling;
        sum += coupling;
    }
    s->field[BENCH_CENTRE][mk] = sum;
    s->field[BENCH_RHS][mk] = volume / dt * pattern(g, i, j, k);
}

/* ---- all ---- */

static Status share_couplings(BenchSystem *s) {
    Halo *halo = NULL;
    double *const planes[] = {s->field[BENCH_WEST], s->field[BENCH_SOUTH]};
    TRY(halo_create(s->grid, 2 * s->grid->n3, &halo));
    if (s->flat)
        halo_exchange(halo, 2, planes, 0, NULL);
    else
        halo_exchange(halo, 0, NULL, 2, planes);
    halo_destroy(&halo);
    return STATUS_OK;
}

Status bench_system_create(const Grid *grid, BenchKind kind, double dt, BenchSystem **out) {
    static void (*const set[])(BenchSystem *, double, int, int, int) = {
        set_surface, set_dirichlet, set_robin, set_transport, set_poisson, set_poisson};
    BenchSystem *s = ALLOCATE(1, BenchSystem);
    s->grid = grid;
    s->flat = kind == BENCH_SURFACE || kind == BENCH_POISSON_FLAT;
    for (int n = 0; n < 8; n++) {
        const bool vertical = n == BENCH_LOWER, two_ways = n >= BENCH_EAST && n <= BENCH_UPPER;
        if ((two_ways && kind != BENCH_TRANSPORT) || (vertical && s->flat)) continue;
        s->field[n] = s->flat ? field2_create(grid) : field3_create(grid);
    }
    *out = s;
    Status status = STATUS_OK;
    if (kind < BENCH_TRANSPORT) {
        each_cell(s, dt, set_couplings);
        ATTEMPT(share_couplings(s));
    }
    each_cell(s, dt, set[kind]);
    ATTEMPT(share_couplings(s));
    double **f = s->field;
    s->stencil = (Stencil){grid_view(grid), f[BENCH_CENTRE], f[BENCH_WEST],  f[BENCH_SOUTH],
                           f[BENCH_LOWER],  f[BENCH_EAST],   f[BENCH_NORTH], f[BENCH_UPPER]};
    return STATUS_OK;
cleanup:
    bench_system_destroy(out);
    return status;
}

void bench_system_destroy(BenchSystem **system) {
    BenchSystem *s = *system;
    if (!s) return;
    for (int n = 0; n < 8; n++) {
        if (s->flat)
            field2_destroy(s->grid, &s->field[n]);
        else
            field3_destroy(s->grid, &s->field[n]);
    }
    memory_free(s);
    *system = NULL;
}

Status bench_box_create(MPI_Comm comm, int nx, int ny, int nz, Grid **out) {
    const size_t cells = (size_t)nx * ny;
    double *bed = ALLOCATE(cells, double), *area = ALLOCATE(cells, double);
    double *west = ALLOCATE((size_t)(nx + 1) * ny, double), *south = ALLOCATE((size_t)(ny + 1) * nx, double);
    double *interfaces = ALLOCATE(nz + 1, double);
    for (int k = 0; k <= nz; k++) interfaces[k] = k - nz;
    for (size_t m = 0; m < cells; m++) {
        bed[m] = -nz;
        area[m] = 1;
    }
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            west[(size_t)j * (nx + 1) + i] = i > 0;
            south[(size_t)j * nx + i] = j > 0;
        }
    const Axes axes = {.nx = nx, .ny = ny, .nz = nz, .step_x = 1, .step_y = 1, .interfaces = interfaces};
    const GridGround ground = {.bed = bed, .wet_area = area, .open_west = west, .open_south = south};
    const Status status = grid_create(comm, &axes, &ground, NULL, out);
    memory_free(bed);
    memory_free(area);
    memory_free(west);
    memory_free(south);
    memory_free(interfaces);
    return status;
}

Status bench_azov_create(MPI_Comm comm, double dx, double dz, Grid **out) {
    Overrides overrides = {0};
    Scenario *scenario = NULL;
    char *note = NULL, *path, of_dx[64], of_dz[64];
    snprintf(of_dx, sizeof of_dx, "/grid/dx_m=%.17g", dx);
    snprintf(of_dz, sizeof of_dz, "/grid/levels/dz_m=%.17g", dz);
    TRY(overrides_add(&overrides, of_dx));
    TRY(overrides_add(&overrides, of_dz));
    TRY(data_find("scenarios/azov_storm_2014.json", &path));
    const Status loaded = scenario_load(comm, path, &overrides, &scenario);
    memory_free(path);
    TRY(loaded);
    const Status status = terrain_create(scenario, comm, (Exec){.device = DEVICE_CPU}, NULL, out, &note);
    memory_free(note);
    scenario_destroy(&scenario);
    return status;
}
