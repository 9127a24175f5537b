/* SPDX-License-Identifier: Apache-2.0
 *
 * What the pressure does to velocities, fluxes and w, and the pressure that the next step begins with.
 */
#include "model/pressure/divergence.h"
#include "model/pressure/tilt.h"

/* Adds what an acceleration has done in the step to the flux of the column, `change` over the layers. */
POINTWISE void add_change(const Faces *f, ptrdiff_t m, double carrying, double change) {
    f->flux_total[m] += f->limit[m] * f->width[m] * carrying * f->theta[m] * change;
}

/* The column's flux afterwards: `mixed` and `change` are sums over the layers, of the velocity in the middle of the step and
 * of what the old pressure changes along the new ones. */
POINTWISE void spend_total(const SpendResponse *a, ptrdiff_t first, const double *mixed,
                           const double *change) {
    const Faces *f = &a->faces;
    const PressureFaces *at = &a->gradient.at;
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool both = (a->gradient.active[m] > NONE) & (a->gradient.active[m - f->along] > NONE);
        const bool wet = (f->depth[m] > 0) & (at->depth_face[m] > 0);
        const double deepening = 0.5 * (at->depth_face[m] - f->depth[m]);
        const double deeper = (both & wet) ? deepening : 0.0;
        a->carrying[m] = f->depth[m] + deeper;
        a->added[m] = f->limit[m] * f->width[m] * deeper * mixed[l];
        f->flux_total[m] += a->added[m];
        add_change(f, m, a->carrying[m], change[l]);
    }
}

KERNEL_COLUMNS(pressure_spend_response, SpendResponse) {
    const PressureGradient *gradient = &a->gradient;
    const Faces *f = &a->faces;
    const GridView *g = &gradient->at.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const double per_spacing = 1.0 / f->spacing[j], gravity_per_spacing = a->gravity * per_spacing,
                 dt = a->dt;
    const int lowest = deepest_layer(f->bottom + first, g->n3);
    Climb c;
    double push[LANES], open[LANES], spent[LANES], mixed[LANES] = {0}, change[LANES] = {0};
    double lever[LANES], now[LANES];
    const double *theta = f->theta + first;
    climb_begin(gradient, first, lowest, &c);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double bottom = f->bottom[m];
        push[l] = f->theta[m] * gravity_per_spacing * (a->increment[m] - a->increment[m - f->along]);
        open[l] = f->depth[m] > 0 ? bottom : (double)g->n3;
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
        climb_layer(gradient, first, k, per_spacing, &c, lever, now);
        FOR_LANES (l) spent[l] = predicted[l] - push[l] * response[l];
        FOR_LANES (l) {
            const double mixture = phi[l] * (theta[l] * spent[l] + (1.0 - theta[l]) * velocity[l]);
            mixed[l] += open[l] <= k ? mixture : 0.0;
        }
        FOR_LANES (l) {
            const double faster = dt * (0.5 * (now[l] - before[l]));
            predicted[l] = (open[l] <= k ? spent[l] : 0.0) + faster;
            change[l] += phi[l] * faster;
        }
    }
    spend_total(a, first, mixed, change);
}

/* ---- with its solution ---- */

KERNEL_COLUMNS(pressure_correct, PressureCorrect) {
    const Faces *f = &a->faces;
    const GridView *g = &a->gradient.at.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const int lowest = deepest_layer(f->bottom + first, g->n3);
    const double per_spacing = 1.0 / f->spacing[j], dt = a->dt;
    Climb c;
    double change[LANES] = {0}, lever[LANES], now[LANES];
    climb_begin(&a->gradient, first, lowest, &c);
    for (int k = lowest; k < g->n3; k++) {
        const double *phi = f->phi + first + k * g->plane;
        double *predicted = f->predicted + first + k * g->plane;
        PREFETCH(predicted + BLOCK);
        climb_layer(&a->gradient, first, k, per_spacing, &c, lever, now);
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

KERNEL_COLUMNS(pressure_columns_w, FindW) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double outflow[LANES], tilted[LANES], total[LANES] = {0}, per_area[LANES];
    FOR_LANES (l) per_area[l] = 1.0 / max_of(a->g.area[first + l], 1e-300);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        PREFETCH(a->g.phi_c + layer + BLOCK);
        PREFETCH(a->w + layer + BLOCK);
        divergence_layer(&a->g, &a->flows, first, k, outflow, tilted);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = layer + l;
            const bool wet = (a->g.bottom_c[m] <= k) & (a->depth[m] > 0) &
                             (a->g.own_area[m] > 0); /* not beyond open edges */
            const double brought = a->g.phi_c[mk] * a->source[m] - outflow[l];
            total[l] += wet ? brought : 0.0;
            a->w[mk] = wet ? (total[l] + tilted[l]) * per_area[l] : 0.0;
        }
    }
}
