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

/* Is the face an outermost one, whose velocity is the boundary's? */
POINTWISE bool on_boundary(const Momentum *a, int i, int j) {
    const bool along_x = a->faces.along == 1;
    const int global = along_x ? a->g.i_first + i : a->g.j_first + j, last = along_x ? a->g.nx : a->g.ny;
    const bool periodic = along_x ? a->g.periodic_x : a->g.periodic_y;
    return !periodic && (global == 0 || global == last);
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
