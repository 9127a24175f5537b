/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/rows.h"

#include <stdlib.h>

int peer_cells(const PeerSystem *s) {
    int cells = 1;
    for (int d = 0; d < s->dimensions; d++) cells *= s->upper[d] - s->lower[d] + 1;
    return cells;
}

static long cell_of(const PeerRows *r, const int at[3]) {
    return (at[0] + 1) * r->stride[0] + (at[1] + 1) * r->stride[1] + (at[2] + 1) * r->stride[2];
}

int peer_row_of(const PeerRows *r, int n) {
    const int at[3] = {n % r->size[0], n / r->size[0] % r->size[1], n / r->size[0] / r->size[1]};
    return r->number[cell_of(r, at)];
}

static void number_own(const PeerSystem *s, PeerRows *r) {
    int rank, all = 1;
    MPI_Comm_rank(s->comm, &rank);
    for (int d = 0; d < 3; d++) {
        r->size[d] = d < s->dimensions ? s->upper[d] - s->lower[d] + 1 : 1;
        r->stride[d] = all;
        all *= r->size[d] + 2;
    }
    r->number = malloc((size_t)all * sizeof *r->number);
    for (int n = 0; n < all; n++) r->number[n] = -1;
    const int cells = peer_cells(s);
    r->first = r->count = 0;
    for (int n = 0; n < cells; n++) r->count += s->wet[n];
    MPI_Exscan(&r->count, &r->first, 1, MPI_INT, MPI_SUM, s->comm);
    if (rank == 0) r->first = 0;
    int next = r->first;
    for (int c = 0; c < r->size[0] * r->size[1]; c++)
        for (int k = 0; k < r->size[2]; k++) {
            const int at[3] = {c % r->size[0], c / r->size[0], k};
            if (s->wet[c + k * r->size[0] * r->size[1]]) r->number[cell_of(r, at)] = next++;
        }
}

/* What a rank's box has, to whoever has a cell beside it: by broadcast, for it is not measured. */
static void learn_from(const PeerSystem *s, PeerRows *r, int from) {
    int rank, box[6];
    MPI_Comm_rank(s->comm, &rank);
    for (int d = 0; d < 3; d++) box[d] = s->lower[d], box[3 + d] = r->size[d];
    MPI_Bcast(box, 6, MPI_INT, from, s->comm);
    const int cells = box[3] * box[4] * box[5];
    int *theirs = malloc((size_t)cells * sizeof *theirs);
    for (int n = 0; n < cells && from == rank; n++) theirs[n] = peer_row_of(r, n);
    MPI_Bcast(theirs, cells, MPI_INT, from, s->comm);
    for (int n = 0; n < cells && from != rank; n++) {
        const int at[3] = {box[0] + n % box[3] - s->lower[0], box[1] + n / box[3] % box[4] - s->lower[1],
                           box[2] + n / box[3] / box[4] - s->lower[2]};
        bool near = true;
        for (int d = 0; d < 3; d++) near = near && at[d] >= -1 && at[d] <= r->size[d];
        if (near) r->number[cell_of(r, at)] = theirs[n];
    }
    free(theirs);
}

void peer_rows_create(const PeerSystem *s, PeerRows *r) {
    int ranks;
    MPI_Comm_size(s->comm, &ranks);
    number_own(s, r);
    for (int from = 0; from < ranks; from++) learn_from(s, r, from);
}

void peer_rows_release(PeerRows *r) {
    free(r->number);
}

int peer_row_entries(const PeerSystem *s, const PeerRows *r, int n, int column[PEER_ENTRIES],
                     double value[PEER_ENTRIES]) {
    const int dims = s->dimensions, entries = 1 + dims * (s->symmetric ? 1 : 2);
    const int at[3] = {n % r->size[0], n / r->size[0] % r->size[1], n / r->size[0] / r->size[1]};
    int count = 1;
    column[0] = peer_row_of(r, n);
    value[0] = s->values[(size_t)n * entries];
    for (int e = 1; e <= 2 * dims; e++) {
        int beside[3] = {at[0], at[1], at[2]};
        beside[(e - 1) % dims] += e <= dims ? -1 : 1;
        const double here =
            e < entries ? s->values[(size_t)n * entries + e] : s->right[(size_t)n * dims + e - 1 - dims];
        const int there = r->number[cell_of(r, beside)];
        if (here == 0 || there < 0) continue;
        column[count] = there;
        value[count++] = here;
    }
    return count;
}
