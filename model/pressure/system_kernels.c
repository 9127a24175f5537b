/* SPDX-License-Identifier: Apache-2.0
 *
 * The system for the pressure and its value at the surface: the matrix of seven points, the product of the whole with a
 * pressure, and the surface folded into the topmost layers and out of them.
 */
#include "model/pressure/divergence.h"
#include "model/pressure/vertical_inertia.h"

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

/* The equation of r, A (up + link + 1/stiff) r = A (up + 2 link) p_n - A link p_b + rest, put into those of p_n and p_b:
 * what it adds to their matrix, over A. It is solved for p_n / scale, with the sum of the row of p_b that without
 * neighbours is 0, as preconditioners want it: p_n / scale is 2 p_n, the pressure below the topmost layer, if the step
 * is short, and p_n if it is so long that the surface takes all. */
typedef struct Folded {
    double top, coupling, below;       /* the diagonals, and minus what is between them [m-1] */
    double part_of_top, part_of_below; /* of p_n / scale, and of -p_b, in r */
    double of_rest;                    /* of rest / A in r [m] */
    double scale;
} Folded;

POINTWISE Folded fold(const GridView *g, const double *depth, const double *active, double stiff,
                      ptrdiff_t m) {
    const TopPush push = top_push(g, m, max_of(depth[m] * inertia_of(active[m]), 1e-12));
    const double both = push.up + 2.0 * push.link, of_rest = stiff / (1.0 + stiff * (push.link + push.up));
    const double of_top = of_rest * both, of_below = of_rest * push.link;
    const double coupling = 2.0 * push.link - both * of_below, below = push.link - push.link * of_below;
    const bool full = active[m] > HYDROSTATIC;
    const double ratio = below / max_of(coupling, 1e-300);
    const double scale = (full & (push.link > 0)) ? ratio : 1.0;
    const double top = full ? push.up + 4.0 * push.link - both * of_top : 1.0 / stiff;
    const Folded folded = {
        scale * scale * top, scale * coupling, below, scale * of_top, of_below, of_rest, scale};
    return folded;
}

/* One layer of the block but for what the surface adds, and with it what is between it and the layer below. */
POINTWISE void assemble_layer(const PressureColumns *a, const Couplings *c, ptrdiff_t first, int k) {
    const ptrdiff_t layer = first + k * a->g.plane, plane = a->g.plane;
    const double *phi = a->g.phi_c + layer;
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool here = (a->active[m] > NONE) & (a->g.bottom_c[m] <= k);
        const double twice_area = 2.0 * a->g.area[m];
        const double depth = max_of(a->depth[m] * inertia_of(a->active[m]), 1e-12);
        const double below = twice_area / ((phi[l] + phi[l - plane]) * depth);
        const double above = twice_area / ((phi[l] + phi[l + plane]) * depth);
        const bool linear = (a->active[m] > HYDROSTATIC) & (k == a->g.n3 - 1); /* as pressure is there */
        const bool below_it = (a->active[m] > HYDROSTATIC) & (k + 1 == a->g.n3 - 1);
        const double with_below = (here & !linear & (a->g.bottom_c[m] < k)) ? below : 0.0;
        const double with_above = (here & !below_it & (k < a->g.n3 - 1)) ? above : 0.0;
        double side[COLUMN_SIDES];
        UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) side[s] = coupling_of(a, c, s, first, l, k);
        const double around = (side[WEST_SIDE] + side[EAST_SIDE]) + (side[SOUTH_SIDE] + side[NORTH_SIDE]);
        a->west[layer + l] = side[WEST_SIDE];
        a->south[layer + l] = side[SOUTH_SIDE];
        a->lower[layer + l] = with_below;
        a->centre[layer + l] = here ? around + with_below + with_above : 0.0;
    }
}

/* The surface put into the topmost layers, and their scale. */
POINTWISE void assemble_top(const PressureColumns *a, ptrdiff_t first) {
    const ptrdiff_t top = (a->g.n3 - 1) * a->g.plane;
    const double stiff = stiffness(a);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, mk = m + top;
        const Folded here = fold(&a->g, a->depth, a->active, stiff, m);
        const double west = fold(&a->g, a->depth, a->active, stiff, m - 1).scale,
                     south = fold(&a->g, a->depth, a->active, stiff, m - a->g.row).scale;
        const bool full = a->active[m] > HYDROSTATIC, two = full & (a->g.bottom_c[m] < a->g.n3 - 1);
        const double area = max_of(a->g.area[m], 1e-300), centre = here.scale * here.scale * a->centre[mk];
        a->west[mk] *= here.scale * west;
        a->south[mk] *= here.scale * south;
        a->centre[mk] = centre + (a->active[m] > NONE ? area * here.top : 0.0);
        a->lower[mk] = two ? area * here.coupling : a->lower[mk];
        a->centre[mk - a->g.plane] += two ? area * here.below : 0.0;
    }
}

KERNEL_COLUMNS(pressure_assemble, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane;
    const int top = a->g.n3 - 1;
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
            const bool full = (a->active[m] > HYDROSTATIC) & (a->g.bottom_c[m] <= k);
            a->rhs[mk] = full ? -divergence / a->dt : 0.0;
            total[l] += a->g.bottom_c[m] <= k ? out : 0.0;
            tilted_below[l] = tilted[l];
        }
    }
    assemble_top(a, first);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, mk = m + top * plane;
        const double area = max_of(a->g.area[m], 1e-300);
        const double added = (a->added_u[m + 1] - a->added_u[m]) + (a->added_v[m + a->g.row] - a->added_v[m]);
        const double heave = a->w[mk] - (tilted_below[l] - total[l] + added / a->theta) / area;
        const bool full = a->active[m] > HYDROSTATIC;
        a->rhs[mk + plane] = full ? area * heave / a->dt : 0.0;
    }
}

