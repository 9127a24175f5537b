/* SPDX-License-Identifier: Apache-2.0
 *
 * The cheap scheme of second order: it adds to the low-order flux through a side
 *
 *     A = F (1 - C)/2 phi,     p = c_u - c_uu,     q = c_d - c_u
 *
 * with, where p q > 0 (else phi = 0),
 *
 *     phi = min(1, V_u/O_u - 1) 2 p q / (p + q)           along the layers (B. van Leer, J. Comput. Phys. 14 (1974)
 *                                                         361-370)
 *     phi = q, but at most 2 (V_u/O_u - 1)/(1 - C) p      down the column, and along the layers where the cells
 *                                                         uu, u and d lie at different heights
 *
 * What comes in lies between c_u and c_d, and what goes out beyond c_u is no more than O (V_u/O_u - 1) = V - O
 * times p, which the low order has left in the cell. So all stays between the values of the cell and its
 * neighbours, with nothing to limit afterwards.
 *
 * The mean of p and q lacks much of q where a stratification is not even, all of it at bed and surface, and next to
 * a jump. The flux then is nearer to that of the donor, mixes in proportion to |F|, and where that differs along
 * the layers, drives a flow: in a closed sea over rough ground, energy without a source. So q is taken whole
 * where the bounds allow it, and the bounds are wide: at bed and surface c_uu is what the end of the column may reach
 * (transport.h; at fixed heights, the line alone), and beside uneven ground p is the largest of its sign to the cells upstream, above and below the
 * donor.
 *
 * Only between cells that need no substeps, into those beside which none is, and, along even layers, where the
 * water upstream is known. A is divided by V - O + I, as the low order is: in films the new volume differs from that
 * by the rounding of the level.
 */
#include "model/tracers/cells.h"

/* The sides of a block's cells in one layer: what does not depend on the tracer. */
typedef struct Slopes {
    double weight[SIDES][LANES]; /* of phi in what comes in [m3 s-1]; 0 where nothing is corrected */
    double most[SIDES][LANES];   /* of q/p in phi; EVEN: phi is the mean */
    double known[SIDES][LANES];  /* 1 where there is a cell upstream */
    double under[SIDES][LANES];  /* 1 where there is one below the donor */
    ptrdiff_t beside[SIDES], beyond[SIDES], opposite[SIDES]; /* steps in memory; 0 where there is nothing */
} Slopes;

#define EVEN (-1.0)

/* The lowest layers of a block's columns, and of those one and two steps beside them, that had water before
 * the step; n3: none. */
typedef struct Columns {
    double here[LANES], beside[SIDES][LANES], beyond[SIDES][LANES];
} Columns;

POINTWISE void lowest_with_water(const Transport *a, ptrdiff_t first, double *lowest) {
    const double *reach = a->reach + first, *depth = a->depth + first, none = a->g.n3;
    FOR_LANES (l) lowest[l] = depth[l] > 0 ? reach[l] : none;
}

POINTWISE void find_columns(const Transport *a, ptrdiff_t first, Columns *c) {
    const ptrdiff_t across[SIDES] = {-1, 1, -a->g.row, a->g.row, 0, 0};
    lowest_with_water(a, first, c->here);
    UNROLLED for (int side = 0; side < SIDES; side++) {
        lowest_with_water(a, first + across[side], c->beside[side]);
        lowest_with_water(a, first + 2 * across[side], c->beyond[side]);
    }
}

/* Cells with a hot one beside them pass on what has just come in: nothing may be taken from that. */
POINTWISE bool touches_hot(const Transport *a, ptrdiff_t m) {
    const ptrdiff_t row = a->g.row, plane = a->g.plane;
    const double *out = a->out + m;
    return (out[-1] < 0) | (out[1] < 0) | (out[-row] < 0) | (out[row] < 0) | (out[-plane] < 0) |
           (out[plane] < 0);
}

