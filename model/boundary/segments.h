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
    bool along_x, low; /* a u face; on the western or southern edge */
    int boundary;
} EdgeFace;

/* The open faces of this rank, to be freed; returns how many. Local. */
int segments_find(const Scenario *scenario, const Grid *grid, EdgeFace **out);

/* Those of all ranks, in an order that does not depend on these, to be freed; returns how many. Collective.
 */
int segments_gather(const Scenario *scenario, const Grid *grid, EdgePlace **out);

#endif
