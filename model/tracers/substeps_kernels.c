/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"
#include "model/tracers/small_part.h"
#include "model/tracers/substeps.h"

KERNEL_CELLS(substep_begin, Transport) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    ptrdiff_t step[SIDES];
    steps_to_neighbours(&a->g, step);
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        for (int far = 0; far <= 2; far++)
            for (int s = 0; s < SIDES; s++) {
                const ptrdiff_t p = m + far * step[s];
                t->now[p] = t->guess[p] = t->next[p] = t->c[p];
            }
        t->left[m] = 0.0;
    }
}

KERNEL_CELLS(substep_clear, Transport) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const ptrdiff_t back[DIRECTIONS] = {-1, -a->g.row, -a->g.plane};
    for (int n = 0; n < a->count; n++)
        for (int d = 0; d < DIRECTIONS; d++) {
            double *summed = a->tracer[n].summed[d];
            const bool touches = (a->out[m] < 0) | (a->out[m + back[d]] < 0);
            summed[m] = touches ? 0.0 : summed[m];
        }
}

POINTWISE void hot_low(const Transport *a, ptrdiff_t column, const Part *p, const double in[SIDES],
                       const ptrdiff_t step[SIDES], const double theta[SIDES]) {
    const double water = hot_water(a, column, p, in);
    const double per_water = water > 0 ? a->part * a->dt / water : 0.0;
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        const double now = t->now[p->m];
        double sum = from_sources(a, t, column, p->m, now);
        UNROLLED for (int s = 0; s < SIDES; s++) {
            const ptrdiff_t from = p->m + step[s];
            const double old = t->now[from] - now, new_value = t->guess[from] - now;
            sum += max_of(0.0, in[s]) * (theta[s] < 1 ? theta[s] * old + (1.0 - theta[s]) * new_value : old);
        }
        t->next[p->m] = above_rounding(now + sum * per_water, fabs(now) + fabs(sum * per_water));
    }
}

POINTWISE void rim_low(const Transport *a, ptrdiff_t column, const Part *p, const double in[SIDES],
                       const ptrdiff_t step[SIDES], const double theta[SIDES]) {
    double to_hot = 0.0;
    const double part = a->part * a->dt;
    bool hot[SIDES];
    UNROLLED for (int s = 0; s < SIDES; s++) {
        hot[s] = a->out[p->m + step[s]] < 0;
        to_hot += hot[s] ? max_of(0.0, -in[s]) : 0.0;
    }
    const double after = cold_water(a, column, p, in), inverse = after > 0 ? 1.0 / after : 0.0;
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        const double first = t->c[p->m];
        double sum = (p->before - part * to_hot) * (t->now[p->m] - first);
        sum += part * from_sources(a, t, column, p->m, first);
        UNROLLED for (int s = 0; s < SIDES; s++) {
            const ptrdiff_t from = p->m + step[s];
            const double cold = t->c[from] - first;
            const double warm =
                theta[s] * (t->now[from] - first) + (1.0 - theta[s]) * (t->guess[from] - first);
            sum += part * max_of(0.0, in[s]) * (hot[s] ? warm : cold);
        }
        t->next[p->m] = above_rounding(first + sum * inverse, fabs(first) + fabs(sum * inverse));
    }
}

KERNEL_CELLS(substep_low, Transport) {
    const ptrdiff_t column = AT2(a->g, i, j);
    const Part p = look_at(a, column, AT(a->g, i, j, k));
    ptrdiff_t step[SIDES];
    double in[SIDES], theta[SIDES];
    steps_to_neighbours(&a->g, step);
    inflows(a, p.m, in);
    for (int s = 0; s < SIDES; s++)
        theta[s] = in[s] > 0 ? look_at(a, column_of(column, s, step[s]), p.m + step[s]).theta : 1.0;
    if (p.hot)
        hot_low(a, column, &p, in, step, theta);
    else
        rim_low(a, column, &p, in, step, theta);
}

KERNEL_CELLS(substep_keep_guess, Transport) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    for (int n = 0; n < a->count; n++) a->tracer[n].guess[m] = a->tracer[n].next[m];
}

/* ---- corrections ---- */

/* A face between the cells at m - step and m. */
typedef struct SmallFace {
    ptrdiff_t donor, receiver, upstream; /* upstream: the donor again where there is none */
    bool has_upstream;
    double flux, sign, courant, theta, opposite; /* flux: p F, at least 0 */
} SmallFace;

