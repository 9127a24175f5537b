/* SPDX-License-Identifier: Apache-2.0
 *
 * The limiter: the share of the corrections that cells can take, and the new values.
 */
#include "model/tracers/cells.h"

/* The corrections through the six sides of a block's cells. */
POINTWISE void find_corrections(const Carried *t, const Places *p, Side side[SIDES]) {
    const double *x = t->correction[ALONG_X], *y = t->correction[ALONG_Y], *z = t->correction[ALONG_Z];
    const Side sides[SIDES] = {{x + p->here, 1}, {x + p->beside[EAST], -1},
                               {y + p->here, 1}, {y + p->beside[NORTH], -1},
                               {z + p->here, 1}, {z + p->beside[ABOVE], -1}};
    UNROLLED for (int s = 0; s < SIDES; s++) side[s] = sides[s];
}

/* A room is what may be gained over what the corrections would bring; less than this counts as nothing. Two
 * of them multiplied are still a number, so that one division serves both. */
#define LEAST_CHANGE 1e-150

/* At surface and bed: what the column's line has there. */
POINTWISE void widen_by_line(const Transport *a, const Carried *t, ptrdiff_t first, int k, double *most,
                             double *least) {
    const bool top = k == a->g.n3 - 1;
    const int one = top ? k - 1 : k + 1, two = top ? k - 2 : k + 2, three = top ? k - 3 : k + 3;
    if (two < 0 || two >= a->g.n3) return;
    const bool bends = three >= 0 && three < a->g.n3;
    const double *c = t->c + first + k * a->g.plane, *c_next = t->c + first + one * a->g.plane,
                 *c_after = t->c + first + two * a->g.plane,
                 *c_third = t->c + first + (bends ? three : two) * a->g.plane, *reach = a->reach + first;
    const double least_ever = t->least_ever, most_ever = t->most_ever, here_in = k, layers = a->g.n3;
    double third[LANES], value[LANES], whole[LANES]; /* whole: above 0 where the last cell is no pit */
    /* choices that hold for all lanes stand outside: inside, there would be no vectors */
    if (bends)
        FOR_LANES (l) third[l] = c_third[l];
    else
        FOR_LANES (l) third[l] = 2.0 * c_after[l] - c_next[l];
    if (a->sloping)
        FOR_LANES (l) value[l] = bent_value_at_end(c[l], c_next[l], c_after[l], third[l], true);
    else
        FOR_LANES (l) value[l] = bent_value_at_end(c[l], c_next[l], c_after[l], third[l], false);
    FOR_LANES (l) whole[l] = 1.0;
    if (a->narrows) {
        const double *phi = a->g.phi_c + first + k * a->g.plane,
                     *phi_next = a->g.phi_c + first + one * a->g.plane;
        FOR_LANES (l) whole[l] = phi[l] - LEAST_OF_NEXT * phi_next[l];
    }
    FOR_LANES (l) {
        const double here = c[l], end = max_of(least_ever, min_of(most_ever, value[l]));
        const double allowed = ((whole[l] > 0) & line_reaches_end(layers, here_in, reach[l])) ? end : here;
        most[l] = max_of(most[l], allowed);
        least[l] = min_of(least[l], allowed);
    }
}

/* At a bed above that of the columns beside it, what those have at its height. */
POINTWISE void widen_by_beside(const Transport *a, const Carried *t, ptrdiff_t first, int k, double *most,
                               double *least) {
    const ptrdiff_t across[] = {-1, 1, -a->g.row, a->g.row};
    if (k == 0) return;
    UNROLLED for (int s = 0; s < BELOW; s++) {
        const ptrdiff_t column = first + across[s];
        const double *c = t->c + column + k * a->g.plane, *c_below = c - a->g.plane;
        const double *beside = a->reach + column, *reach = a->reach + first, *depth = a->depth + column;
        FOR_LANES (l) {
            const double here = c[l], below = c_below[l], deep = beside[l], water = depth[l];
            const bool known = (reach[l] == k) & (deep < k) & (water > 0);
            const double value = 0.5 * (here + below);
            most[l] = max_of(most[l], known ? value : -HUGE_VAL);
            least[l] = min_of(least[l], known ? value : HUGE_VAL);
        }
    }
}

