/* SPDX-License-Identifier: Apache-2.0
 *
 * Where layers want to be (adaptive.h): heights sigma_k of the lower sides of layers, over the depth, after a time dt,
 *
 *     (1 + a + b) sigma'_k - b sigma'_{k+1} - a sigma'_{k-1} = sigma_k + s * (sum over neighbours of sigma - sigma_k),
 *     a = (n/pi)^2 dt/T M_{k-1},   b = (n/pi)^2 dt/T M_k,
 *
 * from 0 at the bed to 1 at the surface. Then no layer gets thinner than its least share, and if an interface would move by more
 * than a quarter of a layer, all of the column move less.
 */
#include "model/layers/layers_kernels.h"

#define ROUNDING      6144.0 /* added to a number up to 1 and taken off, it leaves a multiple of 2^-40 */
#define FILM          0.05   /* layers of thinner water stay as they are [m] */
#define FARTHEST      0.25   /* part of a layer that an interface may pass at once */
#define LEAST_DENSITY 0.05   /* difference within a column that counts in full [kg m-3] */
#define LEAST_SPEED   0.05   /* [m s-1] */
#define OVER_PI_2     0.10132118364233778 /* 1/pi^2 */

SIZED_STRUCT(Heights) {
    double height[COLUMN_LEVELS + 1][LANES]; /* of the lower side of the layer */
    double wanted[COLUMN_LEVELS + 1][LANES]; /* M, then the new height */
    double ratio[COLUMN_LEVELS][LANES];      /* of the elimination; before, -rho_sigma at the lower side */
    double shear[COLUMN_LEVELS][LANES];      /* |u_sigma| there */
    double layers[LANES];                    /* of the column */
};

/* Of the velocities at the centre, between layer k and the one below. [m s-1] */
POINTWISE double shear_at(const Monitor *a, ptrdiff_t m) {
    const ptrdiff_t down = m - a->g.plane, east = 1, north = a->g.row;
    const double u = 0.5 * ((a->u[m] - a->u[down]) + (a->u[m + east] - a->u[down + east]));
    const double v = 0.5 * ((a->v[m] - a->v[down]) + (a->v[m + north] - a->v[down + north]));
    return sqrt(u * u + v * v);
}

/* Gradients at the lower sides, and the differences that they add up to. */
SIZED POINTWISE void gradients(const Monitor *a, ptrdiff_t first, int deepest, Heights OF_LEVELS *h,
                               double *fall, double *turn) {
    const double *bottom = a->g.bottom_c + first;
    FOR_LANES (l) fall[l] = turn[l] = 0.0;
    for (int k = deepest; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane, below = layer - a->g.plane;
        const double *phi = a->g.phi_c;
        const double *density = or_any(a->density, phi);
        FOR_LANES (l) {
            const bool inside = k > bottom[l];
            const double apart = max_of(0.5 * (phi[layer + l] + phi[below + l]), 1e-300);
            const double lighter =
                a->density && inside ? max_of(0.0, density[below + l] - density[layer + l]) : 0.0;
            const double faster = inside ? shear_at(a, layer + l) : 0.0;
            h->ratio[k][l] = lighter / apart;
            h->shear[k][l] = faster / apart;
            fall[l] += lighter;
            turn[l] += faster;
        }
    }
}

/* M of each layer. */
SIZED POINTWISE void find_wanted(const Monitor *a, ptrdiff_t first, int deepest, Heights OF_LEVELS *h) {
    const int top = a->g.n3 - 1;
    double fall[LANES], turn[LANES], zone[LANES];
    gradients(a, first, deepest, h, fall, turn);
    FOR_LANES (l) {
        fall[l] = a->of_density / max_of(fall[l], LEAST_DENSITY);
        turn[l] = a->of_shear / max_of(turn[l], LEAST_SPEED);
        zone[l] = a->zone / max_of(a->depth[first + l], FILM);
    }
    for (int k = deepest; k <= top; k++)
        FOR_LANES (l) {
            const double lighter = h->ratio[k][l] + (k < top ? h->ratio[k + 1][l] : 0.0);
            const double faster = h->shear[k][l] + (k < top ? h->shear[k + 1][l] : 0.0);
            const double middle = 0.5 * (h->height[k][l] + h->height[k + 1][l]);
            const double to_top = 1.0 - middle + zone[l], to_bed = middle + zone[l];
            const double near = a->of_surface / (to_top * to_top) + a->of_bed / (to_bed * to_bed);
            h->wanted[k][l] =
                a->of_rest + 0.5 * (fall[l] * lighter + turn[l] * faster) + zone[l] * (1.0 + zone[l]) * near;
        }
}

/* What neighbours' heights add at the lower side of each layer: sums from the bed up. Columns with other layers do not count. */
POINTWISE void neighbours(const Monitor *a, ptrdiff_t first, int k, double sum[4][LANES], const double *own,
                          double *drawn) {
    const ptrdiff_t to[4] = {-1, 1, -a->g.row, a->g.row};
    const ptrdiff_t face[4] = {0, 1, 0, a->g.row};
    FOR_LANES (l) drawn[l] = 0.0;
    UNROLLED for (int side = 0; side < 4; side++) {
        const double *width = (side < 2 ? a->g.width_u : a->g.width_v) + first + face[side];
        const double *bottom = a->g.bottom_c + first, *beyond = bottom + to[side];
        const double *phi = a->g.phi_c + first + to[side] + (k - 1) * a->g.plane;
        FOR_LANES (l) {
            const bool same = (width[l] > 0) & (beyond[l] == bottom[l]);
            sum[side][l] += k > bottom[l] ? phi[l] : 0.0;
            drawn[l] += same ? a->drawn * (sum[side][l] - own[l]) : 0.0;
        }
    }
}

