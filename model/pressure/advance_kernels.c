/* SPDX-License-Identifier: Apache-2.0
 *
 * The fluxes with which momentum advects: those of the middle of the step (AdvanceFlux).
 */
#include "model/pressure/pressure.h"

/* 1 where the step before says much about this one; less to 0 where the depth changes by more than a quarter, and by
 * half, of it in a step. */
KERNEL_CELLS(pressure_find_steady, FindSteady) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double change = fabs(a->increment[m]) / max_of(a->depth[m], 1e-12);
    const double steady = max_of(0.0, min_of(2.0 - 4.0 * change, 1.0));
    a->steady[m] = a->active[m] > NONE ? steady : 0.0;
}

KERNEL_COLUMNS(pressure_advance_flux, AdvanceFlux) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const double dt_per_spacing = a->dt / a->spacing[j];
    double both[LANES], steady[LANES], depth_before[LANES]; /* both: 1 or 0 */
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, back = m - a->along;
        const double rise = 0.25 * (a->increment[m] + a->increment[back]);
        /* not in films, which change within a step */
        const bool deep = (a->active[m] > NONE) & (a->active[back] > NONE);
        both[l] = (deep & (2.0 * fabs(rise) < a->depth[m])) ? 1.0 : 0.0;
        steady[l] = min_of(a->steady[m], a->steady[back]);
        depth_before[l] = a->depth[m] - rise;
    }
    for (int k = deepest_layer(a->bottom + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *phi = a->phi + layer, *velocity = a->velocity + layer, *flux = a->flux + layer;
        double *advanced = a->advanced + layer, *advanced_velocity = a->advanced_velocity + layer;
        PREFETCH(phi + BLOCK); /* the next block comes from memory, level by level */
        PREFETCH(velocity + BLOCK);
        PREFETCH(flux + BLOCK);
        PREFETCH(advanced + BLOCK);
        PREFETCH(advanced_velocity + BLOCK);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const double u = velocity[l], courant = fabs(u) * dt_per_spacing;
            const double share = a->width[m] * phi[l], section = share * depth_before[l];
            const double before = flux[l] / max_of(section, 1e-300), now = share * a->depth[m] * u;
            const bool alike = (both[l] > 0) & (section > 0), here = a->bottom[m] <= k;
            const double room = max_of(0.0, min_of(1.0, 2.0 - 2.0 * courant));
            const double ahead = alike ? steady[l] * (a->pace * room) : 0.0;
            const double faster = flux[l] + (steady[l] + ahead) * (now - flux[l]),
                         with_it = u + ahead * (u - before);
            advanced[l] = here ? (alike ? faster : flux[l]) : 0.0;
            advanced_velocity[l] = here ? with_it : u;
        }
    }
}

KERNEL_COLUMNS(pressure_advance_flux_w, AdvanceFluxW) {
    const ptrdiff_t first = AT2(a->g, i0, j), row = a->g.row, plane = a->g.plane;
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    double total[LANES] = {0}, flux[LANES] = {0};
    for (int k = lowest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * plane;
            total[l] += a->flux_u[m + 1] - a->flux_u[m] + (a->flux_v[m + row] - a->flux_v[m]);
        }
    for (int k = lowest; k < a->g.n3 - 1; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * plane;
            const double out = a->flux_u[m + 1] - a->flux_u[m] + (a->flux_v[m + row] - a->flux_v[m]);
            flux[l] += a->g.phi_c[m] * total[l] - out;
            const bool inside = (a->g.bottom_c[first + l] <= k) & (a->g.own_area[first + l] > 0);
            a->flux_w[m + plane] = inside ? flux[l] : 0.0;
        }
    FOR_LANES (l) {
        const double area = max_of(a->g.area[first + l], 1e-300);
        const double left = a->depth[first + l] - a->steady[first + l] * a->dt * total[l] / area;
        a->advanced_depth[first + l] = max_of(0.0, left);
    }
}
