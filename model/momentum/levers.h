/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the weight of a layer acts. The trapezoid rule for the pressure (model/density/density.h) takes half of a
 * layer's anomaly above its middle and half below. Transport does not: centred fluxes change the density of the
 * cell c, of volume V, by the jumps of the density at rest D_u above and D_d below it and the flows w through its sides,
 *
 *     V rho'_t = (w_u D_u + w_d D_d)/2  +  the same along the layer     or, in matrices,  V rho'_t = B u
 *
 * A linear wave has an energy u M u/2 + rho' V E rho'/2, M the volumes of the faces and E any positive number for each
 * cell, if the force is F = - B^T E rho'/M: its rate is u B^T E rho' - rho' E B u = 0. So it neither grows nor falls. B^T
 * lets the buoyancy of a cell act at its two sides by E D_u/2 and E D_d/2. They have to be its weight,
 *
 *     E = g/rho_0 (H_u + H_d)/(D_u + D_d),    part above:  (H_u + H_d)/2 D_u/(D_u + D_d)
 *
 * with H the distances to the middles of the layers above and below. That is the trapezoid rule where the stratification
 * is even; but at a jump, where D is 0 on one side, all of the weight is at the jump. Halves of it there let waves over
 * rough ground grow by e in weeks. So in the middle of a layer there is more pressure than by the trapezoid rule, by
 *
 *     g/rho_0 s (b_here - b_behind),     s = (D_u H_d - D_d H_u) / (2 (D_u + D_d))
 *
 * D is of both columns of a face together, so that a difference of density alone makes a force, whatever the
 * stratification does, and of the present density: at rest nothing acts, and no state of the past is held on to. Fronts
 * have differences along the layers: 2 |b_here - b_behind| stands beside D_u + D_d. Where both columns end, D_d follows
 * from D_u as it did in the mean of the sea at first (Layering.end); at the surface likewise. A smooth stratification,
 * whose gradient changes by less than 3 from side to side of a layer, keeps the trapezoid rule: it has a third of the
 * error there.
 *
 * The lowest layer of a column may be thinner than its level, its middle higher by t than that of its neighbour. The
 * force along the tilt, which is exact for b linear in z, acts by t (b_here - b_above)/2. B^T has it by the difference of
 * the density at rest within the layer, over its mean gradient: whole in an even stratification, nothing beside a jump.
 * So the part that s takes off is taken off here too, of the larger one of the two layers. An even change of b makes no
 * force then either.
 *
 * So linear waves keep their energy in an even stratification and in one made of jumps, over any ground. No force of
 * this kind does for all of them: with E that differs from level to level, the energy and the budget of salt leave nothing
 * of the tilt over cells of different height (the levers of two cells at one height must cancel), and without it b linear
 * in z would drive a flow. In a basin without any friction thermoclines of few layers let waves grow by 1e-3 to 3e-3 a
 * day, as the trapezoid rule does or less.
 */
#ifndef MAEOTIS_MODEL_LEVERS_H
#define MAEOTIS_MODEL_LEVERS_H

#include "model/momentum/neighbours.h"

#define SMOOTH                                                                                               \
    0.5 /* |D_u H_d - D_d H_u| over its largest value, up to which a stratification counts as smooth */
#define JUMP  0.8 /* and from which as a jump */
#define ALONG 2.0 /* weight of differences along the layers beside those down the column */

/* From the surface down. */
typedef struct Levers {
    double whole;          /* the first layer from which up all of the block lie in whole levels */
    double stretch[LANES]; /* of the layers, over their thickness at the datum */
    double jump[LANES];    /* between the layer above and this one, of both columns [kg m-3] */
    double apart[LANES];   /* and their distance at the datum, of both [m] */
    double sharp[LANES];   /* the part that s takes off, of the layer above; only near the bed */
} Levers;

POINTWISE void levers_begin(const Momentum *a, ptrdiff_t first, Levers *s) {
    const int top = a->g.n3 - 1;
    const ptrdiff_t back = -a->faces.along;
    const double *phi = a->g.phi_c + first + top * a->g.plane, *depth = a->depth + first;
    const double *bottom = a->g.bottom_c + first;
    if (!a->layering.density) return;
    const double per_level = 1.0 / a->layering.apart[a->g.n3];
    s->whole = 0;
    for (int l = 0; l < LANES; l++) s->whole = max_of(s->whole, max_of(bottom[l], bottom[l + back]) + 2);
    FOR_LANES (l) {
        s->stretch[l] = max_of(phi[l] * depth[l], phi[l + back] * depth[l + back]) * per_level;
        s->jump[l] = s->apart[l] = s->sharp[l] = 0.0;
    }
}

