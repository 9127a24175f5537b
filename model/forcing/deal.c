/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/deal.h"

#include "base/memory.h"

void deal_create(MPI_Comm comm, const int *own, int count, Deal *out) {
    Deal d = {.comm = comm, .count = count};
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank == 0) {
        d.counts = ALLOCATE(ranks, int);
        d.firsts = ALLOCATE(ranks, int);
    }
    MPI_Gather(&count, 1, MPI_INT, d.counts, 1, MPI_INT, 0, comm);
    for (int r = 0; rank == 0 && r < ranks; r++) {
        d.firsts[r] = d.total;
        d.total += d.counts[r];
    }
    if (rank == 0) {
        d.wanted = ALLOCATE(d.total + 1, int);
        d.packed = ALLOCATE(d.total + 1, double);
    }
    MPI_Gatherv(own, count, MPI_INT, d.wanted, d.counts, d.firsts, MPI_INT, 0, comm);
    *out = d;
}

void deal_send(const Deal *d, const double *map, double *own) {
    for (int n = 0; n < d->total; n++) d->packed[n] = map[d->wanted[n]];
    MPI_Scatterv(d->packed, d->counts, d->firsts, MPI_DOUBLE, own, d->count, MPI_DOUBLE, 0, d->comm);
}

void deal_free(Deal *d) {
    memory_free(d->wanted), memory_free(d->counts), memory_free(d->firsts), memory_free(d->packed);
    *d = (Deal){0};
}
