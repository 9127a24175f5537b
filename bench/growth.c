/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench growth: the cost of a solve per wet cell as the grid grows, on boxes of water and on real
 * coasts:
 *
 *     surface    one layer, waves of 42 cells a step; conjugate gradients with pivots
 *     lines      20 levels, vertical couplings 1e4 times the others; conjugate gradients with lines
 *     coasts     one layer of the Azov Sea in cells of 2000 to 250 m; long waves cross 2 to 200 of them a step
 *     grids      isotropic cells between walls that hold 0; many grids
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/systems.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct Box {
    BenchKind kind;
    double parameter; /* dt [s], or the vertical couplings */
    int size[4][3];
} Box;

enum { SIZES = 4, KINDS = 3 };

static const char *const NAMES[KINDS] = {"surface", "lines", "grids"};
static const Box BOXES[KINDS] = {
    {BENCH_SURFACE, 3, {{100, 100, 20}, {316, 316, 20}, {1000, 1000, 20}, {3162, 3162, 20}}},
    {BENCH_POISSON, 1e4, {{22, 22, 20}, {71, 71, 20}, {224, 224, 20}, {707, 707, 20}}},
    {BENCH_POISSON, 1, {{22, 22, 22}, {46, 46, 46}, {100, 100, 100}, {224, 224, 200}}},
};

/* On a grid of one level, the depth of 20 m is one layer. */
static Status measure(MPI_Comm comm, const Box *box, const char *name, int n) {
    const int *size = box->size[n], levels = box->kind == BENCH_SURFACE ? 1 : size[2];
    Grid *grid = NULL;
    BenchSystem *s = NULL;
    Status status;
    BenchMeasured m;
    int64_t columns, cells;
    ATTEMPT(bench_box_create(comm, size[0], size[1], levels, &grid));
    double *const beds[] = {grid->bed, grid->bed_u, grid->bed_v};
    for (int b = 0; b < 3 && levels < size[2]; b++) field2_fill(grid, beds[b], -size[2]);
    ATTEMPT(bench_system_create(grid, box->kind, box->parameter, &s));
    ATTEMPT(bench_matm(s, (MatmOptions){0}, 1e-6, &m, NULL));
    grid_count(grid, &columns, &cells);
    log_info("  %-8s %9" PRId64
             " cells  %3d iterations  %9.3f ms  %7.1f ns per cell  set-up %6.1f ns per cell  "
             "residual %.1e",
             name, cells, m.iterations, 1e3 * m.solve_s, 1e9 * m.solve_s / (double)cells,
             1e9 * m.setup_s / (double)cells, m.residual);
cleanup:
    bench_system_destroy(&s);
    grid_destroy(&grid);
    return status;
}

/* ---- coasts ---- */

/* What one way of solving takes, as a word of a row. */
static Status append(const BenchSystem *s, const char *name, MatmOptions options, char **row) {
    BenchMeasured m;
    char *before = *row;
    TRY(bench_matm(s, options, 1e-10, &m, NULL));
    *row = memory_format("%s  %s %4d (%.2f ms)", before, name, m.iterations, 1e3 * m.solve_s);
    memory_free(before);
    return STATUS_OK;
}

static Status measure_coast(const Grid *grid, double dx, double deepest, double courant) {
    BenchSystem *s = NULL;
    char *row = memory_format("  coasts %5.0f m, Courant %3.0f:", dx, courant);
    Status status;
    ATTEMPT(bench_system_create(grid, BENCH_SURFACE, courant * dx / sqrt(9.81 * deepest), &s));
    ATTEMPT(append(s, "double", (MatmOptions){.precision = MATM_PRECISION_DOUBLE}, &row));
    ATTEMPT(append(s, "single", (MatmOptions){.precision = MATM_PRECISION_SINGLE}, &row));
    ATTEMPT(append(s, "pivots", (MatmOptions){.diagonal = MATM_D_PIVOTS}, &row));
    log_info("%s", row);
cleanup:
    memory_free(row);
    bench_system_destroy(&s);
    return status;
}

/* The Azov Sea in one layer; of the deepest water the Courant number of long waves. */
static Status measure_coasts(MPI_Comm comm, double dx) {
    static const double courant[] = {2, 10, 20, 29, 59, 100, 200};
    Grid *grid = NULL;
    Status status = STATUS_OK;
    double deepest = 0;
    TRY(bench_azov_create(comm, dx, 14, &grid));
    for (int n = 0; n < grid->columns.count; n++)
        for (int i = grid->columns.run[n].i0; i < grid->columns.run[n].i1; i++)
            deepest = fmax(deepest, -grid->bed[AT2(*grid, i, grid->columns.run[n].j)]);
    MPI_Allreduce(MPI_IN_PLACE, &deepest, 1, MPI_DOUBLE, MPI_MAX, comm);
    for (size_t c = 0; c < sizeof courant / sizeof *courant && status == STATUS_OK; c++)
        status = measure_coast(grid, dx, deepest, courant[c]);
    grid_destroy(&grid);
    return status;
}

Status bench_growth(MPI_Comm comm, const char *const *names, int count) {
    int ranks;
    for (int n = 0; n < count; n++) {
        bool known = strstr("coasts", names[n]);
        for (int k = 0; k < KINDS; k++) known = known || strstr(NAMES[k], names[n]);
        CHECK(known, STATUS_BAD_INPUT,
              "bench growth: nothing's name contains \"%s\" (see ./maeotis bench --help)", names[n]);
    }
    MPI_Comm_size(comm, &ranks);
    log_info("%d process%s: MATM to a residual of 1e-6", ranks, ranks == 1 ? "" : "es");
    for (int k = 0; k < KINDS; k++)
        for (int n = 0; n < SIZES && bench_wanted(NAMES[k], names, count); n++)
            TRY(measure(comm, &BOXES[k], NAMES[k], n));
    if (!bench_wanted("coasts", names, count)) return STATUS_OK;
    log_info("coasts: iterations (and time) to a residual of 1e-10; pivots: alone");
    for (double dx = 2000; dx >= 250; dx /= 2) TRY(measure_coasts(comm, dx));
    return STATUS_OK;
}
