/* SPDX-License-Identifier: Apache-2.0
 *
 * w before the new pressure. What flows into its cell, half of the layer below it and half of the one above (at
 * the surface half of the topmost layer), changes it by advection. Then, with the masses M of vertical_inertia.h
 * and the viscosity V, both of three diagonals,
 *
 *     (M / dt + V) w' = M / dt w + q - q_above,
 *
 * eliminated from the surface down.
 */
#include "model/momentum/advection.h"
#include "model/pressure/pressure.h"
#include "model/pressure/vertical_inertia.h"

SIZED_STRUCT(WScratch) {
    double ratio[COLUMN_LEVELS][LANES], velocity[COLUMN_LEVELS][LANES], force[COLUMN_LEVELS][LANES];
};

/* Of a block of columns: the lowest layer with w, and the same of the four columns around and the ones behind
 * them; n3 where there is none. */
typedef struct WAround {
    double here[LANES], near[SIDES][LANES], far[SIDES][LANES];
} WAround;

POINTWISE double lowest_of_column(const VerticalMomentum *a, ptrdiff_t m) {
    return a->depth[m] >= a->least_depth ? a->g.bottom_c[m] : (double)a->g.n3;
}

POINTWISE void around_find(const VerticalMomentum *a, ptrdiff_t first, WAround *n) {
    const ptrdiff_t step[SIDES] = {1, -1, a->g.row, -a->g.row};
    FOR_LANES (l) n->here[l] = lowest_of_column(a, first + l);
    UNROLLED for (int s = 0; s < SIDES; s++) FOR_LANES (l) {
        n->near[s][l] = lowest_of_column(a, first + l + step[s]);
        n->far[s][l] = lowest_of_column(a, first + l + 2 * step[s]);
    }
}

/* w of a block in layer k after advection for one step. [m s-1] */
POINTWISE void advect_w(const VerticalMomentum *a, const WAround *n, ptrdiff_t first, int k,
                        double *velocity) {
    const ptrdiff_t layer = first + k * a->g.plane, plane = a->g.plane, row = a->g.row;
    const double *w = a->w + layer, *fu = a->flux_u + layer, *fv = a->flux_v + layer, *fw = a->flux_w + layer;
    const double top = a->g.n3 - 1;
    double above[LANES], above_2[LANES], below_2[LANES], volume[LANES], courant_per_flux[LANES], sum[LANES],
        inflow[LANES];
    FOR_LANES (l) {
        above[l] = k + 1 <= top ? n->here[l] : top + 1;
        above_2[l] = k + 2 <= top ? n->here[l] : top + 1;
        below_2[l] = n->here[l] + 1; /* next below the lowest is the bed, whose w = 0 counts */
        volume[l] = 0.5 * a->g.area[first + l] * a->depth_advected[first + l] *
                    (a->g.phi_c[layer + l] + a->g.phi_c[layer + plane + l]);
        volume[l] = max_of(volume[l], 1e-12);
        courant_per_flux[l] = a->dt / volume[l];
        sum[l] = inflow[l] = 0.0;
    }
    const Side side[ALL_SIDES] = {
        {1, n->near[AHEAD], n->far[AHEAD], n->near[BEHIND], fu + 1, plane, 1},
        {-1, n->near[BEHIND], n->far[BEHIND], n->near[AHEAD], fu, plane, -1},
        {row, n->near[LEFT], n->far[LEFT], n->near[RIGHT], fv + row, plane, 1},
        {-row, n->near[RIGHT], n->far[RIGHT], n->near[LEFT], fv, plane, -1},
        {plane, above, above_2, n->here, fw + plane, k < top ? plane : 0, 1},
        {-plane, n->here, below_2, above, fw, plane, -1},
    };
    UNROLLED for (int s = 0; s < ALL_SIDES; s++)
        add_side(&side[s], w, k, courant_per_flux, is_limited(a->advection), sum, inflow);
    FOR_LANES (l) velocity[l] = w[l] + a->dt * sum[l] / max_of(volume[l], a->dt * inflow[l]);
}

/* Change of w by horizontal viscosity over one explicit step; walls and thin water take nothing. [m s-1] */
POINTWISE void diffuse_w(const VerticalMomentum *a, const WAround *n, ptrdiff_t first, int j, int k,
                         const double *field, double *change) {
    const ptrdiff_t layer = first + k * a->g.plane, row = a->g.row;
    const ptrdiff_t step[SIDES] = {1, -1, row, -row};
    const double *width[SIDES] = {a->width_u + first + 1, a->width_u + first, a->width_v + first + row,
                                  a->width_v + first};
    const double over_x = a->dt / (a->g.dx_c[j] * a->g.dx_c[j]),
                 over_y = a->dt / (a->g.dy_c[j] * a->g.dy_c[j]);
    const double *cell = a->viscosity_c ? a->viscosity_c + layer : NULL;
    const double *w = field + layer;
    FOR_LANES (l) change[l] = 0.0;
    UNROLLED for (int s = 0; s < SIDES; s++) FOR_LANES (l) {
        const double viscosity =
            cell ? 0.5 * (max_of(0.0, cell[l]) + max_of(0.0, cell[l + step[s]])) : a->viscosity;
        const double whole = viscosity * (s < LEFT ? over_x : over_y), near = w[l + step[s]];
        const double weight = ((n->near[s][l] <= k) & (width[s][l] > 0)) ? whole : 0.0;
        change[l] += weight * (near - w[l]);
    }
}

