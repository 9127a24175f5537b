/* SPDX-License-Identifier: Apache-2.0
 *
 * The pixels under the cells of an output file: which lie in which cell, how high they are, and from which of them water comes.
 * Inside pixels.c. Local.
 */
#ifndef MAEOTIS_PROGRAM_PIXELS_GROUND_H
#define MAEOTIS_PROGRAM_PIXELS_GROUND_H

#include "bathymetry/raster.h"
#include "program/datafile.h"
#include "settings/scenario.h"

typedef struct Painting {
    const DataFile *from;
    const DataVariable *level; /* eta or max_eta */
    Scenario *scenario;
    Axes axes;
    int i0, j0, ni, nj;   /* the file's part of the grid */
    int nx, ny, x0, y0;   /* the pixels that have their middle in it, and the first of them in the raster */
    int *cell_i, *cell_j; /* of each column and row of them: the cell of the file's part */
    int *from_x, *from_y; /* of each cell: its first pixel; one more at the end */
    int64_t *source;      /* of each cell: the lowest pixel of its main water; -1: none */
    double shift;         /* of the raster's longitudes */
    Raster *raster;       /* the rows of a strip of cells, as many as memory holds */
    int strips, strip_rows,
        strip_j; /* how many there are, of so many rows of cells; the first of the one that is here */
} Painting;

/* `folder`: of the scenario; NULL: where the run found it. To be ended in any case. */
CHECKED Status painting_begin(const DataFile *from, const char *folder, Painting *painting);
void painting_end(Painting *painting);

/* The pixels of a strip, from row strip_j of cells to before its end; the heights of a row of them. */
CHECKED Status painting_strip(Painting *painting, int strip);
int painting_strip_end(const Painting *painting, int strip);
const double *painting_heights(const Painting *painting, int row);

#endif