KERNEL_COLUMNS(pressure_apply, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane;
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3), top = a->g.n3 - 1;
    const double stiff = stiffness(a);
    Flow f;
    double outflow[LANES], tilted[LANES], tilted_below[LANES] = {0}, rising_below[LANES] = {0},
                                          total[LANES] = {0}, sum[LANES] = {0}, pushed[LANES] = {0},
                                          up[LANES], link[LANES], jump_above[LANES];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const TopPush push = top_push(&a->g, m, inertia_of(a->active[m]) * max_of(a->depth[m], 1e-12));
        up[l] = push.up;
        link[l] = push.link;
        jump_above[l] = a->p[m + top * plane] - a->p[m + (top + 1) * plane];
    }
    flow_begin(&a->g, a->acceleration_u, a->acceleration_v, a->depth, a->depth_u, a->depth_v, a->least_depth,
               first, lowest, &f);
    for (int k = lowest; k <= top; k++) {
        const double *phi = a->g.phi_c + first + k * plane, *p = a->p + first + k * plane;
        const bool next_to_top = k + 1 == top;
        PREFETCH(p + BLOCK);
        PREFETCH(a->product + first + k * plane + BLOCK);
        flow_layer(&a->g, a->depth, first, k, &f, outflow, tilted);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const bool here = a->g.bottom_c[m] <= k, full = (a->active[m] > HYDROSTATIC) & here;
            const double mass = inertia_of(a->active[m]) * max_of(a->depth[m], 1e-12);
            const double distance = 0.5 * (phi[l] + phi[l + plane]) * mass;
            const double jump = p[l] - p[l + plane], between = jump / max_of(distance, 1e-300);
            const double of_top = up[l] * jump - pushed[l];
            pushed[l] = k == top ? of_top : (next_to_top ? link[l] * (jump - jump_above[l]) : between);
            const double rising = full ? a->g.area[m] * pushed[l] : 0.0;
            const double whole = outflow[l] + (rising - rising_below[l]) - (tilted[l] - tilted_below[l]);
            total[l] += here ? outflow[l] : 0.0;
            const double product = full ? whole : 0.0;
            a->product[m + k * plane] = product;
            sum[l] += p[l] * product;
            rising_below[l] = rising;
            tilted_below[l] = tilted[l];
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, highest = m + top * plane, surface = highest + plane;
        const double held = a->g.area[m] / stiff * a->p[surface];
        const double flat = total[l] + a->g.area[m] / stiff * a->p[highest];
        const bool hydrostatic = a->active[m] == HYDROSTATIC, full = a->active[m] > HYDROSTATIC;
        const double of_surface = full ? held + (tilted_below[l] - rising_below[l]) : 0.0;
        a->product[highest] = hydrostatic ? flat : a->product[highest];
        a->product[surface] = of_surface;
        sum[l] += a->p[surface] * of_surface;
        a->sum[m] = hydrostatic ? a->p[highest] * flat : sum[l];
    }
}

KERNEL_COLUMNS(pressure_fold_surface, PressureSurface) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane, top = first + (a->g.n3 - 1) * plane;
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        double *solution = a->solution + first + k * plane;
        PREFETCH(solution + BLOCK);
        FOR_LANES (l) solution[l] = 0.0;
    }
    FOR_LANES (l) {
        const Folded folded = fold(&a->g, a->depth, a->active, a->stiff, first + l);
        const double of_surface = a->residual[top + plane + l];
        const double residual = a->residual[top + l], below = a->residual[top - plane + l];
        a->kept[first + l] = residual;
        a->kept_below[first + l] = below;
        a->residual[top + l] = folded.scale * residual + folded.part_of_top * of_surface;
        a->residual[top - plane + l] = below - folded.part_of_below * of_surface;
    }
}

KERNEL_COLUMNS(pressure_unfold_surface, PressureSurface) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane, top = first + (a->g.n3 - 1) * plane;
    double sum[LANES];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const Folded folded = fold(&a->g, a->depth, a->active, a->stiff, m);
        const double of_surface = a->residual[top + plane + l];
        const double of_layers =
            folded.part_of_top * a->solution[top + l] - folded.part_of_below * a->solution[top - plane + l];
        const double found = of_layers + folded.of_rest * of_surface / max_of(a->g.area[m], 1e-300);
        a->solution[top + l] *= folded.scale;
        a->residual[top + l] = a->kept[m];
        a->residual[top - plane + l] = a->kept_below[m];
        const double surface = a->active[m] > HYDROSTATIC ? found : 0.0;
        a->solution[top + plane + l] = surface;
        sum[l] = surface * of_surface;
    }
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const double *residual = a->residual + first + k * plane;
        double *solution = a->solution + first + k * plane;
        PREFETCH(residual + BLOCK);
        PREFETCH(solution + BLOCK);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const bool alike = (a->active[m] == HYDROSTATIC) & (a->g.bottom_c[m] <= k);
            const double highest = a->solution[top + l], own = solution[l];
            const double value = alike ? highest : own;
            solution[l] = value;
            sum[l] += residual[l] * value;
        }
    }
    FOR_LANES (l) a->sum[first + l] = sum[l];
}