/* Layers as columns know them: above the surface there is no water. */
POINTWISE double layer_in(const Transport *a, int k) {
    return k < a->g.n3 ? k : -1;
}

/* One side: `even` tells by lane from which layer up cells and both their neighbours lie at one height, for the cells
 * themselves and those beside them. */
typedef struct Way {
    int side, up; /* `up` leads to the layer beside */
    const double *back, *even, *even_beside;
} Way;

/* `inflow` comes in through the side; the water behind the cells is that of `back`. */
POINTWISE void weigh_side(const Transport *a, const Columns *c, const Way *way, int k, const Places *p,
                          const double *inflow, Slopes *s) {
    const int side = way->side, up = way->up;
    const double here_in = k, beside_in = layer_in(a, k + up), beyond_in = layer_in(a, k + 2 * up),
                 back_in = layer_in(a, k - up);
    const double *beside = c->beside[side], *beyond = c->beyond[side];
    const double *volume_here = a->per_volume + p->here, *volume_beside = a->per_volume + p->beside[side];
    const double *leaving_here = a->leaving + p->here, *leaving_beside = a->leaving + p->beside[side];
    FOR_LANES (l) {
        /* both are read first: a choice of what to read costs more than a choice between numbers */
        const double v_here = volume_here[l], v_beside = volume_beside[l];
        const double o_here = leaving_here[l], o_beside = leaving_beside[l];
        const double even_here = way->even[l], even_beside = way->even_beside[l];
        const double from_here = c->here[l], from_beside = beside[l];
        const double from_beyond = beyond[l], from_back = way->back[l], flux = inflow[l];
        const bool in = flux > 0;
        const bool has_beyond = from_beyond <= beyond_in, has_back = from_back <= back_in;
        const bool upstream = in ? has_beyond : has_back, is_even = (in ? even_beside : even_here) <= k;
        const double per_volume = in ? v_beside : v_here, leaving = in ? o_beside : o_here;
        const double courant = min_of(1.0, fabs(flux) * per_volume), lost = leaving * per_volume;
        const double left = max_of(0.0, 1.0 / max_of(lost, 1e-300) - 1.0),
                     whole = 0.5 * flux * (1.0 - courant);
        const double weight = is_even ? whole * min_of(1.0, left) : whole;
        const bool between = (from_here <= here_in) & (from_beside <= beside_in) & (upstream | !is_even);
        s->weight[side][l] = between ? weight : 0.0;
        s->most[side][l] = is_even ? EVEN : 2.0 * left / max_of(1e-9, 1.0 - courant);
        s->known[side][l] = upstream ? 1.0 : 0.0;
        s->under[side][l] = (in ? from_beside : from_here) <= k - 1 ? 1.0 : 0.0;
    }
}

/* No corrections of cells that need small steps, or of what comes from beside them. */
POINTWISE void leave_out_hot(const Transport *a, ptrdiff_t layer, ptrdiff_t step, double *weight) {
    for (int l = 0; l < LANES; l++) {
        const ptrdiff_t m = layer + l, beside = m + step;
        if (weight[l] == 0) continue;
        if (a->out[m] < 0 || a->out[beside] < 0 || touches_hot(a, weight[l] > 0 ? m : beside))
            weight[l] = 0.0;
    }
}

