/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of the pressure, what it does to velocities, fluxes and w, and the pressure that the next step begins with.
 */
#include "model/pressure/divergence.h"

/* ---- the gradient ---- */

/* The columns on one side of a block of faces, layer by layer from the bed up. */
typedef struct Beside {
    ptrdiff_t first;     /* place in two-dimensional fields */
    double full[LANES];  /* 1: w of the column follows from the pressure; else 0 */
    double level[LANES]; /* of the layer's upper face [m] */
} Beside;

POINTWISE void beside_begin(const PressureGradient *a, ptrdiff_t first, int lowest, Beside *b) {
    b->first = first;
    FOR_LANES (l) {
        b->full[l] = a->active[first + l] > HYDROSTATIC ? 1.0 : 0.0;
        b->level[l] = a->g.bed[first + l];
    }
    for (int k = deepest_layer(a->g.bottom_c + first, lowest); k < lowest; k++)
        FOR_LANES (l) b->level[l] += a->g.phi_c[first + l + k * a->g.plane] * a->depth[first + l];
}

/* Climbs to the upper face of layer k; `jump`: the pressure above it less the one below. [m2 s-2] */
POINTWISE void beside_layer(const PressureGradient *a, int k, Beside *b, double *jump) {
    const double *phi = a->g.phi_c + b->first + k * a->g.plane, *p = a->pressure + b->first + k * a->g.plane;
    FOR_LANES (l) {
        b->level[l] += phi[l] * a->depth[b->first + l];
        jump[l] = b->full[l] * (p[l + a->g.plane] - p[l]);
    }
}

/* Of a block of faces, from the bed up. */
typedef struct Climb {
    Beside ahead, behind;
    double lowest[LANES]; /* layer with a gradient; n3: none */
    double scale[LANES];  /* half of one over the mean depth [m-1] */
    double below[LANES];  /* what the slope of the face below brings */
} Climb;

POINTWISE void climb_begin(const PressureGradient *a, ptrdiff_t first, int lowest, Climb *c) {
    const ptrdiff_t back = first - a->along;
    FOR_LANES (l) {
        const bool both = (a->active[first + l] > NONE) & (a->active[back + l] > NONE);
        const double mean = max_of(0.5 * (a->depth[first + l] + a->depth[back + l]), 1e-12);
        const double bottom = a->bottom[first + l];
        c->lowest[l] = (both & (a->depth_face[first + l] > 0)) ? bottom : (double)a->g.n3;
        c->scale[l] = 0.5 / mean;
        c->below[l] = 0.0;
    }
    beside_begin(a, first, lowest, &c->ahead);
    beside_begin(a, back, lowest, &c->behind);
}

/* The acceleration of layer k. [m s-2] */
POINTWISE void climb_layer(const PressureGradient *a, ptrdiff_t first, int j, int k, Climb *c,
                           double *acceleration) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *phi = a->phi + layer, *phi_above = phi + a->g.plane, spacing = a->spacing[j];
    double jump_ahead[LANES], jump_behind[LANES];
    PREFETCH(phi + BLOCK); /* the next block comes from memory, level by level */
    PREFETCH(a->g.phi_c + layer + BLOCK);
    PREFETCH(a->pressure + layer + BLOCK);
    beside_layer(a, k, &c->ahead, jump_ahead);
    beside_layer(a, k, &c->behind, jump_behind);
    FOR_LANES (l) {
        const bool open = c->lowest[l] <= k;
        const double along = a->pressure[layer + l] - a->pressure[layer - a->along + l];
        const double rise = c->ahead.level[l] - c->behind.level[l];
        const double tilted = c->scale[l] * rise * (jump_ahead[l] + jump_behind[l]);
        const double above = (open ? tilted : 0.0) / max_of(phi[l] + phi_above[l], 1e-300);
        const double found = ((above + c->below[l]) - along) / spacing;
        acceleration[l] = open ? found : 0.0;
        c->below[l] = above;
    }
}

KERNEL_COLUMNS(pressure_gradient, PressureGradient) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int lowest = deepest_layer(a->bottom + first, a->g.n3);
    Climb c;
    climb_begin(a, first, lowest, &c);
    for (int k = lowest; k < a->g.n3; k++)
        climb_layer(a, first, j, k, &c, a->acceleration + first + k * a->g.plane);
}

/* Adds what an acceleration has done in the step to the flux of the column, `change` over the layers. */
POINTWISE void add_change(const Faces *f, ptrdiff_t m, double carrying, double change) {
    f->flux_total[m] += f->limit[m] * f->width[m] * carrying * f->theta[m] * change;
}

