/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"
#include "model/tracers/cells.h"

/* The water through the six sides; `layer` is the block's place in three-dimensional fields. */
POINTWISE void find_sides(const Transport *a, ptrdiff_t layer, Side side[SIDES]) {
    const double *u = a->flux_u + layer, *v = a->flux_v + layer, *w = a->flux_w + layer;
    const Side sides[SIDES] = {{u, 1}, {u + 1, -1}, {v, 1}, {v + a->g.row, -1}, {w, 1}, {w + a->g.plane, -1}};
    UNROLLED for (int s = 0; s < SIDES; s++) side[s] = sides[s];
}

/* What leaves, and what comes in by source and sides. [m3 s-1] */
POINTWISE void find_flows(const Transport *a, ptrdiff_t first, ptrdiff_t layer, const Side side[SIDES],
                          double in[SIDES][LANES], double *entering, double *leaving) {
    FOR_LANES (l) {
        const double phi = a->g.phi_c[layer + l];
        entering[l] = phi * a->source_in[first + l];
        leaving[l] = phi * (a->source_in[first + l] - a->source[first + l]);
    }
    UNROLLED for (int s = 0; s < SIDES; s++) FOR_LANES (l) {
        const double inflow = side[s].inwards * side[s].flux[l];
        in[s][l] = max_of(0.0, inflow);
        entering[l] += in[s][l];
        leaving[l] += max_of(0.0, -inflow);
    }
}

KERNEL_COLUMNS(transport_outflow, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double some_hot[LANES] = {0};
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        Side side[SIDES];
        double in[SIDES][LANES], entering[LANES], leaving[LANES], out[LANES];
        find_sides(a, layer, side);
        PREFETCH(a->flux_u + layer + SOON);
        PREFETCH(a->flux_v + layer + a->g.row + SOON);
        PREFETCH(a->flux_w + layer + SOON);
        PREFETCH(a->g.phi_c + layer + SOON);
        find_flows(a, first, layer, side, in, entering, leaving);
        FOR_LANES (l) {
            const ptrdiff_t column = first + l, m = layer + l;
            const double before = volume_in(a, a->depth, column, m);
            const double after = volume_in(a, a->depth_new, column, m);
            out[l] = a->dt * leaving[l];
            const bool loses = (out[l] > MOST_LOST * before) | (after < (1.0 - MOST_LOST) * before);
            const bool hot = loses & (out[l] > 0) & (a->reach[column] <= k);
            some_hot[l] = hot ? 1.0 : some_hot[l];
            out[l] = hot ? -out[l] : out[l];
        }
        if (a->out)
            FOR_LANES (l) a->out[layer + l] = out[l];
    }
    FOR_LANES (l) a->hot[first + l] = some_hot[l];
}

MAX_CELLS(transport_hottest, Transport, 1) {
    (void)k;
    most[0] = max_of(a->hot[AT2(a->g, i, j)], most[0]);
}

/* ---- low order ---- */

/* What the water of a block's cells in one layer does. */
typedef struct Water {
    double in[SIDES][LANES];            /* [m3 s-1] */
    double per_water[LANES];            /* [s m-3] */
    double before[LANES], after[LANES]; /* 1 where there is any */
} Water;

POINTWISE void find_water(const Transport *a, ptrdiff_t first, ptrdiff_t layer, ptrdiff_t place, int k,
                          Water *w) {
    Side side[SIDES];
    double entering[LANES], leaving[LANES];
    find_sides(a, layer, side);
    find_flows(a, first, layer, side, w->in, entering, leaving);
    FOR_LANES (l) {
        const ptrdiff_t column = first + l;
        const double volume = volume_in(a, a->depth, column, layer + l);
        const double water = max_of(0.0, volume - a->dt * leaving[l]) + a->dt * entering[l];
        const double ratio = a->dt / max_of(water, 1e-300);
        w->per_water[l] = water > 0 ? ratio : 0.0;
        a->per_water[place + l] = w->per_water[l];
        a->per_volume[place + l] = a->dt / max_of(volume, 1e-300);
        w->before[l] = ((a->reach[column] <= k) & (a->depth[column] > 0)) ? 1.0 : 0.0;
        w->after[l] = ((a->reach[column] <= k) & (a->depth_new[column] > 0)) ? 1.0 : 0.0;
    }
    if (a->leaving)
        FOR_LANES (l) a->leaving[place + l] = leaving[l];
}

