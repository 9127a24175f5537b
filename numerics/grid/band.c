/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/band.h"

#include "base/memory.h"
#include <string.h>

Band band_alone(int rows) {
    return (Band){.comm = MPI_COMM_NULL,
                  .ranks = 1,
                  .bands = 1,
                  .rows = rows,
                  .whole = rows,
                  .is_first = true,
                  .is_last = true};
}

Band band_of(MPI_Comm comm, int rows, int most) {
    Band b = {.comm = comm, .whole = rows};
    MPI_Comm_rank(comm, &b.rank);
    MPI_Comm_size(comm, &b.ranks);
    b.bands = b.ranks < most ? b.ranks : most < 1 ? 1 : most;
    const int n = b.rank < b.bands ? b.rank : b.bands;
    b.first = (int)((int64_t)rows * n / b.bands);
    b.rows = n < b.bands ? (int)((int64_t)rows * (n + 1) / b.bands) - b.first : 0;
    b.is_first = n == 0;
    b.is_last = n == b.bands - 1;
    return b;
}

void band_add(const Band *band, int count, int64_t *values) {
    if (band->comm != MPI_COMM_NULL)
        MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, band->comm);
}

int64_t band_least(const Band *band, int64_t value) {
    if (band->comm != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MIN, band->comm);
    return value;
}

double band_least_number(const Band *band, double value) {
    if (band->comm != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, band->comm);
    return value;
}

void band_rows_beside(const Band *band, bool around, size_t bytes, const void *first_row,
                      const void *last_row, void *south, void *north) {
    if (band->rows == 0) return;
    memcpy(south, around && band->is_last ? last_row : first_row, bytes);
    memcpy(north, around && band->is_first ? first_row : last_row, bytes);
    if (band->bands == 1) return;
    const int below = band->rank > 0 ? band->rank - 1 : around ? band->bands - 1 : MPI_PROC_NULL;
    const int above = !band->is_last ? band->rank + 1 : around ? 0 : MPI_PROC_NULL;
    MPI_Datatype row;
    MPI_Type_contiguous((int)bytes, MPI_BYTE, &row);
    MPI_Type_commit(&row);
    MPI_Sendrecv(last_row, 1, row, above, 0, south, 1, row, below, 0, band->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(first_row, 1, row, below, 1, north, 1, row, above, 1, band->comm, MPI_STATUS_IGNORE);
    MPI_Type_free(&row);
}

/* The places of messages of these sizes, one after the other; to be freed. */
static int *places_of(const int *sizes, int ranks, size_t *all) {
    int *places = ALLOCATE(ranks, int);
    *all = 0;
    for (int n = 0; n < ranks; n++) {
        places[n] = (int)*all;
        *all += (size_t)sizes[n];
    }
    return places;
}

void *band_gather(const Band *band, const void *own, size_t bytes, int **sizes) {
    const int size = (int)bytes;
    size_t all = bytes;
    int *places = NULL;
    char *out = NULL;
    *sizes = band->rank == 0 ? ALLOCATE(band->ranks, int) : NULL;
    if (band->comm == MPI_COMM_NULL) {
        (*sizes)[0] = size;
        out = ALLOCATE(bytes + 1, char);
        if (bytes > 0) memcpy(out, own, bytes);
        return out;
    }
    MPI_Gather(&size, 1, MPI_INT, *sizes, 1, MPI_INT, 0, band->comm);
    if (band->rank == 0) {
        places = places_of(*sizes, band->ranks, &all);
        out = ALLOCATE(all + 1, char);
    }
    MPI_Gatherv(own, size, MPI_BYTE, out, *sizes, places, MPI_BYTE, 0, band->comm);
    memory_free(places);
    return out;
}

void band_scatter(const Band *band, const void *all, void *own, size_t bytes) {
    const int size = (int)bytes;
    size_t sum;
    int *sizes = NULL, *places = NULL;
    if (band->comm == MPI_COMM_NULL) {
        if (bytes > 0) memcpy(own, all, bytes);
        return;
    }
    if (band->rank == 0) sizes = ALLOCATE(band->ranks, int);
    MPI_Gather(&size, 1, MPI_INT, sizes, 1, MPI_INT, 0, band->comm);
    if (band->rank == 0) places = places_of(sizes, band->ranks, &sum);
    MPI_Scatterv(all, sizes, places, MPI_BYTE, own, size, MPI_BYTE, 0, band->comm);
    memory_free(sizes);
    memory_free(places);
}

void band_tell(const Band *band, void *what, size_t bytes) {
    if (band->comm != MPI_COMM_NULL) MPI_Bcast(what, (int)bytes, MPI_BYTE, 0, band->comm);
}
