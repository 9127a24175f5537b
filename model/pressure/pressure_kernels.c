/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/divergence.h"

/* Kinds of column in `active`. */
#define NONE        0.0
#define HYDROSTATIC 1.0
#define FULL        2.0

KERNEL_CELLS(pressure_mark, PressureColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double kind = a->g.bottom_c[m] < a->g.n3 - 1 ? FULL : HYDROSTATIC;
    const double most = a->again ? a->active[m] : kind;
    a->active[m] = a->depth[m] >= a->least_depth ? most : NONE;
}

/* ---- the old pressure ---- */

/* The layers of a block of columns beside faces, from the surface down. */
typedef struct Beside {
    double top[LANES];    /* height of the layer's upper face [m] */
    double middle[LANES]; /* of its middle [m] */
    double q_top[LANES];  /* at the upper face [m2 s-2] */
    double slope[LANES];  /* q_z in the layer [m s-2] */
} Beside;

/* Takes one layer further down; `first` is the block's place in two-dimensional fields. */
POINTWISE void beside_layer(const PressureGradient *a, ptrdiff_t first, int k, Beside *b) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *phi = a->g.phi_c + layer, *q = a->q + layer;
    const double *phi_below = phi - a->g.plane, *q_below = q - a->g.plane;
    FOR_LANES (l) {
        const double h = phi[l] * a->depth[first + l];
        const bool lowest = a->g.bottom_c[first + l] >= k;
        const double between =
            (q[l] * phi_below[l] + q_below[l] * phi[l]) / max_of(phi[l] + phi_below[l], 1e-300);
        const double q_bottom = lowest ? q[l] : between;
        b->middle[l] = b->top[l] - 0.5 * h;
        b->slope[l] = (b->q_top[l] - q_bottom) / max_of(h, 1e-12);
        b->top[l] -= h;
        b->q_top[l] = q_bottom;
    }
}

KERNEL_COLUMNS(pressure_gradient, PressureGradient) {
    const ptrdiff_t first = AT2(a->g, i0, j), back = first - a->along;
    const double spacing = a->spacing[j];
    Beside ahead, behind;
    double lowest[LANES];
    FOR_LANES (l) {
        const bool both = (a->active[first + l] > NONE) & (a->active[back + l] > NONE);
        lowest[l] = (both & (a->depth_face[first + l] > 0)) ? a->bottom[first + l] : (double)a->g.n3;
        ahead.top[l] = a->g.bed[first + l] + a->depth[first + l];
        behind.top[l] = a->g.bed[back + l] + a->depth[back + l];
        ahead.q_top[l] = behind.q_top[l] = 0.0;
    }
    for (int k = a->g.n3 - 1; k >= deepest_layer(a->bottom + first, a->g.n3); k--) {
        const ptrdiff_t layer = k * a->g.plane;
        beside_layer(a, first, k, &ahead);
        beside_layer(a, back, k, &behind);
        FOR_LANES (l) {
            const double along = a->q[first + l + layer] - a->q[back + l + layer];
            const double tilt =
                0.5 * (ahead.slope[l] + behind.slope[l]) * (ahead.middle[l] - behind.middle[l]);
            a->acceleration[first + l + layer] = lowest[l] <= k ? (tilt - along) / spacing : 0.0;
        }
    }
}

/* ---- the system ---- */

KERNEL_COLUMNS(pressure_spend_response, SpendResponse) {
    const Faces *f = &a->faces;
    const ptrdiff_t first = AT2(a->g, i0, j);
    const double gravity_per_spacing = a->gravity / f->spacing[j];
    double push[LANES], mixed[LANES] = {0};
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        push[l] = f->theta[m] * gravity_per_spacing * (a->increment[m] - a->increment[m - f->along]);
    }
    for (int k = deepest_layer(f->bottom + first, a->g.n3); k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = m + k * a->g.plane;
            const bool open = (f->bottom[m] <= k) & (f->depth[m] > 0);
            const double predicted = f->predicted[mk] - push[l] * f->response[mk];
            f->predicted[mk] = open ? predicted : 0.0;
            f->response[mk] = 0.0;
            const double speed = f->theta[m] * predicted + (1.0 - f->theta[m]) * f->velocity[mk];
            mixed[l] += open ? f->phi[mk] * speed : 0.0;
        }
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool both = (a->active[m] > NONE) & (a->active[m - f->along] > NONE);
        const bool wet = (f->depth[m] > 0) & (a->depth_new[m] > 0);
        const double deeper = (both & wet) ? 0.5 * (a->depth_new[m] - f->depth[m]) : 0.0;
        a->carrying[m] = f->depth[m] + deeper;
        a->added[m] = f->limit[m] * f->width[m] * deeper * mixed[l];
        f->flux_total[m] += a->added[m];
    }
}