POINTWISE void find_gain(const Transport *a, const Carried *t, ptrdiff_t first, ptrdiff_t layer,
                         ptrdiff_t place, bool has_source, const Water *w) {
    const ptrdiff_t step[SIDES] = {-1, 1, -a->g.row, a->g.row, -a->g.plane, a->g.plane};
    const double *c = t->c + layer;
    double sum[LANES];
    PREFETCH(c + SOON); /* rows that were read a row ago have left the nearer caches */
    PREFETCH(c - a->g.row + SOON);
    PREFETCH(c + a->g.row + SOON);
    FOR_LANES (l) sum[l] = 0.0;
    if (has_source)
        FOR_LANES (l) sum[l] = a->g.phi_c[layer + l] * (t->load[first + l] - t->carried[first + l] * c[l]);
    UNROLLED for (int s = 0; s < SIDES; s++) {
        const double *beside = c + step[s];
        FOR_LANES (l) sum[l] = fma(w->in[s][l], beside[l] - c[l], sum[l]);
    }
    if (!t->most) {
        FOR_LANES (l) t->gain[place + l] = sum[l] * w->per_water[l];
        return;
    }
    FOR_LANES (l) {
        const double gain = sum[l] * w->per_water[l];
        const double low = above_rounding(c[l] + gain, fabs(c[l]) + fabs(gain));
        t->gain[place + l] = gain;
        t->most[place + l] = max_of(w->before[l] > 0 ? c[l] : -HUGE_VAL, w->after[l] > 0 ? low : -HUGE_VAL);
        t->least[place + l] = min_of(w->before[l] > 0 ? c[l] : HUGE_VAL, w->after[l] > 0 ? low : HUGE_VAL);
    }
}

KERNEL_COLUMNS(transport_low, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int deepest = deepest_layer(a->around + first, a->g.n3);
    bool has_source[MOST_CARRIED];
    for (int n = 0; n < a->count; n++) {
        const double *load = a->tracer[n].load + first, *carried = a->tracer[n].carried + first;
        has_source[n] = false;
        for (int l = 0; l < LANES; l++) has_source[n] |= (load[l] != 0) | (carried[l] != 0);
        find_no_bounds(&a->tracer[n], IN_WINDOW(a->window, i0, j, deepest - 1));
    }
    for (int k = deepest; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane, place = IN_WINDOW(a->window, i0, j, k);
        Water w;
        PREFETCH(a->flux_u + layer + SOON);
        PREFETCH(a->flux_v + layer + a->g.row + SOON);
        PREFETCH(a->flux_w + layer + SOON);
        PREFETCH(a->g.phi_c + layer + SOON);
        find_water(a, first, layer, place, k, &w);
        for (int n = 0; n < a->count; n++)
            find_gain(a, &a->tracer[n], first, layer, place, has_source[n], &w);
    }
}

/* ---- corrections ---- */

/* Of a block of faces between the cells at m - step and m: what does not depend on the tracer. All 0 where no
 * correction is made. */
typedef struct FaceWeights {
    double forth[LANES];  /* of c_d - c_u, in the direction of the axis [m3 s-1] */
    double back[LANES];   /* of c_u - c_uu, also in T_u */
    double corner[LANES]; /* of cL_u - c_u */
    double flux[LANES];
} FaceWeights;

/* Where the cells at m - step lie: in fields, columns and windows. */
typedef struct Back {
    ptrdiff_t step, column;
    ptrdiff_t place; /* of the block at m - step in the window */
} Back;

/* `behind` and `ahead` tell by lane from which layer up the cells at m - 2 step and m + step can be used, k
 * being the layer of m, and `open` the faces. */
