/* SPDX-License-Identifier: Apache-2.0
 *
 * Shores inside cells. The level of a cell is the mean of its wet area, whose middle is not the cell's: on a beach it lies nearer to
 * the sea. So the slope of the surface between a whole wet cell and one at the shore acts over less than a cell:
 *
 *     distance = 1 + w (c - c_back),   c = (1 - s) lean     [cells]
 *
 * with s the wet share and c the place of its middle in the cell (on a plane linear in s). The lean is 6 times the covariance of the
 * pixels' place with the share of lower ground, -1/2 .. 1/2. Sideways, where c changes as well, the level may have a slope of its own:
 * c counts only by how much more it changes along the face's direction. In a channel narrower than its cells, with no cell wet by more
 * than three quarters beside the face, w is 0, and 1 beside a whole wet one.
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
} Shores;

/* Where the middle of column m's wet area lies, as far as it counts for a face with the column `beside`. [cells] */
POINTWISE double shore_middle(const Shores *s, ptrdiff_t m, ptrdiff_t beside) {
    const double most = max_of(s->share[m], s->share[beside]);
    return max_of(0.0, 4.0 * most - 3.0) * (1.0 - s->share[m]) * s->lean[m];
}

/* Between the middles of the wet areas of columns `back` and m, one after the other. [cells] */
POINTWISE double shore_distance(const Shores *s, ptrdiff_t back, ptrdiff_t m) {
    const double longer = shore_middle(s, m, back) - shore_middle(s, back, m);
    const double aside = fabs((1.0 - s->share[m]) * s->aside[m] - (1.0 - s->share[back]) * s->aside[back]);
    const double counts = max_of(0.0, fabs(longer) - aside);
    return longer > 0 ? 1.0 + counts : 1.0 - counts;
}

#ifdef __cplusplus
}
#endif
#endif
