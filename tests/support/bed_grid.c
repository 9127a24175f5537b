/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/bed_grid.h"

#include "base/memory.h"
#include <string.h>

typedef struct Ground {
    double *bed, *wet, *west, *south;
    unsigned char *edge;
} Ground;

static Ground ground_allocate(const Axes *a) {
    const size_t nx = (size_t)a->nx, ny = (size_t)a->ny;
    Ground g = {ALLOCATE(nx * ny, double), ALLOCATE(nx * ny, double), ALLOCATE((nx + 1) * ny, double),
                ALLOCATE(nx * (ny + 1), double), ALLOCATE(nx + ny, unsigned char)};
    memset(g.edge, 1, nx + ny);
    return g;
}

static void ground_free(Ground *g) {
    memory_free(g->bed);
    memory_free(g->wet);
    memory_free(g->west);
    memory_free(g->south);
    memory_free(g->edge);
}

static bool wet(const Axes *a, BedAt *bed, int i, int j) {
    return bed(axes_wrap(i, a->nx), axes_wrap(j, a->ny)) < BED_GRID_LAND;
}

/* Beyond an edge lies what is on the other side of the sea: grid_create closes faces that nobody claims. */
static Ground ground_make(const Axes *a, BedAt *bed) {
    const Ground g = ground_allocate(a);
    for (int j = 0; j < a->ny; j++)
        for (int i = 0; i < a->nx; i++) {
            g.bed[j * a->nx + i] = bed(i, j);
            g.wet[j * a->nx + i] = wet(a, bed, i, j);
        }
    for (int j = 0; j < a->ny; j++)
        for (int i = 0; i <= a->nx; i++) {
            const int edge = i == 0 || i == a->nx, inner = i == a->nx ? i - 1 : i;
            g.west[j * (a->nx + 1) + i] =
                wet(a, bed, inner, j) && (wet(a, bed, i - 1, j) || (edge && !a->periodic_x));
        }
    for (int j = 0; j <= a->ny; j++)
        for (int i = 0; i < a->nx; i++) {
            const int edge = j == 0 || j == a->ny, inner = j == a->ny ? j - 1 : j;
            g.south[j * a->nx + i] =
                wet(a, bed, i, inner) && (wet(a, bed, i, j - 1) || (edge && !a->periodic_y));
        }
    return g;
}

static Status make(MPI_Comm comm, const Axes *axes, BedAt *bed, int open, const CutWishes *wishes,
                   Grid **out) {
    Ground g = ground_make(axes, bed);
    GridGround ground = {.bed = g.bed, .wet_area = g.wet, .open_west = g.west, .open_south = g.south};
    for (int n = 0; n < 4; n++)
        if (open & 1 << n) ground.open_edge[n] = g.edge;
    const Status status = grid_create(comm, axes, &ground, wishes, out);
    ground_free(&g);
    return status;
}

Status bed_grid_try(MPI_Comm comm, const Axes *axes, BedAt *bed, int open, Grid **out) {
    return make(comm, axes, bed, open, NULL, out);
}

Grid *bed_grid(MPI_Comm comm, const Axes *axes, BedAt *bed, int open) {
    return bed_grid_cut(comm, axes, bed, open, NULL);
}

Grid *bed_grid_cut(MPI_Comm comm, const Axes *axes, BedAt *bed, int open, const CutWishes *wishes) {
    Grid *grid = NULL;
    if (make(comm, axes, bed, open, wishes, &grid) != STATUS_OK) {
        error_report(comm);
        MPI_Abort(comm, 1);
    }
    return grid;
}
