/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/making.h"

/* Ground so much lower than a crest is not a part of it; a crest stands so much higher than the lowest ground on both
 * sides, on one at least a quarter of what it does on the other: slopes and bowls have none. A sill may stand out less on one side, as
 * a dike between a river and its land. */
static const double BELOW_M = 0.1, STANDS_OUT = 0.25;

/* What lies between the middles of two cells. */
typedef struct Way {
    double all, crest,
        rise; /* numbers of its pixels, of those as high as the crest; how much lower the others are in all [m] */
    double deepest[2]; /* how much lower they are at most, before and after the face [m] */
} Way;

/* Along the pixels p of a row or a column, from `first` to `last`; `side`: 0 before the face, 1 after it. */
static void follow(const Making *k, bool along_x, int p, int first, int last, double height, int side,
                   Way *way) {
    for (int q = first; q <= last; q++) {
        const double z = along_x ? making_height(k, q, p) : making_height(k, p, q), lower = height - z;
        way->all += 1;
        way->deepest[side] = fmax(way->deepest[side], lower);
        if (lower > BELOW_M)
            way->rise += lower;
        else
            way->crest += 1;
    }
}

Crest find_crest(const Making *k, bool along_x, int own_i, int own_j, double height) {
    const Grid *g = k->grid;
    const int i = g->i_first + own_i, j = g->j_first + own_j;
    const Overlap *across = along_x ? &k->x : &k->y, *along = along_x ? &k->y : &k->x;
    const int line = along_x ? i : j, cell = along_x ? j : i, back = line - 1;
    Way way = {0, 0, 0, {0, 0}};
    if (back < 0 || line >= across->cells) return (Crest){1, 0, false};
    const int first = across->first[back] + across->count[back] / 2,
              last = across->first[line] + (across->count[line] - 1) / 2;
    for (int n = 0; n < along->count[cell]; n++) {
        const int p = along->first[cell] + n;
        follow(k, along_x, p, first, across->before[line], height, 0, &way);
        follow(k, along_x, p, across->after[line], last, height, 1, &way);
    }
    const double lower = way.all - way.crest, least = fmin(way.deepest[0], way.deepest[1]);
    const bool sill = least > BELOW_M,
               stands = sill && least > STANDS_OUT * fmax(way.deepest[0], way.deepest[1]);
    return stands ? (Crest){way.crest / way.all, way.rise / lower, sill} : (Crest){1, 0, sill};
}
