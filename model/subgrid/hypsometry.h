/* SPDX-License-Identifier: Apache-2.0
 *
 * The ground inside a cell, or along a face, as a function of the water's height above its lowest point [m]:
 *
 *     share(height)   part of the place's area (or width) that is wet, 0 .. 1
 *     depth(height)   volume over area (or section over width): the integral of share [m]
 *     factor(height)  of faces: by how much more the ground conveys than a rectangle of the same section and wet width
 *
 * Between chosen heights share is linear, so that depth is its exact integral and its inverse one root. At each chosen height
 * depth is exactly that of the pixels; share may jump there, as it does at even ground. Above the highest pixel share is 1.
 */
#ifndef MAEOTIS_MODEL_HYPSOMETRY_H
#define MAEOTIS_MODEL_HYPSOMETRY_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of a node: height and depth there, share and its growth [m-1] above; of faces also the unevenness [m2] and its
 * growth with the square of the height. */
enum {
    NODE_HEIGHT,
    NODE_DEPTH,
    NODE_SHARE,
    NODE_GROWTH,
    NODE_OF_COLUMN,
    NODE_UNEVENNESS = NODE_OF_COLUMN,
    NODE_UNEVENNESS_GROWTH,
    NODE_OF_FACE
};

/* The nodes of a place lie one after the other, from the lowest up; behind the highest one stands one that is not a number. Even
 * ground has one node, at the very beginning. */
typedef struct Hypsometry {
    const double
        *first; /* by place: where in `node` its lowest one begins, as a whole number; 0: even ground */
    double *
        last; /* by place: where the node asked for last begins. The next search begins there, and finds the same */
    const double *node;
    int64_t values; /* NODE_OF_COLUMN or NODE_OF_FACE */
} Hypsometry;

/* The last node whose number `of` is not above `value`; the lowest in any case. */
POINTWISE const double *hypsometry_node(const Hypsometry *h, ptrdiff_t m, int of, double value) {
    const double *lowest = h->node + (int64_t)h->first[m], *begin = h->node + (int64_t)h->last[m];
    const double *node = begin;
    while (node > lowest && node[of] > value) node -= h->values;
    while (node[h->values + of] <= value) node += h->values;
    if (node != begin) h->last[m] = (double)(node - h->node);
    return node;
}

/* Fetches what a kernel asks for some places later: nodes lie far from each other in memory. */
POINTWISE void hypsometry_prefetch(const Hypsometry *h, ptrdiff_t m) {
    const double *node = h->node + (int64_t)h->last[m + 12];
    PREFETCH(node);
    PREFETCH(node + h->values);
}

/* What a table knows of a place at one height. */
typedef struct Section {
    double height, depth, share;
    const double *node;
} Section;

POINTWISE Section hypsometry_at_height(const Hypsometry *h, ptrdiff_t m, double height) {
    const double *node = hypsometry_node(h, m, NODE_HEIGHT, height);
    if (!(height > 0)) return (Section){height, 0.0, 0.0, node};
    const double above = height - node[NODE_HEIGHT];
    const double depth = node[NODE_DEPTH] + above * (node[NODE_SHARE] + 0.5 * above * node[NODE_GROWTH]);
    return (Section){height, depth, node[NODE_SHARE] + above * node[NODE_GROWTH], node};
}

/* A lack of water stays what it is. */
POINTWISE Section hypsometry_at_depth(const Hypsometry *h, ptrdiff_t m, double depth) {
    const double *node = hypsometry_node(h, m, NODE_DEPTH, depth);
    if (!(depth > 0)) return (Section){depth, depth, 0.0, node};
    const double more = depth - node[NODE_DEPTH], share = node[NODE_SHARE], growth = node[NODE_GROWTH];
    const double above = 2.0 * more / (share + sqrt(share * share + 2.0 * growth * more));
    return (Section){node[NODE_HEIGHT] + above, depth, share + above * growth, node};
}

/* The height that goes with a depth, without a note of where it was found: for output, which must leave alone what kernels use. */
static inline double hypsometry_height_of(const Hypsometry *h, ptrdiff_t m, double depth) {
    const double *node = h->node + (int64_t)h->first[m];
    if (!(depth > 0)) return depth;
    while (node[h->values + NODE_DEPTH] <= depth) node += h->values;
    const double more = depth - node[NODE_DEPTH], share = node[NODE_SHARE], growth = node[NODE_GROWTH];
    return node[NODE_HEIGHT] + 2.0 * more / (share + sqrt(share * share + 2.0 * growth * more));
}

/* 1 + unevenness / (hydraulic depth)^2: the unevenness is five ninths of the variance of heights under water, about, which hardly
 * changes while few pixels become wet, and goes with the square of the height in a notch. */
POINTWISE double hypsometry_factor(const Section *s) {
    const double *node = s->node;
    const double square = s->height * s->height - node[NODE_HEIGHT] * node[NODE_HEIGHT];
    const double per_depth = s->share / max_of(s->depth, 1e-300);
    return 1.0 + (node[NODE_UNEVENNESS] + square * node[NODE_UNEVENNESS_GROWTH]) * per_depth * per_depth;
}

#ifdef __cplusplus
}
#endif
#endif
