/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/smagorinsky.h"

/* The faces of one component: what tells where they are open. */
typedef struct Openings {
    const double *bottom, *depth, *width;
} Openings;

/* What lies across a corner, from the velocities on both sides of it. [m s-1] */
POINTWISE double difference(Openings f, ptrdiff_t behind, ptrdiff_t ahead, int k, double velocity_behind,
                            double velocity_ahead, double hold) {
    const bool open_behind = (f.bottom[behind] <= k) & (f.depth[behind] > 0);
    const bool open_ahead = (f.bottom[ahead] <= k) & (f.depth[ahead] > 0);
    const double coast_behind = f.width[behind] <= 0 ? hold * velocity_ahead : 0.0;
    const double coast_ahead = f.width[ahead] <= 0 ? -hold * velocity_behind : 0.0;
    const double first = open_ahead ? velocity_ahead - velocity_behind : coast_ahead;
    const double second = open_ahead ? coast_behind : 0.0;
    return open_behind ? first : second;
}

/* u_y + v_x at the south-west corners of a block's cells. [s-1] */
POINTWISE void corner_shears(const Smagorinsky *a, ptrdiff_t first, int j, int k, double *shear) {
    const GridView *g = &a->g;
    const ptrdiff_t row = g->row;
    const Openings of_u = {g->bottom_u, a->depth_u, g->width_u}, of_v = {g->bottom_v, a->depth_v, g->width_v};
    /* u / dx is the angle's speed: what turns with the sphere is not sheared */
    const double behind = g->dx_v[j] / g->dx_c[j - 1], ahead = g->dx_v[j] / g->dx_c[j];
    const double per_dy = 2.0 / (g->dy_c[j - 1] + g->dy_c[j]), per_dx = 1.0 / g->dx_v[j];
    const double *u = a->u + k * g->plane, *v = a->v + k * g->plane;
    const double hold = a->walls == WALLS_NO_SLIP ? 2.0 : 0.0;
    FOR_LANES (l) {
        const ptrdiff_t p = first + l;
        const double across_u = difference(of_u, p - row, p, k, u[p - row] * behind, u[p] * ahead, hold);
        const double across_v = difference(of_v, p - 1, p, k, v[p - 1], v[p], hold);
        shear[l] = across_u * per_dy + across_v * per_dx;
    }
}

KERNEL_COLUMNS(smagorinsky_find, Smagorinsky) {
    const GridView *g = &a->g;
    const ptrdiff_t first = AT2(*g, i0, j), row = g->row;
    const double dx = g->dx_c[j], dy = g->dy_c[j], per_dx = 1.0 / dx, per_dy = 1.0 / dy;
    for (int k = 0; k < g->n3; k++) {
        double south_west[LANES], south_east[LANES], north_west[LANES], north_east[LANES];
        corner_shears(a, first, j, k, south_west);
        corner_shears(a, first + 1, j, k, south_east);
        corner_shears(a, first + row, j + 1, k, north_west);
        corner_shears(a, first + row + 1, j + 1, k, north_east);
        FOR_LANES (l) {
            const ptrdiff_t p = first + l, m = p + k * g->plane;
            const bool wet = (g->bottom_c[p] <= k) & (a->depth[p] > 0) & (g->own_area[p] > 0);
            const double stretch_x = (a->u[m + 1] - a->u[m]) * per_dx,
                         stretch_y = (a->v[m + row] - a->v[m]) * per_dy;
            const double shear = (south_west[l] * south_west[l] + south_east[l] * south_east[l]) +
                                 (north_west[l] * north_west[l] + north_east[l] * north_east[l]);
            const double rate = sqrt(stretch_x * stretch_x + stretch_y * stretch_y + 0.125 * shear);
            const double viscosity = a->background + a->coefficient * (dx * dy) * rate;
            a->viscosity[m] = wet ? viscosity : NO_WATER;
        }
    }
}
