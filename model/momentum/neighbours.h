/* SPDX-License-Identifier: Apache-2.0
 *
 * The faces around a block of faces: where they are in memory and from which level up they carry water.
 */
#ifndef MAEOTIS_MODEL_NEIGHBOURS_H
#define MAEOTIS_MODEL_NEIGHBOURS_H

#include "model/momentum/momentum.h"

enum { AHEAD, BEHIND, LEFT, RIGHT, SIDES }; /* along +, along -, cross +, cross - */

typedef struct Neighbours {
    double lowest[LANES];      /* of the face itself: lowest layer with water, n3 if it is dry or closed */
    double near[SIDES][LANES]; /* of the next faces of the same component */
    double far[SIDES][LANES];  /* of the ones after them */
    double around[4][LANES];   /* of the other component's faces: m, m-along, m+cross, m+cross-along */
    ptrdiff_t step[SIDES];
    ptrdiff_t around_step[4];
} Neighbours;

/* A block of faces in one layer. */
typedef struct Place {
    const Neighbours *n;
    ptrdiff_t first, layer; /* in two- and in three-dimensional fields */
    int j, k;
} Place;

/* Is the velocity of the face the boundary's? */
POINTWISE bool on_boundary(const Momentum *a, int i, int j) {
    return a->faces.given[AT2(a->g, i, j)] != 0;
}

POINTWISE double lowest_with_water(const GridView *g, const Faces *f, ptrdiff_t m) {
    return f->depth[m] > 0 ? f->bottom[m] : (double)g->n3;
}

POINTWISE void neighbours_find(const Momentum *a, ptrdiff_t first, Neighbours *n) {
    const Faces *f = &a->faces;
    const ptrdiff_t step[SIDES] = {f->along, -f->along, f->cross, -f->cross};
    const ptrdiff_t around[4] = {0, -f->along, f->cross, f->cross - f->along};
    FOR_LANES (l) n->lowest[l] = lowest_with_water(&a->g, f, first + l);
    UNROLLED for (int s = 0; s < SIDES; s++) {
        n->step[s] = step[s];
        n->around_step[s] = around[s];
        FOR_LANES (l) {
            n->near[s][l] = lowest_with_water(&a->g, f, first + l + step[s]);
            n->far[s][l] = lowest_with_water(&a->g, f, first + l + 2 * step[s]);
            n->around[s][l] = lowest_with_water(&a->g, &a->other, first + l + around[s]);
        }
    }
}

#endif
