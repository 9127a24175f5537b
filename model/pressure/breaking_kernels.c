/* SPDX-License-Identifier: Apache-2.0
 *
 * Where waves break: how much of its vertical inertia each column keeps (pressure.h), and which columns have a pressure of
 * their own.
 */
#include "model/pressure/pressure.h"

/* Waves begin to break at what the scenario calls breaking, and do so wholly at this many times of it. */
#define ENDS 1.5

/* The part of it that keeps a wave breaking, where it breaks or beside. */
#define PERSISTS 0.3

/* The part of the fall of a surface that is taken off its slope: a rarefaction is no front, but slopes that no
 * wave has, such as the face of a dam that has just gone, are fronts on all sides. */
#define FALLS 0.85

/* Slope of the surface through the two neighbours of column m that are `step` away, as far as all are deep enough for
 * waves. A kink of one cell, as over a step of the bed, is half a slope. */
POINTWISE double slope_along(const PressureMark *a, ptrdiff_t m, ptrdiff_t step, double distance) {
    const bool here = a->depth[m] >= a->least_depth;
    const double level = a->eta[m];
    const double ahead = (here & (a->depth[m + step] >= a->least_depth)) ? a->eta[m + step] : level;
    const double behind = (here & (a->depth[m - step] >= a->least_depth)) ? a->eta[m - step] : level;
    return fabs(ahead - behind) / (2.0 * distance);
}

/* How steep the surface of a column is; waves begin to break at 1. A front rises fast where it is, or with the
 * flow if it stands in a current; short waves that do neither have slopes. */
POINTWISE double steepness(const PressureMark *a, ptrdiff_t m, int j) {
    const ptrdiff_t row = a->g.row, top = (a->g.n3 - 1) * a->g.plane;
    const double speed = max_of(sqrt(a->gravity * max_of(0.0, a->depth[m])), 1e-12);
    const double in_place = a->increment[m] / (a->dt_before * speed), with_flow = a->w[m + top] / speed;
    const double dx = a->g.dx_c[j], dy = a->g.dy_c[j];
    const double slope_x = slope_along(a, m, 1, dx), slope_y = slope_along(a, m, row, dy);
    const double rise = max_of(in_place, with_flow), fall = max_of(0.0, -min_of(in_place, with_flow));
    return max_of(rise, max_of(slope_x, slope_y) - FALLS * fall) / a->breaking;
}

/* How much a column breaks whose surface is so steep: 0 to 1. */
POINTWISE double broken(double steep) {
    return max_of(0.0, min_of((steep - 1.0) / (ENDS - 1.0), 1.0));
}

/* How much column m broke in the last step; land and thin water do not. */
POINTWISE double broke(const PressureMark *a, ptrdiff_t m) {
    return a->depth[m] >= a->least_depth ? 1.0 - a->inertia[m] : 0.0;
}

/* The part of its inertia that a column keeps which waves break: where they broke in the last step, or beside, they
 * go on, as much as they did, as long as the surface keeps three tenths of the steepness at which they begin. */
POINTWISE double kept_in_breaking(const PressureMark *a, ptrdiff_t m, int j) {
    const ptrdiff_t row = a->g.row;
    const double around =
        max_of(max_of(broke(a, m - 1), broke(a, m + 1)), max_of(broke(a, m - row), broke(a, m + row)));
    const double here = steepness(a, m, j);
    const double persists = min_of(max_of(broke(a, m), around), broken(here / PERSISTS));
    return 1.0 - max_of(broken(here), persists);
}

KERNEL_COLUMNS(pressure_mark, PressureMark) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double inertia[LANES];
    FOR_LANES (l) inertia[l] = 1.0;
    if (a->breaking > 0)
        FOR_LANES (l) inertia[l] *= kept_in_breaking(a, first + l, j);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double kept = inertia[l] < LEAST_INERTIA ? 0.0 : inertia[l];
        const double active = a->depth[m] >= a->least_depth ? HYDROSTATIC + kept : NONE;
        a->active[m] = a->g.own_area[m] > 0 ? active : NONE;
    }
}

KERNEL_CELLS(pressure_carry, PressureMark) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    /* thin water has no part in breaking */
    const double now = a->active[m] > NONE ? a->active[m] - HYDROSTATIC : 1.0;
    a->carried[m] = sqrt(min_of(1.0, a->inertia[m] / max_of(now, LEAST_INERTIA)));
    a->inertia[m] = now;
}

KERNEL_CELLS(pressure_mark_again, PressureMark) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->active[m] = a->depth[m] >= a->least_depth ? a->active[m] : NONE;
}

KERNEL_CELLS(pressure_release, PressureMark) {
    const ptrdiff_t m = AT2(a->g, i, j), mk = AT(a->g, i, j, k);
    a->q[mk] = a->active[m] > HYDROSTATIC ? a->q[mk] : 0.0;
}

/* Surfaces that rise or fall at the start faster than this times sqrt(g H) are not those of waves. */
#define FASTEST_WAVE 0.6

KERNEL_CELLS(pressure_start_columns, PressureStart) {
    const ptrdiff_t m = AT2(a->g, i, j), top = m + (a->g.n3 - 1) * a->g.plane;
    const double limit = FASTEST_WAVE * sqrt(a->gravity * max_of(0.0, a->depth[m]));
    const double excess = fabs(a->w[top]) / max_of(limit, 1e-12) - 1.0;
    const double part = 1.0 - max_of(0.0, min_of(excess, 1.0));
    (void)k;
    a->inertia[m] = 1.0;
    for (int level = 0; level < a->g.n3; level++) a->w[m + level * a->g.plane] *= part;
}
