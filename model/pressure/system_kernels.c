/* SPDX-License-Identifier: Apache-2.0
 *
 * The system for the pressure and its value at the surface: the product of the whole with a pressure, and the surface
 * folded into the topmost layers and out of them.
 */
#include "model/pressure/divergence.h"
#include "model/pressure/folded.h"

/* What is carried from layer to layer of a product. */
typedef struct Rising {
    double mass[LANES];   /* of the whole column [m] */
    double lowest[LANES]; /* layer whose w follows from the pressure; n3: none */
    double up[LANES], link[LANES], pushed[LANES], jump_above[LANES];
    double rising_below[LANES], tilted_below[LANES], total[LANES], sum[LANES];
} Rising;

POINTWISE void rising_begin(const PressureColumns *a, ptrdiff_t first, Rising *r) {
    const double *highest = a->p + first + (a->g.n3 - 1) * a->g.plane;
    push_of_top(&a->g, a->depth, a->active, first, r->up, r->link);
    FOR_LANES (l) {
        const double bottom = a->g.bottom_c[first + l];
        r->mass[l] = 0.5 * inertia_of(a->active[first + l]) * max_of(a->depth[first + l], 1e-12);
        r->lowest[l] = a->active[first + l] > HYDROSTATIC ? bottom : (double)a->g.n3;
        r->jump_above[l] = highest[l] - highest[l + a->g.plane];
        r->pushed[l] = r->rising_below[l] = r->tilted_below[l] = r->total[l] = r->sum[l] = 0.0;
    }
}

/* What the pressure p does to w above layer k. [m s-2] */
POINTWISE void push_layer(const PressureColumns *a, ptrdiff_t first, int k, const double *p, Rising *r) {
    const double *phi = a->g.phi_c + first + k * a->g.plane, *above = phi + a->g.plane,
                 *p_above = p + a->g.plane;
    if (k + 1 == a->g.n3)
        FOR_LANES (l) r->pushed[l] = r->up[l] * (p[l] - p_above[l]) - r->pushed[l];
    else if (k + 2 == a->g.n3)
        FOR_LANES (l) r->pushed[l] = r->link[l] * ((p[l] - p_above[l]) - r->jump_above[l]);
    else
        FOR_LANES (l) r->pushed[l] = (p[l] - p_above[l]) / max_of((phi[l] + above[l]) * r->mass[l], 1e-300);
}

KERNEL_COLUMNS(pressure_apply, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane;
    const ptrdiff_t highest = first + (a->g.n3 - 1) * plane, surface = highest + plane;
    const double per_stiff = 1.0 / stiffness(a);
    double outflow[LANES], tilted[LANES], held[LANES], flat[LANES];
    Rising r;
    rising_begin(a, first, &r);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const double *p = a->p + first + k * plane;
        double *product = a->product + first + k * plane;
        PREFETCH(p + BLOCK);
        PREFETCH(product + BLOCK);
        divergence_layer(&a->g, &a->flows, first, k, outflow, tilted);
        push_layer(a, first, k, p, &r);
        FOR_LANES (l) {
            const double moves = a->g.area[first + l] * r.pushed[l];
            const double rising = r.lowest[l] <= k ? moves : 0.0;
            const double whole = outflow[l] + (rising - r.rising_below[l]) - (tilted[l] - r.tilted_below[l]);
            product[l] = r.lowest[l] <= k ? whole : 0.0;
            r.sum[l] += p[l] * product[l];
            r.rising_below[l] = rising;
            r.tilted_below[l] = tilted[l];
            r.total[l] += outflow[l];
        }
    }
    FOR_LANES (l) {
        const double area = a->g.area[first + l] * per_stiff;
        const double of_surface = area * a->p[surface + l] + (r.tilted_below[l] - r.rising_below[l]);
        held[l] = a->active[first + l] > HYDROSTATIC ? of_surface : 0.0;
        flat[l] = r.total[l] + area * a->p[highest + l];
    }
    FOR_LANES (l) {
        const bool hydrostatic = a->active[first + l] == HYDROSTATIC;
        const double own = a->product[highest + l], alone = a->p[highest + l] * flat[l];
        const double sum = r.sum[l] + a->p[surface + l] * held[l];
        a->product[highest + l] = hydrostatic ? flat[l] : own;
        a->product[surface + l] = held[l];
        a->sum[first + l] = hydrostatic ? alone : sum;
    }
}

KERNEL_COLUMNS(pressure_fold_surface, PressureSurface) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane, top = first + (a->g.n3 - 1) * plane;
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        double *solution = a->solution + first + k * plane;
        PREFETCH(solution + BLOCK);
        FOR_LANES (l) solution[l] = 0.0;
    }
    Folded folded;
    fold(&a->g, a->depth, a->active, a->stiff, first, &folded);
    FOR_LANES (l) {
        const double of_surface = a->residual[top + plane + l];
        const double residual = a->residual[top + l], below = a->residual[top - plane + l];
        a->kept[first + l] = residual;
        a->kept_below[first + l] = below;
        a->residual[top + l] = folded.scale[l] * residual + folded.part_of_top[l] * of_surface;
        a->residual[top - plane + l] = below - folded.part_of_below[l] * of_surface;
    }
}

KERNEL_COLUMNS(pressure_unfold_surface, PressureSurface) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane, top = first + (a->g.n3 - 1) * plane;
    double sum[LANES];
    Folded folded;
    fold(&a->g, a->depth, a->active, a->stiff, first, &folded);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double of_surface = a->residual[top + plane + l];
        const double of_layers = folded.part_of_top[l] * a->solution[top + l] -
                                 folded.part_of_below[l] * a->solution[top - plane + l];
        const double found = of_layers + folded.of_rest[l] * of_surface / max_of(a->g.area[m], 1e-300);
        a->solution[top + l] *= folded.scale[l];
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