/* q - q_above of layer k; q = 0 at the surface. [m2 s-2] */
POINTWISE double pressure_jump(const VerticalMomentum *a, ptrdiff_t m, int k) {
    const ptrdiff_t mk = m + k * a->g.plane;
    const double q_above = k < a->g.n3 - 1 ? a->q[mk + a->g.plane] : 0.0;
    return a->q[mk] - q_above;
}

/* w of all layers after what flows along them and over their sides. [m s-1] */
SIZED POINTWISE void move_w(const VerticalMomentum *a, const WAround *n, ptrdiff_t first, int j, int deepest,
                            WScratch OF_LEVELS *s) {
    double velocity[LANES], spread[LANES] = {0};
    for (int k = a->g.n3 - 1; k >= deepest; k--) {
        const ptrdiff_t layer = first + k * a->g.plane,
                        soon = layer + BLOCK; /* the next block, level by level */
        PREFETCH(a->g.phi_c + soon);
        PREFETCH(a->w + soon + 2 * a->g.row);
        PREFETCH(a->flux_u + soon + BLOCK - 1);
        PREFETCH(a->flux_v + soon + a->g.row);
        PREFETCH(a->flux_w + soon);
        PREFETCH(a->q + soon);
        if (a->advection != ADVECTION_NONE)
            advect_w(a, n, first, k, velocity);
        else
            FOR_LANES (l) velocity[l] = a->w[layer + l];
        if (a->viscosity_in_sum) diffuse_w(a, n, first, j, k, a->w, spread);
        FOR_LANES (l) {
            const double moved = a->carried[first + l] * (velocity[l] + spread[l]);
            s->velocity[k][l] = n->here[l] <= k ? moved : 0.0;
        }
    }
}

KERNEL_LEVELS(vertical_momentum_predict, VerticalMomentum, 3) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane;
    const int top = a->g.n3 - 1, deepest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    WAround n;
    WScratch OF_LEVELS s;
    /* of the layer above: the coupling, the part of it that goes into this one's diagonal and force, w above */
    double coupling_above[LANES] = {0}, exchange_above[LANES] = {0}, taken[LANES] = {0}, given[LANES] = {0},
           w_above[LANES] = {0}, below[LANES] = {0}, per_step[LANES], per_depth[LANES], per_inertia[LANES];
    FOR_LANES (l) {
        const double depth = max_of(a->depth[first + l], 1e-12);
        per_step[l] = depth / a->dt;
        per_depth[l] = a->floor_viscosity / depth;
        per_inertia[l] = 1.0 / inertia_of(a->active[first + l]);
    }
    around_find(a, first, &n);
    move_w(a, &n, first, j, deepest, &s);
    for (int k = top; k >= deepest; k--) {
        PREFETCH(a->predicted + first + k * plane); /* written last */
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const bool open = n.here[l] <= k;
            const double mass = inertia_of_face(&a->g, m, k) * per_step[l];
            const double coupling = inertia_coupling(&a->g, m, k) * per_step[l];
            const double exchange = per_depth[l] / a->g.phi_c[m + k * plane];
            const double w = s.velocity[k][l], w_below = k > deepest ? s.velocity[k - 1][l] : 0.0;
            const double moved = mass * w + coupling * w_below + coupling_above[l] * w_above[l];
            const double force = moved + pressure_jump(a, m, k) * per_inertia[l] - given[l];
            const double with_below = coupling - exchange; /* w = 0 at the bed, where no coupling is */
            const double diagonal = mass + exchange + exchange_above[l] - taken[l];
            const double inverse = 1.0 / max_of(diagonal, 1e-300);
            s.ratio[k][l] = open ? with_below * inverse : 0.0;
            s.force[k][l] = open ? force * inverse : 0.0;
            taken[l] = with_below * s.ratio[k][l];
            given[l] = with_below * s.force[k][l];
            coupling_above[l] = coupling;
            exchange_above[l] = exchange;
            w_above[l] = w;
        }
    }
    for (int k = deepest; k <= top; k++)
        FOR_LANES (l) {
            below[l] = s.force[k][l] - s.ratio[k][l] * below[l];
            a->predicted[first + l + k * plane] = below[l];
        }
}

KERNEL_COLUMNS(vertical_viscous_stage, VerticalStage) {
    const VerticalMomentum *m = &a->momentum;
    const ptrdiff_t first = AT2(m->g, i0, j);
    double change[LANES];
    WAround n;
    around_find(m, first, &n);
    for (int k = deepest_layer(m->g.bottom_c + first, m->g.n3); k < m->g.n3; k++) {
        const ptrdiff_t layer = first + k * m->g.plane;
        const double *now = a->now + layer;
        double *next = a->next + layer;
        diffuse_w(m, &n, first, j, k, a->now, change);
        FOR_LANES (l) {
            const double found = stage_value(a->weights, now[l], next[l], change[l]);
            next[l] = n.here[l] <= k ? found : now[l];
        }
    }
}
