/* SPDX-License-Identifier: Apache-2.0
 *
 * Shores inside cells. The level of a cell is the mean of its wet area, whose middle is not the cell's: on a beach it lies nearer to
 * the sea. So the slope of the surface between a whole wet cell and one at the shore acts over less than a cell:
 *
 *     distance = 1 + w (c - c_back),   c = (1 - s) lean     [cells]
 *
 * with s the wet share and c the place of its middle in the cell (on a plane linear in s). The lean is 6 times the covariance of the
 * pixels' place with the share of lower ground, -1/2 .. 1/2. In a channel narrower than its cells, with no cell wet by more than three
 * quarters beside the face, w is 0, and 1 beside a whole wet one.
 *
 * Sideways c changes as well, where the shore is oblique to the grid. The level has a slope of its own there, which the wetter cell
 * knows from its neighbours across, as far as these are whole wet and no ground stands between:
 *
 *     lift = w (c' - c'_back) eta_across                    [m]
 *
 * is what the two levels differ by for that reason. As far as it is not known, c counts only by how much more it changes along the
 * face's direction than across.
 */
#ifndef MAEOTIS_MODEL_SHORES_H
#define MAEOTIS_MODEL_SHORES_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Shores {
    const double *share;        /* of the columns: wet when the step begins, with halo */
    const double *lean, *aside; /* of the columns, along and across the faces' direction, with halo [cells] */
    const double *sill;         /* of the faces across: their lowest ground, with halo [m] */
    ptrdiff_t cross;            /* to the next column across */
} Shores;

/* Between the middles of the wet areas of two columns. */
typedef struct ShoreWay {
    double distance; /* along [cells] */
    double lift;     /* of the level, as one lies aside of the other [m] */
} ShoreWay;

POINTWISE double shore_whole(double share) {
    return max_of(0.0, 4.0 * share - 3.0);
}

/* Where the middle of column m's wet area lies, as far as it counts for a face with the column `beside`. [cells] */
POINTWISE double shore_middle(const Shores *s, ptrdiff_t m, ptrdiff_t beside) {
    return shore_whole(max_of(s->share[m], s->share[beside])) * (1.0 - s->share[m]) * s->lean[m];
}

/* How much the column `next` across says about the slope there. */
POINTWISE double shore_knows(const Shores *s, const double *eta, ptrdiff_t inner, ptrdiff_t next) {
    const double sill = s->sill[next > inner ? next : inner];
    return ((eta[inner] > sill) & (eta[next] > sill)) ? shore_whole(s->share[next]) : 0.0;
}

/* The slope of the level across [m per cell], and how far it is known, 0 .. 1. */
typedef struct ShoreSlope {
    double slope, known;
} ShoreSlope;

POINTWISE ShoreSlope shore_slope_across(const Shores *s, const double *eta, ptrdiff_t inner) {
    const ptrdiff_t before = inner - s->cross, after = inner + s->cross;
    const double back = shore_knows(s, eta, inner, before), on = shore_knows(s, eta, inner, after);
    const double sum = back * (eta[inner] - eta[before]) + on * (eta[after] - eta[inner]);
    const ShoreSlope found = {sum / max_of(back + on, 1e-300), min_of(1.0, back + on)};
    return found;
}

/* From column `back` to m, one after the other. */
POINTWISE ShoreWay shore_way(const Shores *s, const double *eta, ptrdiff_t back, ptrdiff_t m) {
    const double here = s->share[m], behind = s->share[back], whole = shore_whole(max_of(here, behind));
    const ShoreWay plain = {1.0, 0.0};
    if (!(whole > 0) | !(min_of(here, behind) < 1.0)) return plain;
    const double longer = whole * ((1.0 - here) * s->lean[m] - (1.0 - behind) * s->lean[back]);
    const double sideways = whole * ((1.0 - here) * s->aside[m] - (1.0 - behind) * s->aside[back]);
    const ShoreSlope across = shore_slope_across(s, eta, here > behind ? m : back);
    const double counts = max_of(0.0, fabs(longer) - (1.0 - across.known) * fabs(sideways));
    const ShoreWay way = {longer > 0 ? 1.0 + counts : 1.0 - counts, across.known * sideways * across.slope};
    return way;
}

#ifdef __cplusplus
}
#endif
#endif
