/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank owns which cells: ranks_x x ranks_y rectangles, cut so that the work (weights per column) is even.
 * Cuts along x are multiples of LANES, so that vector blocks and reproducible partial sums never straddle one.
 */
#ifndef MAEOTIS_NUMERICS_DECOMPOSITION_H
#define MAEOTIS_NUMERICS_DECOMPOSITION_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Decomposition {
    int ranks_x, ranks_y;
    int *cut_x, *cut_y;            /* rank column p owns cells cut_x[p] <= i < cut_x[p+1] */
    int rank_x, rank_y;            /* this rank's place */
    int west, east, south, north;  /* neighbouring ranks, MPI_PROC_NULL beyond a closed edge */
} Decomposition;

/* `weight_x[i]`, `weight_y[j]`: work in column i, row j of the whole grid, on every rank. ranks_x x ranks_y or
 * 0, 0 (chosen). Refused: a number of ranks that cannot get a rectangle each. Local, the same on every rank. */
CHECKED Status decomposition_create(int ranks, int rank, int nx, int ny, const double *weight_x,
                                    const double *weight_y, int periodic_x, int periodic_y, int ranks_x,
                                    int ranks_y, Decomposition *out);
void decomposition_release(Decomposition *decomposition);

#ifdef __cplusplus
}
#endif
#endif
