/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/implicit.h"

#include "model/momentum/advection.h"
#include "model/momentum/vertical.h"
#include "model/momentum/viscosity.h"

#define THINNEST 1e-3 /* [m] */

/* One layer's rows of a block. */
typedef struct Rows {
    double centre[LANES], rhs[LANES], coupling[ALL_SIDES][LANES];
} Rows;

/* Which lanes have rows, from which layer up: own faces inside with enough water. */
POINTWISE void rows_begin(const Momentum *a, const Neighbours *n, int i0, int j, double *lowest) {
    const double *depth = a->faces.depth + AT2(a->g, i0, j);
    FOR_LANES (l) {
        const bool own = (i0 + l < a->g.n1) & (j < a->g.n2);
        const bool solved = own & !on_boundary(a, i0 + l, j) & (depth[l] >= THINNEST);
        lowest[l] = solved ? n->lowest[l] : (double)a->g.n3;
    }
}

/* Inertia and implicit upwind fluxes, and what the limited ones have beyond them. */
POINTWISE void add_advection(const Momentum *a, const Neighbours *n, ptrdiff_t first, ptrdiff_t layer, int k,
                             Rows *r) {
    const double *u = a->faces.velocity + layer, *phi = a->faces.phi + layer, *depth = a->faces.depth + first;
    Column column;
    double volume[LANES];
    column_find(n, a->g.n3, k, &column);
    velocity_cell_volumes(a, first, layer, volume);
    double share[LANES], gained[LANES], entered[LANES];
    FOR_LANES (l) {
        volume[l] = max_of(volume[l], 1e-12);
        share[l] = phi[l] * depth[l] / volume[l];
        gained[l] = entered[l] = 0.0;
    }
    UNROLLED for (int s = 0; s < ALL_SIDES; s++) {
        const Side side = s < SIDES    ? side_along_layer(a, n, layer, s)
                          : s == ABOVE ? side_above(a, &column, layer)
                                       : side_below(a, &column, layer);
        FOR_LANES (l) {
            const double out = side_outflow(&side, l);
            const double second = second_order(side_slope(&side, u, k, l, out), out, a->dt / volume[l],
                                               is_limited(a->advection));
            const double turning = s < SIDES ? turning_weight(a, first, layer, side.step, out < 0, l) : 1.0;
            const double part = side.near[l] <= k ? turning : 0.0;
            const double inflow = part * share[l] * max_of(0.0, -out);
            r->coupling[s][l] += inflow;
            entered[l] += inflow;
            gained[l] -= out > 0 ? out : part * out; /* what dry faces give keeps the velocity here */
            r->rhs[l] -= part > 0 ? part * share[l] * out * second : 0.0;
        }
    }
    FOR_LANES (l) {
        const double before = max_of(0.0, volume[l] / a->dt - gained[l]) * share[l];
        r->centre[l] += entered[l] + before;
        r->rhs[l] += before * u[l];
    }
}

POINTWISE void add_horizontal_viscosity(const Momentum *a, const Neighbours *n, ptrdiff_t first,
                                        ptrdiff_t layer, int j, int k, Rows *r) {
    const double *phi = a->faces.phi + layer, *depth = a->faces.depth + first;
    UNROLLED for (int s = 0; s < SIDES; s++) {
        double weight[LANES], gain[LANES];
        viscous_weights(a, n, first, j, k, s, weight, gain);
        FOR_LANES (l) {
            const double exchange = phi[l] * depth[l] / a->dt * weight[l];
            r->centre[l] += exchange;
            r->coupling[s][l] += gain[l] * exchange;
        }
    }
}

/* Exchange with the layers below and above, and the bed. `exchange` is that with the layer above before, with
 * the one below after. */
POINTWISE void add_column(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k,
                          const double *above_bed, const Eddies *eddies, double *exchange, Rows *r) {
    const Faces *f = &a->faces;
    double c[LANES];
    layer_exchange(a, first, k, above_bed, eddies, c);
    FOR_LANES (l) {
        const double with_below = n->lowest[l] < k ? c[l] : 0.0;
        const double bed = n->lowest[l] == k ? f->braking[first + l] : 0.0;
        r->centre[l] += exchange[l] + with_below + bed;
        r->coupling[ABOVE][l] += exchange[l];
        r->coupling[BELOW][l] += with_below;
        exchange[l] = with_below;
    }
}

KERNEL_COLUMNS(implicit_assemble, ImplicitRows) {
    const Momentum *m = &a->momentum;
    const Faces *f = &m->faces;
    const ptrdiff_t first = AT2(m->g, i0, j);
    Neighbours n;
    Rows r;
    Eddies eddies;
    double lowest[LANES], above_bed[LANES], exchange[LANES];
    double rate[LANES], push[LANES]; /* the push is in the force already */
    neighbours_find(m, first, &n);
    rows_begin(m, &n, i0, j, lowest);
    for (int l = 0; l < LANES; l++) {
        above_bed[l] = 1.0;
        exchange[l] = 0.0;
    }
    eddies_find(m, first, &eddies);
    const int deepest = deepest_layer(f->bottom + first, m->g.n3);
    for (int k = m->g.n3 - 1; k >= deepest; k--) {
        const ptrdiff_t layer = first + k * m->g.plane;
        FOR_LANES (l) above_bed[l] = max_of(0.0, above_bed[l] - f->phi[layer + l]);
        layer_brakes(m, &n, first, k, above_bed, rate, push);
        FOR_LANES (l) {
            const double h = f->phi[layer + l] * f->depth[first + l];
            const double mass = m->advection != ADVECTION_NONE ? 0.0 : h / m->dt;
            r.centre[l] = mass + rate[l] * h;
            r.rhs[l] = f->push[layer + l] + mass * f->velocity[layer + l];
        }
        UNROLLED for (int s = 0; s < ALL_SIDES; s++) FOR_LANES (l) r.coupling[s][l] = 0.0;
        if (m->advection != ADVECTION_NONE) add_advection(m, &n, first, layer, k, &r);
        if (m->viscosity > 0 || m->viscosity_c) add_horizontal_viscosity(m, &n, first, layer, j, k, &r);
        add_column(m, &n, first, k, above_bed, &eddies, exchange, &r);
        FOR_LANES (l) {
            const double predicted = f->predicted[layer + l];
            a->centre[layer + l] = lowest[l] <= k ? r.centre[l] : 0.0;
            a->rhs[layer + l] = lowest[l] <= k ? r.rhs[l] : 0.0;
            f->predicted[layer + l] = n.lowest[l] <= k ? predicted : 0.0;
        }
        UNROLLED for (int s = 0; s < ALL_SIDES; s++) FOR_LANES (l) a->coupling[s][layer + l] =
            lowest[l] <= k ? r.coupling[s][l] : 0.0;
    }
}

KERNEL_COLUMNS(implicit_flux, Momentum) {
    const Faces *f = &a->faces;
    const ptrdiff_t first = AT2(a->g, i0, j);
    double flux[LANES] = {0};
    for (int k = deepest_layer(f->bottom + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        FOR_LANES (l) {
            const double theta = f->theta[first + l];
            const double mixed = theta * f->predicted[layer + l] + (1.0 - theta) * f->velocity[layer + l];
            flux[l] += f->bottom[first + l] <= k ? f->phi[layer + l] * f->depth[first + l] * mixed : 0.0;
        }
    }
    for (int l = 0; l < LANES; l++)
        if (!on_boundary(a, i0 + l, j)) f->flux_predicted[first + l] = f->width[first + l] * flux[l];
}
