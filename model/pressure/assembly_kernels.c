/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix of seven points of the system, and its right-hand side.
 */
#include "model/pressure/divergence.h"
#include "model/pressure/folded.h"

enum { WEST_SIDE, EAST_SIDE, SOUTH_SIDE, NORTH_SIDE, COLUMN_SIDES };

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

/* What between layer k and the one above a pressure does to w, over the difference: 0 where there is no w, and where
 * the surface is put into the topmost layers. `rate`: twice the area over the mass of the whole column. [m] */
POINTWISE void assemble_link(const PressureColumns *a, ptrdiff_t first, int k, const double *rate,
                             double *link) {
    const double *phi = a->g.phi_c + first + k * a->g.plane, *above = phi + a->g.plane;
    const double *bottom = a->g.bottom_c + first, *active = a->active + first;
    /* pressure is linear in the topmost layer */
    const double most = k + 2 < a->g.n3 ? 2.0 : k + 1 < a->g.n3 ? HYDROSTATIC : NONE;
    FOR_LANES (l) {
        const double found = rate[l] / max_of(phi[l] + above[l], 1e-300);
        link[l] = ((active[l] > NONE) & (active[l] <= most) & (bottom[l] <= k)) ? found : 0.0;
    }
}

/* One layer of the block but for what the surface adds; `link`: with the layers above and below. */
POINTWISE void assemble_layer(const PressureColumns *a, const Couplings *c, ptrdiff_t first, int k,
                              const double *link, const double *link_below) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *bottom = a->g.bottom_c + first, *active = a->active + first;
    double *west = a->west + layer, *south = a->south + layer;
    double *lower = a->lower + layer, *centre = a->centre + layer;
    PREFETCH(west + BLOCK);
    PREFETCH(south + BLOCK);
    PREFETCH(lower + BLOCK);
    PREFETCH(centre + BLOCK);
    FOR_LANES (l) {
        const double of_west = coupling_of(a, c, WEST_SIDE, first, l, k);
        const double of_south = coupling_of(a, c, SOUTH_SIDE, first, l, k);
        const double across = of_west + coupling_of(a, c, EAST_SIDE, first, l, k);
        const double along = of_south + coupling_of(a, c, NORTH_SIDE, first, l, k);
        const double whole = (across + along) + link_below[l] + link[l];
        west[l] = of_west;
        south[l] = of_south;
        lower[l] = link_below[l];
        centre[l] = ((active[l] > NONE) & (bottom[l] <= k)) ? whole : 0.0;
    }
}

/* The surface put into the topmost layers, and their scale. */
POINTWISE void assemble_top(const PressureColumns *a, ptrdiff_t first) {
    const ptrdiff_t top = first + (a->g.n3 - 1) * a->g.plane;
    const double stiff = stiffness(a), *active = a->active + first, *bottom = a->g.bottom_c + first;
    const double next = a->g.n3 - 1;
    double *centre = a->centre + top, *lower = a->lower + top, *under = centre - a->g.plane;
    double *west = a->west + top, *south = a->south + top;
    Folded here, there;
    fold(&a->g, a->depth, a->active, stiff, first, &here);
    fold(&a->g, a->depth, a->active, stiff, first - 1, &there);
    FOR_LANES (l) west[l] *= here.scale[l] * there.scale[l];
    fold(&a->g, a->depth, a->active, stiff, first - a->g.row, &there);
    FOR_LANES (l) south[l] *= here.scale[l] * there.scale[l];
    FOR_LANES (l) {
        const double area = max_of(a->g.area[first + l], 1e-300), held = area * here.top[l];
        centre[l] = here.scale[l] * here.scale[l] * centre[l] + (active[l] > NONE ? held : 0.0);
    }
    FOR_LANES (l) {
        const double area = max_of(a->g.area[first + l], 1e-300);
        const bool two = (active[l] > HYDROSTATIC) & (bottom[l] < next);
        const double coupling = area * here.coupling[l], below = area * here.below[l];
        lower[l] = two ? coupling : lower[l];
        under[l] += two ? below : 0.0;
    }
}

/* What flows into the cells, before the pressure acts, and what lifts the surface. */
typedef struct Brought {
    double tilted_below[LANES], total[LANES];
} Brought;

POINTWISE void assemble_rest(const PressureColumns *a, ptrdiff_t first, int k, double per_step, Brought *b) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *bottom = a->g.bottom_c + first, *active = a->active + first, *area = a->g.area + first;
    const double *w = a->w + layer, *below = w - a->g.plane, *phi = a->g.phi_c + layer;
    double *rhs = a->rhs + layer, outflow[LANES], tilted[LANES];
    PREFETCH(phi + BLOCK); /* the next block comes from memory, level by level */
    PREFETCH(w + BLOCK);
    PREFETCH(rhs + BLOCK);
    divergence_layer(&a->g, &a->flows, first, k, outflow, tilted);
    FOR_LANES (l) {
        const double out = outflow[l] - phi[l] * a->source[first + l];
        const double w_below = bottom[l] < k ? below[l] : 0.0;
        const double divergence = out + area[l] * (w[l] - w_below) - (tilted[l] - b->tilted_below[l]);
        rhs[l] = ((active[l] > HYDROSTATIC) & (bottom[l] <= k)) ? -divergence * per_step : 0.0;
        b->total[l] += bottom[l] <= k ? out : 0.0;
        b->tilted_below[l] = tilted[l];
    }
}

KERNEL_COLUMNS(pressure_assemble, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), top = first + (a->g.n3 - 1) * a->g.plane, row = a->g.row;
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    const double per_step = 1.0 / a->dt, per_theta = 1.0 / a->theta;
    Couplings c;
    Brought b;
    double rate[LANES], link[LANES], link_below[LANES];
    couplings_begin(a, first, j, &c);
    FOR_LANES (l) {
        const double mass = a->depth[first + l] * inertia_of(a->active[first + l]);
        rate[l] = 2.0 * a->g.area[first + l] / max_of(mass, 1e-12);
        b.tilted_below[l] = b.total[l] = link_below[l] = 0.0;
    }
    for (int k = lowest; k < a->g.n3; k++) {
        assemble_link(a, first, k, rate, link);
        assemble_layer(a, &c, first, k, link, link_below);
        assemble_rest(a, first, k, per_step, &b);
        FOR_LANES (l) link_below[l] = link[l];
    }
    assemble_top(a, first);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double area = max_of(a->g.area[m], 1e-300);
        const double added = (a->added_u[m + 1] - a->added_u[m]) + (a->added_v[m + row] - a->added_v[m]);
        const double risen = b.tilted_below[l] - b.total[l] + added * per_theta;
        const double heave = (area * a->w[top + l] - risen) * per_step;
        a->rhs[top + l + a->g.plane] = a->active[m] > HYDROSTATIC ? heave : 0.0;
    }
}