POINTWISE SmallFace face_at(const Transport *a, int i, int j, int k, int direction) {
    const ptrdiff_t column = AT2(a->g, i, j), m = AT(a->g, i, j, k);
    const ptrdiff_t steps[DIRECTIONS] = {1, a->g.row, a->g.plane};
    const double *fluxes[DIRECTIONS] = {a->flux_u, a->flux_v, a->flux_w};
    const ptrdiff_t step = steps[direction], column_step = direction == ALONG_Z ? 0 : step;
    const double *flux = fluxes[direction];
    const bool forth = flux[m] > 0, upright = direction == ALONG_Z;
    const double part = a->part * a->dt;
    SmallFace f;
    f.donor = forth ? m - step : m;
    f.receiver = forth ? m : m - step;
    const ptrdiff_t donor_column = forth ? column - column_step : column;
    const ptrdiff_t far_column = forth ? column - 2 * column_step : column + column_step;
    const int layer = upright ? (forth ? k - 2 : k + 1) : k;
    f.has_upstream = (a->reach[far_column] <= layer) & (layer < a->g.n3);
    f.upstream = f.has_upstream ? (forth ? m - 2 * step : m + step) : f.donor;
    f.flux = part * fabs(flux[m]);
    f.sign = forth ? 1.0 : -1.0;
    const Part p = look_at(a, donor_column, f.donor);
    double in[SIDES];
    inflows(a, f.donor, in);
    const double water = p.hot ? hot_water(a, donor_column, &p, in) : p.after;
    const double enters = forth ? max_of(0.0, flux[m - step]) : max_of(0.0, -flux[m + step]);
    f.courant = min_of(1.0, f.flux / max_of(p.before, 1e-300));
    f.theta = p.theta;
    f.opposite = f.has_upstream ? part * enters / max_of(water, 1e-300) : 0.0;
    return f;
}

POINTWISE double small_correction(const SmallFace *f, const Carried *t) {
    const double c = f->courant, u = t->now[f->donor], d = t->now[f->receiver], uu = t->now[f->upstream];
    const double lu = t->next[f->donor], ld = t->next[f->receiver], luu = t->next[f->upstream];
    const double one = (2.0 - c) * (1.0 - c) / 6.0, two = (1.0 - c * c) / 6.0;
    const double up = f->has_upstream ? u - uu : d - u;
    const double corner = lu - u - f->opposite * (uu - u);
    const double old = one * (d - u) + two * up + 0.5 * corner;
    const double mu = 0.5 * (u + lu), md = 0.5 * (d + ld), muu = 0.5 * (uu + luu);
    const double mup = f->has_upstream ? mu - muu : md - mu;
    const double rest = mu + (md - mu) / 3.0 + mup / 6.0 - lu;
    return f->sign * f->flux * (f->theta * old + (1.0 - f->theta) * rest);
}

/* How many hot sides a face has; 0 where it is closed or on an open edge. */
POINTWISE int hot_sides(const Transport *a, int i, int j, int k, int direction) {
    const ptrdiff_t column = AT2(a->g, i, j), m = AT(a->g, i, j, k);
    const ptrdiff_t columns[DIRECTIONS] = {column - 1, column - a->g.row, column};
    const ptrdiff_t cells[DIRECTIONS] = {m - 1, m - a->g.row, m - a->g.plane};
    const int layer = direction == ALONG_Z ? k - 1 : k;
    const bool open = (a->reach[column] <= k) & (a->reach[columns[direction]] <= layer) & (k < a->g.n3);
    return open ? (a->out[m] < 0) + (a->out[cells[direction]] < 0) : 0;
}

KERNEL_CELLS(substep_add, Transport) {
    const Part p = look_at(a, AT2(a->g, i, j), AT(a->g, i, j, k));
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        const double leaves = p.theta * t->now[p.m] + (1.0 - p.theta) * t->next[p.m];
        t->left[p.m] += a->part * leaves;
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        if (!a->tracer[0].summed[d] || hot_sides(a, i, j, k, d) != 1) continue;
        const SmallFace f = face_at(a, i, j, k, d);
        for (int n = 0; n < a->count; n++) a->tracer[n].summed[d][p.m] += small_correction(&f, &a->tracer[n]);
    }
}

/* Corrections that come in through the six sides of a hot cell, from hot cells. */
POINTWISE void hot_corrections_in(const Transport *a, int i, int j, int k, int n, double in[SIDES]) {
    for (int d = 0; d < DIRECTIONS; d++) {
        const int di = d == ALONG_X, dj = d == ALONG_Y, dk = d == ALONG_Z;
        in[2 * d] = in[2 * d + 1] = 0.0;
        if (hot_sides(a, i, j, k, d) == 2) {
            const SmallFace f = face_at(a, i, j, k, d);
            in[2 * d] = small_correction(&f, &a->tracer[n]);
        }
        if (hot_sides(a, i + di, j + dj, k + dk, d) == 2) {
            const SmallFace f = face_at(a, i + di, j + dj, k + dk, d);
            in[2 * d + 1] = -small_correction(&f, &a->tracer[n]);
        }
    }
}

