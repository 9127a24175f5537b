/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/making.h"

#include <string.h>

/* Of two cells, is the first to be named before the second? Of equal ones the southern, then the western one, on any number of ranks. */
static bool before(const SubgridDivided *a, const SubgridDivided *b) {
    if (a->area != b->area) return a->area > b->area;
    return a->j != b->j ? a->j < b->j : a->i < b->i;
}

void divided_note(SubgridDivided worst[DIVIDED_NAMED], SubgridDivided cell) {
    int at = DIVIDED_NAMED;
    while (at > 0 && before(&cell, &worst[at - 1])) at--;
    if (at == DIVIDED_NAMED) return;
    memmove(worst + at + 1, worst + at, (size_t)(DIVIDED_NAMED - 1 - at) * sizeof *worst);
    worst[at] = cell;
}

void divided_share(MPI_Comm comm, SubgridDivided worst[DIVIDED_NAMED]) {
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    SubgridDivided own[DIVIDED_NAMED];
    memcpy(own, worst, sizeof own);
    for (int r = 0; r < ranks; r++) {
        SubgridDivided theirs[DIVIDED_NAMED];
        memcpy(theirs, own, sizeof theirs);
        MPI_Bcast(theirs, sizeof theirs, MPI_BYTE, r, comm);
        for (int n = 0; r != rank && n < DIVIDED_NAMED && theirs[n].area > 0; n++)
            divided_note(worst, theirs[n]);
    }
}
