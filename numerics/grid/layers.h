/* SPDX-License-Identifier: Apache-2.0
 *
 * The layers of columns and faces, for those who cut them otherwise than by one bed (model/subgrid/levels.c).
 */
#ifndef MAEOTIS_NUMERICS_LAYERS_H
#define MAEOTIS_NUMERICS_LAYERS_H

#include "numerics/grid/grid.h"

/* Thicknesses of the layers of a column with this bed; returns the lowest. */
int layers_of(const Axes *axes, double bed, double thickness[MAX_LEVELS]);

/* The layers that two columns have, of the thinner one where they differ; returns the lowest. */
int layers_of_both(const Axes *axes, double bed_1, double bed_2, double thickness[MAX_LEVELS]);

/* Shares of a column or face from its thicknesses. */
void layers_share(const Grid *grid, int lowest, const double thickness[MAX_LEVELS], double *share);

/* Has this grid shares of volumes, whose layers lie between heights all the same? */
bool layers_have_heights(const Axes *axes);

/* Parts of the height of a column or face that its layers take at the datum: where they do, else their shares. `shares`: of its
 * lowest level, g->plane apart; `bottom`: its lowest layer. */
void layers_parts_of_height(const Grid *grid, double bed, int bottom, const double *shares,
                            double part[MAX_LEVELS]);

#endif
