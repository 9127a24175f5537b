/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/cells.h"

/* Cells that lose more than this part of their water, or keep less than the rest, go in small steps. */
#define MOST_LOST 0.95

/* One of the six sides of a block's cells in one layer. */
typedef struct Side {
    ptrdiff_t step;     /* in memory to the neighbours */
    const double *flux; /* in the direction of the axis [m3 s-1] */
    double inwards;     /* the sign of what comes in */
} Side;

/* `layer` is the block's place in three-dimensional fields. */
POINTWISE void find_sides(const Transport *a, ptrdiff_t layer, Side side[SIDES]) {
    const ptrdiff_t row = a->g.row, plane = a->g.plane;
    const double *u = a->flux_u + layer, *v = a->flux_v + layer, *w = a->flux_w + layer;
    const Side sides[SIDES] = {{-1, u, 1},         {1, u + 1, -1}, {-row, v, 1},
                               {row, v + row, -1}, {-plane, w, 1}, {plane, w + plane, -1}};
    UNROLLED for (int s = 0; s < SIDES; s++) side[s] = sides[s];
}

KERNEL_COLUMNS(transport_outflow, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        Side side[SIDES];
        double sum[LANES];
        find_sides(a, layer, side);
        FOR_LANES (l) sum[l] = a->g.phi_c[layer + l] * (a->source_in[first + l] - a->source[first + l]);
        UNROLLED for (int s = 0; s < SIDES; s++) FOR_LANES (l) sum[l] +=
            max_of(0.0, -side[s].inwards * side[s].flux[l]);
        FOR_LANES (l) {
            const ptrdiff_t column = first + l, m = layer + l;
            const double out = a->dt * sum[l], before = volume_in(a, a->depth, column, m);
            const double after = volume_in(a, a->depth_new, column, m);
            const bool loses = (out > MOST_LOST * before) | (after < (1.0 - MOST_LOST) * before);
            const bool hot = loses & (out > 0) & (a->reach[column] <= k);
            a->out[m] = hot ? -out : out;
        }
    }
}

/* What a cell keeps of its water and what it gets, V - O + I, as dt over it [s m-3]; and what comes in
 * through its sides [m3 s-1]. */
POINTWISE void kept_and_got(const Transport *a, ptrdiff_t first, ptrdiff_t layer, const Side side[SIDES],
                            double in[SIDES][LANES], double *per_water) {
    double sum[LANES];
    FOR_LANES (l) sum[l] = a->g.phi_c[layer + l] * a->source_in[first + l];
    UNROLLED for (int s = 0; s < SIDES; s++) FOR_LANES (l) {
        in[s][l] = max_of(0.0, side[s].inwards * side[s].flux[l]);
        sum[l] += in[s][l];
    }
    FOR_LANES (l) {
        const double volume = volume_in(a, a->depth, first + l, layer + l);
        const double water = max_of(0.0, volume - fabs(a->out[layer + l])) + a->dt * sum[l];
        const double ratio = a->dt / max_of(water, 1e-300);
        per_water[l] = water > 0 ? ratio : 0.0;
    }
}

/* The levels of a column lie far apart in memory: asks for what the block after next needs. */
enum { SOON = 2 * BLOCK };

KERNEL_COLUMNS(transport_low, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        double per_water[LANES], in[SIDES][LANES];
        Side side[SIDES];
        find_sides(a, layer, side);
        PREFETCH(a->flux_u + layer + SOON);
        PREFETCH(a->flux_v + layer + a->g.row + SOON);
        PREFETCH(a->flux_w + layer + SOON);
        PREFETCH(a->g.phi_c + layer + a->g.row + SOON);
        PREFETCH(a->out + layer + SOON);
        kept_and_got(a, first, layer, side, in, per_water);
        for (int n = 0; n < a->count; n++) {
            const Carried *t = &a->tracer[n];
            const double *c = t->before + layer;
            double sum[LANES];
            PREFETCH(c + a->g.row + SOON);
            PREFETCH(t->low + layer + SOON);
            FOR_LANES (l) sum[l] = from_sources(a, t, first + l, layer + l, c[l]);
            UNROLLED for (int s = 0; s < SIDES; s++) {
                const double *beside = c + side[s].step;
                FOR_LANES (l) sum[l] += in[s][l] * (beside[l] - c[l]);
            }
            FOR_LANES (l) t->low[layer + l] = c[l] + sum[l] * per_water[l];
        }
    }
}

/* ---- corrections ---- */

/* Of a block of faces between the cells at m - step and m: what does not depend on the tracer. */
typedef struct FaceWeights {
    double forth[LANES]; /* of c_d - c_u, c_u - c_uu, T_u, in the direction of the axis */
    double back[LANES];
    double corner[LANES];
    double opposite[LANES]; /* what enters the donor through its other side, over its new volume */
    double flux[LANES];
    double open[LANES]; /* 0: no correction; -1: what is there stays */
} FaceWeights;

