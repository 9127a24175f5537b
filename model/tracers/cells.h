/* SPDX-License-Identifier: Apache-2.0
 *
 * The sides, volumes and flows of a cell, for the kernels of transport.
 */
#ifndef MAEOTIS_MODEL_TRACER_CELLS_H
#define MAEOTIS_MODEL_TRACER_CELLS_H

#include "model/tracers/transport.h"
#include "numerics/limiter.h"

enum { WEST, EAST, SOUTH, NORTH, BELOW, ABOVE, SIDES };

/* The levels of a column lie far apart in memory: prefetches the data of the block after next. */
enum { SOON = 2 * BLOCK };

/* One of the six sides of a block's cells in one layer. */
typedef struct Side {
    const double *flux; /* in the direction of the axis [m3 s-1] */
    double inwards;     /* the sign of what comes in */
} Side;

/* The step in memory to the neighbours on the six sides. */
POINTWISE void steps_to_neighbours(const GridView *g, ptrdiff_t step[SIDES]) {
    step[WEST] = -1;
    step[EAST] = 1;
    step[SOUTH] = -g->row;
    step[NORTH] = g->row;
    step[BELOW] = -g->plane;
    step[ABOVE] = g->plane;
}

/* Volumes per second that come in through the six sides of a cell; negative: go out. [m3 s-1] */
POINTWISE void inflows(const Transport *a, ptrdiff_t m, double in[SIDES]) {
    in[WEST] = a->flux_u[m];
    in[EAST] = -a->flux_u[m + 1];
    in[SOUTH] = a->flux_v[m];
    in[NORTH] = -a->flux_v[m + a->g.row];
    in[BELOW] = a->flux_w[m];
    in[ABOVE] = -a->flux_w[m + a->g.plane];
}

/* Places in the window of a block's cells, and of those on their six sides. */
typedef struct Places {
    ptrdiff_t here, beside[SIDES];
} Places;

POINTWISE Places find_places(const Transport *a, int i0, int j, int k) {
    const Window w = a->window;
    const ptrdiff_t here = IN_WINDOW(w, i0, j, k);
    Places p;
    p.here = here;
    p.beside[WEST] = here - 1;
    p.beside[EAST] = here + 1;
    p.beside[SOUTH] = IN_WINDOW(w, i0, j - 1, k);
    p.beside[NORTH] = IN_WINDOW(w, i0, j + 1, k);
    p.beside[BELOW] = here - w.plane;
    p.beside[ABOVE] = here + w.plane;
    return p;
}

/* Volume of a cell in water of a depth. `column` is its place in two-dimensional fields. [m3] */
POINTWISE double volume_in(const Transport *a, const double *depth, ptrdiff_t column, ptrdiff_t m) {
    return a->g.area[column] * a->g.phi_c[m] * depth[column];
}

/* What sources bring beyond the value `here` that is there, per second. [value m3 s-1] */
POINTWISE double from_sources(const Transport *a, const Carried *t, ptrdiff_t column, ptrdiff_t m,
                              double here) {
    const double own = a->source_in[column] - t->carried[column];
    const double brought = t->load[column] - t->carried[column] * here;
    return a->g.phi_c[m] * (brought + own * (t->c[m] - here));
}

/* The surface and the bed of a column, where a stratification ends: the line through the two cells next to the last one
 * tells what the water has at the end itself. In a column of three layers the bed alone has such a line: if both ends
 * had, each would be the other's reason to go further. `k` is the last cell, `lowest` the lowest layer. */
POINTWISE bool line_reaches_end(double layers, double k, double lowest) {
    const double top = layers - 1;
    return ((k == top) & (lowest <= top - 3)) | ((k == lowest) & (k <= top - 2));
}

/* Over ground inside cells a layer at fixed heights may hold a small part of the water of the one above it, as in a pit: where
 * water passes through such a last cell, the line would let it drift away from all that comes in. So it has to hold this part. */
#define LEAST_OF_NEXT 0.3

/* What that line has there, with the smaller one of the two gaps between `last`, `next` and `after`. */
POINTWISE double value_at_end(double last, double next, double after) {
    return next + 1.5 * least_slope(next - after, last - next);
}

/* The same with a gap that grows towards the end as it does from `third` on, though at most to twice its size: where a
 * stratification bends, the line alone does not reach the last cell's own value. On layers along the bed, if it grows more than
 * twofold, it grows by the same factor again, at most four, less a half: so an exponential reaches that value however thick the
 * layers are. */
POINTWISE double bent_value_at_end(double last, double next, double after, double third, bool sloping) {
    const double gap = next - after, before = after - third;
    const double ratio = min_of(4.0, fabs(gap) / max_of(fabs(before), 1e-300));
    const bool steep = sloping & (gap * before > 0) & (ratio > 2);
    const double growth = steep ? (ratio - 1.5) * gap : least_slope(gap - before, gap);
    return next + 1.5 * least_slope(gap + growth, last - next);
}

/* A sum of terms of a size, in theory not negative: what is below zero by no more than their rounding is zero, or by what
 * counts as nothing in the limiter. A value that may be negative is shifted by its rounding, if at all. */
POINTWISE double above_rounding(double sum, double size) {
    return ((sum < 0) & (sum > -1e-14 * size - 1e-140)) ? 0.0 : sum;
}

/* No bounds come from below the lowest layer. */
POINTWISE void find_no_bounds(const Carried *t, ptrdiff_t place) {
    if (!t->most) return;
    FOR_LANES (l) {
        t->most[place + l] = -HUGE_VAL;
        t->least[place + l] = HUGE_VAL;
    }
}

#endif
