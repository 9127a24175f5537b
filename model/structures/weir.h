/* SPDX-License-Identifier: Apache-2.0
 *
 * What passes over a crest, or through a gate, on a face of width b between cells whose levels are h1 > h2 above the crest.
 * The crest stands P above the bed, and the part o of the width is open.
 *
 *     free flow, h2 < 2/3 h1, critical over the crest:     Q = C o b (2/3)^(3/2) sqrt(g) h1^(3/2)
 *     drowned flow, a loss of head by widening (Borda, Carnot) in the momentum of the face:
 *         loss = (1/2g) (u/(C alpha) (1 - alpha))^2,   alpha = o h/(h + P),   h = max(h2, 2/3 h1),   u = Q/(b (h + P))
 *
 * Behind a high wall (alpha -> 0) the steady drowned flow is that of the textbooks, Q = C o b h2 sqrt(2g (h1 - h2)), which
 * meets the free one at h2 = 2/3 h1 if their coefficients are equal. Deep under water (alpha -> 1) the loss vanishes, and the
 * face is an ordinary one. Between h2/h1 = 2/3 and 0.8 the flow passes from free to drowned, linearly in h2/h1; and an
 * opening of 0.8 to 0.95 of the section up to the higher level, which no longer makes the flow critical, likewise.
 *
 * In the equation of the surface the flux of the new levels is  Q = Q* - kappa (d - d_behind)  with the increments d.
 * Free flow has the tangent of its law in h1, kappa = 3/2 Q/h1: convex, it never overshoots. A loss multiplies momentum and
 * response by 1/(1 + beta |Q~|), with Q~ of the levels before: the secant of the root, which in long steps comes to rest
 * from one side, where its tangent would jump to the other.
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_WEIR_H
#define MAEOTIS_MODEL_STRUCTURES_WEIR_H

#include "gpu/kernel.h"

typedef struct Weir {
    double high, low;     /* h1, h2: levels above the crest; 0 at least [m] */
    double height;        /* P of the crest above the bed [m] */
    double open;          /* o */
    double free, drowned; /* coefficients in the direction of the flow */
} Weir;

typedef struct Passage {
    double discharge, slope; /* of free flow, by width [m2 s-1], and its change with h1 [m s-1] */
    double resistance;       /* loss over (flux by width)^2, times g [m-2] */
    double inertial;         /* 0: free flow, 1: momentum with that loss */
    double alpha;            /* part of the section that is open */
} Passage;

/* From 0 at `from` to 1 at `to`. */
POINTWISE double ramp(double at, double from, double to) {
    return max_of(0.0, min_of((at - from) / (to - from), 1.0));
}

/* Of water that stands above the crest, high > 0. */
POINTWISE Passage weir_passage(const Weir *w, double gravity) {
    const double root = sqrt(gravity * w->high);
    const double free = w->free * w->open * 0.54433105395181736 * root * w->high; /* (2/3)^(3/2) */
    const double depth = max_of(w->low, 2.0 / 3.0 * w->high), section = depth + w->height;
    const double alpha = max_of(1e-9, w->open * depth / section);
    const double upstream = w->open * w->high / (w->high + w->height);
    const double widening = (1.0 - alpha) / (w->drowned * alpha * section);
    const double drowned = ramp(w->low / w->high, 2.0 / 3.0, 0.8), ordinary = ramp(upstream, 0.8, 0.95);
    return (Passage){free, 1.5 * free / w->high, 0.5 * widening * widening, max_of(drowned, ordinary), alpha};
}

#endif