/* `behind` and `ahead` tell by lane from which layer up the cells at m - 2 step and m + step can be used, k
 * being the layer of m; `column_step` is `step` in two-dimensional fields. */
POINTWISE void weigh_faces(const Transport *a, const double *flux, ptrdiff_t first, int k, ptrdiff_t step,
                           ptrdiff_t column_step, const double *open, const double *behind,
                           const double *ahead, FaceWeights *w) {
    FOR_LANES (l) {
        const ptrdiff_t column = first + l, m = column + k * a->g.plane;
        const double f = a->dt * flux[m];
        const bool forth = f > 0;
        const ptrdiff_t from = column - column_step, before = m - step;
        const double volume_behind = volume_in(a, a->depth, from, before),
                     volume_here = volume_in(a, a->depth, column, m);
        const double new_behind = volume_in(a, a->depth_new, from, before),
                     new_here = volume_in(a, a->depth_new, column, m);
        const double volume = forth ? volume_behind : volume_here, after = forth ? new_behind : new_here;
        const double size = fabs(f);
        const double c = min_of(1.0, size / max_of(volume, 1e-300));
        const double first_weight = size * (2.0 - c) * (1.0 - c) / 6.0,
                     second_weight = size * (1.0 - c * c) / 6.0;
        const bool has_upstream = (forth ? behind[l] : ahead[l]) <= k;
        const double into_behind = max_of(0.0, flux[before]), into_here = max_of(0.0, -flux[m + step]);
        const double enters = a->dt * (forth ? into_behind : into_here);
        w->forth[l] = has_upstream ? first_weight : first_weight + second_weight;
        w->back[l] = has_upstream ? second_weight : 0.0;
        w->corner[l] = 0.5 * f;
        w->opposite[l] = enters / max_of(after, 1e-300);
        w->flux[l] = f;
        const bool small_steps = (a->out[before] < 0) | (a->out[m] < 0);
        w->open[l] = open[l] <= k ? (small_steps ? -1.0 : 1.0) : 0.0;
    }
}

POINTWISE void correct_faces(const Transport *a, ptrdiff_t layer, ptrdiff_t step, int direction,
                             const FaceWeights *w) {
    for (int n = 0; n < a->count; n++) {
        const double *c = a->tracer[n].before + layer, *low = a->tracer[n].low + layer;
        double *out = a->tracer[n].correction[direction] + layer;
        PREFETCH(out + SOON);
        PREFETCH(c + SOON);
        PREFETCH(low + SOON);
        FOR_LANES (l) {
            const double behind_2 = c[l - 2 * step], behind = c[l - step], here = c[l], ahead = c[l + step];
            const double low_behind = low[l - step], low_here = low[l];
            const bool forth = w->flux[l] > 0;
            const double upstream = forth ? behind - behind_2 : ahead - here;
            const double gained = forth ? low_behind - behind : low_here - here;
            const double far = forth ? behind_2 - behind : ahead - here;
            const double corner = gained - w->opposite[l] * far;
            const double sum = w->forth[l] * (here - behind) + w->back[l] * upstream + w->corner[l] * corner;
            const double kept = w->open[l] < 0 ? out[l] : 0.0;
            out[l] = w->open[l] > 0 ? sum : kept;
        }
    }
}

KERNEL_COLUMNS(transport_correction, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j), row = a->g.row, plane = a->g.plane;
    const double *reach = a->reach + first;
    const int top = a->g.n3 - 1;
    FaceWeights w;
    double open[LANES], never[LANES];
    FOR_LANES (l) never[l] = a->g.n3;
    for (int k = deepest_layer(reach, a->g.n3); k <= top; k++) {
        const ptrdiff_t layer = first + k * plane;
        FOR_LANES (l) open[l] = max_of(reach[l - 1], reach[l]);
        weigh_faces(a, a->flux_u, first, k, 1, 1, open, reach - 2, reach + 1, &w);
        correct_faces(a, layer, 1, ALONG_X, &w);
        FOR_LANES (l) open[l] = max_of(reach[l - row], reach[l]);
        weigh_faces(a, a->flux_v, first, k, row, row, open, reach - 2 * row, reach + row, &w);
        correct_faces(a, layer, row, ALONG_Y, &w);
        double two_below[LANES];
        FOR_LANES (l) {
            open[l] = reach[l] + 1.0;
            two_below[l] = reach[l] + 2.0;
        }
        weigh_faces(a, a->flux_w, first, k, plane, 0, open, two_below, k < top ? reach : never, &w);
        correct_faces(a, layer, plane, ALONG_Z, &w);
    }
}

/* ---- limits ---- */

