/* SPDX-License-Identifier: Apache-2.0
 *
 * The cheap scheme of second order: to what the low order brings through a side,
 *
 *     A = F (1 - C)/2 min(1, V_u/O_u - 1) phi,   phi = 2 p q / (p + q) where p q > 0, else 0,
 *
 * with p = c_u - c_uu, q = c_d - c_u (B. van Leer, J. Comput. Phys. 14 (1974) 361-370). |phi| is at most
 * twice the smaller of the two: what comes in lies between c_u and c_d, and what goes out beyond c_u is no
 * more than O (V_u/O_u - 1) = V - O times p, which the low order has left in the cell. So all stays between
 * the values of the cell and its neighbours, with nothing to limit afterwards. Only between cells that need
 * no small steps, into those beside which none is, and where the water upstream is known. A is spread over V
 * - O + I, as the low order is: in films the new volume differs from that by roundings of the level.
 */
#include "model/tracers/cells.h"

/* The sides of a block's cells in one layer: what does not depend on the tracer. */
typedef struct Slopes {
    double weight[SIDES][LANES]; /* of phi in what comes in [m3 s-1]; 0 where nothing is corrected */
    ptrdiff_t beside[SIDES], beyond[SIDES], opposite[SIDES]; /* steps in memory; 0 where there is nothing */
} Slopes;

/* Is there water that was there before the step in layer k of a column? */
POINTWISE bool has_water(const Transport *a, ptrdiff_t column, int k) {
    return (k < a->g.n3) & (a->reach[column] <= k) & (a->depth[column] > 0);
}

/* Cells with a hot one beside them pass on what has just come in: nothing may be taken from that. */
POINTWISE bool touches_hot(const Transport *a, ptrdiff_t m) {
    const ptrdiff_t row = a->g.row, plane = a->g.plane;
    const double *out = a->out + m;
    return (out[-1] < 0) | (out[1] < 0) | (out[-row] < 0) | (out[row] < 0) | (out[-plane] < 0) |
           (out[plane] < 0);
}

/* `step` leads to the cells beside in three-dimensional fields, `across` in two-dimensional ones and `up` in
 * layers; `flux` is what comes in through the side, from the water at `from` in the window. */
POINTWISE double slope_weight(const Transport *a, ptrdiff_t column, int k, ptrdiff_t step, ptrdiff_t across,
                              int up, double flux, ptrdiff_t from) {
    const ptrdiff_t m = column + k * a->g.plane, beside = m + step;
    const bool in = flux > 0;
    const bool open = has_water(a, column, k) && has_water(a, column + across, k + up) &&
                      has_water(a, in ? column + 2 * across : column - across, in ? k + 2 * up : k - up);
    if (!open) return 0.0;
    if (a->out && (a->out[m] < 0 || a->out[beside] < 0 || touches_hot(a, in ? m : beside))) return 0.0;
    const double courant = min_of(1.0, fabs(flux) * a->per_volume[from]);
    const double lost = a->leaving[from] * a->per_volume[from];
    const double bearable = min_of(1.0, max_of(0.0, 1.0 / max_of(lost, 1e-300) - 1.0));
    return 0.5 * flux * (1.0 - courant) * bearable;
}

POINTWISE void find_slopes(const Transport *a, int i0, int j, int k, Slopes *s) {
    const ptrdiff_t across[SIDES] = {-1, 1, -a->g.row, a->g.row, 0, 0};
    const int up[SIDES] = {0, 0, 0, 0, -1, 1};
    const Places p = find_places(a, i0, j, k);
    const ptrdiff_t first = AT2(a->g, i0, j);
    ptrdiff_t step[SIDES];
    steps_to_neighbours(&a->g, step);
    for (int side = 0; side < SIDES; side++) {
        const int one = k + up[side], two = one + up[side], back = k - up[side];
        s->beside[side] = one >= 0 && one < a->g.n3 ? step[side] : 0;
        s->beyond[side] = two >= 0 && two < a->g.n3 ? 2 * step[side] : 0;
        s->opposite[side] = back >= 0 && back < a->g.n3 ? -step[side] : 0;
    }
    FOR_LANES (l) {
        double in[SIDES];
        inflows(a, first + l + k * a->g.plane, in);
        UNROLLED for (int side = 0; side < SIDES; side++) s->weight[side][l] =
            slope_weight(a, first + l, k, step[side], across[side], up[side], in[side],
                         (in[side] > 0 ? p.beside[side] : p.here) + l);
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
    for (int k = deepest_layer(a->reach + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane, place = IN_WINDOW(a->window, i0, j, k);
        Slopes s;
        find_slopes(a, i0, j, k, &s);
        for (int n = 0; n < a->count; n++) {
            const double *c = a->tracer[n].c + layer;
            double *gain = a->tracer[n].gain + place, sum[LANES] = {0};
            UNROLLED for (int side = 0; side < SIDES; side++) {
                const double *beside = c + s.beside[side], *beyond = c + s.beyond[side],
                             *opposite = c + s.opposite[side], *weight = s.weight[side];
                FOR_LANES (l) {
                    const bool in = weight[l] > 0;
                    const double donor = in ? beside[l] : c[l], receiver = in ? c[l] : beside[l];
                    const double upstream = in ? beyond[l] : opposite[l];
                    sum[l] += weight[l] * limited_slope(donor - upstream, receiver - donor);
                }
            }
            FOR_LANES (l) gain[l] += sum[l] * a->per_water[place + l];
        }
    }
}
