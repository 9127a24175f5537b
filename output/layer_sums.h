/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over the layers of a column, which the vertical velocity of each of its cells needs. Maps climb from
 * level to level with running sums of all columns; a single value sums its own.
 */
#ifndef MAEOTIS_OUTPUT_LAYER_SUMS_H
#define MAEOTIS_OUTPUT_LAYER_SUMS_H

#include "model/state.h"
#include "output/layout.h"

/* 2-D fields over a piece; `below` also one cell around it. */
typedef struct LayerSums {
    double *below;  /* share of the depth below layer `level` */
    double *inflow; /* into the column through its sides [m3 s-1] */
    int level;
} LayerSums;

/* Share of the depth below layer k; 0 where the column ends above it. */
double share_below(const Grid *grid, int i, int j, int k);

/* What flows into the column through its sides [m3 s-1]. */
double column_inflow(const State *state, int i, int j);

/* Begins at the lowest level; then to levels in ascending order. */
void layer_sums_start(LayerSums *sums, const State *state, Piece piece);
void layer_sums_climb(LayerSums *sums, const Grid *grid, Piece piece, int level);

#endif