/* The corrections through the six sides of a block's cells. */
POINTWISE void find_corrections(const Transport *a, const Carried *t, ptrdiff_t layer, Side side[SIDES]) {
    const ptrdiff_t row = a->g.row, plane = a->g.plane;
    const double *x = t->correction[ALONG_X] + layer, *y = t->correction[ALONG_Y] + layer,
                 *z = t->correction[ALONG_Z] + layer;
    const Side sides[SIDES] = {{-1, x, 1},         {1, x + 1, -1}, {-row, y, 1},
                               {row, y + row, -1}, {-plane, z, 1}, {plane, z + plane, -1}};
    UNROLLED for (int s = 0; s < SIDES; s++) side[s] = sides[s];
}

/* From which layer up the six neighbours of a block's cells have water, before and after the step: what a dry
 * cell remembers is no bound for anything. */
typedef struct Around {
    double before[SIDES][LANES], after[SIDES][LANES];
    double here_before[LANES];
} Around;

POINTWISE void look_around(const Transport *a, ptrdiff_t first, int k, Around *around) {
    const ptrdiff_t step[SIDES] = {-1, 1, -a->g.row, a->g.row, 0, 0};
    const double never = a->g.n3;
    const double below = 1.0, above = k + 1 < a->g.n3 ? 0.0 : never;
    UNROLLED for (int s = 0; s < SIDES; s++) {
        const double shift = s == BELOW ? below : s == ABOVE ? above : 0.0;
        FOR_LANES (l) {
            const ptrdiff_t column = first + l + step[s];
            const double lowest = a->reach[column] + shift;
            around->before[s][l] = a->depth[column] > 0 ? lowest : never;
            around->after[s][l] = a->depth_new[column] > 0 ? lowest : never;
        }
    }
    FOR_LANES (l) around->here_before[l] = a->depth[first + l] > 0 ? 1.0 : 0.0;
}

POINTWISE void find_room(const Transport *a, const Carried *t, ptrdiff_t first, ptrdiff_t layer, int k,
                         const Around *around) {
    const double *before = t->before + layer, *low = t->low + layer;
    double most[LANES], least[LANES], rise[LANES] = {0}, fall[LANES] = {0};
    Side side[SIDES];
    PREFETCH(t->room_above + layer + SOON);
    PREFETCH(t->room_below + layer + SOON);
    PREFETCH(low + a->g.row + SOON);
    PREFETCH(before + a->g.row + SOON);
    find_corrections(a, t, layer, side);
    UNROLLED for (int s = 0; s < SIDES; s += 2) PREFETCH(side[s].flux + SOON);
    FOR_LANES (l) {
        const double here = around->here_before[l] > 0 ? before[l] : low[l];
        most[l] = max_of(here, low[l]);
        least[l] = min_of(here, low[l]);
    }
    UNROLLED for (int s = 0; s < SIDES; s++) {
        const double *c = before + side[s].step, *cl = low + side[s].step;
        FOR_LANES (l) {
            const double was = around->before[s][l] <= k ? c[l] : low[l];
            const double is = around->after[s][l] <= k ? cl[l] : low[l];
            const double in = side[s].inwards * side[s].flux[l];
            most[l] = max_of(most[l], max_of(was, is));
            least[l] = min_of(least[l], min_of(was, is));
            rise[l] += max_of(0.0, in);
            fall[l] += max_of(0.0, -in);
        }
    }
    FOR_LANES (l) {
        const double volume = volume_in(a, a->depth_new, first + l, layer + l);
        t->room_above[layer + l] = min_of(1.0, volume * (most[l] - low[l]) / max_of(rise[l], 1e-300));
        t->room_below[layer + l] = min_of(1.0, volume * (low[l] - least[l]) / max_of(fall[l], 1e-300));
    }
}

KERNEL_COLUMNS(transport_room, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    Around around;
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        look_around(a, first, k, &around);
        for (int n = 0; n < a->count; n++)
            find_room(a, &a->tracer[n], first, first + k * a->g.plane, k, &around);
    }
}

POINTWISE void apply_corrections(const Transport *a, const Carried *t, ptrdiff_t first, ptrdiff_t layer) {
    const double *above = t->room_above + layer, *below = t->room_below + layer, *low = t->low + layer;
    double sum[LANES] = {0};
    Side side[SIDES];
    find_corrections(a, t, layer, side);
    PREFETCH(t->after + layer + SOON);
    PREFETCH(above + a->g.row + SOON);
    PREFETCH(below + a->g.row + SOON);
    UNROLLED for (int s = 0; s < SIDES; s++) FOR_LANES (l) {
        const double in = side[s].inwards * side[s].flux[l];
        const double up = min_of(above[l], below[l + side[s].step]);
        const double down = min_of(below[l], above[l + side[s].step]);
        sum[l] += in * (in > 0 ? up : down);
    }
    FOR_LANES (l) {
        const double volume = volume_in(a, a->depth_new, first + l, layer + l);
        const double changed = low[l] + sum[l] / max_of(volume, 1e-300);
        t->after[layer + l] = volume > 0 ? changed : low[l];
    }
}

KERNEL_COLUMNS(transport_after, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++)
        for (int n = 0; n < a->count; n++) apply_corrections(a, &a->tracer[n], first, first + k * a->g.plane);
}
