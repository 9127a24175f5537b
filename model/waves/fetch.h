/* SPDX-License-Identifier: Apache-2.0
 *
 * Fetch: how far it is from the centre of each column to the land or the edge of the grid, in directions all round: the
 * mean of nine rays, 3 degrees from each other, as the Shore Protection Manual has it (1984, chapter 3 V). A ray alone
 * jumps where it passes a cape or a corner, so that none can be told from its neighbours.
 */
#ifndef MAEOTIS_MODEL_WAVES_FETCH_H
#define MAEOTIS_MODEL_WAVES_FETCH_H

#include "numerics/grid/grid.h"

/* Directions, evenly round the compass from north by east. */
enum { FETCHES = 40 };

typedef struct Fetch {
    double *length[FETCHES];             /* by columns [m] */
    double to_x[FETCHES], to_y[FETCHES]; /* of length 1: where one looks */
} Fetch;

/* Collective. */
void fetch_create(const Grid *grid, Fetch *out);
void fetch_release(const Grid *grid, Fetch *fetch);

#endif