POINTWISE void find_slopes(const Transport *a, const Columns *c, int i0, int j, int k, Slopes *s) {
    const int up[SIDES] = {0, 0, 0, 0, -1, 1};
    const Places p = find_places(a, i0, j, k);
    const ptrdiff_t first = AT2(a->g, i0, j), layer = first + k * a->g.plane;
    double never[LANES];
    FOR_LANES (l) never[l] = a->g.n3;
    ptrdiff_t step[SIDES];
    steps_to_neighbours(&a->g, step);
    double in[SIDES][LANES];
    FOR_LANES (l) {
        double inflow[SIDES];
        inflows(a, layer + l, inflow);
        UNROLLED for (int side = 0; side < SIDES; side++) in[side][l] = inflow[side];
    }
    UNROLLED for (int side = 0; side < SIDES; side++) {
        const int one = k + up[side], two = one + up[side], behind = k - up[side];
        s->beside[side] = one >= 0 && one < a->g.n3 ? step[side] : 0;
        s->beyond[side] = two >= 0 && two < a->g.n3 ? 2 * step[side] : 0;
        s->opposite[side] = behind >= 0 && behind < a->g.n3 ? -step[side] : 0;
        const double *even = side < SOUTH ? a->even_x + first : a->even_y + first;
        const bool along = side < BELOW;
        const Way way = {side, up[side], c->beside[side ^ 1], along ? even : never,
                         along ? even + step[side] : never};
        weigh_side(a, c, &way, k, &p, in[side], s);
        if (a->out) leave_out_hot(a, layer, step[side], s->weight[side]);
    }
}

/* Where the layers are even: van Leer's mean. */
POINTWISE double mean_slope(double p, double q) {
    const double product = p * q, sum = p + q;
    const double mean = 2.0 * product / (sum != 0 ? sum : 1.0);
    return product > 0 ? mean : 0.0;
}

/* Elsewhere: q, but at most `most` p. */
POINTWISE double whole_slope(double p, double q, double most) {
    const double size = min_of(fabs(q), most * fabs(p)), slope = q > 0 ? size : -size;
    return p * q > 0 ? slope : 0.0;
}

/* Of p, and the difference to another neighbour of the donor: the larger one of the sign of q. */
POINTWISE double larger_slope(double p, double other, double q) {
    const double best = p * q > 0 ? fabs(p) : 0.0, size = other * q > 0 ? fabs(other) : 0.0;
    return size > best ? other : p;
}

/* What comes in through one side of a block's cells. [value m3 s-1] */
POINTWISE void add_along(const Slopes *s, int side, const GridView *g, int k, const double *c, double *sum) {
    const double *beside = c + s->beside[side], *beyond = c + s->beyond[side],
                 *opposite = c + s->opposite[side];
    const ptrdiff_t above = k + 1 < g->n3 ? g->plane : 0, below = k > 0 ? -g->plane : 0;
    const double *weight = s->weight[side], *most = s->most[side];
    bool uneven = false;
    for (int l = 0; l < LANES; l++) uneven |= (most[l] >= 0) & (weight[l] != 0);
    if (!uneven) {
        FOR_LANES (l) {
            const double here = c[l], near = beside[l], far = beyond[l], back = opposite[l];
            const bool in = weight[l] > 0;
            const double donor = in ? near : here, receiver = in ? here : near;
            const double upstream = in ? far : back;
            sum[l] += weight[l] * mean_slope(donor - upstream, receiver - donor);
        }
        return;
    }
    FOR_LANES (l) {
        const double here = c[l], near = beside[l], far = beyond[l], back = opposite[l];
        const double above_here = c[l + above], above_near = beside[l + above];
        const double below_here = c[l + below], below_near = beside[l + below];
        const bool in = weight[l] > 0;
        const double donor = in ? near : here, receiver = in ? here : near, upstream = in ? far : back;
        const double over = in ? above_near : above_here, lower = in ? below_near : below_here;
        const double q = receiver - donor, p = s->known[side][l] > 0 ? donor - upstream : 0.0;
        const double under = s->under[side][l] > 0 ? donor - lower : 0.0;
        const double widest = larger_slope(larger_slope(p, donor - over, q), under, q);
        const double slope = most[l] >= 0 ? whole_slope(widest, q, most[l]) : mean_slope(p, q);
        sum[l] += weight[l] * slope;
    }
}

/* Of p and the differences of a donor at surface or bed to its neighbours along the layer, and to what columns that
 * reach below it have at its bed: the largest one of the sign of q. */
