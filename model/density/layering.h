/* SPDX-License-Identifier: Apache-2.0
 *
 * How the density lies in the layers: what momentum/levers.h wants to know of columns and levels.
 */
#ifndef MAEOTIS_MODEL_LAYERING_H
#define MAEOTIS_MODEL_LAYERING_H

#include "numerics/grid/grid.h"

typedef struct Layering {
    const double
        *density; /* at the pressure of the surface; NULL: there is one layer, or one density [kg m-3] */
    const double *lacks; /* of columns: by how much the middle of the lowest layer lies higher than that of
                              a whole one, at the datum [m] */
    const double
        *apart;        /* middles of the levels k - 1 and k, at the datum; 0 and n3: as wide as the outermost
                              level [m] */
    const double *end; /* density gradient below level k over that above it, as it was at first, for columns
                              that end there; of the uppermost level: above it over below it */
} Layering;

/* For a grid with more than one layer and the density at first, without its halo. Collective. */
void layering_create(Exec exec, const Grid *grid, const double *density, Layering *out);
void layering_destroy(const Grid *grid, Layering *layering);

#endif
