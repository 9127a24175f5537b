/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank owns which cells: ranks_x x ranks_y rectangles, cut so that the work (weights per column) is
 * balanced. Cuts along x are multiples of BLOCK, so that vector blocks and reproducible partial sums never
 * straddle one.
 */
#ifndef MAEOTIS_NUMERICS_DECOMPOSITION_H
#define MAEOTIS_NUMERICS_DECOMPOSITION_H

#include "base/error.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Decomposition {
    int ranks_x, ranks_y;
    int *cut_x, *cut_y;           /* rank column p owns cells cut_x[p] <= i < cut_x[p+1] */
    int rank_x, rank_y;           /* this rank's place; rank = rank_y * ranks_x + rank_x */
    int west, east, south, north; /* neighbouring ranks, MPI_PROC_NULL beyond an edge that is not periodic */
} Decomposition;

/* `weight[j*nx + i]`: work in a column of the whole grid; read on rank 0 only. ranks_x x ranks_y as asked
 * for, or 0, 0: the choice with the least work on the busiest rank. Refused: more ranks than there are
 * rectangles. Collective. */
CHECKED Status decomposition_create(MPI_Comm comm, int nx, int ny, const double *weight, bool periodic_x,
                                    bool periodic_y, int ranks_x, int ranks_y, Decomposition *out);
/* The largest number of ranks, up to `ranks`, that a grid can be shared by. Local. */
int decomposition_most_ranks(int ranks, int nx, int ny);

void decomposition_release(Decomposition *decomposition);

#ifdef __cplusplus
}
#endif
#endif