/* Faces' couplings: area over distance, where both columns have p; and where the surface holds them. */
typedef struct Couplings {
    double lowest[COLUMN_SIDES][LANES], share[COLUMN_SIDES][LANES]; /* share: width times depth over dx [m] */
} Couplings;

POINTWISE void couplings_begin(const PressureColumns *a, ptrdiff_t first, int j, Couplings *c) {
    const ptrdiff_t face[COLUMN_SIDES] = {first, first + 1, first, first + a->g.row};
    const ptrdiff_t outside[COLUMN_SIDES] = {-1, 1, -a->g.row, a->g.row};
    const double spacing[COLUMN_SIDES] = {a->u.spacing[j], a->u.spacing[j], a->v.spacing[j],
                                          a->v.spacing[j + 1]};
    UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) {
        const Faces *f = s <= EAST_SIDE ? &a->u : &a->v;
        const double *depth = (s <= EAST_SIDE ? a->depth_u : a->depth_v) + face[s];
        FOR_LANES (l) {
            const bool both = (a->active[first + l] > NONE) & (a->active[first + l + outside[s]] > NONE);
            c->lowest[s][l] = (both & (depth[l] > 0)) ? f->bottom[face[s] + l] : (double)a->g.n3;
            c->share[s][l] = f->width[face[s] + l] * depth[l] / spacing[s];
        }
    }
}

/* Coupling of layer k through a side. [m] */
POINTWISE double coupling_of(const PressureColumns *a, const Couplings *c, int s, ptrdiff_t first, int l,
                             int k) {
    const ptrdiff_t face[COLUMN_SIDES] = {first, first + 1, first, first + a->g.row};
    const Faces *f = s <= EAST_SIDE ? &a->u : &a->v;
    const double phi = f->phi[face[s] + l + k * a->g.plane];
    return c->lowest[s][l] <= k ? c->share[s][l] * phi : 0.0;
}

/* g theta^2 dt^2: how far the pressure of a rising surface holds the water below. [m] */
POINTWISE double stiffness(const PressureColumns *a) {
    const double theta_dt = a->theta * a->dt;
    return a->gravity * theta_dt * theta_dt;
}

/* One layer of the block but for what the surface adds. */
POINTWISE void assemble_layer(const PressureColumns *a, const Couplings *c, ptrdiff_t first, int k) {
    const ptrdiff_t layer = first + k * a->g.plane, plane = a->g.plane;
    const double *phi = a->g.phi_c + layer;
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool here = (a->active[m] > NONE) & (a->g.bottom_c[m] <= k);
        const double twice_area = 2.0 * a->g.area[m], depth = max_of(a->depth[m], 1e-12);
        const double below = twice_area / ((phi[l] + phi[l - plane]) * depth);
        const double above = twice_area / ((phi[l] + phi[l + plane]) * depth);
        const double with_below = (here & (a->g.bottom_c[m] < k)) ? below : 0.0;
        const double with_above = (here & (k < a->g.n3 - 1)) ? above : 0.0;
        double side[COLUMN_SIDES];
        UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) side[s] = coupling_of(a, c, s, first, l, k);
        const double around = (side[WEST_SIDE] + side[EAST_SIDE]) + (side[SOUTH_SIDE] + side[NORTH_SIDE]);
        a->west[layer + l] = side[WEST_SIDE];
        a->south[layer + l] = side[SOUTH_SIDE];
        a->lower[layer + l] = with_below;
        a->centre[layer + l] = here ? around + with_below + with_above : 0.0;
    }
}

