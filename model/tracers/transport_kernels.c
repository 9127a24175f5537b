/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/transport.h"

enum { WEST, EAST, SOUTH, NORTH, BELOW, ABOVE, SIDES };

/* The step in memory to the neighbours on the six sides. */
POINTWISE void steps_to_neighbours(const Grid *g, ptrdiff_t step[SIDES]) {
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

/* All that leaves a cell per second. `column` is its place in two-dimensional fields. [m3 s-1] */
POINTWISE double all_outflow(const Transport *a, ptrdiff_t column, ptrdiff_t m, const double in[SIDES]) {
    double out = a->g.phi_c[m] * (a->source_in[column] - a->source[column]);
    UNROLLED for (int s = 0; s < SIDES; s++) out += max_of(0.0, -in[s]);
    return out;
}

KERNEL_COLUMNS(transport_shares, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double deepest = a->g.n3;
    for (int l = 0; l < LANES; l++) deepest = min_of(deepest, a->g.bottom_c[first + l]);
    for (int k = (int)deepest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t column = first + l, m = column + k * a->g.plane;
            double in[SIDES];
            inflows(a, m, in);
            const double out = a->dt * all_outflow(a, column, m, in);
            const double volume = a->g.area[column] * a->g.phi_c[m] * a->depth[column];
            /* ghosts of open edges have all the water that is wanted */
            const bool lacks = (out > volume) & (a->g.own_area[column] > 0);
            const double share = volume / max_of(out, 1e-300);
            a->theta[m] = lacks ? share : 1.0;
        }
}

/* What a cell keeps of its water, and what it gets: the denominator of the new value. [m3] */
POINTWISE double water_of_new_value(const Transport *a, ptrdiff_t column, ptrdiff_t m,
                                    const double in[SIDES]) {
    const double volume = a->g.area[column] * a->g.phi_c[m] * a->depth[column];
    const double out = a->dt * all_outflow(a, column, m, in);
    double sum = max_of(0.0, volume - a->theta[m] * out) + a->dt * a->g.phi_c[m] * a->source_in[column];
    UNROLLED for (int s = 0; s < SIDES; s++) sum += a->dt * max_of(0.0, in[s]);
    return sum;
}

/* dt times what sources bring beyond the value that is there. */
POINTWISE double from_sources(const Transport *a, const Carried *t, ptrdiff_t column, ptrdiff_t m) {
    return a->dt * a->g.phi_c[m] * (t->load[column] - t->carried[column] * t->before[m]);
}

KERNEL_COLUMNS(transport_start, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    ptrdiff_t step[SIDES];
    double deepest = a->g.n3;
    steps_to_neighbours(&a->g, step);
    for (int l = 0; l < LANES; l++) deepest = min_of(deepest, a->g.bottom_c[first + l]);
    for (int k = (int)deepest; k < a->g.n3; k++) {
        double inverse[LANES], in[SIDES][LANES];
        FOR_LANES (l) {
            const ptrdiff_t column = first + l, m = column + k * a->g.plane;
            double flux[SIDES];
            inflows(a, m, flux);
            const double water = water_of_new_value(a, column, m, flux);
            inverse[l] = water > 0 ? 1.0 / water : 0.0;
            UNROLLED for (int s = 0; s < SIDES; s++) in[s][l] =
                max_of(0.0, flux[s]) * (a->dt * a->theta[m + step[s]]);
        }
        for (int n = 0; n < a->count; n++) {
            const Carried *t = &a->tracer[n];
            FOR_LANES (l) {
                const ptrdiff_t column = first + l, m = column + k * a->g.plane;
                const double here = t->before[m];
                double sum = from_sources(a, t, column, m);
                UNROLLED for (int s = 0; s < SIDES; s++) sum += in[s][l] * (t->before[m + step[s]] - here);
                t->after[m] = here + sum * inverse[l];
            }
        }
    }
}

KERNEL_CELLS(transport_sweep, Transport) {
    const ptrdiff_t column = AT2(a->g, i, j), m = AT(a->g, i, j, k);
    ptrdiff_t step[SIDES];
    double in[SIDES];
    steps_to_neighbours(&a->g, step);
    inflows(a, m, in);
    const double water = water_of_new_value(a, column, m, in);
    const double inverse = water > 0 ? 1.0 / water : 0.0;
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        const double here = t->before[m];
        double sum = from_sources(a, t, column, m);
        UNROLLED for (int s = 0; s < SIDES; s++) {
            const ptrdiff_t from = m + step[s];
            const double theta = a->theta[from];
            const double brings = theta * (t->before[from] - here) + (1.0 - theta) * (t->guess[from] - here);
            sum += a->dt * max_of(0.0, in[s]) * brings;
        }
        t->after[m] = here + sum * inverse;
    }
}

KERNEL_COLUMNS(tracer_contents, Contents) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double deepest = a->g.n3, sum[LANES] = {0}, least[LANES], most[LANES];
    for (int l = 0; l < LANES; l++) {
        deepest = min_of(deepest, a->g.bottom_c[first + l]);
        least[l] = HUGE_VAL;
        most[l] = -HUGE_VAL;
    }
    for (int k = (int)deepest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * a->g.plane;
            const bool here = (a->g.bottom_c[first + l] <= k) & (a->depth[first + l] > 0);
            const double c = a->c[m];
            sum[l] += a->g.phi_c[m] * c;
            least[l] = here ? min_of(least[l], c) : least[l];
            most[l] = here ? max_of(most[l], c) : most[l];
        }
    FOR_LANES (l) {
        a->mean[first + l] = a->depth[first + l] * sum[l];
        a->least[first + l] = least[l];
        a->most[first + l] = most[l];
    }
}
