/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines along which the sea of a grid ends and is open, or along which structures stand: a line cuts the faces between
 * cells whose centres lie on its two sides, a staircase. Such a staircase lets no water through, since a way from centre to
 * centre that crosses the line crosses one of its faces. What the line of an open boundary cuts off from the sea that stays
 * becomes land; the cut faces beside it are open, and the cells beyond them ghosts (topography.h).
 */
#ifndef MAEOTIS_BATHYMETRY_OPEN_LINES_H
#define MAEOTIS_BATHYMETRY_OPEN_LINES_H

#include "numerics/grid/axes.h"
#include <stdbool.h>

typedef struct OpenLine {
    const char *name; /* of the boundary or structure */
    const double (*at)[2];
    int points;
    bool own_ground; /* its ghosts keep their own bed; else that of the cells inside */
} OpenLine;

/* Does the line cut this face of the whole grid, between cells i - 1 and i, or j - 1 and j? `normal` gets
 * the line's unit normal there, to its right [x, y]. */
bool open_line_cuts(const OpenLine *line, const Axes *axes, bool along_x, int i, int j, double normal[2]);

/* Faces i0 <= i < i1, j0 <= j < j1 of the whole grid. */
typedef struct FaceWindow {
    int i0, i1, j0, j1;
} FaceWindow;

typedef struct LineFace {
    bool along_x;
    int i, j;
    double normal[2]; /* as above */
} LineFace;

/* Calls back once for each of these west (u) and south (v) faces that the line cuts, in order along the line. */
void open_line_each_face(const OpenLine *line, const Axes *axes, FaceWindow u, FaceWindow v,
                         void (*visit)(void *context, const LineFace *face), void *context);

#endif