POINTWISE void weigh_faces(const Transport *a, const double *flux, ptrdiff_t layer, ptrdiff_t place, int k,
                           const Back *b, const double *open, const double *behind, const double *ahead,
                           FaceWeights *w) {
    const double *per_volume = a->per_volume + place, *per_volume_back = a->per_volume + b->place;
    const double *per_water = a->per_water + place, *per_water_back = a->per_water + b->place;
    flux += layer;
    FOR_LANES (l) {
        /* both sides are read first: a choice of what to read costs more than a choice between numbers */
        const double volume_back = per_volume_back[l], volume_here = per_volume[l];
        const double water_back = per_water_back[l], water_here = per_water[l];
        const double from_back = behind[l], from_here = ahead[l];
        const double f = flux[l], size = fabs(f);
        const bool along = f > 0, is_open = open[l] <= k;
        const double courant = min_of(1.0, size * (along ? volume_back : volume_here));
        const double part = size * (1.0 / 6.0) * (1.0 - courant);
        const double first = part * (2.0 - courant), second = part * (1.0 + courant);
        const double from_behind = max_of(0.0, flux[l - b->step]),
                     from_ahead = max_of(0.0, -flux[l + b->step]);
        const double enters = along ? from_behind : from_ahead;
        const double opposite = enters * (along ? water_back : water_here);
        const bool has_upstream = (along ? from_back : from_here) <= k;
        const double forth = has_upstream ? first : first + second;
        const double back = (has_upstream ? second : 0.0) + 0.5 * size * opposite;
        w->forth[l] = is_open ? forth : 0.0;
        w->back[l] = is_open ? back : 0.0;
        w->corner[l] = is_open ? 0.5 * f : 0.0;
        w->flux[l] = f;
    }
    if (!a->out) return;
    const double *out = a->out + layer, *out_back = out - b->step;
    FOR_LANES (l) {
        const bool small_steps = (out_back[l] < 0) | (out[l] < 0);
        w->forth[l] = small_steps ? 0.0 : w->forth[l];
        w->back[l] = small_steps ? 0.0 : w->back[l];
        w->corner[l] = small_steps ? 0.0 : w->corner[l];
    }
}

POINTWISE void correct_faces(const Transport *a, ptrdiff_t layer, ptrdiff_t place, const Back *b,
                             int direction, const FaceWeights *w) {
    const ptrdiff_t step = b->step;
    for (int n = 0; n < a->count; n++) {
        const double *c = a->tracer[n].c + layer;
        const double *gain = a->tracer[n].gain + place, *gain_back = a->tracer[n].gain + b->place;
        double *out = a->tracer[n].correction[direction] + place;
        FOR_LANES (l) {
            const double here = c[l], behind = c[l - step];
            const double gained_back = gain_back[l], gained_here = gain[l];
            const double from_behind = behind - c[l - 2 * step], from_ahead = c[l + step] - here;
            const double upstream = w->flux[l] > 0 ? from_behind : from_ahead;
            const double gained = w->flux[l] > 0 ? gained_back : gained_here;
            out[l] = fma(w->forth[l], here - behind, fma(w->back[l], upstream, w->corner[l] * gained));
        }
    }
}

KERNEL_COLUMNS(transport_correction, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j), row = a->g.row, plane = a->g.plane;
    const double *reach = a->reach + first, *even_x = a->even_x + first, *even_y = a->even_y + first;
    const int top = a->g.n3 - 1;
    double open[DIRECTIONS][LANES], never[LANES];
    FOR_LANES (l) {
        open[ALONG_X][l] = max_of(reach[l - 1], reach[l]);
        open[ALONG_Y][l] = max_of(reach[l - row], reach[l]);
        open[ALONG_Z][l] = reach[l] + 1.0;
        never[l] = a->g.n3;
    }
    for (int k = deepest_layer(a->around + first, a->g.n3); k <= top; k++) {
        const ptrdiff_t layer = first + k * plane, place = IN_WINDOW(a->window, i0, j, k);
        const Back west = {1, 1, place - 1}, south = {row, row, IN_WINDOW(a->window, i0, j - 1, k)},
                   below = {plane, 0, place - a->window.plane};
        FaceWeights w;
        weigh_faces(a, a->flux_u, layer, place, k, &west, open[ALONG_X], even_x - 1, even_x, &w);
        correct_faces(a, layer, place, &west, ALONG_X, &w);
        weigh_faces(a, a->flux_v, layer, place, k, &south, open[ALONG_Y], even_y - row, even_y, &w);
        correct_faces(a, layer, place, &south, ALONG_Y, &w);
        weigh_faces(a, a->flux_w, layer, place, k, &below, open[ALONG_Z], never, never, &w);
        correct_faces(a, layer, place, &below, ALONG_Z, &w);
    }
}
