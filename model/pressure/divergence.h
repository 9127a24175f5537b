/* SPDX-License-Identifier: Apache-2.0
 *
 * What flows out of a layer of a block of columns through its sides, and the part M of the vertical velocity that comes
 * from flow along the tilted upper face of the layer (pressure.h).
 */
#ifndef MAEOTIS_MODEL_PRESSURE_DIVERGENCE_H
#define MAEOTIS_MODEL_PRESSURE_DIVERGENCE_H

#include "model/pressure/pressure.h"

/* Of layer k. Below the lowest layer of a face the flows' memory may hold anything. [m3 s-1] */
POINTWISE void divergence_layer(const GridView *g, const SideFlows *f, ptrdiff_t first, int k,
                                double *outflow, double *tilted) {
    const double *bottom_u = g->bottom_u + first, *bottom_v = g->bottom_v + first, level = k;
    const ptrdiff_t layer = first + k * g->plane, row = g->row;
    FOR_LANES (l) {
        const ptrdiff_t m = layer + l;
        const bool west = bottom_u[l] <= level, east = bottom_u[l + 1] <= level;
        const bool south = bottom_v[l] <= level, north = bottom_v[l + row] <= level;
        const double to_west = west ? f->u.flux[m] : 0.0, to_east = east ? f->u.flux[m + 1] : 0.0;
        const double to_south = south ? f->south.flux[m] : 0.0, to_north = north ? f->north.flux[m] : 0.0;
        outflow[l] = (to_east - to_west) + (to_north - to_south);
    }
    FOR_LANES (l) {
        const ptrdiff_t m = layer + l;
        const bool west = bottom_u[l] <= level, east = bottom_u[l + 1] <= level;
        const bool south = bottom_v[l] <= level, north = bottom_v[l + row] <= level;
        const double at_west = west ? f->u.tilted[m] : 0.0, at_east = east ? f->u.tilted[m + 1] : 0.0;
        const double at_south = south ? f->south.tilted[m] : 0.0, at_north = north ? f->north.tilted[m] : 0.0;
        tilted[l] = (at_west + at_east) + (at_south + at_north);
    }
}

#endif
