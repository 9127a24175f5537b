/* SPDX-License-Identifier: Apache-2.0
 *
 * What flows out of a layer of a column through its sides, and the part M of the vertical velocity that comes
 * from flow along the tilted upper face of the layer (pressure.h). Level by level, from the bed up.
 */
#ifndef MAEOTIS_MODEL_PRESSURE_DIVERGENCE_H
#define MAEOTIS_MODEL_PRESSURE_DIVERGENCE_H

#include "model/pressure/pressure.h"

enum { WEST_SIDE, EAST_SIDE, SOUTH_SIDE, NORTH_SIDE, COLUMN_SIDES };

/* A block of columns. */
typedef struct Flow {
    const double *velocity[COLUMN_SIDES], *phi[COLUMN_SIDES]; /* at the sides' faces, layer 0 */
    ptrdiff_t outside[COLUMN_SIDES];                          /* step in memory to the columns outside */
    double lowest[COLUMN_SIDES][LANES];                       /* of the faces; n3: closed or dry */
    double carries[COLUMN_SIDES][LANES];                      /* width times depth, outwards positive [m2] */
    double tilts[COLUMN_SIDES][LANES];      /* half the width, times the face's depth over the mean one of its
                                               columns, outwards positive; 0 beside thin water [m] */
    double height[COLUMN_SIDES + 1][LANES]; /* of the upper face of the layer: outside, and here [m] */
} Flow;

/* Before layer `lowest` of a block: the heights of deeper columns outside. */
POINTWISE void flow_climb(const GridView *g, const double *depth, ptrdiff_t first, int lowest, Flow *f) {
    UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) {
        const ptrdiff_t outside = first + f->outside[s];
        for (int k = deepest_layer(g->bottom_c + outside, lowest); k < lowest; k++)
            FOR_LANES (l) f->height[s][l] += g->phi_c[outside + l + k * g->plane] * depth[outside + l];
    }
}

/* The velocities are `u` and `v`; depths are those of cells and faces at one time. `lowest`: the first layer
 * that will be visited. */
POINTWISE void flow_begin(const GridView *g, const double *u, const double *v, const double *depth,
                          const double *depth_u, const double *depth_v, double least_depth, ptrdiff_t first,
                          int lowest, Flow *f) {
    const ptrdiff_t face[COLUMN_SIDES] = {first, first + 1, first, first + g->row};
    const ptrdiff_t outside[COLUMN_SIDES] = {-1, 1, -g->row, g->row};
    UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) {
        const bool along_x = s <= EAST_SIDE;
        const double outwards = s == EAST_SIDE || s == NORTH_SIDE ? 1 : -1;
        const double *width = (along_x ? g->width_u : g->width_v) + face[s];
        const double *bottom = (along_x ? g->bottom_u : g->bottom_v) + face[s];
        const double *depth_face = (along_x ? depth_u : depth_v) + face[s];
        const double *here = depth + first, *there = depth + first + outside[s];
        const double *bed = g->bed + first + outside[s];
        f->velocity[s] = (along_x ? u : v) + face[s];
        f->phi[s] = (along_x ? g->phi_u : g->phi_v) + face[s];
        f->outside[s] = outside[s];
        FOR_LANES (l) {
            const bool deep = (here[l] >= least_depth) & (there[l] >= least_depth);
            f->lowest[s][l] = depth_face[l] > 0 ? bottom[l] : (double)g->n3;
            f->carries[s][l] = outwards * width[l] * depth_face[l];
            const double mean = max_of(0.5 * (here[l] + there[l]), 1e-12);
            f->tilts[s][l] = deep ? 0.5 * outwards * width[l] * (depth_face[l] / mean) : 0.0;
            f->height[s][l] = bed[l];
        }
    }
    FOR_LANES (l) f->height[COLUMN_SIDES][l] = g->bed[first + l];
    flow_climb(g, depth, first, lowest, f);
}

/* Layer k: net outflow [m3 s-1], M of its upper face [m3 s-1]. Layers are to be visited from the lowest of
 * the block up, each once. */
POINTWISE void flow_layer(const GridView *g, const double *depth, ptrdiff_t first, int k, Flow *f,
                          double *outflow, double *tilted) {
    const ptrdiff_t layer = k * g->plane;
    const bool top = k == g->n3 - 1;
    /* what the next block is the first to need, level by level */
    PREFETCH(f->velocity[EAST_SIDE] + layer + 2 * BLOCK - 1);
    PREFETCH(f->phi[EAST_SIDE] + layer + 2 * BLOCK - 1);
    PREFETCH(f->velocity[NORTH_SIDE] + layer + BLOCK);
    PREFETCH(f->phi[NORTH_SIDE] + layer + BLOCK);
    PREFETCH(g->phi_c + first + f->outside[NORTH_SIDE] + layer + BLOCK);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        f->height[COLUMN_SIDES][l] += g->phi_c[m + layer] * depth[m];
        outflow[l] = tilted[l] = 0.0;
    }
    UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) {
        const double *velocity = f->velocity[s] + layer, *phi = f->phi[s] + layer;
        const double *above = velocity + (top ? 0 : g->plane), *phi_above = phi + (top ? 0 : g->plane);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + f->outside[s];
            f->height[s][l] += g->phi_c[m + layer] * depth[m];
            const bool open = f->lowest[s][l] <= k;
            const double between =
                (velocity[l] * phi[l] + above[l] * phi_above[l]) / max_of(phi[l] + phi_above[l], 1e-300);
            const double rise = f->height[s][l] - f->height[COLUMN_SIDES][l];
            outflow[l] += open ? f->carries[s][l] * phi[l] * velocity[l] : 0.0;
            tilted[l] += open ? f->tilts[s][l] * between * rise : 0.0;
        }
    }
}

#endif
