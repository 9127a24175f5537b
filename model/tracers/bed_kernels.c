/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/bed.h"

/* One direction's part: the mean of Cd u^2 over the faces m and m + step, closed and dry ones left out.
 * [m2 s-2] */
POINTWISE double mean_of_faces(const GridView *g, ptrdiff_t m, ptrdiff_t step, const double *width,
                               const double *depth, const double *bottom, const double *drag,
                               const double *velocity) {
    double sum = 0, widths = 0;
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t face = m + side * step;
        if (!(depth[face] > 0) || bottom[face] >= g->n3) continue;
        const double u = velocity[face + (ptrdiff_t)bottom[face] * g->plane];
        sum += width[face] * (drag[face] * u * u);
        widths += width[face];
    }
    return widths > 0 ? sum / widths : 0.0;
}

KERNEL_CELLS(bed_stress, BedStress) {
    const GridView *g = &a->g;
    const ptrdiff_t m = AT(*g, i, j, k);
    const double x = mean_of_faces(g, m, 1, g->width_u, a->depth_u, g->bottom_u, a->drag_u, a->u);
    const double y = mean_of_faces(g, m, g->row, g->width_v, a->depth_v, g->bottom_v, a->drag_v, a->v);
    a->stress[m] = a->density * (x + y);
}