POINTWISE double larger_along(const Transport *a, const double *c, ptrdiff_t column, int k, double p,
                              double q) {
    const ptrdiff_t across[] = {-1, 1, -a->g.row, a->g.row};
    const bool bed = a->reach[column] == k;
    for (int s = 0; s < BELOW; s++) {
        const double *beside = c + across[s], lowest = a->reach[column + across[s]];
        if (lowest > k || !(a->depth[column + across[s]] > 0)) continue;
        p = larger_slope(p, *c - *beside, q);
        if (bed && lowest < k) p = larger_slope(p, *c - 0.5 * (*beside + beside[-a->g.plane]), q);
    }
    return p;
}

/* What the water may have at the end of the column beyond the donor, layer k, its last cell. */
POINTWISE double value_beyond(const Transport *a, const Carried *t, const double *donor, ptrdiff_t column,
                              int k) {
    const int layers = a->g.n3, way = k == layers - 1 ? -1 : 1, third_in = k + 3 * way;
    const ptrdiff_t step = way * a->g.plane;
    const double *phi = a->g.phi_c + column + k * a->g.plane;
    if (!line_reaches_end(layers, k, a->reach[column])) return *donor;
    if (a->narrows && !(phi[0] > LEAST_OF_NEXT * phi[step])) return *donor;
    const double next = donor[step], after = donor[2 * step];
    const bool bends = a->sloping && third_in >= 0 && third_in < layers;
    const double value = bends ? bent_value_at_end(*donor, next, after, donor[3 * step], true)
                               : value_at_end(*donor, next, after);
    return max_of(t->least_ever, min_of(t->most_ever, value));
}

/* The same through the lower or upper side; `first` is the block's column. */
POINTWISE void add_down(const Transport *a, const Slopes *s, int side, int k, ptrdiff_t first,
                        const Carried *t, const double *c, double *sum) {
    const double *beside = c + s->beside[side], *beyond = c + s->beyond[side],
                 *opposite = c + s->opposite[side];
    const double *weight = s->weight[side], *most = s->most[side], *known = s->known[side];
    const int beside_in = side == BELOW ? k - 1 : k + 1;
    double p[LANES], q[LANES];
    bool ends = false;
    FOR_LANES (l) {
        const double here = c[l], near = beside[l], far = beyond[l], back = opposite[l];
        const bool in = weight[l] > 0;
        const double donor = in ? near : here, receiver = in ? here : near;
        p[l] = donor - (in ? far : back);
        q[l] = receiver - donor;
    }
    for (int l = 0; l < LANES; l++) ends |= (weight[l] != 0) & (known[l] == 0);
    for (int l = 0; ends && l < LANES; l++) {
        const bool in = weight[l] > 0;
        const double *donor = (in ? beside : c) + l;
        const int donor_in = in ? beside_in : k;
        if (weight[l] == 0 || known[l] > 0) continue;
        p[l] = *donor - value_beyond(a, t, donor, first + l, donor_in);
        p[l] = larger_along(a, donor, first + l, donor_in, p[l], q[l]);
    }
    FOR_LANES (l) sum[l] += weight[l] * whole_slope(p[l], q[l], most[l]);
}

KERNEL_COLUMNS(transport_van_leer, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    Columns columns;
    find_columns(a, first, &columns);
    for (int k = deepest_layer(a->reach + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane, place = IN_WINDOW(a->window, i0, j, k);
        Slopes s;
        find_slopes(a, &columns, i0, j, k, &s);
        for (int n = 0; n < a->count; n++) {
            const double *c = a->tracer[n].c + layer;
            double *gain = a->tracer[n].gain + place, sum[LANES] = {0};
            UNROLLED for (int side = 0; side < BELOW; side++) add_along(&s, side, &a->g, k, c, sum);
            UNROLLED for (int side = BELOW; side < SIDES; side++)
                add_down(a, &s, side, k, first, &a->tracer[n], c, sum);
            FOR_LANES (l) gain[l] += sum[l] * a->per_water[place + l];
        }
    }
}
