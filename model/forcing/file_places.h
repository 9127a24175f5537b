/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the cells or faces of the grid lie in a file of initial values: by its coordinates, or by its columns and rows
 * where it is curvilinear. `place` is 'c', 'u' or 'v'.
 */
#ifndef MAEOTIS_MODEL_FORCING_FILE_PLACES_H
#define MAEOTIS_MODEL_FORCING_FILE_PLACES_H

#include "model/forcing/curvilinear.h"
#include "model/forcing/map_parts.h"
#include "model/forcing/source_axis.h"

/* Where a cell or face is among the file's columns and rows. */
typedef struct FilePlace {
    int low[2];
    double part[2]; /* of the way to the next */
    bool within;    /* the file's area */
} FilePlace;

/* Of all cells or faces with the halo they stand in the order of fields. */
static inline ptrdiff_t file_place_number(const Grid *grid, int i, int j) {
    return grid->origin2 + AT2(*grid, i, j);
}

typedef struct Positions {
    double (*at)[2];
    bool *within;
    SourceWindow window; /* that holds those of all ranks */
} Positions;

/* Where it is, in the grid's coordinates [degrees or m]; what lies beyond a periodic seam is what it mirrors. Local. */
void file_place_of(const Grid *grid, char place, int i, int j, double *x, double *y);

/* `plane`: of the file; without points if that has axes. Collective. */
Positions positions_find(const Curvilinear *plane, const Grid *grid, char place);
void positions_free(Positions *positions);

/* Among the columns and rows at these coordinates, ascending, as many as `shape`; `out` is to be freed. Returns what this rank needs
 * of them. Local. */
MapPart positions_locate(const Positions *positions, const Grid *grid, const int shape[2],
                         const double *const at[2], FilePlace **out);

#endif