KERNEL_COLUMNS(pressure_assemble, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane;
    const int top = a->g.n3 - 1;
    const double stiff = stiffness(a);
    Couplings c;
    Flow f;
    double outflow[LANES], tilted[LANES], tilted_below[LANES] = {0}, total[LANES] = {0};
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    couplings_begin(a, first, j, &c);
    flow_begin(&a->g, a->u.predicted, a->v.predicted, a->depth, a->depth_u, a->depth_v, a->least_depth, first,
               lowest, &f);
    for (int k = lowest; k <= top; k++) {
        const ptrdiff_t layer = first + k * plane;
        assemble_layer(a, &c, first, k);
        flow_layer(&a->g, a->depth, first, k, &f, outflow, tilted);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = layer + l;
            const double out = outflow[l] - a->g.phi_c[mk] * a->source[m];
            const double w_below = a->g.bottom_c[m] < k ? a->w[mk - plane] : 0.0;
            const double divergence =
                out + a->g.area[m] * (a->w[mk] - w_below) - (tilted[l] - tilted_below[l]);
            const bool full = (a->active[m] == FULL) & (a->g.bottom_c[m] <= k);
            a->rhs[mk] = full ? -divergence / a->dt : 0.0;
            total[l] += a->g.bottom_c[m] <= k ? out : 0.0;
            tilted_below[l] = tilted[l];
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, mk = m + top * plane;
        const double area = max_of(a->g.area[m], 1e-300), half = 0.5 * a->g.phi_c[mk] * a->depth[m];
        const double added = (a->added_u[m + 1] - a->added_u[m]) + (a->added_v[m + a->g.row] - a->added_v[m]);
        const double heave = a->w[mk] - (tilted_below[l] - total[l] + added / a->theta) / area;
        const bool full = a->active[m] == FULL;
        const double resistance = full ? half + stiff : stiff;
        a->heave[m] = full ? heave : 0.0;
        a->rhs[mk] += full ? area * heave * stiff / resistance / a->dt : 0.0;
        a->centre[mk] += a->active[m] > NONE ? area / resistance : 0.0;
    }
}

/* ---- what it changes ---- */

POINTWISE void correct(const PressureColumns *a, const Faces *f, ptrdiff_t first, int j) {
    const double dt_per_spacing = a->dt / f->spacing[j];
    double lowest[LANES], change[LANES] = {0};
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool both = (a->active[m] > NONE) & (a->active[m - f->along] > NONE);
        lowest[l] = (both & (f->depth[m] > 0)) ? f->bottom[m] : (double)a->g.n3;
    }
    for (int k = deepest_layer(f->bottom + first, a->g.n3); k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t mk = first + l + k * a->g.plane;
            const double gained = -dt_per_spacing * (a->p[mk] - a->p[mk - f->along]);
            const double faster = lowest[l] <= k ? gained : 0.0;
            f->predicted[mk] += faster;
            change[l] += f->phi[mk] * faster;
        }
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        f->flux_total[m] += f->limit[m] * f->width[m] * f->carrying[m] * f->theta[m] * change[l];
    }
}

KERNEL_COLUMNS(pressure_correct_u, PressureColumns) {
    correct(a, &a->u, AT2(a->g, i0, j), j);
}

KERNEL_COLUMNS(pressure_correct_v, PressureColumns) {
    correct(a, &a->v, AT2(a->g, i0, j), j);
}

KERNEL_COLUMNS(pressure_renew, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), top = (a->g.n3 - 1) * a->g.plane;
    const double stiff = stiffness(a);
    double surface[LANES];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double half = 0.5 * a->g.phi_c[m + top] * a->depth[m];
        surface[l] = stiff / (half + stiff) * (a->p[m + top] + half / a->dt * a->heave[m]);
    }
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = m + k * a->g.plane;
            const bool full = (a->active[m] == FULL) & (a->g.bottom_c[m] <= k);
            const double renewed = a->q[mk] + (a->p[mk] - surface[l]);
            a->q[mk] = full ? renewed : 0.0;
        }
}

KERNEL_COLUMNS(pressure_find_w, FindW) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    Flow f;
    double outflow[LANES], tilted[LANES], total[LANES] = {0};
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    flow_begin(&a->g, a->u.velocity, a->v.velocity, a->depth, a->u.depth, a->v.depth, a->least_depth, first,
               lowest, &f);
    for (int k = lowest; k < a->g.n3; k++) {
        flow_layer(&a->g, a->depth, first, k, &f, outflow, tilted);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = m + k * a->g.plane;
            const bool wet = (a->g.bottom_c[m] <= k) & (a->depth[m] > 0) &
                             (a->g.own_area[m] > 0); /* not beyond open edges */
            total[l] += wet ? a->g.phi_c[mk] * a->source[m] - outflow[l] : 0.0;
            a->w[mk] = wet ? (total[l] + tilted[l]) / max_of(a->g.area[m], 1e-300) : 0.0;
        }
    }
}
