/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields go over to layers whose interfaces have moved by less than half a layer (adaptive.h). With c the mean of a layer of
 * share phi, d_k the way upwards of its lower side, over the depth, and c*_k the mean of what that side has passed,
 *
 *     phi'_k = phi_k + d_{k+1} - d_k
 *     c'_k   = c_k + (d_{k+1} (c*_{k+1} - c_k) - d_k (c*_k - c_k)) / phi'_k
 *
 * so that a constant stays as it is, to the last bit. c* is that of a parabola in the layer that has been passed, which makes
 * no new extremes (P. Colella, P. R. Woodward, J. Comput. Phys. 54 (1984) 174-201); lowest and highest layers are even inside.
 * Fluxes through faces, which belong to whole layers, go over as their means over the share. Values at lower sides are
 * interpolated.
 */
#include "model/layers/layers_kernels.h"

SIZED_STRUCT(Columns) {
    double before[COLUMN_LEVELS][LANES]; /* shares */
    double after[COLUMN_LEVELS][LANES];
    double way[COLUMN_LEVELS][LANES]; /* d_k */
    double c[COLUMN_LEVELS][LANES];
    double slope[COLUMN_LEVELS][LANES]; /* limited difference across a layer; then c* less c */
    double edge[COLUMN_LEVELS][LANES];  /* value at the lower side less c of the layer below it */
    double lowest[LANES];               /* layer; n3: nothing to do */
};

/* Of a face, the mean of its columns' shares; its lowest layer has what is left. */
SIZED POINTWISE void shares_of_faces(const Reshare *a, ptrdiff_t first, int deepest, Columns OF_LEVELS *s) {
    double left[LANES];
    FOR_LANES (l) left[l] = 1.0;
    for (int k = a->g.n3 - 1; k >= deepest; k--) {
        const double *phi = a->g.phi_c + first + k * a->g.plane;
        FOR_LANES (l) {
            const double mean = 0.5 * (phi[l] + phi[l - a->along]);
            s->after[k][l] = k > s->lowest[l] ? mean : left[l];
            left[l] -= mean;
        }
    }
}

/* Shares before and after; the ways of interfaces, from the surface down, which sums leave exact. */
SIZED POINTWISE void find_ways(const Reshare *a, ptrdiff_t first, int deepest, Columns OF_LEVELS *s) {
    double way[LANES] = {0};
    for (int k = deepest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * a->g.plane;
            s->before[k][l] = a->phi[m];
            if (a->share) s->after[k][l] = a->share[m];
        }
    if (!a->share) shares_of_faces(a, first, deepest, s);
    for (int k = a->g.n3 - 1; k >= deepest; k--)
        FOR_LANES (l) {
            way[l] += s->before[k][l] - s->after[k][l];
            s->way[k][l] = k > s->lowest[l] ? way[l] : 0.0;
        }
}

/* Limited differences across layers; 0 in the lowest and the highest one. */
SIZED POINTWISE void find_slopes(const Reshare *a, int deepest, Columns OF_LEVELS *s) {
    const int top = a->g.n3 - 1;
    FOR_LANES (l) s->slope[deepest][l] = s->slope[top][l] = 0.0;
    for (int k = deepest + 1; k < top; k++)
        FOR_LANES (l) {
            const double low = s->before[k - 1][l], own = s->before[k][l], high = s->before[k + 1][l];
            const double down = s->c[k][l] - s->c[k - 1][l], up = s->c[k + 1][l] - s->c[k][l];
            const double slope = own / max_of(low + own + high, 1e-300) *
                                 ((2.0 * low + own) / max_of(high + own, 1e-300) * up +
                                  (own + 2.0 * high) / max_of(low + own, 1e-300) * down);
            const double most = 2.0 * min_of(fabs(down), fabs(up));
            const double limited = slope > 0 ? min_of(slope, most) : max_of(slope, -most);
            s->slope[k][l] = ((k > s->lowest[l]) & (down * up > 0)) ? limited : 0.0;
        }
}

/* Values at interfaces, of the cubic through the integral; next to the lowest and the highest layer, of a line. */
SIZED POINTWISE void find_edges(const Reshare *a, int deepest, Columns OF_LEVELS *s) {
    const int top = a->g.n3 - 1;
    for (int k = deepest + 1; k <= top; k++) {
        const int second = k > deepest + 1 ? k - 2 : k - 1, third = k < top ? k + 1 : k;
        FOR_LANES (l) {
            const double low = s->before[k - 1][l], high = s->before[k][l], both = max_of(low + high, 1e-300);
            const double lower = s->before[second][l] + low, upper = s->before[third][l] + high;
            const double of_low = max_of(2.0 * low + high, 1e-300),
                         of_high = max_of(2.0 * high + low, 1e-300);
            const double rise = s->c[k][l] - s->c[k - 1][l];
            const double bent = 2.0 * high * low / both * (lower / of_low - upper / of_high) * rise -
                                low * lower / of_low * s->slope[k][l] +
                                high * upper / of_high * s->slope[k - 1][l];
            const bool cubic = (k - 1 > s->lowest[l]) & (k < top);
            s->edge[k][l] = low / both * rise + (cubic ? bent / max_of(lower + upper, 1e-300) : 0.0);
        }
    }
}

/* The parabola of a layer: its lower and upper value less its mean. */
typedef struct Parabola {
    double low, high;
} Parabola;

POINTWISE Parabola limited_parabola(double low, double high) {
    const bool extreme = low * high >= 0;
    const double l = fabs(low) > 2.0 * fabs(high) ? -2.0 * high : low;
    const double h = fabs(high) > 2.0 * fabs(low) ? -2.0 * low : high;
    const Parabola p = {extreme ? 0.0 : l, extreme ? 0.0 : h};
    return p;
}

