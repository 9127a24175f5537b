/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/decomposition.h"

#include "base/memory.h"
#include "gpu/kernel.h"
#include <string.h>

/* Packing and unpacking a byte at an edge to the west or east, where each number lies in a cache line of its own, or
 * nearly, and to the south or north [ns]. What a step sends there on one side [bytes a level where there is water] and in how
 * many messages, and its sweeps: all as the storm of the Azov Sea does. */
static const double COPY_NS[2] = {0.25, 0.025}, EDGE_BYTES = 200, EXCHANGES = 28, SWEEPS = 14;

CutProblem decomposition_problem(int nx, int ny, double deepest, const double *weight,
                                 const CutWishes *wishes) {
    const Machine *machine = wishes->machine ? wishes->machine : &MACHINE_OF_TODAY;
    const double more = machine->sweep_and_step / MACHINE_OF_TODAY.sweep_and_step;
    const double column = deepest * EDGE_BYTES / machine->step_ns;
    CutProblem problem = {.nx = nx,
                          .ny = ny,
                          .weight = weight,
                          .kind = wishes->kind,
                          .grain = BLOCK,
                          .thinnest = HALO,
                          .patch = wishes->patch,
                          .edge = {COPY_NS[0] * column, COPY_NS[1] * column},
                          .swept = wishes->swept * more / (1 - wishes->swept + wishes->swept * more),
                          .speed = wishes->speed,
                          .node = machine->node,
                          .strips = wishes->strips,
                          .n_strips = wishes->n_strips};
    for (int n = 0; n < LINKS; n++) {
        const double message = 1e3 * machine->link[n].latency_us / machine->step_ns;
        problem.passing[n] = machine->link[n].ns_per_byte * column;
        problem.meeting[n] = EXCHANGES * message;
        problem.stage[n] = SWEEPS * message;
    }
    return problem;
}

Cuts decomposition_cuts(const Decomposition *d) {
    return (Cuts){.ranks_x = d->ranks_x,
                  .ranks_y = d->ranks_y,
                  .first = d->first,
                  .x = d->cut_x,
                  .y = d->cut_y,
                  .straight = d->straight};
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
    return x < 0 || x >= d->ranks_x ? MPI_PROC_NULL : d->first[d->rank_y] + x;
}

/* The strip's ranks beside this one; a strip that does not exist has none. */
static DecompositionSide side_of(const Decomposition *d, int strip) {
    DecompositionSide side = {.strip = strip};
    if (strip < 0) return side;
    const int *own = decomposition_cut_x(d, d->rank_y) + d->rank_x;
    const int count = d->first[strip + 1] - d->first[strip];
    side.first =
        d->first[strip] + cuts_beside(decomposition_cut_x(d, strip), count, own[0], own[1], &side.count);
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
    d->rank_y = cuts_strip_of(d->first, d->ranks_y, rank);
    d->rank_x = rank - d->first[d->rank_y];
    d->ranks_x = d->first[d->rank_y + 1] - d->first[d->rank_y];
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
    const int *other = decomposition_cut_x(d, side->strip) + beside.rank - d->first[side->strip];
    taken(own, other, margin, beside.take);
    taken(other, own, margin, beside.give);
    for (int end = 0; end < 2; end++) beside.take[end] -= own[0], beside.give[end] -= own[0];
    return beside;
}

/* ---- cuts ---- */

/* Room for the cuts of any shape of so many ranks, and for their nodes. */
static int most_cuts(int ranks) {
    return 5 * ranks + 3;
}

static int *append(int *to, const int *from, int count) {
    if (from) memcpy(to, from, (size_t)count * sizeof *to);
    return to + count;
}

/* All ranks get the cuts that the first one found: first, cut_x, cut_y, and nodes. Collective. */
static void share_cuts(MPI_Comm comm, int ranks, const Cuts *found, const CutWishes *wishes,
                       Decomposition *out) {
    int shape[3] = {found->ranks_y, found->straight, wishes->machine && wishes->machine->node};
    Machine machine = wishes->machine ? *wishes->machine : MACHINE_OF_TODAY;
    int *cuts = ALLOCATE(most_cuts(ranks), int), *end = cuts;
    if (found->x) {
        end = append(end, found->first, shape[0] + 1);
        end = append(end, found->x, ranks + shape[0]);
        end = append(end, found->y, shape[0] + 1);
        append(end, machine.node, ranks);
    }
    MPI_Bcast(shape, 3, MPI_INT, 0, comm);
    MPI_Bcast(cuts, most_cuts(ranks), MPI_INT, 0, comm);
    MPI_Bcast(&machine, sizeof machine, MPI_BYTE, 0, comm);
    machine.origin = wishes->machine ? wishes->machine->origin : MACHINE_OF_TODAY.origin;
    *out = (Decomposition){
        .ranks_y = shape[0], .straight = shape[1], .patch = wishes->patch, .machine = machine};
    out->first = cuts;
    out->cut_x = out->first + shape[0] + 1;
    out->cut_y = out->cut_x + ranks + shape[0];
    out->machine.node = shape[2] ? out->cut_y + shape[0] + 1 : NULL;
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
    Cuts found = {0};
    if (rank == 0 && !cuts_find(problem, ranks, wishes->ranks_x, wishes->ranks_y, &found)) found.ranks_y = 0;
    share_cuts(comm, ranks, &found, wishes, out);
    cuts_release(&found);
    if (out->ranks_y == 0) {
        const int fitting = decomposition_most_ranks(ranks, problem->nx, problem->ny);
        decomposition_release(out);
        return error_raise(STATUS_BAD_INPUT,
                           "a grid of %d x %d cells cannot be shared by %d processes: each needs a rectangle "
                           "of at least %d columns and %d rows; use -n %d%s",
                           problem->nx, problem->ny, ranks, BLOCK, HALO, fitting,
                           asked > 0 ? " without /solver/processes" : "");
    }
    decomposition_find_neighbours(out, rank, problem->periodic_x, problem->periodic_y);
    return STATUS_OK;
}

void decomposition_release(Decomposition *decomposition) {
    memory_free(decomposition->first); /* all cuts lie in its block */
    *decomposition = (Decomposition){0};
}
