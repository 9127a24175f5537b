/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner region of compact advection: cells of whole water, with whole water around them in their level. With d
 * cells (diagonals too) to the next place that is land, an open edge or wet in part, the share of the ordinary
 * advection is
 *
 *     outer = 1 - min(1, max(0, (d - N) / N))
 *
 * of a face the larger one of its two cells.
 */
#ifndef MAEOTIS_MODEL_COMPACT_INNER_H
#define MAEOTIS_MODEL_COMPACT_INNER_H

#include "numerics/grid/halo.h"

/* `area`: of a whole cell [m2]. Fields of the faces of u and v. Collective. */
void inner_find_outer(const Grid *grid, Halo *halo, double area, int cells, double *outer_u, double *outer_v);

/* Of the faces of one component, what the compact scheme adds to the ordinary one: the carried velocity is that of the
 * step's beginning where outer is 1, its acceleration 0. Local. */
void inner_blend(const Grid *grid, bool along_x, const double *outer, const double *velocity, double *carried,
                 double *advective);

#endif
