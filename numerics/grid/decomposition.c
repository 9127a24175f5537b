/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/decomposition.h"

#include "base/memory.h"
#include "gpu/kernel.h"
#include <stdlib.h>
#include <string.h>

/* Into how many parts n cells can be cut at multiples of `grain`, none thinner than a halo. */
static int most_parts(int n, int grain) {
    return n <= grain ? 1 : (n - HALO) / grain + 1;
}

/* Cuts n cells with the given weights into `parts` of even weight, at multiples of `grain`. */
static void cut_evenly(int n, const double *weight, int parts, int grain, int *cut) {
    int grains = most_parts(n, grain);
    double total = 0, sum = 0;
    for (int i = 0; i < n; i++) total += weight[i];
    cut[0] = 0;
    int position = 0; /* in grains */
    for (int p = 1; p < parts; p++) {
        double wanted = total * p / parts;
        int last = grains - (parts - p);
        int least = cut[p - 1] / grain + 1;
        while (position < last) {
            double step = 0;
            for (int i = position * grain; i < (position + 1) * grain && i < n; i++) step += weight[i];
            if (position >= least && sum + 0.5 * step > wanted) break;
            sum += step;
            position++;
        }
        cut[p] = position * grain;
    }
    cut[parts] = n;
}

static double busiest(int nx, const double *weight, int px, int py, const int *cut_x, const int *cut_y) {
    double worst = 0;
    for (int q = 0; q < py; q++)
        for (int p = 0; p < px; p++) {
            double work = 0;
            for (int j = cut_y[q]; j < cut_y[q + 1]; j++)
                for (int i = cut_x[p]; i < cut_x[p + 1]; i++) work += weight[(size_t)j * nx + i];
            /* what the halos cost beside the columns' own work, in the same unit: a guess that breaks ties */
            double rim = (px > 1 ? cut_y[q + 1] - cut_y[q] : 0) + (py > 1 ? cut_x[p + 1] - cut_x[p] : 0);
            if (work + rim > worst) worst = work + rim;
        }
    return worst;
}

/* On rank 0: the best shape among those allowed; ranks_x = 0 on return if there is none. */
static void choose(int ranks, int nx, int ny, const double *weight, int *ranks_x, int *ranks_y, int *cuts) {
    int best_x = 0;
    double best = 0;
    double *weight_x = ALLOCATE(nx, double), *weight_y = ALLOCATE(ny, double);
    int *trial = ALLOCATE(2 * (ranks + 2), int);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            weight_x[i] += weight[(size_t)j * nx + i];
            weight_y[j] += weight[(size_t)j * nx + i];
        }
    for (int px = 1; px <= ranks; px++) {
        int py = ranks / px;
        if (px * py != ranks || px > most_parts(nx, BLOCK) || py > most_parts(ny, HALO)) continue;
        if (*ranks_x > 0 && px != *ranks_x) continue;
        cut_evenly(nx, weight_x, px, BLOCK, trial);
        cut_evenly(ny, weight_y, py, HALO, trial + px + 1);
        double work = busiest(nx, weight, px, py, trial, trial + px + 1);
        if (best_x == 0 || work < best) {
            best = work;
            best_x = px;
            memcpy(cuts, trial, (size_t)(px + py + 2) * sizeof *cuts);
        }
    }
    *ranks_x = best_x;
    *ranks_y = best_x ? ranks / best_x : 0;
    memory_free(weight_x);
    memory_free(weight_y);
    memory_free(trial);
}

int decomposition_most_ranks(int ranks, int nx, int ny) {
    for (int n = ranks; n > 1; n--)
        for (int px = 1; px <= n && px <= most_parts(nx, BLOCK); px++)
            if (n % px == 0 && n / px <= most_parts(ny, HALO)) return n;
    return 1;
}

static int neighbour(const Decomposition *d, int x, int y, bool periodic_x, bool periodic_y) {
    if (periodic_x) x = (x + d->ranks_x) % d->ranks_x;
    if (periodic_y) y = (y + d->ranks_y) % d->ranks_y;
    if (x < 0 || x >= d->ranks_x || y < 0 || y >= d->ranks_y) return MPI_PROC_NULL;
    return y * d->ranks_x + x;
}

Status decomposition_create(MPI_Comm comm, int nx, int ny, const double *weight, bool periodic_x,
                            bool periodic_y, int ranks_x, int ranks_y, Decomposition *out) {
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    CHECK((ranks_x == 0 && ranks_y == 0) || ranks_x * ranks_y == ranks, STATUS_BAD_INPUT,
          "solver.ranks requests %d x %d ranks, but the run has %d: use -n %d or leave solver.ranks out",
          ranks_x, ranks_y, ranks, ranks_x * ranks_y);
    int *cuts = ALLOCATE(2 * (ranks + 2), int), shape[2] = {ranks_x, ranks_y};
    if (rank == 0) choose(ranks, nx, ny, weight, &shape[0], &shape[1], cuts);
    MPI_Bcast(shape, 2, MPI_INT, 0, comm);
    MPI_Bcast(cuts, 2 * (ranks + 2), MPI_INT, 0, comm);
    if (shape[0] == 0) {
        int fitting = decomposition_most_ranks(ranks, nx, ny);
        memory_free(cuts);
        return error_raise(
            STATUS_BAD_INPUT,
            "a grid of %d x %d cells cannot be shared by %d ranks: every rank needs a rectangle "
            "of at least %d columns and %d rows; use -n %d%s",
            nx, ny, ranks, BLOCK, HALO, fitting, ranks_x > 0 ? " or leave solver.ranks out" : "");
    }
    *out = (Decomposition){.ranks_x = shape[0], .ranks_y = shape[1]};
    out->rank_x = rank % out->ranks_x;
    out->rank_y = rank / out->ranks_x;
    out->cut_x = cuts;
    out->cut_y = cuts + out->ranks_x + 1;
    out->west = neighbour(out, out->rank_x - 1, out->rank_y, periodic_x, periodic_y);
    out->east = neighbour(out, out->rank_x + 1, out->rank_y, periodic_x, periodic_y);
    out->south = neighbour(out, out->rank_x, out->rank_y - 1, periodic_x, periodic_y);
    out->north = neighbour(out, out->rank_x, out->rank_y + 1, periodic_x, periodic_y);
    return STATUS_OK;
}

void decomposition_release(Decomposition *decomposition) {
    memory_free(decomposition->cut_x); /* cut_y lies in the same block */
    *decomposition = (Decomposition){0};
}
