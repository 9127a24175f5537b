/* SPDX-License-Identifier: Apache-2.0
 *
 * Bed and surface, as k-epsilon's interfaces next to them see them (k_epsilon_kernels.c): per lane of a block.
 */
#ifndef MAEOTIS_MODEL_WALLS_H
#define MAEOTIS_MODEL_WALLS_H

#include "model/turbulence/shear.h"

/* Is any lane's interface k its lowest or highest one? */
POINTWISE bool some_wall(const TurbulentColumns *a, const Interfaces *at, int k) {
    return k == a->g.n3 - 1 || k <= at->shallowest;
}

/* At the interface next to a wall, whose layer is `near` thick and the next one `far`: the distance to the
 * wall over dz / ln(z_upper / z_lower), which is the length that gives the difference of the two layers'
 * velocities on a logarithm, 1.1 for equal layers. As a series of atanh, since 1e-4 will do. */
POINTWISE double wall_curvature(double near, double far, double roughness) {
    const double height = 0.75 * near + 0.25 * far + roughness; /* mean of the middles of the two layers */
    const double s = 0.25 * (near + far) / height, s2 = s * s;
    const double sum =
        1.0 + s2 * (1.0 / 3 + s2 * (1.0 / 5 + s2 * (1.0 / 7 + s2 * (1.0 / 9 + s2 * (1.0 / 11 + s2 / 13)))));
    return (near + roughness) * sum / height;
}

/* z0 of the surface, which waves roughen. [m] */
POINTWISE double surface_roughness(const TurbulentColumns *a, ptrdiff_t column) {
    const double height = or_any(a->wave_height, a->depth)[column];
    return a->wave_height ? a->roughness_of_waves * height : 0.0;
}

/* How a wall next to an interface changes its equations, per lane. */
typedef struct Walls {
    double next[LANES];      /* 1 where there is one, else 0: bools would keep the compiler from vectors */
    double distance[LANES];  /* z [m] */
    double curvature[LANES]; /* 1 without a wall */
    double inflow[LANES];    /* 1/z_l, of two walls the sum [m-1] */
    double weight[LANES];    /* of the sources of eps; 1 without a wall */
} Walls;

POINTWISE void walls_none(Walls *w) {
    FOR_LANES (l) {
        w->next[l] = 0.0;
        w->distance[l] = w->curvature[l] = w->weight[l] = 1.0;
        w->inflow[l] = 0.0;
    }
}

POINTWISE double layer_thickness(const TurbulentColumns *a, ptrdiff_t column, ptrdiff_t layer) {
    return max_of(a->g.phi_c[layer] * a->depth[column], THINNEST);
}

/* The wall on one side of an interface: the layer between the two is `near` thick, the one beyond `far`. */
typedef struct OneWall {
    double distance[LANES], curvature[LANES], inflow[LANES];
} OneWall;

POINTWISE void wall_beside(const double *near, const double *far, const double *roughness, OneWall *w) {
    FOR_LANES (l) {
        w->distance[l] = near[l] + roughness[l];
        w->curvature[l] = wall_curvature(near[l], far[l], roughness[l]);
        w->inflow[l] = 1.0 / (0.5 * near[l] + roughness[l]);
    }
}

POINTWISE void bed_beside(const TurbulentColumns *a, ptrdiff_t first, const double *below,
                          const double *above, OneWall *bed) {
    const bool varies = a->roughness_c != NULL;
    const double *roughness_c = or_any(a->roughness_c, a->depth) + first;
    double roughness[LANES];
    FOR_LANES (l) roughness[l] = varies ? roughness_c[l] : a->roughness;
    wall_beside(below, above, roughness, bed);
}

POINTWISE void surface_beside(const TurbulentColumns *a, ptrdiff_t first, const double *above,
                              const double *below, OneWall *surface) {
    double roughness[LANES];
    FOR_LANES (l) roughness[l] = surface_roughness(a, first + l);
    wall_beside(above, below, roughness, surface);
}

/* Columns of two layers: the wall in `w` is the surface; the bed comes to it. */
POINTWISE void walls_of_two_layers(const Interfaces *at, int k, const OneWall *bed, const double *dz,
                                   Walls *w) {
    FOR_LANES (l) {
        const bool two = at->lowest[l] == k;
        const double to_bed = bed->distance[l], to_surface = w->distance[l], sum = to_bed + to_surface;
        const double both = to_bed * to_surface / sum, inflow = bed->inflow[l] + w->inflow[l];
        const double curvature = (bed->curvature[l] * to_surface + w->curvature[l] * to_bed) / sum;
        w->distance[l] = two ? both : w->distance[l];
        w->curvature[l] = two ? curvature : w->curvature[l];
        w->inflow[l] = two ? inflow : w->inflow[l];
        w->weight[l] = two ? both * both * inflow / dz[l] : w->weight[l];
    }
}

POINTWISE void walls_find(const TurbulentColumns *a, const Interfaces *at, ptrdiff_t first, int k, Walls *w) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const bool highest = k == a->g.n3 - 1;
    const double level = k;
    double above[LANES], below[LANES], dz[LANES];
    OneWall bed, wall;
    FOR_LANES (l) {
        above[l] = layer_thickness(a, first + l, layer + l);
        below[l] = layer_thickness(a, first + l, layer - a->g.plane + l);
        dz[l] = 0.5 * (above[l] + below[l]);
    }
    if (highest)
        surface_beside(a, first, above, below, &wall);
    else
        bed_beside(a, first, below, above, &wall);
    FOR_LANES (l) {
        const bool next = highest | (at->lowest[l] == level);
        const double one = wall.distance[l], inflow = wall.inflow[l];
        w->next[l] = next ? 1.0 : 0.0;
        w->distance[l] = one;
        w->inflow[l] = next ? inflow : 0.0;
        w->curvature[l] = next ? wall.curvature[l] : 1.0;
        w->weight[l] = next ? one * one * inflow / (dz[l] + 1.0 / inflow) : 1.0;
    }
    if (!highest || at->shallowest < k) return;
    bed_beside(a, first, below, above, &bed);
    walls_of_two_layers(at, k, &bed, dz, w);
}

#endif