/* Values of the cell and its neighbours, as far as there is water. */
POINTWISE void widen_bounds(const Carried *t, const Part *p, double *least, double *most) {
    const double low = t->next[p->m], was = p->before > 0 ? t->now[p->m] : low;
    *most = max_of(*most, max_of(was, low));
    *least = min_of(*least, min_of(was, low));
}

KERNEL_CELLS(substep_room, Transport) {
    const ptrdiff_t column = AT2(a->g, i, j), m = AT(a->g, i, j, k);
    const Part p = look_at(a, column, m);
    ptrdiff_t step[SIDES];
    double in[SIDES];
    if (!p.hot) return;
    steps_to_neighbours(&a->g, step);
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        const double low = t->next[m];
        double most = low, least = low, rise = 0.0, fall = 0.0;
        widen_bounds(t, &p, &least, &most);
        hot_corrections_in(a, i, j, k, n, in);
        for (int s = 0; s < SIDES; s++) {
            const ptrdiff_t beside = column_of(column, s, step[s]);
            const int layer = s == BELOW ? k - 1 : s == ABOVE ? k + 1 : k;
            const bool water = (a->reach[beside] <= layer) & (layer < a->g.n3);
            const Part q = look_at(a, beside, m + step[s]);
            if (water && q.after > 0) widen_bounds(t, &q, &least, &most);
            rise += max_of(0.0, in[s]);
            fall += max_of(0.0, -in[s]);
        }
        t->small_above[m] = min_of(1.0, p.after * (most - low) / max_of(rise, 1e-300));
        t->small_below[m] = min_of(1.0, p.after * (low - least) / max_of(fall, 1e-300));
    }
}

KERNEL_CELLS(substep_correct, Transport) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const Part p = look_at(a, AT2(a->g, i, j), m);
    ptrdiff_t step[SIDES];
    double in[SIDES];
    steps_to_neighbours(&a->g, step);
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        double sum = 0.0;
        if (p.hot && p.after > 0) {
            hot_corrections_in(a, i, j, k, n, in);
            for (int s = 0; s < SIDES; s++) {
                const double up = min_of(t->small_above[m], t->small_below[m + step[s]]);
                const double down = min_of(t->small_below[m], t->small_above[m + step[s]]);
                sum += in[s] * (in[s] > 0 ? up : down);
            }
            sum /= p.after;
        }
        t->guess[m] = above_rounding(t->next[m] + sum, fabs(t->next[m]) + fabs(sum));
    }
}

MAX_CELLS(substep_parts, Transport, 1) {
    const ptrdiff_t m = AT(a->g, i, j, k), column = AT2(a->g, i, j);
    if (!(a->out[m] < 0)) return;
    const double volume = a->g.area[column] * a->g.phi_c[m] * min_of(a->depth[column], a->depth_new[column]);
    most[0] = max_of(volume > 0 ? -a->out[m] / volume : (double)MOST_PARTS, most[0]);
}

COUNT_CELLS(substep_changes, Transport, 1) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    for (int n = 0; n < a->count; n++) {
        const double next = a->tracer[n].next[m], guess = a->tracer[n].guess[m];
        const double size = max_of(max_of(fabs(next), fabs(guess)), a->tracer[n].scale);
        count[0] += fabs(next - guess) > a->rounding * size;
    }
}

/* ---- what the passes go on with ---- */

KERNEL_CELLS(substep_hand_on, Transport) {
    const ptrdiff_t column = AT2(a->g, i, j), m = AT(a->g, i, j, k), place = IN_WINDOW(a->window, i, j, k);
    const double after = volume_in(a, a->depth_new, column, m);
    const bool before = a->depth[column] > 0, wet = a->depth_new[column] > 0;
    if (a->out[m] < 0) a->per_water[place] = after > 0 ? a->dt / after : 0.0;
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        const double c = t->c[m], low = t->now[m];
        t->gain[place] = low - c;
        if (!t->most) continue;
        t->most[place] = max_of(before ? c : -HUGE_VAL, wet ? low : -HUGE_VAL);
        t->least[place] = min_of(before ? c : HUGE_VAL, wet ? low : HUGE_VAL);
    }
}

KERNEL_CELLS(substep_hand_on_corrections, Transport) {
    const ptrdiff_t m = AT(a->g, i, j, k), place = IN_WINDOW(a->window, i, j, k);
    const ptrdiff_t back[DIRECTIONS] = {-1, -a->g.row, -a->g.plane};
    for (int d = 0; d < DIRECTIONS; d++) {
        if (!((a->out[m] < 0) | (a->out[m + back[d]] < 0))) continue;
        for (int n = 0; n < a->count; n++)
            a->tracer[n].correction[d][place] = a->tracer[n].summed[d][m] / a->dt;
    }
}
