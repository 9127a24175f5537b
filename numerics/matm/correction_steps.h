/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums and means of columns (correction.c).
 */
#ifndef MAEOTIS_NUMERICS_MATM_CORRECTION_STEPS_H
#define MAEOTIS_NUMERICS_MATM_CORRECTION_STEPS_H

#include "numerics/matm/steps.h"

typedef struct SplitColumns {
    LaneShape flat;
    const Lanes *r, *scale, *unscale, *flat_scale;
    Lanes *per_level; /* one over the number of the column's levels */
    Lanes *rest, *flat_r, *squares;
} SplitColumns;

/* How many wet levels: known from the scale once the operator is. */
POINTWISE Lanes per_level(const LaneShape *l, const Lanes *scale, int g, int s, ptrdiff_t m) {
    Lanes count = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) count += lanes_select(scale[n] > 0, lanes_of(1), lanes_of(0));
    return lanes_select(count > 0, lanes_of(1) / lanes_select(count > 0, count, lanes_of(1)), lanes_of(0));
}

/* Where the flat layout has the column of a vector (and, on a device, of a lane). */
POINTWISE ptrdiff_t flat_at(const LaneShape *flat, int g, int s, ptrdiff_t m) {
    return lane_at(flat, g, s) + (m & (LEVEL - 1));
}

STEPS(split_columns, SplitColumns) {
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) sum = lanes_fma(a->r[n], a->unscale[n], sum);
    const Lanes one_of = per_level(l, a->scale, g, s, m), mean = sum * one_of;
    a->per_level[at] = one_of;
    FOR_LEVELS (l, g, s, m, k, n) a->rest[n] = lanes_fma(-a->scale[n], mean, a->r[n]);
    const LaneMask own = lane_mask(l, g, s, m);
    const ptrdiff_t n = flat_at(&a->flat, g, s, m);
    a->flat_r[n] = lanes_select(own, sum * a->flat_scale[n], lanes_of(0));
    a->squares[at] = lanes_select(own, sum * sum, lanes_of(0));
}

typedef struct JoinColumns {
    LaneShape flat;
    const Lanes *scale, *unscale, *flat_scale, *flat_x, *per_level;
    Lanes *z;
} JoinColumns;

STEPS(join_columns, JoinColumns) {
    Lanes sum = lanes_of(0);
    FOR_LEVELS (l, g, s, m, k, n) sum = lanes_fma(a->z[n], a->scale[n], sum);
    const ptrdiff_t flat = flat_at(&a->flat, g, s, m);
    const Lanes found = a->flat_x[flat] * a->flat_scale[flat], change = found - sum * a->per_level[at];
    FOR_LEVELS (l, g, s, m, k, n) a->z[n] = lanes_fma(a->unscale[n], change, a->z[n]);
}

/* The sums of a stencil's columns, on devices (correction.c has them for processors). */
typedef struct SumStencil {
    const double *bottom, *from_centre, *from_west, *from_south, *from_lower;
    ptrdiff_t row, plane;
    double *centre, *west, *south;
} SumStencil;

STEPS_OF_DEVICE(sum_stencil, SumStencil)

#ifdef MATM_ONE_LANE
STEPS(sum_stencil, SumStencil) {
    const int lane = (int)(m & 7);
    const ptrdiff_t here = (8 * g + lane) * a->row + s - lane;
    double centre = 0, west = 0, south = 0, lower = 0;
    (void)at;
    if (!lane_mask(l, g, s, m) || !(a->bottom[here] < l->levels)) return;
    for (int k = (int)a->bottom[here]; k < l->levels; k++) {
        const ptrdiff_t n = here + k * a->plane;
        centre += a->from_centre[n];
        west += a->from_west[n];
        south += a->from_south[n];
        lower += a->from_lower[n];
    }
    a->centre[here] = centre - 2 * lower;
    a->west[here] = west;
    a->south[here] = south;
}
#endif

#endif
