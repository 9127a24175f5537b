/* SPDX-License-Identifier: Apache-2.0
 *
 * A cell in one part of the step, for the kernels of substeps.
 */
#ifndef MAEOTIS_MODEL_SMALL_PART_H
#define MAEOTIS_MODEL_SMALL_PART_H

#include "model/tracers/cells.h"

typedef struct Part {
    ptrdiff_t m;
    bool hot;
    double before, after; /* volumes V^m, V^(m+1) [m3] */
    double out;           /* p O [m3] */
    double theta;
} Part;

POINTWISE Part look_at(const Transport *a, ptrdiff_t column, ptrdiff_t m) {
    const double first = volume_in(a, a->depth, column, m), last = volume_in(a, a->depth_new, column, m);
    Part p;
    p.m = m;
    p.hot = a->out[m] < 0;
    p.before = max_of(0.0, first + a->begin * (last - first));
    p.after = max_of(0.0, first + (a->begin + a->part) * (last - first));
    p.out = a->part * fabs(a->out[m]);
    p.theta = (p.hot & (p.out > p.before)) ? p.before / p.out : 1.0;
    return p;
}

/* Column of the neighbour on a side. */
POINTWISE ptrdiff_t column_of(ptrdiff_t column, int side, ptrdiff_t step) {
    return side == BELOW || side == ABOVE ? column : column + step;
}

/* The water that a value of a hot cell's next part is made of. [m3] */
POINTWISE double hot_water(const Transport *a, ptrdiff_t column, const Part *p, const double in[SIDES]) {
    double sum = a->g.phi_c[p->m] * a->source_in[column];
    UNROLLED for (int s = 0; s < SIDES; s++) sum += max_of(0.0, in[s]);
    return max_of(0.0, p->before - p->theta * p->out) + a->part * a->dt * sum;
}

/* That of a cold cell: V^(m+1) by its own flows. The depth agrees with them to the rounding of much larger ones, which is
 * much for a film. [m3] */
POINTWISE double cold_water(const Transport *a, ptrdiff_t column, const Part *p, const double in[SIDES]) {
    double gained = a->g.phi_c[p->m] * a->source[column];
    UNROLLED for (int s = 0; s < SIDES; s++) gained += in[s];
    return p->before + a->part * a->dt * gained;
}

#endif
