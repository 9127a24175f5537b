/* SPDX-License-Identifier: Apache-2.0
 *
 * Places of the model as positions in a file: in its coordinates, or among the columns and rows of a curvilinear grid.
 */
#ifndef MAEOTIS_MODEL_FORCING_POSITIONS_H
#define MAEOTIS_MODEL_FORCING_POSITIONS_H

#include "model/forcing/columns.h"
#include "model/forcing/source_axis.h"

#define POSITION_CLOSE 1e-6 /* [cells] or of the file's width: no farther off is inside */

typedef struct Positions {
    int count;
    double *x, *y; /* first as the grid's coordinates */
    bool *within;  /* the file's area; NULL: all are */
    bool by_index;
    bool degrees; /* on a map: they are longitudes and latitudes */
} Positions;

/* Makes them longitudes and latitudes where the grid is on a map and the file in degrees. Collective. */
CHECKED Status positions_in_degrees(const ProfileSource *what, const Grid *grid, Positions *positions);

/* Turns them into columns and rows where the file has a curvilinear grid; places outside are refused, or go to the nearest point
 * of the file for initial values. Collective, as is the next. */
CHECKED Status positions_find(const ProfileSource *what, const Grid *grid, Positions *positions);

/* The area of all ranks' places; false: there is none. */
bool positions_area(const Positions *positions, const ProfileSource *what, const Grid *grid,
                    SourceWindow *out);

#endif
