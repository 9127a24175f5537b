/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"
#include "model/tracers/rings.h"
#include "model/tracers/small_part.h"

KERNEL_CELLS(ring_rows, RingCells) {
    const Transport *t = &a->transport;
    const ptrdiff_t m = AT(t->g, i, j, k), column = AT2(t->g, i, j);
    const Part p = look_at(t, column, m);
    ptrdiff_t step[SIDES];
    double in[SIDES];
    steps_to_neighbours(&t->g, step);
    inflows(t, m, in);
    const double water = p.hot ? hot_water(t, column, &p, in) : cold_water(t, column, &p, in);
    const double per_water = water > 0 ? t->part * t->dt / water : 0.0;
    for (int s = 0; s < SIDES; s++) {
        const double theta = in[s] > 0 ? look_at(t, column_of(column, s, step[s]), m + step[s]).theta : 1.0;
        a->row[s][m] = (1.0 - theta) * max_of(0.0, in[s]) * per_water;
    }
    a->centre[m] = 1.0;
}

KERNEL_CELLS(ring_right, RingCells) {
    const ptrdiff_t m = AT(a->transport.g, i, j, k);
    double implicit = 0.0;
    for (int s = 0; s < SIDES; s++) implicit += a->row[s][m];
    a->rhs[m] = implicit > 0 ? a->tracer.next[m] - a->tracer.guess[m] : 0.0;
    a->change[m] = 0.0;
}

KERNEL_CELLS(ring_values, RingCells) {
    const ptrdiff_t m = AT(a->transport.g, i, j, k);
    const double change = a->change[m];
    if (change != 0 && isfinite(change))
        a->tracer.next[m] = min_of(a->most, max_of(a->least, a->tracer.guess[m] + change));
}

MAX_CELLS(ring_extremes, RingCells, 2) {
    const Transport *t = &a->transport;
    const ptrdiff_t m = AT(t->g, i, j, k), column = AT2(t->g, i, j);
    const double carried = a->tracer.carried[column], here = a->tracer.c[m];
    const double source = carried > 0 ? a->tracer.load[column] / carried : here;
    ptrdiff_t step[SIDES];
    double in[SIDES];
    steps_to_neighbours(&t->g, step);
    inflows(t, m, in);
    most[0] = max_of(-min_of(here, source), most[0]);
    most[1] = max_of(max_of(here, source), most[1]);
    for (int s = 0; s < SIDES; s++) {
        const double beside = in[s] > 0 ? a->tracer.c[m + step[s]] : here;
        most[0] = max_of(-beside, most[0]);
        most[1] = max_of(beside, most[1]);
    }
}
