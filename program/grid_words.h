/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a grid lies, in words: check and run say it alike. To be freed.
 */
#ifndef MAEOTIS_PROGRAM_GRID_WORDS_H
#define MAEOTIS_PROGRAM_GRID_WORDS_H

#include "numerics/grid/axes.h"

/* "x 21000 to 39000 m, y 6000 to 18000 m", "34.75 to 39.4 E, 45 to 47.35 N". */
char *grid_box_words(const Axes *axes);

/* Of a grid on a projected map: the map, and where on the Earth the grid lies. */
char *map_words(const Axes *axes);

#endif
