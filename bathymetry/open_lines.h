/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines along which the sea of a grid ends and is open: a line cuts the faces between cells whose centres lie on its two
 * sides, a staircase. Such a staircase lets no water through, since a way from centre to centre that crosses the line
 * crosses one of its faces. What is cut off from the sea that stays becomes land; the cut faces beside it are open, and
 * the cells beyond them ghosts (topography.h).
 */
#ifndef MAEOTIS_BATHYMETRY_OPEN_LINES_H
#define MAEOTIS_BATHYMETRY_OPEN_LINES_H

#include "numerics/grid/axes.h"
#include <stdbool.h>

typedef struct OpenLine {
    const char *name; /* of the boundary */
    const double (*at)[2];
    int points;
    bool own_ground; /* its ghosts keep their own bed; else that of the cells inside */
} OpenLine;

/* Does the line cut this face of the whole grid, between cells i - 1 and i, or j - 1 and j? `normal` gets
 * the line's unit normal there, to its right [x, y]. */
bool open_line_cuts(const OpenLine *line, const Axes *axes, bool along_x, int i, int j, double normal[2]);

#endif
