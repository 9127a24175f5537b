/* SPDX-License-Identifier: Apache-2.0
 *
 * The cheap scheme of second order: it adds to the low-order flux through a side
 *
 *     A = F (1 - C)/2 min(1, V_u/O_u - 1) phi,   phi = 2 p q / (p + q) where p q > 0, else 0,
 *
 * with p = c_u - c_uu, q = c_d - c_u (B. van Leer, J. Comput. Phys. 14 (1974) 361-370). |phi| is at most
 * twice the smaller of the two: what comes in lies between c_u and c_d, and what goes out beyond c_u is no
 * more than O (V_u/O_u - 1) = V - O times p, which the low order has left in the cell. So all stays between
 * the values of the cell and its neighbours, with nothing to limit afterwards. Only between cells that need
 * no substeps, into those beside which none is, and where the water upstream is known. A is divided by
 * V - O + I, as the low order is: in films the new volume differs from that by the rounding of the level.
 */
#include "model/tracers/cells.h"

/* The sides of a block's cells in one layer: what does not depend on the tracer. */
typedef struct Slopes {
    double weight[SIDES][LANES]; /* of phi in what comes in [m3 s-1]; 0 where nothing is corrected */
    ptrdiff_t beside[SIDES], beyond[SIDES], opposite[SIDES]; /* steps in memory; 0 where there is nothing */
} Slopes;

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

/* `inflow` comes in through the side, `step` leads to the cells beside and `up` to their layer; the water
 * behind the cells is that of `back`. */
POINTWISE void weigh_side(const Transport *a, const Columns *c, const double *back, int side, int k, int up,
                          const Places *p, const double *inflow, double *weight) {
    const double here_in = k, beside_in = layer_in(a, k + up), beyond_in = layer_in(a, k + 2 * up),
                 back_in = layer_in(a, k - up);
    const double *beside = c->beside[side], *beyond = c->beyond[side];
    const double *volume_here = a->per_volume + p->here, *volume_beside = a->per_volume + p->beside[side];
    const double *leaving_here = a->leaving + p->here, *leaving_beside = a->leaving + p->beside[side];
    FOR_LANES (l) {
        /* both are read first: a choice of what to read costs more than a choice between numbers */
        const double v_here = volume_here[l], v_beside = volume_beside[l];
        const double o_here = leaving_here[l], o_beside = leaving_beside[l];
        const double from_beyond = beyond[l], from_back = back[l], flux = inflow[l];
        const bool in = flux > 0;
        const double upstream_from = in ? from_beyond : from_back, upstream_in = in ? beyond_in : back_in;
        const double per_volume = in ? v_beside : v_here, leaving = in ? o_beside : o_here;
        const double courant = min_of(1.0, fabs(flux) * per_volume), lost = leaving * per_volume;
        const double bearable = min_of(1.0, max_of(0.0, 1.0 / max_of(lost, 1e-300) - 1.0));
        const double whole = 0.5 * flux * (1.0 - courant) * bearable;
        const double from_here = c->here[l] <= here_in ? whole : 0.0;
        const double between = beside[l] <= beside_in ? from_here : 0.0;
        weight[l] = upstream_from <= upstream_in ? between : 0.0;
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
    const ptrdiff_t layer = AT2(a->g, i0, j) + k * a->g.plane;
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
        weigh_side(a, c, c->beside[side ^ 1], side, k, up[side], &p, in[side], s->weight[side]);
        if (a->out) leave_out_hot(a, layer, step[side], s->weight[side]);
    }
}

/* phi */
POINTWISE double limited_slope(double p, double q) {
    const double product = p * q, sum = p + q;
    const double mean = 2.0 * product / (sum != 0 ? sum : 1.0);
    return product > 0 ? mean : 0.0;
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
            UNROLLED for (int side = 0; side < SIDES; side++) {
                const double *beside = c + s.beside[side], *beyond = c + s.beyond[side],
                             *opposite = c + s.opposite[side], *weight = s.weight[side];
                FOR_LANES (l) {
                    const double here = c[l], near = beside[l], far = beyond[l], back = opposite[l];
                    const bool in = weight[l] > 0;
                    const double donor = in ? near : here, receiver = in ? here : near;
                    const double upstream = in ? far : back;
                    sum[l] += weight[l] * limited_slope(donor - upstream, receiver - donor);
                }
            }
            FOR_LANES (l) gain[l] += sum[l] * a->per_water[place + l];
        }
    }
}
