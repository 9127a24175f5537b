/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/decomposition.h"

#include "base/memory.h"
#include "gpu/kernel.h"
#include <string.h>

/* The cost of one column of an edge, in columns of full depth: in every step some fields are packed, sent,
 * received and unpacked there, HALO wide, in all levels, whether there is water or land. An estimate, from the
 * 0.2 kB a level that the storm of the Azov Sea sends on one side. */
static const double EDGE_IN_COLUMNS = 0.5;

/* The surface's sweeps of a step, some 14, each with a message of 1 us to the next rank, in units of work of 0.1 us:
 * an estimate for today's networks. */
static const double STAGE = 140;

CutProblem decomposition_problem(int nx, int ny, double deepest, const double *weight,
                                 const CutWishes *wishes) {
    return (CutProblem){.nx = nx,
                        .ny = ny,
                        .weight = weight,
                        .grain = BLOCK,
                        .thinnest = HALO,
                        .edge = EDGE_IN_COLUMNS * deepest,
                        .swept = wishes->swept,
                        .stage = STAGE,
                        .speed = wishes->speed};
}

static int most_along_x(int nx) {
    return cuts_most_parts(nx, BLOCK, HALO);
}
static int most_along_y(int ny) {
    return cuts_most_parts(ny, HALO, HALO);
}

int decomposition_most_ranks(int ranks, int nx, int ny) {
    for (int n = ranks; n > 1; n--)
        for (int px = 1; px <= n && px <= most_along_x(nx); px++)
            if (n % px == 0 && n / px <= most_along_y(ny)) return n;
    return 1;
}

static int neighbour(const Decomposition *d, int x, int y, const CutProblem *problem) {
    if (problem->periodic_x) x = (x + d->ranks_x) % d->ranks_x;
    if (problem->periodic_y) y = (y + d->ranks_y) % d->ranks_y;
    if (x < 0 || x >= d->ranks_x || y < 0 || y >= d->ranks_y) return MPI_PROC_NULL;
    return y * d->ranks_x + x;
}

Status decomposition_create(MPI_Comm comm, const CutProblem *problem, const CutWishes *wishes,
                            Decomposition *out) {
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    const int asked = wishes->ranks_x * wishes->ranks_y;
    CHECK((wishes->ranks_x == 0 && wishes->ranks_y == 0) || asked == ranks, STATUS_BAD_INPUT,
          "solver.ranks requests %d x %d ranks, but the run has %d: use -n %d or leave solver.ranks out",
          wishes->ranks_x, wishes->ranks_y, ranks, asked);
    int *cuts = ALLOCATE(2 * (ranks + 2), int), shape[2] = {0, 0};
    if (rank == 0) {
        Cuts found;
        if (cuts_find(problem, ranks, wishes->ranks_x, wishes->ranks_y, &found)) {
            shape[0] = found.ranks_x, shape[1] = found.ranks_y;
            memcpy(cuts, found.x, (size_t)(shape[0] + 1) * sizeof *cuts);
            memcpy(cuts + shape[0] + 1, found.y, (size_t)(shape[1] + 1) * sizeof *cuts);
        }
        cuts_release(&found);
    }
    MPI_Bcast(shape, 2, MPI_INT, 0, comm);
    MPI_Bcast(cuts, 2 * (ranks + 2), MPI_INT, 0, comm);
    if (shape[0] == 0) {
        const int fitting = decomposition_most_ranks(ranks, problem->nx, problem->ny);
        memory_free(cuts);
        return error_raise(
            STATUS_BAD_INPUT,
            "a grid of %d x %d cells cannot be shared by %d ranks: every rank needs a rectangle "
            "of at least %d columns and %d rows; use -n %d%s",
            problem->nx, problem->ny, ranks, BLOCK, HALO, fitting,
            asked > 0 ? " or leave solver.ranks out" : "");
    }
    *out = (Decomposition){.ranks_x = shape[0], .ranks_y = shape[1]};
    out->rank_x = rank % out->ranks_x;
    out->rank_y = rank / out->ranks_x;
    out->cut_x = cuts;
    out->cut_y = cuts + out->ranks_x + 1;
    out->west = neighbour(out, out->rank_x - 1, out->rank_y, problem);
    out->east = neighbour(out, out->rank_x + 1, out->rank_y, problem);
    out->south = neighbour(out, out->rank_x, out->rank_y - 1, problem);
    out->north = neighbour(out, out->rank_x, out->rank_y + 1, problem);
    return STATUS_OK;
}

void decomposition_release(Decomposition *decomposition) {
    memory_free(decomposition->cut_x); /* cut_y lies in the same block */
    *decomposition = (Decomposition){0};
}