POINTWISE void find_room(const Transport *a, const Carried *t, ptrdiff_t first, int k, bool bed,
                         const Places *p) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *c = t->c + layer, *gain = t->gain + p->here, *per_water = a->per_water + p->here;
    double most[LANES], least[LANES], low[LANES], rise[LANES], fall[LANES];
    Side side[SIDES];
    find_corrections(t, p, side);
    FOR_LANES (l) {
        low[l] = above_rounding(c[l] + gain[l], fabs(c[l]) + fabs(gain[l]));
        most[l] = max_of(t->most[p->here + l], low[l]);
        least[l] = min_of(t->least[p->here + l], low[l]);
        rise[l] = fall[l] = 0.0;
    }
    if (bed | (k == a->g.n3 - 1)) widen_by_line(a, t, first, k, most, least);
    if (bed) widen_by_beside(a, t, first, k, most, least);
    UNROLLED for (int s = 0; s < SIDES; s++) {
        const double *most_beside = t->most + p->beside[s], *least_beside = t->least + p->beside[s];
        FOR_LANES (l) {
            const double flux = side[s].flux[l], up = max_of(0.0, flux), down = min_of(0.0, flux);
            most[l] = max_of(most[l], most_beside[l]);
            least[l] = min_of(least[l], least_beside[l]);
            rise[l] = side[s].inwards > 0 ? rise[l] + up : rise[l] - down;
            fall[l] = side[s].inwards > 0 ? fall[l] - down : fall[l] + up;
        }
    }
    FOR_LANES (l) {
        const bool water = per_water[l] > 0;
        const double up = max_of(LEAST_CHANGE, per_water[l] * rise[l]);
        const double down = max_of(LEAST_CHANGE, per_water[l] * fall[l]);
        const double inverse = 1.0 / (up * down);
        const double above = min_of(1.0, (most[l] - low[l]) * (down * inverse));
        const double below = min_of(1.0, (low[l] - least[l]) * (up * inverse));
        t->room_above[p->here + l] = water ? above : 0.0;
        t->room_below[p->here + l] = water ? below : 0.0;
    }
}

KERNEL_COLUMNS(transport_room, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const double *reach = a->reach + first;
    for (int k = deepest_layer(reach, a->g.n3); k < a->g.n3; k++) {
        const Places p = find_places(a, i0, j, k);
        bool bed = false;
        for (int l = 0; l < LANES; l++) bed |= reach[l] == k;
        for (int n = 0; n < a->count; n++) find_room(a, &a->tracer[n], first, k, bed, &p);
    }
}

POINTWISE void apply_corrections(const Transport *a, const Carried *t, ptrdiff_t layer, const Places *p) {
    const double *above = t->room_above + p->here, *below = t->room_below + p->here;
    const double *gain = t->gain + p->here, *per_water = a->per_water + p->here;
    double *c = t->c + layer, sum[LANES] = {0};
    Side side[SIDES];
    find_corrections(t, p, side);
    UNROLLED for (int s = 0; s < SIDES; s++) {
        const double *above_beside = t->room_above + p->beside[s],
                     *below_beside = t->room_below + p->beside[s];
        FOR_LANES (l) {
            const double in = side[s].inwards * side[s].flux[l];
            const double up = min_of(above[l], below_beside[l]), down = min_of(below[l], above_beside[l]);
            sum[l] = fma(in, in > 0 ? up : down, sum[l]);
        }
    }
    FOR_LANES (l) {
        const double size = fabs(c[l]) + fabs(gain[l]) + fabs(sum[l] * per_water[l]);
        c[l] = above_rounding(fma(sum[l], per_water[l], c[l] + gain[l]), size);
    }
}

KERNEL_COLUMNS(transport_after, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const Places p = find_places(a, i0, j, k);
        for (int n = 0; n < a->count; n++) apply_corrections(a, &a->tracer[n], first + k * a->g.plane, &p);
    }
}

KERNEL_COLUMNS(transport_after_low, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++)
        for (int n = 0; n < a->count; n++) {
            double *c = a->tracer[n].c + first + k * a->g.plane;
            const double *gain = a->tracer[n].gain + IN_WINDOW(a->window, i0, j, k);
            FOR_LANES (l) c[l] = above_rounding(c[l] + gain[l], fabs(c[l]) + fabs(gain[l]));
        }
}
