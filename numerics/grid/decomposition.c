/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/decomposition.h"

#include "base/memory.h"
#include "gpu/kernel.h"
#include <string.h>

/* The cost of one column of an edge, in columns of full depth: in every step some fields are packed, sent,
 * received and unpacked there, HALO wide. To the west and east each number lies in a cache line of its own, or nearly.
 * Estimates, from the 0.2 kB a level that the storm of the Azov Sea sends on one side where there is water. */
static const double EDGE_TO_WEST = 0.7, EDGE_TO_SOUTH = 0.25;

/* The surface's sweeps of a step, some 14, each with a message of 1 us to the next rank, in units of work of 0.1 us:
 * an estimate for today's networks. */
static const double STAGE = 140;

/* The exchanges of a step, some 28, each with a message of 1 us to and from one more neighbour. An estimate, too. */
static const double ONE_MORE = 280;

CutProblem decomposition_problem(int nx, int ny, double deepest, const double *weight,
                                 const CutWishes *wishes) {
    return (CutProblem){.nx = nx,
                        .ny = ny,
                        .weight = weight,
                        .kind = wishes->kind,
                        .grain = BLOCK,
                        .thinnest = HALO,
                        .patch = wishes->patch,
                        .edge = {EDGE_TO_WEST * deepest, EDGE_TO_SOUTH * deepest},
                        .swept = wishes->swept,
                        .stage = STAGE,
                        .neighbour = ONE_MORE,
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

/* ---- neighbours ---- */

static int along_x(const Decomposition *d, int x, bool periodic) {
    if (periodic) x = (x + d->ranks_x) % d->ranks_x;
    return x < 0 || x >= d->ranks_x ? MPI_PROC_NULL : d->rank_y * d->ranks_x + x;
}

/* The strip's ranks beside this one; a strip that does not exist has none. */
static DecompositionSide side_of(const Decomposition *d, int strip) {
    DecompositionSide side = {.strip = strip};
    if (strip < 0) return side;
    const int *own = decomposition_cut_x(d, d->rank_y) + d->rank_x;
    const int first = cuts_beside(decomposition_cut_x(d, strip), d->ranks_x, own[0], own[1], &side.count);
    side.first = strip * d->ranks_x + first;
    return side;
}

void decomposition_find_sides(Decomposition *d) {
    d->south = side_of(d, d->south.strip);
    d->north = side_of(d, d->north.strip);
}

static int strip_at(const Decomposition *d, int y, bool periodic) {
    if (periodic) y = (y + d->ranks_y) % d->ranks_y;
    return y < d->ranks_y ? y : -1;
}

void decomposition_find_neighbours(Decomposition *d, int rank, bool periodic_x, bool periodic_y) {
    d->rank_x = rank % d->ranks_x;
    d->rank_y = rank / d->ranks_x;
    d->west = along_x(d, d->rank_x - 1, periodic_x);
    d->east = along_x(d, d->rank_x + 1, periodic_x);
    d->south.strip = strip_at(d, d->rank_y - 1, periodic_y);
    d->north.strip = strip_at(d, d->rank_y + 1, periodic_y);
    decomposition_find_sides(d);
}

/* The columns that a rank takes from one beside it: those that they share, and behind an end of its own ones that the
 * other reaches, the margin, which the other owns or holds as a copy. */
static void taken(const int own[2], const int other[2], int margin, int out[2]) {
    out[0] = other[0] > own[0] ? other[0] : own[0] - margin;
    out[1] = other[1] < own[1] ? other[1] : own[1] + margin;
}

RankBeside decomposition_beside(const Decomposition *d, const DecompositionSide *side, int n, int margin) {
    const int *own = decomposition_cut_x(d, d->rank_y) + d->rank_x;
    RankBeside beside = {.rank = side->first + n};
    const int *other = decomposition_cut_x(d, side->strip) + beside.rank % d->ranks_x;
    taken(own, other, margin, beside.take);
    taken(other, own, margin, beside.give);
    for (int end = 0; end < 2; end++) beside.take[end] -= own[0], beside.give[end] -= own[0];
    return beside;
}

/* ---- cuts ---- */

/* Room for the cuts of any shape of so many ranks. */
static int most_cuts(int ranks) {
    return 4 * ranks + 4;
}

Status decomposition_create(MPI_Comm comm, const CutProblem *problem, const CutWishes *wishes,
                            Decomposition *out) {
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    const int asked = wishes->ranks_x * wishes->ranks_y;
    CHECK((wishes->ranks_x == 0 && wishes->ranks_y == 0) || asked == ranks, STATUS_BAD_INPUT,
          "/solver/processes requests %d x %d processes, but the run has %d: use -n %d or leave "
          "/solver/processes out",
          wishes->ranks_x, wishes->ranks_y, ranks, asked);
    int *cuts = ALLOCATE(most_cuts(ranks), int), shape[3] = {0, 0, 0};
    if (rank == 0) {
        Cuts found;
        if (cuts_find(problem, ranks, wishes->ranks_x, wishes->ranks_y, &found)) {
            const int along_x = (found.ranks_x + 1) * found.ranks_y;
            shape[0] = found.ranks_x, shape[1] = found.ranks_y, shape[2] = found.straight;
            memcpy(cuts, found.x, (size_t)along_x * sizeof *cuts);
            memcpy(cuts + along_x, found.y, (size_t)(shape[1] + 1) * sizeof *cuts);
        }
        cuts_release(&found);
    }
    MPI_Bcast(shape, 3, MPI_INT, 0, comm);
    MPI_Bcast(cuts, most_cuts(ranks), MPI_INT, 0, comm);
    if (shape[0] == 0) {
        const int fitting = decomposition_most_ranks(ranks, problem->nx, problem->ny);
        memory_free(cuts);
        return error_raise(STATUS_BAD_INPUT,
                           "a grid of %d x %d cells cannot be shared by %d processes: each needs a rectangle "
                           "of at least %d columns and %d rows; use -n %d%s",
                           problem->nx, problem->ny, ranks, BLOCK, HALO, fitting,
                           asked > 0 ? " or leave /solver/processes out" : "");
    }
    *out = (Decomposition){
        .ranks_x = shape[0], .ranks_y = shape[1], .straight = shape[2], .patch = wishes->patch};
    out->cut_x = cuts;
    out->cut_y = cuts + (out->ranks_x + 1) * out->ranks_y;
    decomposition_find_neighbours(out, rank, problem->periodic_x, problem->periodic_y);
    return STATUS_OK;
}

void decomposition_release(Decomposition *decomposition) {
    memory_free(decomposition->cut_x); /* cut_y lies in the same block */
    *decomposition = (Decomposition){0};
}
