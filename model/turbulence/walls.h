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
    bool next[LANES];        /* is there one? */
    double distance[LANES];  /* z [m] */
    double curvature[LANES]; /* 1 without a wall */
    double inflow[LANES];    /* 1/z_l, of two walls the sum [m-1] */
    double weight[LANES];    /* of the sources of eps; 1 without a wall */
} Walls;

POINTWISE void walls_none(Walls *w) {
    FOR_LANES (l) {
        w->next[l] = false;
        w->distance[l] = w->curvature[l] = w->weight[l] = 1.0;
        w->inflow[l] = 0.0;
    }
}

POINTWISE double layer_thickness(const TurbulentColumns *a, ptrdiff_t column, ptrdiff_t layer) {
    return max_of(a->g.phi_c[layer] * a->depth[column], THINNEST);
}

POINTWISE void walls_find(const TurbulentColumns *a, const Interfaces *at, ptrdiff_t first, int k, Walls *w) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const bool highest = k == a->g.n3 - 1, varies = a->roughness_c != NULL;
    const double *roughness_c = or_any(a->roughness_c, a->depth) + first;
    FOR_LANES (l) {
        const bool lowest = at->lowest[l] == k, two = lowest & highest;
        const double above = layer_thickness(a, first + l, layer + l);
        const double below = layer_thickness(a, first + l, layer - a->g.plane + l);
        const double dz = 0.5 * (above + below);
        const double roughness = varies ? roughness_c[l] : a->roughness;
        const double to_bed = below + roughness;
        const double at_bed = wall_curvature(below, above, roughness);
        const double rough = surface_roughness(a, first + l), to_surface = above + rough;
        const double at_surface = wall_curvature(above, below, rough);
        const double sum = to_bed + to_surface;
        const double from_bed = 1.0 / (0.5 * below + roughness), from_surface = 1.0 / (0.5 * above + rough);
        const double one = lowest ? to_bed : to_surface, one_curvature = lowest ? at_bed : at_surface;
        const double one_inflow = lowest ? from_bed : from_surface;
        const double one_weight = one * one * one_inflow / (dz + 1.0 / one_inflow);
        const double both = to_bed * to_surface / sum;
        const double both_curvature = (at_bed * to_surface + at_surface * to_bed) / sum;
        const double both_inflow = from_bed + from_surface;
        w->next[l] = lowest | highest;
        w->distance[l] = two ? both : one;
        w->inflow[l] = two ? both_inflow : w->next[l] ? one_inflow : 0.0;
        w->curvature[l] = two ? both_curvature : w->next[l] ? one_curvature : 1.0;
        w->weight[l] = two ? both * both * both_inflow / dz : w->next[l] ? one_weight : 1.0;
    }
}

#endif