/* Mean over a part of the layer that begins where the value is `from`. */
POINTWISE double mean_of_part(double from, double to, double part) {
    return from + 0.5 * part * (to - from - 3.0 * (from + to) * (1.0 - part * (2.0 / 3.0)));
}

/* c*_k less c of the layer that the interface has passed, in `slope`. */
SIZED POINTWISE void find_passed(const Reshare *a, int deepest, Columns OF_LEVELS *s) {
    const int top = a->g.n3 - 1;
    for (int k = deepest + 1; k <= top; k++)
        FOR_LANES (l) {
            const double rise = s->c[k][l] - s->c[k - 1][l], way = s->way[k][l];
            const double next = k < top ? s->edge[k + 1][l] : 0.0;
            const double before =
                s->edge[k - 1][l] - (s->c[k - 1][l] - s->c[k > deepest + 1 ? k - 2 : k - 1][l]);
            const Parabola here = limited_parabola(s->edge[k][l] - rise, next);
            const Parabola below = limited_parabola(before, s->edge[k][l]);
            const double part = way / max_of(s->before[k][l], 1e-300),
                         part_below = -way / max_of(s->before[k - 1][l], 1e-300);
            const double up = k < top ? mean_of_part(here.low, here.high, part) : 0.0;
            const double down = k - 1 > s->lowest[l] ? mean_of_part(below.high, below.low, part_below) : 0.0;
            s->slope[k][l] = way > 0 ? up : down;
        }
}

/* What passes the lower side of layer k, less as much of layer `than`. */
SIZED POINTWISE double passing(const Columns OF_LEVELS *s, int k, int than, int l) {
    const double way = s->way[k][l], rise = s->c[k][l] - s->c[k - 1][l];
    const double other = than == k ? (way > 0 ? 0.0 : -rise) : (way > 0 ? rise : 0.0);
    return way * (s->slope[k][l] + other);
}

SIZED POINTWISE void means_go_over(const Reshare *a, ptrdiff_t first, int deepest, double *field, bool flux,
                                   Columns OF_LEVELS *s) {
    const int top = a->g.n3 - 1;
    for (int k = deepest; k <= top; k++)
        FOR_LANES (l) {
            const double value = field[first + l + k * a->g.plane];
            const double mean = flux ? value / max_of(s->before[k][l], 1e-300) : value;
            s->c[k][l] = k >= s->lowest[l] ? mean : 0.0;
            s->edge[k][l] = 0.0;
        }
    find_slopes(a, deepest, s);
    find_edges(a, deepest, s);
    find_passed(a, deepest, s);
    for (int k = deepest; k <= top; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * a->g.plane;
            const int below = k > deepest ? k - 1 : k, above = k < top ? k + 1 : k;
            const double own = s->c[k][l], low = k > s->lowest[l] ? s->c[below][l] : own,
                         high = s->c[above][l];
            const double in = k < top ? passing(s, k + 1, k, l) : 0.0,
                         out = k > s->lowest[l] ? passing(s, k, k, l) : 0.0;
            const double sum = own + (in - out) / max_of(s->after[k][l], 1e-300);
            const double least = min_of(own, min_of(low, high)), most = max_of(own, max_of(low, high));
            const double mean = min_of(most, max_of(least, sum));
            field[m] = k >= s->lowest[l] ? (flux ? mean * s->after[k][l] : mean) : field[m];
        }
}

/* Interpolated; next to surface and bed, beyond which nothing is known, kept. */
SIZED POINTWISE void sides_go_over(const Reshare *a, ptrdiff_t first, int deepest, double *field,
                                   Columns OF_LEVELS *s) {
    const int top = a->g.n3 - 1;
    double below[LANES];
    FOR_LANES (l) below[l] = field[first + l + deepest * a->g.plane];
    for (int k = deepest + 1; k <= top; k++) {
        double *value = field + first + k * a->g.plane;
        const double *above = value + (k < top ? a->g.plane : 0);
        FOR_LANES (l) {
            const double own = value[l], way = s->way[k][l];
            const double up = (above[l] - own) * (way / max_of(s->before[k][l], 1e-300));
            const double down = (own - below[l]) * (way / max_of(s->before[k - 1][l], 1e-300));
            const double more = way > 0 ? up : k - 1 > s->lowest[l] ? down : 0.0;
            below[l] = own;
            value[l] = k > s->lowest[l] ? own + more : own;
        }
    }
}

KERNEL_LEVELS(reshare, Reshare, 6) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const double *bottom = a->bottom + first, *area = or_any(a->own_area, a->bottom) + first;
    Columns OF_LEVELS s;
    FOR_LANES (l) s.lowest[l] = a->own_area && !(area[l] > 0) ? a->g.n3 : bottom[l];
    const int deepest = deepest_layer(s.lowest, a->g.n3);
    if (deepest == a->g.n3) return;
    find_ways(a, first, deepest, &s);
    const int means = a->means, fluxes = means + a->fluxes, all = fluxes + a->at_interfaces;
    for (int n = 0; n < fluxes; n++) means_go_over(a, first, deepest, a->field[n], n >= means, &s);
    for (int n = fluxes; n < all; n++) sides_go_over(a, first, deepest, a->field[n], &s);
    for (int k = deepest; a->ends && k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * a->g.plane;
            a->phi[m] = k >= s.lowest[l] ? s.after[k][l] : a->phi[m];
        }
}
