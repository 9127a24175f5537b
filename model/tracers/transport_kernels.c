/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/cells.h"

/* Cells that lose more than this part of their water, or keep less than the rest, go in small steps. */
#define MOST_LOST 0.95

KERNEL_COLUMNS(transport_outflow, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t column = first + l, m = column + k * a->g.plane;
            double in[SIDES];
            inflows(a, m, in);
            double sum = a->g.phi_c[m] * (a->source_in[column] - a->source[column]);
            UNROLLED for (int s = 0; s < SIDES; s++) sum += max_of(0.0, -in[s]);
            const double out = a->dt * sum, before = volume_in(a, a->depth, column, m);
            const double after = volume_in(a, a->depth_new, column, m);
            const bool loses = (out > MOST_LOST * before) | (after < (1.0 - MOST_LOST) * before);
            const bool hot = loses & (out > 0) & (a->reach[column] <= k);
            a->out[m] = hot ? -out : out;
        }
}

/* What a cell keeps of its water, and what it gets: V - O + I. [m3] */
POINTWISE double kept_and_got(const Transport *a, ptrdiff_t column, ptrdiff_t m, const double in[SIDES]) {
    const double kept = max_of(0.0, volume_in(a, a->depth, column, m) - fabs(a->out[m]));
    double sum = a->g.phi_c[m] * a->source_in[column];
    UNROLLED for (int s = 0; s < SIDES; s++) sum += max_of(0.0, in[s]);
    return kept + a->dt * sum;
}

KERNEL_COLUMNS(transport_low, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    ptrdiff_t step[SIDES];
    steps_to_neighbours(&a->g, step);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        double per_water[LANES], in[SIDES][LANES];
        FOR_LANES (l) {
            const ptrdiff_t column = first + l, m = column + k * a->g.plane;
            double flux[SIDES];
            inflows(a, m, flux);
            const double water = kept_and_got(a, column, m, flux);
            per_water[l] = water > 0 ? a->dt / water : 0.0;
            UNROLLED for (int s = 0; s < SIDES; s++) in[s][l] = max_of(0.0, flux[s]);
        }
        for (int n = 0; n < a->count; n++) {
            const Carried *t = &a->tracer[n];
            FOR_LANES (l) {
                const ptrdiff_t column = first + l, m = column + k * a->g.plane;
                const double here = t->before[m];
                double sum = from_sources(a, t, column, m, here);
                UNROLLED for (int s = 0; s < SIDES; s++) sum += in[s][l] * (t->before[m + step[s]] - here);
                t->low[m] = here + sum * per_water[l];
            }
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

/* Corrections that come in through the six sides of cell m. */
POINTWISE void corrections_in(const Transport *a, const Carried *t, ptrdiff_t m, double in[SIDES]) {
    in[WEST] = t->correction[ALONG_X][m];
    in[EAST] = -t->correction[ALONG_X][m + 1];
    in[SOUTH] = t->correction[ALONG_Y][m];
    in[NORTH] = -t->correction[ALONG_Y][m + a->g.row];
    in[BELOW] = t->correction[ALONG_Z][m];
    in[ABOVE] = -t->correction[ALONG_Z][m + a->g.plane];
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

KERNEL_COLUMNS(transport_room, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    ptrdiff_t step[SIDES];
    Around around;
    steps_to_neighbours(&a->g, step);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        look_around(a, first, k, &around);
        for (int n = 0; n < a->count; n++) {
            const Carried *t = &a->tracer[n];
            FOR_LANES (l) {
                const ptrdiff_t column = first + l, m = column + k * a->g.plane;
                const double low = t->low[m], volume = volume_in(a, a->depth_new, column, m);
                const double here = around.here_before[l] > 0 ? t->before[m] : low;
                double in[SIDES], rise = 0.0, fall = 0.0;
                double most = max_of(here, low), least = min_of(here, low);
                corrections_in(a, t, m, in);
                UNROLLED for (int s = 0; s < SIDES; s++) {
                    const double c = t->before[m + step[s]], cl = t->low[m + step[s]];
                    const double was = around.before[s][l] <= k ? c : low;
                    const double is = around.after[s][l] <= k ? cl : low;
                    most = max_of(most, max_of(was, is));
                    least = min_of(least, min_of(was, is));
                    rise += max_of(0.0, in[s]);
                    fall += max_of(0.0, -in[s]);
                }
                t->room_above[m] = min_of(1.0, volume * (most - low) / max_of(rise, 1e-300));
                t->room_below[m] = min_of(1.0, volume * (low - least) / max_of(fall, 1e-300));
            }
        }
    }
}

KERNEL_COLUMNS(transport_after, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    ptrdiff_t step[SIDES];
    steps_to_neighbours(&a->g, step);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++)
        for (int n = 0; n < a->count; n++) {
            const Carried *t = &a->tracer[n];
            FOR_LANES (l) {
                const ptrdiff_t column = first + l, m = column + k * a->g.plane;
                const double volume = volume_in(a, a->depth_new, column, m);
                const double above = t->room_above[m], below = t->room_below[m];
                double in[SIDES], sum = 0.0;
                corrections_in(a, t, m, in);
                UNROLLED for (int s = 0; s < SIDES; s++) {
                    const double up = min_of(above, t->room_below[m + step[s]]);
                    const double down = min_of(below, t->room_above[m + step[s]]);
                    sum += in[s] * (in[s] > 0 ? up : down);
                }
                const double changed = t->low[m] + sum / max_of(volume, 1e-300);
                t->after[m] = volume > 0 ? changed : t->low[m];
            }
        }
}
