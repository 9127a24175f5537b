/* SPDX-License-Identifier: Apache-2.0 */
#include "model/density/density_columns.h"

#include "model/density/rest_rises.h"

/* rho' of a block in one layer, by an equation that the compiler knows: at the surface, and in situ with the layer's middle at
 * height z. Both in one loop, since they share much. */
POINTWISE void density_by(DensityEquation equation, const DensityColumns *a, const double *temperature,
                          const double *salinity, const double *z, double *density, double *in_situ) {
    const LinearDensity linear = a->linear;
    const double reference = a->reference, compression = a->compression, level = a->level;
    if (equation == DENSITY_LINEAR || !(compression > 0)) {
        FOR_LANES (l)
            density[l] = density_of_water(equation, linear, temperature[l], salinity[l]) - reference;
        FOR_LANES (l) in_situ[l] = density[l];
        return;
    }
    FOR_LANES (l) {
        const double t = temperature[l], s = salinity[l], depth = level - z[l];
        density[l] = density_of_water(equation, linear, t, s) - reference;
        in_situ[l] = density_at_depth(equation, t, s, depth, compression) - reference;
    }
}

/* A loop for each equation: a choice in the loop leaves single lanes in memory, for which the next vector waits. */
POINTWISE void density_of_layer(const DensityColumns *a, const double *temperature, const double *salinity,
                                const double *z, double *density, double *in_situ) {
    switch (a->equation) {
    case DENSITY_LINEAR:
        density_by(DENSITY_LINEAR, a, temperature, salinity, z, density, in_situ);
        break;
    case DENSITY_EOS80:
        density_by(DENSITY_EOS80, a, temperature, salinity, z, density, in_situ);
        break;
    case DENSITY_TEOS10:
        density_by(DENSITY_TEOS10, a, temperature, salinity, z, density, in_situ);
        break;
    default:
        density_by(DENSITY_TEOS10_PRACTICAL, a, temperature, salinity, z, density, in_situ);
    }
}

/* Between which of the profile's nodes heights lie: above node n, at `within` of the way to the next. As wide as the heights, for
 * lanes of one width. */
typedef struct ProfilePlaces {
    ptrdiff_t n[LANES];
    double within[LANES];
} ProfilePlaces;

POINTWISE void find_in_profile(const DensityColumns *a, const double *z, ProfilePlaces *at) {
    const double bottom = a->profile_bottom, step = a->profile_step, most = a->profile_count - 3.0;
    double steps[LANES];
    FOR_LANES (l) steps[l] = max_of(0.0, min_of((z[l] - bottom) / step, most));
    FOR_LANES (l) at->n[l] = (ptrdiff_t)steps[l];
    FOR_LANES (l) at->within[l] = steps[l] - (double)at->n[l];
}

/* P(z) of a block, or another profile at its nodes: a cubic through the four nodes around z, with the slopes of their
 * neighbours at the inner two. Only the nodes are fetched lane by lane. */
POINTWISE void profile_at(const double *nodes, const ProfilePlaces *at, double *value) {
    const double *t = at->within;
    double p[4][LANES];
    for (int l = 0; l < LANES; l++)
        for (int n = 0; n < 4; n++) p[n][l] = nodes[at->n[l] + n - 1];
    FOR_LANES (l)
        value[l] = p[1][l] + 0.5 * t[l] *
                                 (p[2][l] - p[0][l] +
                                  t[l] * (2.0 * p[0][l] - 5.0 * p[1][l] + 4.0 * p[2][l] - p[3][l] +
                                          t[l] * (3.0 * (p[1][l] - p[2][l]) + p[3][l] - p[0][l])));
}

/* r of rest_heights.h, from the density in situ. */
POINTWISE void rest_density(const DensityColumns *a, ptrdiff_t layer, const ProfilePlaces *at,
                            const double *in_situ, double *density) {
    FOR_LANES (l) density[l] = in_situ[l];
    if (!a->table.lighter) return;
    double compression[LANES];
    profile_at(a->table.compression, at, compression);
    FOR_LANES (l) a->table.lighter[layer + l] = density[l] -= compression[l];
}

POINTWISE void rest_of_layer(const DensityColumns *a, ptrdiff_t first, int k, const ProfilePlaces *at,
                             const double *density, const double *anomaly) {
    ptrdiff_t node[LANES];
    double b[LANES], *rise = a->rest.rise + first + k * a->g.plane;
    FOR_LANES (l) {
        node[l] = at->n[l] + 1; /* the table begins a node earlier */
        b[l] = a->g.bottom_c[first + l] <= k ? anomaly[l] : 0.0;
    }
    rest_rises(&a->table, node, at->within, density, b, rise);
}

/* b of a block in one layer, its middle at height z. */
POINTWISE void anomaly_of_layer(const DensityColumns *a, ptrdiff_t first, int k, const double *z,
                                double *anomaly) {
    const ptrdiff_t layer = first + k * a->g.plane;
    if (!a->profile) return;
    ProfilePlaces at;
    double profile[LANES], density[LANES];
    find_in_profile(a, z, &at);
    if (a->table.density) rest_density(a, layer, &at, anomaly, density);
    profile_at(a->profile, &at, profile);
    FOR_LANES (l) anomaly[l] -= profile[l];
    if (a->delta)
        FOR_LANES (l) anomaly[l] -= a->delta[layer + l];
    if (a->table.density) rest_of_layer(a, first, k, &at, density, anomaly);
}

