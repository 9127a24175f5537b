/* SPDX-License-Identifier: Apache-2.0
 *
 * What travels between neighbouring ranks: the rows and columns at their edges, as far as there is water near.
 * Between land and land nothing travels, and no levels below the ground.
 */
#ifndef MAEOTIS_NUMERICS_EDGES_H
#define MAEOTIS_NUMERICS_EDGES_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Places along an edge, in this rank's own numbers, and the lowest level; empty (first >= end): nothing. */
typedef struct EdgePart {
    int first, end, lowest;
} EdgePart;

typedef struct EdgePiece {
    int rank, side; /* 0: to the west or south, 1: to the east or north */
    EdgePart give, take;
} EdgePiece;

typedef struct Edges {
    EdgePiece *piece[2]; /* along x, along y */
    int pieces[2];
} Edges;

/* For exchanges first of `margin` columns along x, in rows[0] <= j < rows[1], then of as many rows along y, with the
 * corners. Collective among neighbours. */
void edges_find(const Grid *grid, int margin, const int rows[2], Edges *out);
void edges_release(Edges *edges);

#ifdef __cplusplus
}
#endif
#endif
