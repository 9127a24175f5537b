/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/coarse_grid.h"

#include "base/memory.h"
#include "numerics/cluster/fragments.h"
#include <string.h>

enum { THIN = 8 };                 /* cells; the width of a vector */
static const int64_t SMALL = 4096; /* cells; a grid that messages about would cost more than its work */

/* A visit of a cycle to a grid: sweeps, and exchanges of edges along each direction that is cut. */
static const double SWEEPS = 4, EXCHANGES = 5;
/* Giving a grid to others and taking the correction back, in messages. */
static const double HANDING_OVER = 10;

static int half(int n) {
    return (n + 1) / 2;
}

static int *halve_cuts(int count, const int *from) {
    int *to = ALLOCATE(count, int);
    for (int n = 0; n < count; n++) to[n] = half(from[n]);
    return to;
}

static int *copy(int count, const int *from) {
    int *to = ALLOCATE(count, int);
    memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static void fill(Grid *g, int n1, int n2, int n3) {
    g->n1 = n1;
    g->n2 = n2;
    g->n3 = n3;
    g->row = n1;
    g->plane = (ptrdiff_t)n1 * n2;
    g->bottom_c = ALLOCATE((size_t)n1 * n2 + 1, double);
    g->columns.elements = (int64_t)n1 * n2;
    g->cells.elements = (int64_t)n1 * n2 * n3;
}

/* The cells of rank (p, q). */
static void fill_own(Grid *g, int p, int q, int n3) {
    const Decomposition *d = &g->decomposition;
    const int *cut_x = decomposition_cut_x(d, q) + p, *cut_y = d->cut_y + q;
    g->i_first = cut_x[0];
    g->j_first = cut_y[0];
    fill(g, cut_x[1] - cut_x[0], cut_y[1] - cut_y[0], n3);
}

Grid coarse_grid_halved(const Grid *fine, bool levels) {
    const Decomposition *d = &fine->decomposition;
    Grid g = {.nx = half(fine->nx), .ny = half(fine->ny), .comm = fine->comm};
    g.decomposition = *d;
    g.decomposition.first = copy(d->ranks_y + 1, d->first);
    g.decomposition.cut_x = halve_cuts(decomposition_ranks(d) + d->ranks_y, d->cut_x);
    g.decomposition.cut_y = halve_cuts(d->ranks_y + 1, d->cut_y);
    g.decomposition.patch = 0;
    decomposition_find_sides(&g.decomposition);
    g.axes.periodic_x = fine->axes.periodic_x;
    g.axes.periodic_y = fine->axes.periodic_y;
    fill_own(&g, d->rank_x, d->rank_y, levels ? half(fine->n3) : fine->n3);
    return g;
}

/* ---- fewer ranks ---- */

static bool is_thin(const Decomposition *d) {
    bool is = false;
    for (int q = 0; q < d->ranks_y; q++) {
        const int *cut_x = decomposition_cut_x(d, q);
        is = is || d->cut_y[q + 1] - d->cut_y[q] < THIN;
        const int count = d->first[q + 1] - d->first[q];
        for (int p = 0; p < count; p++) is = is || cut_x[p + 1] - cut_x[p] < THIN;
    }
    return is;
}

static int most_parts(int cells, int ranks) {
    const int most = cells / THIN;
    return most < 1 ? 1 : most < ranks ? most : ranks;
}

/* By ranks that stand in a rectangle. */
static double visit(int ranks_x, int ranks_y, double cells, double message) {
    const int cut = (ranks_x > 1) + (ranks_y > 1);
    const SweepShape sweep = {
        .chain = {ranks_x, ranks_y}, .work = cells / ((double)ranks_x * ranks_y), .message = message};
    return SWEEPS * sweep_cost(&sweep) + EXCHANGES * cut * message;
}

/* What a message costs beside its length, in cells that could have been swept meanwhile: between those who are farthest. */
static double message_in_cells(const Decomposition *d) {
    const Machine *m = &d->machine;
    return 1e3 * m->link[machine_link(m->node, 0, decomposition_ranks(d) - 1)].latency_us / m->sweep_ns;
}

bool coarse_grid_fewer(const Grid *g, int levels, int shape[2]) {
    const Decomposition *d = &g->decomposition;
    const int64_t cells = (int64_t)g->nx * g->ny * levels;
    const double message = message_in_cells(d);
    shape[0] = shape[1] = 1;
    if (decomposition_ranks(d) == 1) return false;
    if (cells <= SMALL) return true;
    int most = 1; /* in a strip */
    for (int q = 0; q < d->ranks_y; q++)
        most = d->first[q + 1] - d->first[q] > most ? d->first[q + 1] - d->first[q] : most;
    double least = visit(1, 1, (double)cells, message);
    for (int q = 1; q <= most_parts(g->ny, d->ranks_y); q++)
        for (int p = 1; p <= most_parts(g->nx, most) && p * q <= decomposition_ranks(d); p++) {
            const double cost = visit(p, q, (double)cells, message);
            if (cost >= least) continue;
            least = cost;
            shape[0] = p, shape[1] = q;
        }
    return is_thin(d) || least + HANDING_OVER * message < visit(most, d->ranks_y, (double)cells, message);
}

/* Parts alike, of whole groups of THIN cells. */
static void cut_evenly(int cells, int parts, int *cut) {
    for (int n = 0; n <= parts; n++) cut[n] = (int)((int64_t)(cells / THIN) * n / parts) * THIN;
    cut[parts] = cells;
}

bool coarse_grid_is_everywhere(const Decomposition *fewer) {
    return decomposition_ranks(fewer) == 1;
}

int coarse_grid_worker(const Decomposition *all, const Decomposition *fewer, int n) {
    const int px = fewer->first[1], p = n % px, strip = n / px * all->ranks_y / fewer->ranks_y;
    if (!cuts_alike(all->first, all->ranks_y))
        return (int)((int64_t)n * decomposition_ranks(all) / decomposition_ranks(fewer));
    return all->first[strip] + p * all->ranks_x / px;
}

/* This rank's number among the fewer ones; -1: it rests. */
static int place_of(const Decomposition *all, const Decomposition *fewer) {
    const int rank = all->first[all->rank_y] + all->rank_x;
    for (int n = 0; n < decomposition_ranks(fewer); n++)
        if (coarse_grid_worker(all, fewer, n) == rank) return n;
    return -1;
}

Grid coarse_grid_of_fewer(const Grid *grid, const int shape[2]) {
    Grid g = {.nx = grid->nx, .ny = grid->ny, .comm = MPI_COMM_NULL};
    Decomposition *d = &g.decomposition;
    *d = (Decomposition){.ranks_x = shape[0], .ranks_y = shape[1], .straight = true};
    d->first = ALLOCATE(shape[1] + 1, int);
    for (int q = 0; q <= shape[1]; q++) d->first[q] = q * shape[0];
    /* whichever of them work */
    const Machine *m = &grid->decomposition.machine;
    d->machine = *m;
    d->machine.link[LINK_INSIDE] =
        m->link[machine_link(m->node, 0, decomposition_ranks(&grid->decomposition) - 1)];
    d->machine.node = NULL;
    d->cut_x = ALLOCATE((shape[0] + 1) * shape[1], int);
    d->cut_y = ALLOCATE(shape[1] + 1, int);
    for (int q = 0; q < shape[1]; q++) cut_evenly(g.nx, shape[0], d->cut_x + q * (shape[0] + 1));
    cut_evenly(g.ny, shape[1], d->cut_y);
    g.axes.periodic_x = grid->axes.periodic_x;
    g.axes.periodic_y = grid->axes.periodic_y;
    const bool everywhere = coarse_grid_is_everywhere(d);
    const int place = everywhere ? 0 : place_of(&grid->decomposition, d);
    if (everywhere)
        g.comm = MPI_COMM_SELF;
    else
        MPI_Comm_split(grid->comm, place < 0 ? MPI_UNDEFINED : 0, place, &g.comm);
    if (place < 0) return g;
    decomposition_find_neighbours(d, place, g.axes.periodic_x, g.axes.periodic_y);
    fill_own(&g, d->rank_x, d->rank_y, grid->n3);
    return g;
}

void coarse_grid_release(Grid *g) {
    memory_free(g->bottom_c);
    memory_free(g->decomposition.first);
    memory_free(g->decomposition.cut_x);
    memory_free(g->decomposition.cut_y);
}
