/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the grids of a zoom meet. Faces of the seam are numbered around it: those to the west, to the east, to the south
 * and to the north, each side from its first cell on; each has `finer` parts, faces of the finer grid.
 */
#ifndef MAEOTIS_MODEL_SEAM_SHAPE_H
#define MAEOTIS_MODEL_SEAM_SHAPE_H

#include "numerics/grid/grid.h"
#include "settings/scenario.h"

typedef struct SeamShape {
    int finer;
    int i0, i1, j0, j1; /* cells i0 <= i < i1, j0 <= j < j1 of the grid around */
} SeamShape;

typedef struct SeamCell {
    int i, j; /* of the whole grid */
} SeamCell;

/* A face of the seam, seen from the grid around. */
typedef struct SeamPlace {
    bool along_x;              /* a u face */
    int inwards;               /* +1 where a positive velocity flows into the zoom */
    SeamCell face;             /* its indices */
    SeamCell outside, covered; /* the cells on both sides */
    SeamCell first;            /* of the finer grid: the cell inside of its first part */
} SeamPlace;

/* The cells of each rank: [rank] i0, i1, j0, j1. */
typedef int SeamRectangle[4];

/* Of the scenario's zoom, moved to the nearest edges of cells; refused if it is too near the edges of the grid. Local. */
CHECKED Status seam_shape(const Scenario *scenario, const Axes *axes, SeamShape *out);
/* The finer grid; nothing may be wrong with the zoom. Local. */
ZoomGrid seam_grid(const Scenario *scenario, const Axes *axes);

/* Does a point belong to the finer grid of the scenario's zoom? Local. */
bool seam_takes(const Scenario *scenario, const Axes *axes, double x, double y);

/* Takes the cells under the zoom from the budgets of the grid around (counted_area). Local. */
CHECKED Status seam_cover(const Scenario *scenario, Grid *grid);
static inline bool seam_covers(const Grid *g, ptrdiff_t column) {
    return g->own_area[column] > 0 && !(g->counted_area[column] > 0);
}

static inline int seam_faces(const SeamShape *s) {
    return 2 * (s->i1 - s->i0 + s->j1 - s->j0);
}
SeamPlace seam_place(const SeamShape *shape, int face);
/* The cell of the finer grid inside of one part of a face. */
SeamCell seam_part_cell(const SeamPlace *place, int part);
/* The number of the part, face * finer + part, of an open face of the finer grid whose cell inside is (i, j). */
int seam_part_of(const SeamShape *shape, bool along_x, int inwards, int i, int j);

/* Of all ranks, to be freed. Collective. */
SeamRectangle *seam_rectangles(const Grid *grid);
/* The cell lies in the rectangle, or at most so far from it. */
bool seam_within(const SeamRectangle rectangle, SeamCell cell, int margin);
int seam_owner(const SeamRectangle *rectangles, int ranks, SeamCell cell);

#endif
