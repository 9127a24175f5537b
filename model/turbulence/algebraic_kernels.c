/* SPDX-License-Identifier: Apache-2.0
 *
 * Closures without equations of their own (turbulence.h).
 *
 * azov: the viscosity of J. Smagorinsky (Mon. Weather Rev. 91 (1963) 99-164) of the shear down the column, as
 * models of the Azov Sea have it; its length is the layers' thickness, so the result depends on the grid.
 * Damping by stability is that of eddies in balance, eps = nu (S^2 - N^2), with nu = (eps l^4)^(1/3): no
 * mixing above Ri = 1.
 */
#include "model/turbulence/shear.h"

#define LEAST_VISCOSITY 1e-9 /* [m2 s-1]; that a mean can grow from */

/* A block of columns at one of its interfaces, from the surface down. */
typedef struct Descent {
    Interfaces at;
    double above_bed[LANES]; /* share of the depth between bed and interface */
    double dz[LANES], s2[LANES], n2[LANES];
} Descent;

POINTWISE void descent_begin(const TurbulentColumns *a, ptrdiff_t first, Descent *d) {
    interfaces_find(a, first, &d->at);
    FOR_LANES (l) d->above_bed[l] = 1.0;
}

/* N^2 [s-2] as the faces of a column feel it: each has the mean of its two columns, as it has of nu, and a closed one
 * that of the column alone. */
POINTWISE void stability_of_faces(const TurbulentColumns *a, const Descent *d, ptrdiff_t first,
                                  ptrdiff_t layer, int k, double *n2) {
    const ptrdiff_t plane = a->g.plane;
    double heavier[LANES], distance[LANES]; /* eight times the difference in density, and dz */
    if (!a->density) {
        FOR_LANES (l) n2[l] = 0.0;
        return;
    }
    const double *density = a->density + layer, *phi = a->g.phi_c + layer, *depth = a->depth + first;
    FOR_LANES (l) {
        heavier[l] = 8.0 * (density[l - plane] - density[l]);
        distance[l] = 8.0 * d->dz[l];
    }
    UNROLLED for (int side = 0; side < SIDES; side++) {
        const ptrdiff_t beyond = side_beyond(a, side);
        FOR_LANES (l) {
            const ptrdiff_t m = l + beyond;
            const bool open = (d->at.open[side][l] <= k) & (depth[m] > FILM);
            const double own = density[l - plane] - density[l], other = density[m - plane] - density[m];
            const double dz = max_of(0.5 * (phi[m] + phi[m - plane]) * depth[m], THINNEST);
            heavier[l] += open ? other - own : 0.0;
            distance[l] += open ? dz - d->dz[l] : 0.0;
        }
    }
    FOR_LANES (l) n2[l] = a->gravity_per_density * heavier[l] / distance[l];
}

POINTWISE void descend(const TurbulentColumns *a, ptrdiff_t first, int k, Descent *d) {
    const ptrdiff_t layer = first + k * a->g.plane;
    distances(a, first, layer, d->dz);
    double shears[SIDES][LANES];
    face_shears(a, &d->at, layer, k, shears);
    shear_squared(shears, d->dz, d->s2);
    FOR_LANES (l) d->above_bed[l] = max_of(0.0, d->above_bed[l] - a->g.phi_c[layer + l]);
}

KERNEL_COLUMNS(mixing_length_step, TurbulentColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    Descent d;
    descent_begin(a, first, &d);
    for (int k = a->g.n3 - 1; k >= d.at.deepest; k--) {
        const ptrdiff_t layer = first + k * a->g.plane;
        descend(a, first, k, &d);
        stability_of_faces(a, &d, first, layer, k, d.n2);
        FOR_LANES (l) {
            const double mixing_length =
                KARMAN * a->depth[first + l] * d.above_bed[l] * (1.0 - d.above_bed[l]);
            const double by_grid = a->azov * d.dz[l] * d.dz[l];
            const double square = a->azov > 0 ? by_grid : mixing_length * mixing_length;
            const double own = square * sqrt(max_of(0.0, d.s2[l] - d.n2[l]));
            const double mean = sqrt(own * max_of(a->viscosity[layer + l], LEAST_VISCOSITY));
            const double nu = d.at.lowest[l] <= k ? mean : 0.0;
            a->viscosity_next[layer + l] = max_of(a->floor_viscosity, nu);
            a->diffusivity[layer + l] = max_of(a->floor_diffusivity, nu);
        }
    }
}

/* What stability leaves of mixing, (1 + 10/3 Ri)^(-3/2): W. H. Munk, E. R. Anderson, J. Marine Research 7
 * (1948) 276-295. */
POINTWISE double munk_anderson(double s2, double n2) {
    const double shear = s2 + 1e-30; /* [s-2]; far below any that counts */
    const double part = shear / (shear + 10.0 / 3 * max_of(0.0, n2));
    return part * sqrt(part);
}

/* For tracers: with the mean of the faces' friction velocities. Stability damps it, as else mixing over a
 * slope would drive a flow whose friction mixes more, without an end. */
KERNEL_COLUMNS(parabola_step, TurbulentColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), row = a->g.row;
    const double *west = a->friction_u + first, *south = a->friction_v + first;
    Descent d;
    double scale[LANES];
    descent_begin(a, first, &d);
    FOR_LANES (l) {
        const bool x0 = d.at.open[0][l] <= a->g.n3, x1 = d.at.open[1][l] <= a->g.n3;
        const bool y0 = d.at.open[2][l] <= a->g.n3, y1 = d.at.open[3][l] <= a->g.n3;
        const double faces = (x0 ? 1.0 : 0.0) + (x1 ? 1.0 : 0.0) + (y0 ? 1.0 : 0.0) + (y1 ? 1.0 : 0.0);
        const double sum = (x0 ? west[l] : 0.0) + (x1 ? west[l + 1] : 0.0) + (y0 ? south[l] : 0.0) +
                           (y1 ? south[l + row] : 0.0);
        scale[l] = KARMAN * sum / max_of(faces, 1.0) * a->depth[first + l];
    }
    for (int k = a->g.n3 - 1; k >= d.at.deepest; k--) {
        const ptrdiff_t layer = first + k * a->g.plane;
        descend(a, first, k, &d);
        buoyancy_squared(a, layer, d.dz, d.n2);
        FOR_LANES (l) {
            const double eddy = scale[l] * d.above_bed[l] * (1.0 - d.above_bed[l]);
            const double nu = d.at.lowest[l] <= k ? eddy : 0.0;
            a->viscosity_next[layer + l] = a->floor_viscosity + nu;
            a->diffusivity[layer + l] = a->floor_diffusivity + nu * munk_anderson(d.s2[l], d.n2[l]);
        }
    }
}
