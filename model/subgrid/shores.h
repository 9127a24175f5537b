/* SPDX-License-Identifier: Apache-2.0
 *
 * Shores inside cells. The level of a cell is the mean of its wet area, whose middle is not the cell's: on a beach it lies nearer to
 * the sea, and where the shore is oblique to the grid also beside that of the next cell. With (x, y) the middle of a wet area in its cell,
 * x along the direction of a face and y across, and with differences from the column behind the face to the one ahead, the level of a
 * plane surface is
 *
 *     d eta = (1 + w dx) eta_x + w dy eta_y                         [m; slopes by cell]
 *
 * and from the wetter of the two to its neighbours across, which are whole wet so that they know the slope there,
 *
 *     d'eta = d'x eta_x + (1 + d'y) eta_y
 *
 * Solved for the slope along the face's direction:
 *
 *     eta_x = (d eta - lift) / distance,   lift = q d'eta,   distance = 1 + w dx - q d'x,   q = w dy / (1 + d'y)
 *
 * As far as no neighbour knows, dx counts only by how much more it is than dy. The weight w is 1 where one of the two is whole wet, or
 * a column across from the wetter one; it is 0 in a channel narrower than its cells, with neither of the two wet by more than three quarters, and
 * none across by more than nine tenths.
 *
 * The middle depends on the wet share s, along x as along y:
 *
 *     x = (1 - sqrt(s)) (begin + bend sqrt(s))                      [cells]
 *
 * This is a beach along the grid (begin = bend = -1/2), and off by 0.03 at most where a beach at 45 degrees is wet by more than a
 * twentieth. Along a face, the middle of the wet part is (1 - s) slant.
 */
#ifndef MAEOTIS_MODEL_SHORES_H
#define MAEOTIS_MODEL_SHORES_H

#include "numerics/ramp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HOLDS_NOTHING 1e-6 /* [m] */

typedef struct Shores {
    const double *share;  /* of the columns: wet when the step begins, with halo */
    const double *middle; /* of the columns' wet areas, along the faces' direction, with halo [cells] */
    const double *middle_across; /* the same across them [cells] */
    const double *slant;         /* of the faces [cells] */
    const double *sill;          /* of the faces across: their lowest ground, with halo [m] */
    ptrdiff_t cross;             /* to the next column across */
} Shores;

/* Between the middles of the wet areas of two columns. */
typedef struct ShoreWay {
    double weight;
    double distance; /* along [cells] */
    double lift;     /* of the level, as one lies aside of the other [m] */
} ShoreWay;

/* 0 without water, 1 in more than a film that holds nothing. */
POINTWISE double is_there(double depth) {
    return ramp(depth, 0.0, HOLDS_NOTHING);
}

POINTWISE double shore_whole(double share) {
    return ramp(share, 0.75, 1.0);
}

/* 1: two columns are wet by the same share; 0: by shares that differ by a ten-thousandth. */
POINTWISE double shore_alike(double share, double other) {
    return max_of(0.0, 1.0 - 1e4 * fabs(share - other));
}

/* How much the column `next` across says about the slope there. */
POINTWISE double shore_knows(const Shores *s, const double *eta, ptrdiff_t inner, ptrdiff_t next) {
    const double over = min_of(eta[inner], eta[next]) - s->sill[next > inner ? next : inner];
    return is_there(over) * shore_whole(s->share[next]);
}

/* How far column `inner`, not the drier of the two, has a column across that is whole wet. Over a crossing of narrow channels hardly any is. */
POINTWISE double shore_beside_wet(const Shores *s, const double *eta, ptrdiff_t inner, ptrdiff_t other) {
    const double across =
        max_of(shore_knows(s, eta, inner, inner - s->cross), shore_knows(s, eta, inner, inner + s->cross));
    const double share = s->share[inner],
                 drier = share < s->share[other] ? shore_alike(share, s->share[other]) : 1.0;
    return drier * ramp(across, 0.6, 1.0);
}

/* How far the water beside a face is a shore's and not that of a channel narrower than its cells. */
POINTWISE double shore_weight(const Shores *s, const double *eta, ptrdiff_t m, ptrdiff_t beside) {
    const double beside_wet =
        max_of(shore_beside_wet(s, eta, m, beside), shore_beside_wet(s, eta, beside, m));
    return max_of(shore_whole(max_of(s->share[m], s->share[beside])), beside_wet);
}

/* Towards the columns across that know the slope there: how far they do, of the differences from the middle of the inner one to theirs,
 * by that: of the level [m], and of the places along and across [cells]. */
typedef struct ShoreAcross {
    double known, rise, along, across;
} ShoreAcross;

POINTWISE ShoreAcross shore_across(const Shores *s, const double *eta, ptrdiff_t inner) {
    const ptrdiff_t before = inner - s->cross, after = inner + s->cross;
    const double back = shore_knows(s, eta, inner, before), on = shore_knows(s, eta, inner, after);
    const double x = s->middle[inner], y = s->middle_across[inner];
    const ShoreAcross found = {back + on, back * (eta[inner] - eta[before]) + on * (eta[after] - eta[inner]),
                               (back - on) * x, back * (1.0 + y) + on * (1.0 - y)};
    return found;
}

/* From the wetter one of two columns; from both, as far as they are alike. */
POINTWISE ShoreAcross shore_across_wetter(const Shores *s, const double *eta, ptrdiff_t back, ptrdiff_t m) {
    const double here = s->share[m], behind = s->share[back], alike = shore_alike(here, behind);
    const ShoreAcross one = shore_across(s, eta, here > behind ? m : back);
    if (!(alike > 0)) return one;
    const ShoreAcross other = shore_across(s, eta, here > behind ? back : m);
    const ShoreAcross both = {one.known + alike * other.known, one.rise + alike * other.rise,
                              one.along + alike * other.along, one.across + alike * other.across};
    return both;
}

/* From column `back` to m, one after the other. */
POINTWISE ShoreWay shore_way(const Shores *s, const double *eta, ptrdiff_t back, ptrdiff_t m) {
    const double here = s->share[m], behind = s->share[back];
    const ShoreWay plain = {0.0, 1.0, 0.0};
    if (!(min_of(here, behind) < 1.0)) return plain; /* all is even, as nearly everywhere */
    const double weight = shore_weight(s, eta, back, m);
    if (!(weight > 0)) return plain;
    const double sideways = weight * (s->middle_across[m] - s->middle_across[back]);
    const ShoreAcross across = shore_across_wetter(s, eta, back, m);
    const double known = min_of(1.0, across.known), turned = known * sideways / max_of(across.across, 1e-300);
    const double longer = weight * (s->middle[m] - s->middle[back]) - turned * across.along;
    const double counts = max_of(0.0, fabs(longer) - (1.0 - known) * fabs(sideways));
    /* the waters of two cells may touch, each in a corner of its own beside their face */
    const double least = 0.25;
    const ShoreWay way = {weight, longer > 0 ? 1.0 + counts : max_of(least, 1.0 - counts),
                          turned * across.rise};
    return way;
}

#ifdef __cplusplus
}
#endif
#endif