/* The new heights, by elimination from the bed up. */
SIZED POINTWISE void diffuse(const Monitor *a, ptrdiff_t first, int deepest, Heights OF_LEVELS *h) {
    const int top = a->g.n3 - 1;
    const double *bottom = a->g.bottom_c + first;
    double value[LANES] = {0}, ratio[LANES] = {0}, drawn[LANES], below[LANES], sum[4][LANES] = {{0}};
    FOR_LANES (l) below[l] = h->wanted[deepest][l];
    for (int k = deepest + 1; k <= top; k++) {
        neighbours(a, first, k, sum, h->height[k], drawn);
        FOR_LANES (l) {
            const bool inside = k > bottom[l];
            const double speed = a->moved * (OVER_PI_2 * h->layers[l] * h->layers[l]);
            const double down = speed * below[l], up = speed * h->wanted[k][l];
            const double diagonal = 1.0 + up + down * (1.0 - ratio[l]);
            below[l] = h->wanted[k][l];
            value[l] = inside ? (h->height[k][l] + drawn[l] + down * value[l]) / diagonal : 0.0;
            ratio[l] = inside ? up / diagonal : 0.0;
            h->wanted[k][l] = value[l];
            h->ratio[k][l] = ratio[l];
        }
    }
    FOR_LANES (l) h->wanted[top + 1][l] = 1.0;
    for (int k = top; k > deepest; k--)
        FOR_LANES (l) h->wanted[k][l] += h->ratio[k][l] * h->wanted[k + 1][l];
    FOR_LANES (l) h->wanted[deepest][l] = 0.0;
}

/* All layers get at least their least share, from what the others have more. */
SIZED POINTWISE void thicken(const Monitor *a, ptrdiff_t first, int deepest, Heights OF_LEVELS *h) {
    const int top = a->g.n3 - 1;
    const double *bottom = a->g.bottom_c + first;
    double least[LANES], more[LANES] = {0}, below[LANES], sum[LANES] = {0};
    FOR_LANES (l) least[l] = a->thinnest / max_of(h->layers[l], 1.0);
    for (int k = deepest; k <= top; k++)
        FOR_LANES (l)
            more[l] += k >= bottom[l] ? max_of(0.0, h->wanted[k + 1][l] - h->wanted[k][l] - least[l]) : 0.0;
    FOR_LANES (l) {
        more[l] = (1.0 - a->thinnest) / max_of(more[l], 1e-300);
        below[l] = h->wanted[deepest][l];
    }
    for (int k = deepest; k < top; k++)
        FOR_LANES (l) {
            const double thick = h->wanted[k + 1][l] - below[l];
            below[l] = h->wanted[k + 1][l];
            sum[l] += k >= bottom[l] ? least[l] + more[l] * max_of(0.0, thick - least[l]) : 0.0;
            h->wanted[k + 1][l] = sum[l];
        }
}

/* By how much of the way interfaces go. */
SIZED POINTWISE void find_way(const Monitor *a, ptrdiff_t first, int deepest, const Heights OF_LEVELS *h,
                              double *way) {
    const double *bottom = a->g.bottom_c + first;
    double most[LANES] = {0};
    for (int k = deepest + 1; k < a->g.n3; k++)
        FOR_LANES (l) {
            const double thinner =
                min_of(h->height[k + 1][l] - h->height[k][l], h->height[k][l] - h->height[k - 1][l]);
            const double part = fabs(h->wanted[k][l] - h->height[k][l]) / max_of(thinner, 1e-300);
            most[l] = k > bottom[l] ? max_of(most[l], part) : most[l];
        }
    FOR_LANES (l) {
        const double all = min_of(1.0, FARTHEST / max_of(most[l], FARTHEST));
        way[l] = a->moved > 0 && a->depth[first + l] > FILM ? all : 0.0;
    }
}

KERNEL_LEVELS(monitor_shares, Monitor, 4) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int top = a->g.n3 - 1, deepest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    const double *bottom = a->g.bottom_c + first, *area = a->g.own_area + first;
    double below[LANES] = {0}, way[LANES] = {0};
    Heights OF_LEVELS h;
    FOR_LANES (l) h.layers[l] = a->g.n3 - bottom[l];
    for (int k = deepest; k <= top; k++)
        FOR_LANES (l) {
            h.height[k][l] = below[l];
            below[l] += k >= bottom[l] ? a->g.phi_c[first + l + k * a->g.plane] : 0.0;
        }
    FOR_LANES (l) h.height[top + 1][l] = 1.0;
    if (a->moved > 0) {
        find_wanted(a, first, deepest, &h);
        diffuse(a, first, deepest, &h);
        thicken(a, first, deepest, &h);
        find_way(a, first, deepest, &h, way);
    }
    FOR_LANES (l) below[l] = 0.0;
    for (int k = deepest; k <= top; k++)
        FOR_LANES (l) {
            const double now = h.height[k + 1][l];
            const double high = now + (way[l] > 0 ? way[l] * (h.wanted[k + 1][l] - now) : 0.0);
            const double upper = k < top ? (high + ROUNDING) - ROUNDING : 1.0;
            const ptrdiff_t m = first + l + k * a->g.plane;
            const bool is = (area[l] > 0) & (k >= bottom[l]);
            a->share[m] = is ? upper - below[l] : a->share[m];
            below[l] = k >= bottom[l] ? upper : 0.0;
        }
}
