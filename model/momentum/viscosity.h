/* SPDX-License-Identifier: Apache-2.0
 *
 * Horizontal viscosity:  (A u_x)_x + (A u_y)_y, with A constant or of the flow (smagorinsky.h).
 * Towards closed faces ahead and behind the velocity falls to 0 (no flow through the coast); a coast
 * alongside takes nothing (free slip) or acts at half the distance (no slip); where walls without slip cut
 * faces, distances are the true ones (coast.h). Dry faces take nothing.
 *
 * In one explicit sum with advection waves grow where what enters a velocity cell in a step, over its volume,
 * and the weights of the four sides exceed 1 together. Where that is near, viscosity acts on the velocity
 * that the sum without it leaves: in stages (viscous_stages.h), as along lines (split.h); or it is in a matrix
 * with advection (implicit.h).
 */
#ifndef MAEOTIS_MODEL_VISCOSITY_H
#define MAEOTIS_MODEL_VISCOSITY_H

#include "model/momentum/neighbours.h"

/* A between a block's faces and the next ones on side s: of the cell between them, or the mean of the cells
 * with water around the corner. [m2 s-1] */
POINTWISE void side_viscosity(const Momentum *a, ptrdiff_t layer, int s, double *viscosity) {
    const ptrdiff_t along = a->faces.along, cross = a->faces.cross;
    if (!a->viscosity_c) {
        FOR_LANES (l) viscosity[l] = a->viscosity;
        return;
    }
    const double *cell = a->viscosity_c + layer + (s == BEHIND ? -along : s == LEFT ? cross : 0);
    if (s < LEFT) {
        FOR_LANES (l) viscosity[l] = max_of(0.0, cell[l]);
        return;
    }
    const double *around[] = {cell, cell - along, cell - cross, cell - cross - along};
    double count[LANES];
    FOR_LANES (l) viscosity[l] = count[l] = 0.0;
    UNROLLED for (int n = 0; n < 4; n++) FOR_LANES (l) {
        viscosity[l] += max_of(0.0, around[n][l]);
        count[l] += around[n][l] >= 0 ? 1.0 : 0.0;
    }
    FOR_LANES (l) viscosity[l] /= max_of(1.0, count[l]);
}

/* Weight of side s in the change over one step: that of `gain` times the next face's velocity less the own
 * one. Beyond a wall there is nothing to gain. */
POINTWISE void viscous_weights(const Momentum *a, const Neighbours *n, ptrdiff_t first, int j, int k, int s,
                               double *weight, double *gain) {
    const double spacing = s < LEFT ? a->faces.spacing[j] : a->faces.cross_spacing[j];
    const double scale = a->dt / (spacing * spacing), hold = a->walls == WALLS_NO_SLIP ? 2.0 : 0.0;
    const double wall = s < LEFT ? 1.0 : hold;
    const double *width = a->faces.width + first + n->step[s];
    double viscosity[LANES];
    side_viscosity(a, first + k * a->g.plane, s, viscosity);
    if (a->faces.coast) {
        const double *share = a->faces.coast[2 * s] + first, *ratio = a->faces.coast[2 * s + 1] + first;
        FOR_LANES (l) {
            const double there = share[l] * viscosity[l] * scale, whole_gain = ratio[l];
            const bool wet = n->near[s][l] <= k;
            weight[l] = (wet | (whole_gain <= 0)) ? there : 0.0;
            gain[l] = wet ? whole_gain : 0.0;
        }
        return;
    }
    FOR_LANES (l) {
        const double whole = viscosity[l] * scale, at_wall = wall * whole;
        const double weight_closed = width[l] <= 0 ? at_wall : 0.0;
        const bool wet = n->near[s][l] <= k;
        weight[l] = wet ? whole : weight_closed;
        gain[l] = wet ? 1.0 : 0.0;
    }
}

/* Change of the velocity u over one explicit step. [m s-1] */
POINTWISE void horizontal_viscosity(const Momentum *a, const Place *at, const double *u, double *change) {
    const Neighbours *n = at->n;
    const int k = at->k;
    double weight[LANES], gain[LANES];
    FOR_LANES (l) change[l] = 0.0;
    UNROLLED for (int s = 0; s < SIDES; s++) {
        viscous_weights(a, n, at->first, at->j, k, s, weight, gain);
        FOR_LANES (l) {
            const double near = u[l + n->step[s]];
            change[l] += weight[l] * ((n->near[s][l] <= k ? gain[l] * near : 0.0) - u[l]);
        }
    }
}

#endif