/* Between layer k and the one below, in the columns that reach it. */
POINTWISE void find_jump(const Momentum *a, const Place *at, const Levers *s, double *jump, double *apart) {
    const Layering *y = &a->layering;
    const ptrdiff_t back = -a->faces.along;
    const int k = at->k;
    const double *density = y->density + at->layer, *below = density - (k > 0 ? a->g.plane : 0);
    const double *bottom = a->g.bottom_c + at->first, *lacks = y->lacks + at->first;
    const double whole = y->apart[k];
    if (k >= s->whole) {
        FOR_LANES (l) {
            const double both = (below[l] - density[l]) + (below[l + back] - density[l + back]);
            jump[l] = max_of(0.0, both);
            apart[l] = whole + whole;
        }
        return;
    }
    FOR_LANES (l) {
        const double bed = bottom[l], bed_behind = bottom[l + back];
        const double lack = lacks[l], lack_behind = lacks[l + back];
        const double here = below[l] - density[l], behind = below[l + back] - density[l + back];
        const double far = whole - (bed == k - 1 ? lack : 0.0);
        const double far_behind = whole - (bed_behind == k - 1 ? lack_behind : 0.0);
        const double both = (bed < k ? here : 0.0) + (bed_behind < k ? behind : 0.0);
        jump[l] = max_of(0.0, both);
        apart[l] = (bed < k ? far : 0.0) + (bed_behind < k ? far_behind : 0.0);
    }
}

/* What the force along the tilt has too much, in the lowest layer of a face. [kg m-2] */
POINTWISE void add_tilt(const Momentum *a, const Place *at, const Levers *s, const double *sharp,
                        double *more) {
    const ptrdiff_t back = -a->faces.along, plane = a->g.plane;
    const double *b = a->anomaly + at->layer, k = at->k;
    const double *bottom = a->g.bottom_c + at->first, *lacks = a->layering.lacks + at->first;
    if (at->k == a->g.n3 - 1) return;
    FOR_LANES (l) {
        const double bed = bottom[l], bed_behind = bottom[l + back];
        const double lack = bed == k ? lacks[l] : 0.0, lack_behind = bed_behind == k ? lacks[l + back] : 0.0;
        const double across =
            lack_behind * (b[l] - b[l + back + plane]) + lack * (b[l + plane] - b[l + back]);
        const double part = 0.5 * max_of(sharp[l], s->sharp[l]) * s->stretch[l];
        more[l] += max_of(bed, bed_behind) == k ? part * across : 0.0;
    }
}

/* By how much the difference of pressure exceeds that of the trapezoid rule, times rho_0/g. [kg m-2] */
POINTWISE void levers(const Momentum *a, const Place *at, Levers *s, double *more) {
    const ptrdiff_t back = -a->faces.along;
    const double *b = a->anomaly + at->layer;
    const double up = a->layering.apart[at->k + 1], down = a->layering.apart[at->k];
    const double end = a->layering.end[at->k], half_reach = 0.5 * (up * down);
    const bool top = at->k == a->g.n3 - 1, near_bed = at->k < s->whole || top;
    double jump[LANES], apart[LANES], over[LANES], over_apart[LANES], under[LANES], under_apart[LANES];
    double sharp[LANES];
    find_jump(a, at, s, jump, apart);
    FOR_LANES (l) {
        over[l] = s->jump[l];
        over_apart[l] = s->apart[l];
        under[l] = jump[l];
        under_apart[l] = apart[l];
    }
    if (near_bed)
        FOR_LANES (l) {
            const bool ends = !(apart[l] > 0);
            over[l] = top ? end * jump[l] : s->jump[l];
            over_apart[l] = top ? apart[l] : s->apart[l];
            under[l] = ends ? end * s->jump[l] : jump[l];
            under_apart[l] = ends ? s->apart[l] : apart[l];
        }
    FOR_LANES (l) {
        const double step = b[l] - b[l + back];
        const double above = over[l] * under_apart[l], below = under[l] * over_apart[l]; /* as gradients */
        const double front = ALONG * fabs(step) * (over_apart[l] * under_apart[l]);
        const double all = above * up + below * down + front;
        const double inverse = 1.0 / max_of(all, 1e-300), excess = above - below;
        const double uneven = (excess > 0 ? excess * up : -excess * down) * inverse;
        const double part = max_of(0.0, min_of(1.0, (uneven - SMOOTH) * (1.0 / (JUMP - SMOOTH))));
        /* never -0, to which add_tilt of a block with a bed in it would add 0 */
        more[l] = half_reach * s->stretch[l] * step * (excess * inverse) * part + 0.0;
        sharp[l] = part * uneven;
    }
    if (near_bed) add_tilt(a, at, s, sharp, more);
    FOR_LANES (l) {
        s->jump[l] = jump[l];
        s->apart[l] = apart[l];
        s->sharp[l] = sharp[l];
    }
}

#endif
