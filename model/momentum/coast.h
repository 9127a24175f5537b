/* SPDX-License-Identifier: Apache-2.0
 *
 * No-slip walls that cut faces: how far the neighbours of a velocity and the walls around it really are, for
 * the weights of viscosity.h, which takes a whole cell for the first, and a whole one ahead or half a one
 * alongside for the second. All of it is geometry and made once.
 *
 * A velocity is the mean over the open part of its face, which is that in its middle, to second order; and
 * near a wall it is the distance from there times something smooth.
 *
 * Alongside, the middles lie on one line, a grid line: differences between them, with the wall at an end of
 * the open part, over the length of that part.
 *
 * Ahead, the middles lie on several lines. What counts is the velocity on the next line at the height of this
 * middle: that of the next face times the ratio of the two distances from the walls on that line, in error by
 * the square of the spacing. Where a wall comes first, it acts at its distance along the row, as G. H.
 * Shortley and R. Weller have it, J. Appl. Phys. 9 (1938) 334-348; between the shores of a cell's four sides
 * it is straight.
 *
 * So a velocity that grows with the distance from a straight wall has no curvature, whatever its angle.
 * Beside walls more is not needed: an error of the operator that does not grow as the spacing h falls moves a
 * velocity at the distance h by h^2. No weight is negative, and nothing gains more than it loses: matrices
 * stay M-matrices.
 */
#ifndef MAEOTIS_MODEL_COAST_H
#define MAEOTIS_MODEL_COAST_H

#include "numerics/grid/grid.h"

/* Of a component's faces, two 2-D fields for each side: the weight over that of a whole face in open water; and
 * how much of the next face's velocity counts, 0 where there is a wall. To be freed with coast_destroy; NULL
 * where no face is open in part. Local. */
double **coast_create(const Grid *grid, bool along_x);
void coast_destroy(const Grid *grid, double ***coast);

#endif
