/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
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
    int ranks;
    MPI_Comm_size(comm, &ranks);
    SubgridDivided *all = ALLOCATE(ranks * DIVIDED_NAMED, SubgridDivided);
    const int bytes = DIVIDED_NAMED * (int)sizeof *all;
    MPI_Allgather(worst, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm);
    memset(worst, 0, (size_t)bytes);
    for (int n = 0; n < ranks * DIVIDED_NAMED; n++)
        if (all[n].area > 0) divided_note(worst, all[n]);
    memory_free(all);
}
