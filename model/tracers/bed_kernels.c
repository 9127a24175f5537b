/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/bed.h"

#include "model/waves/wave_orbit.h"

/* Stress over density and velocity in the lowest layer, along one direction. [m2 s-2], [m s-1] */
typedef struct BedMean {
    double stress, velocity;
} BedMean;

/* The mean of Cd u^2 over the bed of a face, where that lies in several layers. [m2 s-2] */
POINTWISE double stress_over_bed(const GridView *g, const Flanks *flanks, ptrdiff_t face,
                                 const double *bottom, double drag, const double *velocity,
                                 const double *drift) {
    double sum = 0;
    for (int n = (int)bottom[face]; n < g->n3; n++) {
        const ptrdiff_t layer = face + n * g->plane;
        const double u = drift ? velocity[layer] - drift[layer] : velocity[layer];
        sum += flank_part(flanks, layer, face, n == g->n3 - 1) * drag * u * u;
    }
    return sum;
}

/* The mean of Cd u^2 and of u over the faces m and m + step, closed and dry ones left out. */
POINTWISE BedMean mean_of_faces(const GridView *g, ptrdiff_t m, ptrdiff_t step, const double *width,
                                const double *depth, const double *thick, const double *bottom,
                                const double *drag, const Flanks *flanks, const double *velocity,
                                const double *drift) {
    double sum = 0, flow = 0, widths = 0;
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t face = m + side * step;
        if (!(depth[face] > 0) || bottom[face] >= g->n3) continue;
        const ptrdiff_t lowest = face + (ptrdiff_t)bottom[face] * g->plane;
        const double u = drift ? velocity[lowest] - drift[lowest] : velocity[lowest];
        sum += width[face] * (flanks->part
                                  ? stress_over_bed(g, flanks, face, bottom, drag[face], velocity, drift)
                                  : drag[face] * u * u);
        const double wet = thick ? width[face] * (depth[face] / thick[face]) : width[face];
        flow += wet * u;
        widths += wet;
    }
    if (!(widths > 0)) return (BedMean){0.0, 0.0};
    return (BedMean){sum / widths, flow / widths};
}

KERNEL_CELLS(bed_stress, BedStress) {
    const GridView *g = &a->g;
    const ptrdiff_t m = AT(*g, i, j, k);
    const BedMean x = mean_of_faces(g, m, 1, g->width_u, a->depth_u, a->thick_u, g->bottom_u, a->drag_u,
                                    &a->flanks_u, a->u, a->stokes_u);
    const BedMean y = mean_of_faces(g, m, g->row, g->width_v, a->depth_v, a->thick_v, g->bottom_v, a->drag_v,
                                    &a->flanks_v, a->v, a->stokes_v);
    double stress = x.stress + y.stress;
    if (a->wave_stress) {
        const double speed = sqrt(x.velocity * x.velocity + y.velocity * y.velocity);
        const double along = x.velocity * a->wave_x[m] + y.velocity * a->wave_y[m];
        stress = wave_largest_stress(stress, a->wave_stress[m], speed > 0 ? along / speed : 1.0);
    }
    a->stress[m] = a->density * stress;
}
