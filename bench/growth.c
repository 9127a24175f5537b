/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench growth: what a solve costs per wet cell as the grid grows, on boxes of water:
 *
 *     surface    one layer, waves of 42 cells a step; conjugate gradients with pivots
 *     lines      20 levels, vertical couplings 1e4 times the others; conjugate gradients with lines
 *     grids      cells alike in all directions between walls that hold 0; many grids
 */
#include "base/log.h"
#include "bench/bench.h"
#include "bench/systems.h"
#include <inttypes.h>

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
    for (ptrdiff_t c = 0; c < grid->size2 && levels < size[2]; c++) {
        double *const beds[] = {grid->bed, grid->bed_u, grid->bed_v};
        for (int b = 0; b < 3; b++) beds[b][c - grid->origin2] = -size[2];
    }
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

Status bench_growth(MPI_Comm comm) {
    int ranks;
    MPI_Comm_size(comm, &ranks);
    log_info("%d rank%s: MATM to a residual of 1e-6", ranks, ranks == 1 ? "" : "s");
    for (int k = 0; k < KINDS; k++)
        for (int n = 0; n < SIZES; n++) TRY(measure(comm, &BOXES[k], NAMES[k], n));
    return STATUS_OK;
}
