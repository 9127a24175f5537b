/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/making.h"

/* Ground so much lower than a crest is not a part of it; a crest stands so much higher than both cells' lowest ground, at least a
 * quarter of what the lowest ground on the way is lower: slopes and bowls have none. */
static const double BELOW_M = 0.1, STANDS_OUT = 0.25;

/* What lies between the middles of two cells. */
typedef struct Way {
    double all, crest;    /* numbers of its pixels, of those as high as the crest */
    double rise, deepest; /* how much lower the others are, in all and at most [m] */
} Way;

/* Along the pixels p of a row or a column, from `first` to `last`. */
static void follow(const Making *k, bool along_x, int p, int first, int last, double height, Way *way) {
    for (int q = first; q <= last; q++) {
        const double z = along_x ? making_height(k, q, p) : making_height(k, p, q), lower = height - z;
        way->all += 1;
        way->deepest = fmax(way->deepest, lower);
        if (lower > BELOW_M)
            way->rise += lower;
        else
            way->crest += 1;
    }
}

Crest find_crest(const Making *k, bool along_x, int own_i, int own_j, double height, double sill) {
    const Grid *g = k->grid;
    const int i = g->i_first + own_i, j = g->j_first + own_j;
    const Overlap *across = along_x ? &k->x : &k->y, *along = along_x ? &k->y : &k->x;
    const int line = along_x ? i : j, cell = along_x ? j : i, back = line - 1;
    Way way = {0, 0, 0, 0};
    if (!(height > sill + BELOW_M) || back < 0 || line >= across->cells) return (Crest){1, 0};
    const int first = across->first[back] + across->count[back] / 2,
              last = across->first[line] + (across->count[line] - 1) / 2;
    for (int n = 0; n < along->count[cell]; n++)
        follow(k, along_x, along->first[cell] + n, first, last, height, &way);
    const double lower = way.all - way.crest;
    return lower > 0 && height - sill > STANDS_OUT * way.deepest
               ? (Crest){way.crest / way.all, way.rise / lower}
               : (Crest){1, 0};
}
