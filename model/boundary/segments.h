/* SPDX-License-Identifier: Apache-2.0
 *
 * Which faces on the edges of the grid belong to which boundary. boundaries_claim (boundaries.h) is here,
 * too.
 */
#ifndef MAEOTIS_MODEL_SEGMENTS_H
#define MAEOTIS_MODEL_SEGMENTS_H

#include "model/boundary/sponge.h"

/* An open face of this rank. */
typedef struct EdgeFace {
    int i, j;          /* its own indices */
    bool along_x, low; /* a u face; its ghost lies to the west or south */
    int boundary;
    double normal[2]; /* of the edge or line, inwards, of length 1 [x, y] */
} EdgeFace;

/* The open faces of this rank, `own` of them, then those of others whose ghosts are cells of this rank; to be freed;
 * returns how many. Local. */
int segments_find(const Scenario *scenario, const Grid *grid, EdgeFace **out, int *own);

/* The faces across this edge, in the first row, beside open ones of the boundary, or likewise across a stretch of its line
 * that runs along this side of the cells; to be freed. Where those on both sides
 * are of two boundaries, it is that of the higher index. Local. */
int segments_find_along(const Scenario *scenario, const Grid *grid, int boundary, int edge, EdgeFace **out);

/* Those of all ranks, in an order that does not depend on these, to be freed; returns how many. Collective.
 */
int segments_gather(const Scenario *scenario, const Grid *grid, EdgePlace **out);

/* Calls back for the columns of this rank and its innermost halo that may be within `width` [m] of the face: the metric
 * of the sphere shrinks to the poles. Local. */
void segments_each_near(const Grid *grid, const EdgePlace *face, double width,
                        void (*visit)(void *context, ptrdiff_t column, double distance), void *context);

#endif