/* Integral of P along the rise of the uppermost layer, the middle of which is at z. */
POINTWISE void rest_sums(const DensityColumns *a, ptrdiff_t first, const double *z) {
    if (!a->table.density) return;
    const double *rise = a->rest.rise + first + (a->g.n3 - 1) * a->g.plane;
    double rest[LANES], here[LANES], there[LANES];
    ProfilePlaces at;
    FOR_LANES (l) rest[l] = z[l] + rise[l];
    find_in_profile(a, z, &at);
    profile_at(a->table.sum, &at, here);
    find_in_profile(a, rest, &at);
    profile_at(a->table.sum, &at, there);
    FOR_LANES (l) a->rest.sum[first + l] = there[l] - here[l];
}

/* Height of the middles of a block in one layer. `above`: share of the depth above its upper side, then above its lower one. */
POINTWISE void heights_of_layer(const DensityColumns *a, ptrdiff_t first, ptrdiff_t layer, double *above,
                                double *z) {
    if (a->below) {
        FOR_LANES (l) z[l] = a->eta[first + l] - a->below[layer + l];
        return;
    }
    FOR_LANES (l) {
        z[l] = a->eta[first + l] - (above[l] + 0.5 * a->g.phi_c[layer + l]) * a->depth[first + l];
        above[l] += a->g.phi_c[layer + l];
    }
}

/* Between the middles of a layer and the one above, as a part of `unit`. [m] */
POINTWISE void find_gaps(const DensityColumns *a, ptrdiff_t first, ptrdiff_t layer, double *unit,
                         double *part) {
    const ptrdiff_t upper = layer + a->g.plane;
    if (a->below) {
        FOR_LANES (l) unit[l] = a->below[layer + l] - a->below[upper + l];
        FOR_LANES (l) part[l] = 1.0;
        return;
    }
    FOR_LANES (l) unit[l] = a->depth[first + l];
    FOR_LANES (l) part[l] = 0.5 * (a->g.phi_c[upper + l] + a->g.phi_c[layer + l]);
}

/* b at the surface, on the line through the middles of the two uppermost layers; what lies above the
 * uppermost middle weighs the mean of both. */
POINTWISE void surface_of_columns(const DensityColumns *a, ptrdiff_t first) {
    const ptrdiff_t top = first + (a->g.n3 - 1) * a->g.plane, below = top - a->g.plane;
    const double weight = a->gravity / a->reference;
    FOR_LANES (l) {
        const bool two = a->g.n3 > 1 && a->g.bottom_c[first + l] < a->g.n3 - 1;
        const double depth = a->below ? 1.0 : a->depth[first + l]; /* of which these are parts: */
        const double share = a->below ? max_of(a->below[top + l], 1e-12) : 0.5 * a->g.phi_c[top + l];
        const double share_below =
            a->below ? a->below[below + l] - a->below[top + l] : 0.5 * a->g.phi_c[below + l];
        const double change = (a->anomaly[top + l] - a->anomaly[below + l]) / (share + share_below) * share;
        const double surface = a->anomaly[top + l] + (two ? change : 0.0);
        a->surface[first + l] = surface;
        a->pressure[top + l] = 0.5 * weight * depth * share * (surface + a->anomaly[top + l]);
    }
}

/* The levels of a column lie far apart in memory, where no hardware foresees the way: asks for the block after
 * next. */
POINTWISE void prefetch_layer(const DensityColumns *a, ptrdiff_t layer) {
    const ptrdiff_t ahead = layer + 2 * LANES;
    if (a->temperature) PREFETCH(a->temperature + ahead);
    if (a->salinity) PREFETCH(a->salinity + ahead);
    PREFETCH(a->g.phi_c + ahead);
    if (a->delta) PREFETCH(a->delta + ahead);
    PREFETCH(a->density + ahead);
    PREFETCH(a->anomaly + ahead);
    PREFETCH(a->pressure + ahead);
    if (a->table.density) PREFETCH(a->rest.rise + ahead);
}

KERNEL_COLUMNS(density_columns, DensityColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), top = first + (a->g.n3 - 1) * a->g.plane;
    const double weight = a->gravity / a->reference;
    const int deepest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    double above[LANES] = {0}; /* share of the depth above the upper side of the layer */
    double pressure[LANES];
    for (int k = a->g.n3 - 1; k >= deepest; k--) {
        const ptrdiff_t layer = first + k * a->g.plane;
        double temperature[LANES], salinity[LANES], density[LANES], anomaly[LANES], z[LANES];
        prefetch_layer(a, layer);
        FOR_LANES (l) temperature[l] = a->temperature ? a->temperature[layer + l] : a->linear.temperature_0;
        FOR_LANES (l) salinity[l] = a->salinity ? a->salinity[layer + l] : a->linear.salinity_0;
        heights_of_layer(a, first, layer, above, z);
        density_of_layer(a, temperature, salinity, z, density, anomaly);
        anomaly_of_layer(a, first, k, z, anomaly);
        if (k == a->g.n3 - 1) rest_sums(a, first, z);
        FOR_LANES (l) {
            const bool open = a->g.bottom_c[first + l] <= k;
            a->density[layer + l] = open ? density[l] : 0.0;
            a->anomaly[layer + l] = open ? anomaly[l] : 0.0;
        }
    }
    surface_of_columns(a, first);
    FOR_LANES (l) pressure[l] = a->pressure[top + l];
    for (int k = a->g.n3 - 2; k >= deepest; k--) {
        const ptrdiff_t layer = first + k * a->g.plane, upper = layer + a->g.plane;
        double unit[LANES], part[LANES];
        find_gaps(a, first, layer, unit, part);
        FOR_LANES (l) {
            const bool open = a->g.bottom_c[first + l] <= k;
            const double mean = 0.5 * (a->anomaly[upper + l] + a->anomaly[layer + l]);
            pressure[l] += weight * unit[l] * part[l] * mean;
            a->pressure[layer + l] = open ? pressure[l] : 0.0;
        }
    }
}
