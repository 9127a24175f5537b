/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank owns which cells: ranks_x x ranks_y rectangles, cut so that the ranks are done at about the same
 * time (cuts.h). Cuts along x are multiples of BLOCK, so that vector blocks and reproducible partial sums never
 * straddle one.
 */
#ifndef MAEOTIS_NUMERICS_DECOMPOSITION_H
#define MAEOTIS_NUMERICS_DECOMPOSITION_H

#include "base/error.h"
#include "numerics/grid/cuts.h"
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

/* How a grid should be cut. All zero: as the program thinks best, for equal ranks. */
typedef struct CutWishes {
    int ranks_x, ranks_y; /* 0, 0: chosen */
    double swept;         /* the part of the work that consists of sweeps (cuts.h) */
    const double *speed;  /* of each rank, relative; NULL: all alike */
} CutWishes;

/* The problem with the grain and the thickness that ranks of this program need, and with the cost of halos;
 * `deepest`: the work in a column that has all levels. */
CutProblem decomposition_problem(int nx, int ny, double deepest, const double *weight,
                                 const CutWishes *wishes);

/* Weights are read on rank 0 only. Refused: more ranks than there are rectangles. Collective. */
CHECKED Status decomposition_create(MPI_Comm comm, const CutProblem *problem, const CutWishes *wishes,
                                    Decomposition *out);
/* The largest number of ranks, up to `ranks`, that a grid can be shared by. Local. */
int decomposition_most_ranks(int ranks, int nx, int ny);

void decomposition_release(Decomposition *decomposition);

#ifdef __cplusplus
}
#endif
#endif
