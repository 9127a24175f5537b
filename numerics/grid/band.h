/* SPDX-License-Identifier: Apache-2.0
 *
 * Bands: how processes share maps of the whole grid before the grid is cut. Each has some whole rows, from south to
 * north in the order of the ranks; a small map has fewer bands than there are ranks, whose last have no rows.
 */
#ifndef MAEOTIS_NUMERICS_BAND_H
#define MAEOTIS_NUMERICS_BAND_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Band {
    MPI_Comm comm; /* MPI_COMM_NULL: one process, which has all rows and needs no MPI */
    int rank, ranks;
    int bands;              /* ranks that have rows */
    int first, rows;        /* this rank's */
    int whole;              /* rows of the map */
    bool is_first, is_last; /* this rank has the map's first row, its last one */
} Band;

Band band_alone(int rows);

/* At most so many bands. Local. */
Band band_of(MPI_Comm comm, int rows, int most);

/* Is global row j this rank's? Local. */
static inline bool band_has(const Band *band, int64_t j) {
    return j >= band->first && j < (int64_t)band->first + band->rows;
}

/* Sums, and the least, over all ranks. Collective. */
void band_add(const Band *band, int count, int64_t *values);
int64_t band_least(const Band *band, int64_t value);
double band_least_number(const Band *band, double value);

/* Rows of the ranks beside: `south` gets the last row of the band to the south, `north` the first one of the band to the
 * north, each of so many bytes. `around`: the map's first and last rows are neighbours; otherwise what lies beyond
 * them is a copy of them. Nothing is written on a rank without rows. Collective. */
void band_rows_beside(const Band *band, bool around, size_t bytes, const void *first_row,
                      const void *last_row, void *south, void *north);

/* What each rank has, one after the other on rank 0, where `sizes` gets the bytes of each rank; both are to be freed,
 * NULL on others. Collective. */
void *band_gather(const Band *band, const void *own, size_t bytes, int **sizes);

/* The reverse: to each rank its `bytes` of what rank 0 has one after the other. Collective. */
void band_scatter(const Band *band, const void *all, void *own, size_t bytes);

/* From rank 0. Collective. */
void band_tell(const Band *band, void *what, size_t bytes);

#endif
