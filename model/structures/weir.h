/* SPDX-License-Identifier: Apache-2.0
 *
 * What passes over a crest, or through a gate, on a face of width b between cells whose levels are h1 > h2 above the crest.
 * The crest stands P above the bed, and the part o of the width is open, up to the height a of a leaf above the crest.
 *
 *     free flow, h2 < 2/3 h1, critical over the crest:     Q = C o b (2/3)^(3/2) sqrt(g) h1^(3/2)
 *     drowned flow, a loss of head by widening (Borda, Carnot) in the momentum of the face:
 *         loss = (1/2g) (u/(C alpha) (1 - alpha))^2,   alpha = o h/(h + P),   h = max(h2, 2/3 h1),   u = Q/(b (h + P))
 *
 * Under a leaf, a < 2/3 h1, the jet contracts to the depth z = Cc a, Cc = 0.611 and, from a/h1 = 1/2 on, ever nearer to 1:
 *
 *     free flow:       Q = C o b z sqrt(2g (h1 - z)), which is the weir's where a = 2/3 h1
 *     drowned flow:    as above with alpha = o z/(h + P), that is C o b z sqrt(2g (h1 - h2)) for a jet in deep water
 *
 * in between, linearly, from h2 = y, the depth at which a jump stands behind the jet, to y + 0.4 (h1 - y).
 *
 * Behind a high wall (alpha -> 0) the steady drowned flow is that of the textbooks, Q = C o b h2 sqrt(2g (h1 - h2)), which
 * meets the free one at h2 = 2/3 h1 if their coefficients are equal. Deep under water (alpha -> 1) the loss vanishes, and the
 * face is an ordinary one. Between h2/h1 = 2/3 and 0.8 the flow passes from free to drowned, linearly in h2/h1; and an
 * opening of 0.8 to 0.95 of the section up to the higher level, which no longer makes the flow critical, likewise.
 *
 * Where the ground along the face is uneven (model/subgrid), it narrows what is open. With its section S(h) above the crest, under the
 * height h above it, and the wet width B = dS/dh,
 *
 *     free flow:       Q = C o S(z) sqrt(2g (h1 - z)),   z = h1 - S/(2B), S and B at 2/3 h1
 *     under a leaf:    z S(a)/a in place of z;      alpha = o S(h) / (S(h) + what the crest closes)
 *
 * In the equation of the surface the flux of the new levels is  Q = Q* - kappa (d - d_behind)  with the increments d.
 * Free flow has the tangent of its law in h1, kappa = 3/2 Q/h1: convex, it never overshoots. A loss multiplies momentum and
 * response by 1/(1 + beta |Q~|), with Q~ of the levels before: the secant of the root, which in long steps comes to rest
 * from one side, where its tangent would jump to the other.
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_WEIR_H
#define MAEOTIS_MODEL_STRUCTURES_WEIR_H

#include "numerics/ramp.h"

typedef struct Weir {
    double high, low;     /* h1, h2: levels above the crest; 0 at least [m] */
    double height;        /* P of the crest above the bed [m] */
    double open, lift;    /* o; a [m] */
    double free, drowned; /* coefficients in the direction of the flow */
    /* of the section by width, which over even ground are P, h1, h [m], 1 and 1 */
    double blocked, passes, opening; /* below the crest; above it up to h1, up to loss_depth */
    double narrow, gap; /* free flow over that of the whole width; open part of the width under a leaf */
} Weir;

typedef struct Passage {
    double discharge, slope; /* of free flow, by width [m2 s-1], and its change with h1 [m s-1] */
    double resistance;       /* loss over (flux by width)^2, times g [m-2] */
    double inertial;         /* 0: free flow, 1: momentum with that loss */
    double alpha;            /* part of the section that is open */
} Passage;

/* The depth of a jet under a leaf. */
POINTWISE double jet_depth(const Weir *w) {
    return w->lift * (0.611 + 0.389 * ramp(w->lift / w->high, 0.5, 2.0 / 3.0));
}

/* The depth above the crest that widens into the section behind it. */
POINTWISE double loss_depth(const Weir *w) {
    return max_of(w->low, w->lift < 2.0 / 3.0 * w->high ? jet_depth(w) : 2.0 / 3.0 * w->high);
}

/* By widening from the part alpha to the section, over (flux by width)^2, times g. */
POINTWISE double loss_of(const Weir *w, double alpha, double section) {
    const double widening = (1.0 - alpha) / (w->drowned * alpha * section);
    return 0.5 * widening * widening;
}

/* Of water that stands above the lower edge of a leaf. */
POINTWISE Passage leaf_passage(const Weir *w, double gravity) {
    const double jet = jet_depth(w), fall = w->high - jet;
    const double free = w->free * w->open * jet * sqrt(2 * gravity * fall) * w->gap;
    const double jump = 0.5 * jet * (sqrt(1 + 16 * fall / jet) - 1); /* the depth behind it */
    const double section = w->opening + w->blocked;
    const double alpha = max_of(1e-9, w->open * jet * w->gap / section);
    const double drowned = ramp(w->low, jump, jump + 0.4 * max_of(1e-9 * w->high, w->high - jump));
    return (Passage){free, 0.5 * free / fall, loss_of(w, alpha, section), drowned, alpha};
}

/* Of water that stands above the crest, high > 0. */
POINTWISE Passage weir_passage(const Weir *w, double gravity) {
    if (w->lift < 2.0 / 3.0 * w->high) return leaf_passage(w, gravity);
    const double root = sqrt(gravity * w->high);
    const double free =
        w->free * w->open * 0.54433105395181736 * root * w->high * w->narrow; /* (2/3)^(3/2) */
    const double section = w->opening + w->blocked;
    const double alpha = max_of(1e-9, w->open * w->opening / section);
    const double upstream = w->open * w->passes / (w->passes + w->blocked);
    const double drowned = ramp(w->low / w->high, 2.0 / 3.0, 0.8), ordinary = ramp(upstream, 0.8, 0.95);
    return (Passage){free, 1.5 * free / w->high, loss_of(w, alpha, section), max_of(drowned, ordinary),
                     alpha};
}

#endif
