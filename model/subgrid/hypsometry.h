/* SPDX-License-Identifier: Apache-2.0
 *
 * The ground inside a cell, or along a face, as a function of the water's height above its lowest point [m]:
 *
 *     share(height)   part of the place's area (or width) that is wet, 0 .. 1
 *     depth(height)   volume over area (or section over width): the integral of share [m]
 *     factor(height)  of faces: by how much more the ground conveys than a rectangle of the same section and wet width
 *
 * Between chosen heights share is linear, so that depth is its exact integral and its inverse one root. At each chosen height
 * depth is exactly that of the ground; share may jump there, as it does at even ground. Above the highest ground share is 1.
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
 * ground has one node, at the very beginning. Ghosts of columns have no nodes here: of their `first` only counts whether it is 0. */
typedef struct Hypsometry {
    const double
        *first; /* by place: where in `node` its lowest one begins, as a whole number; 0: even ground */
    double *
        last; /* by place: where the node asked for last begins. The next search begins there, and finds the same */
    const double *node;
    int64_t values; /* NODE_OF_COLUMN or NODE_OF_FACE */
    /* by place: the numbers of the node that `kept` searches found last, and height and depth of the next one. In a step hardly any
     * place asks for another one, and nodes lie far from each other in memory */
    double *kept[NODE_OF_FACE + 2];
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

/* What a table knows of a place at one height. */
typedef struct Section {
    double height, depth, share;
} Section;

/* Above a node that starts at so much: at a height; at a depth, where a lack of water stays what it is. */
POINTWISE Section section_at_height(double start, double below, double share, double growth, double height) {
    const double above = height - start;
    const Section wet = {height, below + above * (share + 0.5 * above * growth), share + above * growth};
    const Section dry = {height, 0.0, 0.0};
    return height > 0 ? wet : dry;
}

POINTWISE Section section_at_depth(double start, double below, double share, double growth, double depth) {
    const double more = depth - below;
    const double above = 2.0 * more / (share + sqrt(share * share + 2.0 * growth * more));
    const Section wet = {start + above, depth, share + above * growth}, dry = {depth, depth, 0.0};
    return depth > 0 ? wet : dry;
}

POINTWISE Section hypsometry_at_height(const Hypsometry *h, ptrdiff_t m, double height) {
    const double *node = hypsometry_node(h, m, NODE_HEIGHT, height);
    return section_at_height(node[NODE_HEIGHT], node[NODE_DEPTH], node[NODE_SHARE], node[NODE_GROWTH],
                             height);
}

POINTWISE Section hypsometry_at_depth(const Hypsometry *h, ptrdiff_t m, double depth) {
    const double *node = hypsometry_node(h, m, NODE_DEPTH, depth);
    return section_at_depth(node[NODE_HEIGHT], node[NODE_DEPTH], node[NODE_SHARE], node[NODE_GROWTH], depth);
}

/* The same for kernels that ask in each step, each for its own place alone: keeps what it finds. */
POINTWISE void hypsometry_keep(const Hypsometry *h, ptrdiff_t m, int of, double value) {
    if (h->kept[of][m] <= value && !(h->kept[NODE_OF_FACE + of][m] <= value)) return;
    const double *node = hypsometry_node(h, m, of, value);
    for (int n = 0; n < h->values; n++) h->kept[n][m] = node[n];
    for (int n = NODE_HEIGHT; n <= NODE_DEPTH; n++) h->kept[NODE_OF_FACE + n][m] = node[h->values + n];
}

/* By the node that is kept; without a search, so that it makes vectors. */
POINTWISE Section hypsometry_kept(const Hypsometry *h, ptrdiff_t m, double depth) {
    return section_at_depth(h->kept[NODE_HEIGHT][m], h->kept[NODE_DEPTH][m], h->kept[NODE_SHARE][m],
                            h->kept[NODE_GROWTH][m], depth);
}

POINTWISE Section hypsometry_kept_height(const Hypsometry *h, ptrdiff_t m, double height) {
    hypsometry_keep(h, m, NODE_HEIGHT, height);
    return section_at_height(h->kept[NODE_HEIGHT][m], h->kept[NODE_DEPTH][m], h->kept[NODE_SHARE][m],
                             h->kept[NODE_GROWTH][m], height);
}

POINTWISE Section hypsometry_kept_depth(const Hypsometry *h, ptrdiff_t m, double depth) {
    hypsometry_keep(h, m, NODE_DEPTH, depth);
    return hypsometry_kept(h, m, depth);
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
 * changes while few pixels become wet, and goes with the square of the height in a notch. `s` is the section last kept. */
POINTWISE double hypsometry_factor(const Hypsometry *h, ptrdiff_t m, const Section *s) {
    const double start = h->kept[NODE_HEIGHT][m], square = s->height * s->height - start * start;
    const double per_depth = s->share / max_of(s->depth, 1e-300);
    return 1.0 + (h->kept[NODE_UNEVENNESS][m] + square * h->kept[NODE_UNEVENNESS_GROWTH][m]) * per_depth *
                     per_depth;
}

#ifdef __cplusplus
}
#endif
#endif
