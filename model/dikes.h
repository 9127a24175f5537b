/* SPDX-License-Identifier: Apache-2.0
 *
 * Dikes and quays as lines, which a map of the ground misses: the pixels that a line crosses are raised to its crest. Pixels in a
 * row along the line touch at least at their corners, and water goes across sides only (subgrid/ways.h), so no way leads through.
 */
#ifndef MAEOTIS_MODEL_DIKES_H
#define MAEOTIS_MODEL_DIKES_H

#include "bathymetry/raster.h"
#include "settings/line_file.h"
#include "settings/scenario.h"

typedef struct Dikes {
    Lines lines; /* in the grid's coordinates, all heights known */
} Dikes;

/* Those of the scenario, on all ranks. Collective over the band. To be released in any case. */
CHECKED Status dikes_read(const Scenario *scenario, const Axes *axes, const Band *band, Dikes *out);
void dikes_release(Dikes *dikes);

/* Of the rows that are here. Local. */
void dikes_raise(const Dikes *dikes, Raster *raster);

/* They become a part of the raster's checksum. Local. */
void dikes_sign(const Dikes *dikes, Raster *raster);

/* What lies of them in a cell: their length, and that of the staircase of its sides beside them [m]. */
typedef struct DikeLength {
    double along, stairs;
} DikeLength;

/* Adds it to cells i0 <= i < i0 + columns, j0 <= j < j0 + rows of the whole grid, by cell[(j - j0) * columns + i - i0]. Local. */
void dikes_measure(const Dikes *dikes, const Axes *axes, int i0, int j0, int columns, int rows,
                   DikeLength *cell);

#endif
