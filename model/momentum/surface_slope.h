/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration by the slope of the surface at the beginning of the step:
 *
 *     -(1 + r) g (1 - b) eta_x        [m s-2]
 *
 * Air pressure (air_pressure.h) and non-hydrostatic pressure have the same factor 1 + r, and so has the change of
 * the surface during the step, which acts through the response G (momentum.h).
 *
 * r, the relative growth of the depth from the beginning of the step to the moment of the gradient, makes the
 * force on the water g H eta_x that of one moment: the momentum is that of the depth H at the beginning, the
 * gradient is implicit. Only the force of one moment is the difference of g H^2 / 2 between the two cells,
 * which is what bores live on; without r they are slow by a part of the order of the Courant number (8 % at
 * 0.5). The depth goes on as in the last step.
 *
 * With ground inside cells the factor also has what the distance between wet areas is less than that between cells, and the
 * difference of the levels is less by the lift between these areas (subgrid/shores.h).
 */
#ifndef MAEOTIS_MODEL_SURFACE_SLOPE_H
#define MAEOTIS_MODEL_SURFACE_SLOPE_H

#include "model/momentum/centred.h"

/* 1 + r with non-hydrostatic pressure: the momentum is that of the depth at the end of the step, the force that
 * of its middle. */
POINTWISE void advected_growth(const Momentum *a, ptrdiff_t first, double *growth) {
    const double *area = a->g.area + first, *before = a->depth + first, *after = a->depth_advected + first;
    const ptrdiff_t back = -a->faces.along;
    FOR_LANES (l) {
        const double old = area[l] * before[l] + area[l + back] * before[l + back];
        const double now = area[l] * after[l] + area[l + back] * after[l + back];
        growth[l] = 0.5 + 0.5 * max_of(0.5, min_of(old / max_of(now, 1e-12), 2.0));
    }
}

/* 1 + r. What the depth did in the last step tells what it does in this one as long as waves pass less than a
 * cell in a step: r is whole up to a wave Courant number of 1/2 and gone at 1. A column that is dry does not
 * grow. */
POINTWISE void pressure_growth(const Momentum *a, ptrdiff_t first, int j, const Middle *middle,
                               double *growth) {
    if (a->faces.carrying) {
        advected_growth(a, first, growth);
        return;
    }
    const double *area = a->g.area + first, *depth = a->depth + first, *rise = a->rise + first;
    const ptrdiff_t back = -a->faces.along;
    const double part_of_cell = a->dt / a->faces.spacing[j],
                 square = a->gravity * part_of_cell * part_of_cell;
    FOR_LANES (l) {
        const double courant_square = 0.5 * square * (depth[l] + depth[l + back]);
        const double trust = max_of(0.0, min_of(1.0, (1.0 - courant_square) / 0.75));
        const double here = area[l] * depth[l], behind = area[l + back] * depth[l + back];
        const double more_here = here > 0 ? area[l] * rise[l] : 0.0;
        const double more_behind = behind > 0 ? area[l + back] * rise[l + back] : 0.0;
        const double part = a->pace * (more_here + more_behind) / max_of(here + behind, 1e-12);
        growth[l] = 1.0 + trust * a->theta * max_of(-0.5, min_of(part, 1.0));
    }
    if (a->centred)
        FOR_LANES (l) growth[l] += middle->resolved[l] * (0.5 + 0.5 / middle->growth[l] - growth[l]);
    if (a->faces.closeness)
        FOR_LANES (l) growth[l] *= a->faces.closeness[first + l];
}

/* -g (1 - b) eta_x, without the factor; b: tidal_potential.h. [m s-2] */
POINTWISE void surface_slope(const Momentum *a, const Place *at, double *acceleration) {
    const double *eta = a->eta + at->first, spacing = a->faces.spacing[at->j];
    const ptrdiff_t back = -a->faces.along;
    FOR_LANES (l) acceleration[l] = -a->slope_gravity * (eta[l] - eta[l + back]) / spacing;
    if (a->faces.lift)
        FOR_LANES (l) acceleration[l] += a->slope_gravity * a->faces.lift[at->first + l] / spacing;
}

#endif