KERNEL_COLUMNS(pressure_spend_response, SpendResponse) {
    const PressureGradient *gradient = &a->gradient;
    const Faces *f = &a->faces;
    const GridView *g = &gradient->g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const double gravity_per_spacing = a->gravity / f->spacing[j], dt = a->dt;
    const int lowest = deepest_layer(f->bottom + first, g->n3);
    Climb c;
    double push[LANES], mixed[LANES] = {0}, change[LANES] = {0}, now[LANES];
    climb_begin(gradient, first, lowest, &c);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        push[l] = f->theta[m] * gravity_per_spacing * (a->increment[m] - a->increment[m - f->along]);
    }
    for (int k = lowest; k < g->n3; k++) {
        const ptrdiff_t layer = first + k * g->plane;
        const double *phi = f->phi + layer, *response = f->response + layer, *velocity = f->velocity + layer;
        const double *before = f->acceleration + layer;
        double *predicted = f->predicted + layer;
        PREFETCH(response + BLOCK);
        PREFETCH(velocity + BLOCK);
        PREFETCH(before + BLOCK);
        PREFETCH(predicted + BLOCK);
        climb_layer(gradient, first, j, k, &c, now);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const bool open = (f->bottom[m] <= k) & (f->depth[m] > 0);
            const double spent = predicted[l] - push[l] * response[l];
            const double speed = f->theta[m] * spent + (1.0 - f->theta[m]) * velocity[l];
            const double faster = dt * (0.5 * (now[l] - before[l])), mixture = phi[l] * speed;
            predicted[l] = (open ? spent : 0.0) + faster;
            mixed[l] += open ? mixture : 0.0;
            change[l] += phi[l] * faster;
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool both = (a->gradient.active[m] > NONE) & (a->gradient.active[m - f->along] > NONE);
        const bool wet = (f->depth[m] > 0) & (gradient->depth_face[m] > 0);
        const double deepening = 0.5 * (gradient->depth_face[m] - f->depth[m]);
        const double deeper = (both & wet) ? deepening : 0.0;
        a->carrying[m] = f->depth[m] + deeper;
        a->added[m] = f->limit[m] * f->width[m] * deeper * mixed[l];
        f->flux_total[m] += a->added[m];
        add_change(f, m, a->carrying[m], change[l]);
    }
}

/* ---- with its solution ---- */

KERNEL_COLUMNS(pressure_correct, PressureCorrect) {
    const Faces *f = &a->faces;
    const GridView *g = &a->gradient.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const int lowest = deepest_layer(f->bottom + first, g->n3);
    const double dt = a->dt;
    Climb c;
    double change[LANES] = {0}, now[LANES];
    climb_begin(&a->gradient, first, lowest, &c);
    for (int k = lowest; k < g->n3; k++) {
        const double *phi = f->phi + first + k * g->plane;
        double *predicted = f->predicted + first + k * g->plane;
        PREFETCH(predicted + BLOCK);
        climb_layer(&a->gradient, first, j, k, &c, now);
        FOR_LANES (l) {
            const double faster = dt * now[l];
            predicted[l] += faster;
            change[l] += phi[l] * faster;
        }
    }
    FOR_LANES (l) add_change(f, first + l, f->carrying[first + l], change[l]);
}

KERNEL_COLUMNS(pressure_renew, PressureRenew) {
    const ptrdiff_t first = AT2(a->g, i0, j), surface = first + a->g.n3 * a->g.plane;
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const double *p = a->p + first + k * a->g.plane;
        double *q = a->q + first + k * a->g.plane;
        FOR_LANES (l) {
            const bool full = (a->active[first + l] > HYDROSTATIC) & (a->g.bottom_c[first + l] <= k);
            const double renewed = q[l] + (p[l] - a->p[surface + l]);
            q[l] = full ? renewed : 0.0;
        }
    }
    FOR_LANES (l) a->surface[first + l] = a->p[surface + l];
}

KERNEL_COLUMNS(pressure_guess, PressureGuess) {
    const ptrdiff_t first = AT2(a->g, i0, j), top = first + (a->g.n3 - 1) * a->g.plane;
    double highest[LANES];
    FOR_LANES (l) highest[l] = a->p[top + l] + (a->p[top + l] - a->before[top + l]);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        double *p = a->p + first + k * a->g.plane, *before = a->before + first + k * a->g.plane;
        FOR_LANES (l) {
            const double last = p[l], own = last + (last - before[l]);
            /* hydrostatic columns: as in the top layer */
            const bool alike = (a->active[first + l] == HYDROSTATIC) & (a->g.bottom_c[first + l] <= k);
            const double next = alike ? highest[l] : own;
            p[l] = a->active[first + l] > NONE ? next : 0.0;
            before[l] = last;
        }
    }
    FOR_LANES (l) {
        const double last = a->surface[first + l], next = last + (last - a->surface_before[first + l]);
        a->p[first + l + a->g.n3 * a->g.plane] = a->active[first + l] > HYDROSTATIC ? next : 0.0;
        a->surface_before[first + l] = last;
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
