/* SPDX-License-Identifier: Apache-2.0
 *
 * From a grid to one of half as many rows and columns, and back.
 *
 * The lanes of both grids fit: the coarser vector of group G and step S holds, in lane L, the cell I = S - L,
 * J = 8 G + L. Its finer rows 2 J and 2 J + 1 are lanes 2 L and 2 L + 1 of group 2 G (L < 4) or 2 G + 1, and
 * its finer columns 2 I and 2 I + 1 are there in the steps 2 S, 2 S + 1 (even lanes), 2 S + 1, 2 S + 2 (odd
 * lanes), for the second group eight steps earlier: L drops out. Where the rank's first row or column has an
 * odd number in the whole grid, the finer cells begin one further (`row`, `column`).
 */
#ifndef MAEOTIS_NUMERICS_MATM_COARSEN_H
#define MAEOTIS_NUMERICS_MATM_COARSEN_H

#include "numerics/matm/coarsen_steps.h"

typedef struct Coarsening {
    const LaneLayout *fine, *coarse; /* parts of one rank */
    int column, row;                 /* 1: own coarser cells begin one finer cell from the edge */
    bool levels;                     /* are halved as well */
} Coarsening;

/* out = the sum over the finer cells of each own coarser one, or those on one of its faces; 0 elsewhere.
 * x has its edges. Local. */
void coarsen_sum(const Coarsening *c, FinerCells which, const Lanes *x, Lanes *out);

/* x += factor y of the coarser cell, on own finer cells; y has its edges. Local. */
void refine_add(const Coarsening *c, const Lanes *y, const Lanes *factor, Lanes *x);

#endif
