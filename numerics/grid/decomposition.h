/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank owns which cells: ranks_x x ranks_y rectangles, cut so that the ranks are done at about the same
 * time (cuts.h). Cuts along x are multiples of BLOCK, so that vector blocks and reproducible partial sums never
 * straddle one.
 *
 * The ranks of one rank_y share their rows: a strip. Each strip may have its own number of ranks and its own cuts along x;
 * then a rank has several neighbours on its southern and northern sides, which are next to each other in their strip.
 */
#ifndef MAEOTIS_NUMERICS_DECOMPOSITION_H
#define MAEOTIS_NUMERICS_DECOMPOSITION_H

#include "base/error.h"
#include "numerics/cluster/machine.h"
#include "numerics/grid/cuts.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The neighbours on one side: `count` ranks, from `first` on; 0 beyond an edge that is not periodic. */
typedef struct DecompositionSide {
    int strip, first, count;
} DecompositionSide;

typedef struct Decomposition {
    int ranks_x;     /* in the strip of this rank */
    int ranks_y;     /* strips */
    int *first;      /* the first rank of each strip; at the end, the number of ranks */
    int *cut_x;      /* strip q: its rank p has cut_x(q)[p] <= i < cut_x(q)[p+1], see decomposition_cut_x */
    int *cut_y;      /* strip q: cut_y[q] <= j < cut_y[q+1] */
    bool straight;   /* all strips have the same cuts along x */
    int patch;       /* as of CutProblem */
    Machine machine; /* by which messages are cut */
    int rank_x, rank_y; /* this rank's place; rank = first[rank_y] + rank_x */
    int west, east;     /* neighbouring ranks, MPI_PROC_NULL beyond an edge that is not periodic */
    DecompositionSide south, north;
} Decomposition;

static inline int decomposition_ranks(const Decomposition *d) {
    return d->first[d->ranks_y];
}

/* The cuts along x of a strip. */
static inline const int *decomposition_cut_x(const Decomposition *d, int strip) {
    return d->cut_x + d->first[strip] + strip;
}

/* The rectangle of a rank: its columns from x[0] to x[1], and rows. */
static inline void decomposition_rectangle(const Decomposition *d, int rank, const int **x, const int **y) {
    const int strip = cuts_strip_of(d->first, d->ranks_y, rank);
    *x = decomposition_cut_x(d, strip) + rank - d->first[strip];
    *y = d->cut_y + strip;
}

/* All cuts, for those who choose by them; they stay the decomposition's. Local. */
Cuts decomposition_cuts(const Decomposition *d);

/* A rank to the south or north, and the columns that the two give and take where they exchange rows with
 * `margin` columns at their ends: in this rank's own numbers, 0 <= i < n1 without a margin. Each column around the
 * own ones is taken once. Local, as is the next. */
typedef struct RankBeside {
    int rank;
    int give[2], take[2];
} RankBeside;

RankBeside decomposition_beside(const Decomposition *d, const DecompositionSide *side, int n, int margin);

/* Finds the place of this rank and its neighbours, for cuts that are known. Local, as is the next. */
void decomposition_find_neighbours(Decomposition *d, int rank, bool periodic_x, bool periodic_y);

/* Recomputes `south` and `north` after cuts have moved. */
void decomposition_find_sides(Decomposition *d);

/* How a grid should be cut. All zero: as the program thinks best, for equal ranks. */
typedef struct CutWishes {
    int ranks_x, ranks_y; /* 0, 0: chosen */
    CutKind kind;
    int patch;              /* as of CutProblem */
    double swept;           /* the part of the work that sweeps are on a machine of today (cuts.h) */
    const double *speed;    /* of each rank, relative; NULL: all alike */
    const Machine *machine; /* NULL: one of today */
    const int *strips;      /* as of CutProblem, like the next */
    int n_strips;
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
