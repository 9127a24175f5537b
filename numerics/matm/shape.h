/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a cell of a lane array lies, for processors and for devices.
 *
 * Both use the one layout of lane_layout.h. A processor takes it as vectors of eight lanes. A thread of a device
 * takes one number of each vector: it is compiled with MATM_ONE_LANE, counts in numbers, and eight
 * neighbouring threads read the 64 (single precision: 32) bytes of a vector, whole sectors of a GPU's memory,
 * four such vectors a warp. Threads that take the levels of a step read one stretch of memory.
 */
#ifndef MAEOTIS_NUMERICS_MATM_SHAPE_H
#define MAEOTIS_NUMERICS_MATM_SHAPE_H

#include "numerics/matm/lanes.h"

/* A layout without its lists: small enough for a kernel's arguments. Distances are vectors on a processor,
 * numbers on a device. */
typedef struct LaneShape {
    int n1, n2, levels, groups, steps; /* own rows of lane l are at steps l <= s < l + n1; steps = n1 + 7 */
    ptrdiff_t column, group;           /* between steps, and between groups */
    ptrdiff_t below, above;            /* from a vector to those that fill its lane 0 and lane 7 */
    const int *lowest;                 /* lowest level with water in any lane, by group and step */
} LaneShape;

/* Of the vector at group g, step s and level 0; of a LaneShape or a LaneLayout. */
#define lane_at(layout, g, s) ((g) * (layout)->group + (s) * (layout)->column)

/* All lanes are own cells between these steps, in groups of eight own rows. */
POINTWISE bool lane_all_own(const LaneShape *shape, int g, int s) {
    return s >= 7 && s < shape->n1 && 8 * g + 8 <= shape->n2;
}

#ifdef MATM_ONE_LANE

/* Is this lane of a step of a group an own cell? m: any number of the lane. */
POINTWISE LaneMask lane_mask(const LaneShape *shape, int g, int s, ptrdiff_t m) {
    const int lane = (int)(m & 7), i = s - lane;
    return i >= 0 && i < shape->n1 && 8 * g + lane < shape->n2;
}
#define lane_mask_quick lane_mask

#else

/* Which lanes of a step of a group are own cells. */
POINTWISE LaneMask lane_mask(const LaneShape *shape, int g, int s, ptrdiff_t m) {
    const LaneMask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const LaneMask i = s - lane, j = 8 * g + lane;
    (void)m;
    return (i >= 0) & (i < shape->n1) & (j < shape->n2);
}

/* The same, at once where they all are. */
POINTWISE LaneMask lane_mask_quick(const LaneShape *shape, int g, int s, ptrdiff_t m) {
    const LaneMask all = {-1, -1, -1, -1, -1, -1, -1, -1};
    return lane_all_own(shape, g, s) ? all : lane_mask(shape, g, s, m);
}

#endif
#endif
