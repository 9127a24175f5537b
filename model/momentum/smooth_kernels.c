/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/smooth.h"

/* Parts of the depth: its change in a step, and the difference in level to the next column. */
#define STEADY 0.005
#define GENTLE 0.1

/* The same with ground inside cells, through which shores move: a beach has thin and sloping water for many cells. And how thin
 * water there may be, as a part of `thin`. */
#define STEADY_INSIDE 0.05
#define GENTLE_INSIDE 0.2
#define THIN_INSIDE   0.2

/* The difference between the levels of two columns, if both are wet. [m] */
POINTWISE double jump(const Smooth *a, ptrdiff_t m, ptrdiff_t beside) {
    return a->depth[beside] > 0 ? fabs(a->eta[m] - a->eta[beside]) : 0.0;
}

/* 1 with a `part` up to `most`, 0 from twice that on. */
POINTWISE double below(double part, double most) {
    return max_of(0.0, min_of(2.0 - part / most, 1.0));
}

/* Land that cannot be wet hinders nothing. Thin water is fully implicit, and of first order anyway. */
POINTWISE double calm(const Smooth *a, ptrdiff_t m) {
    const double *share = or_any(a->share, a->depth),
                 wet = ((a->share != NULL) & (share[m] > 0)) ? share[m] : 1.0;
    const double depth = a->depth[m] / wet, per_depth = 1.0 / max_of(depth, 1e-12);
    const double along_x = max_of(jump(a, m, m - 1), jump(a, m, m + 1));
    const double along_y = max_of(jump(a, m, m - a->g.row), jump(a, m, m + a->g.row));
    const double steady = below(fabs(a->increment[m]) * per_depth, a->share ? STEADY_INSIDE : STEADY);
    const double gentle = below(max_of(along_x, along_y) * per_depth, a->share ? GENTLE_INSIDE : GENTLE);
    const double thin = a->share ? THIN_INSIDE * a->thin : a->thin;
    const double deep = max_of(0.0, min_of(depth / thin - 1.0, 1.0));
    return a->g.area[m] > 0 ? min_of(steady, gentle) * deep : 1.0;
}

KERNEL_CELLS(smooth_find, Smooth) {
    const ptrdiff_t m = AT(a->g, i, j, k), row = a->g.row;
    double least = 1.0;
    for (int n = -2; n <= 2; n++) least = min_of(least, min_of(calm(a, m + n), calm(a, m + n * row)));
    const double part_of_cell = a->dt / min_of(a->dx[j], a->dy[j]);
    const double courant_square = a->gravity * a->depth[m] * part_of_cell * part_of_cell;
    a->smooth[m] = least;
    a->resolved[m] = least * max_of(0.0, min_of(1.0, (1.0 - courant_square) / 0.75));
}

KERNEL_CELLS(gain_keep, Gain) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double section = a->width[m] * a->depth[m], theta = a->theta[m], before = a->mean[m];
    const bool wet = (section > 0) & (a->depth_new[m] > 0);
    const double between = a->flux_total[m] / max_of(section, 1e-300);
    const double now = before + (between - before) / max_of(theta, 0.5);
    const double room = max_of(0.0, min_of(2.0 - 4.0 * a->dt * fabs(now) / a->spacing[j], 1.0));
    a->quickening[m] = wet ? room * (now - before) / a->dt : 0.0;
    a->gain[m] = wet ? a->width[m] * a->depth_new[m] * now - a->flux_total[m] : 0.0;
}
