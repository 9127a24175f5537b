/* SPDX-License-Identifier: Apache-2.0
 *
 * With `order` 2, advection and the surface's flux are those of the middle of the step, so that a smooth flow of
 * whole columns is of second order in time.
 *
 * What a step finds before it begins is late: fluxes F are those of the last step, velocities and depths of faces those
 * of its end. With the acceleration a of the column's mean velocity U in the last step,
 *
 *     u_mid = u + s dt/2 a,     F_mid = F + s phi (width D (U + dt/2 a) - sum of F),     D_mid = D + s d/2
 *
 * with the layer's share phi of the column, the rise d of the level in the last step, and s, which says how smooth the
 * flow is (smooth.h). Differences between layers keep the time that they had: a stratified sea, whose fluxes are already
 * those of the new velocities, would let internal waves grow.
 *
 * Momentum goes from the volume V of now to V' after the step, which is V and what F_mid brings. With the velocity that
 * of V now and the force g H eta_x that of the middle, the factor of surface_slope.h is (1 + V/V')/2.
 *
 * Wind, air pressure and tidal potential are those of the middle, too (`force` in step.c).
 *
 * s is 0 in bores and at shores, where momentum stays with the water before the step, and jumps run and stand as they
 * should. D_mid and the factor are left out where waves pass more than a cell in a step, whose last level says nothing
 * about the next one: surfaces would grow. a fades where the flow crosses a quarter to half of a cell.
 */
#ifndef MAEOTIS_MODEL_CENTRED_H
#define MAEOTIS_MODEL_CENTRED_H

#include "model/momentum/neighbours.h"

/* What the middle of the step has beyond now, the same in all layers of a block of faces. */
typedef struct Middle {
    double flux[SIDES][LANES],
        flux_pair[SIDES][LANES]; /* more of the flux through the two faces of a side [m3 s-1] */
    double rise[SIDES][LANES];   /* half of what is more at the next face than here [m s-1] */
    double smooth[LANES], resolved[LANES];
    double growth[LANES]; /* V_mid / V */
    double lost[LANES];   /* velocity that goes with the water that leaves, beyond that of now [m s-1] */
} Middle;

POINTWISE double least_of_both(const double *field, ptrdiff_t m, ptrdiff_t along) {
    return min_of(field[m], field[m - along]);
}

POINTWISE double velocity_ahead(const Momentum *a, const Faces *f, ptrdiff_t m) {
    return least_of_both(a->smooth, m, f->along) * (0.5 * a->dt * f->quickening[m]);
}

POINTWISE double flux_ahead(const Momentum *a, const Faces *f, ptrdiff_t m) {
    const double faster = f->width[m] * f->depth[m] * (0.5 * a->dt * f->quickening[m]);
    return least_of_both(a->smooth, m, f->along) * (f->gain[m] + faster);
}

/* Where the two faces of a side's flux are, from the face itself; the second one `pair` farther. */
POINTWISE ptrdiff_t side_start(const Momentum *a, int side) {
    return side == BEHIND ? -a->faces.along : side == LEFT ? a->faces.cross : 0;
}

POINTWISE void middle_begin(const Momentum *a, const Neighbours *n, ptrdiff_t first, Middle *o) {
    const ptrdiff_t along = a->faces.along;
    double here[LANES], out[LANES];
    if (!a->centred) return;
    FOR_LANES (l) {
        here[l] = velocity_ahead(a, &a->faces, first + l);
        out[l] = 0.0;
    }
    UNROLLED for (int s = 0; s < SIDES; s++) {
        const Faces *f = s < LEFT ? &a->faces : &a->other;
        const ptrdiff_t start = first + side_start(a, s), pair = start + (s < LEFT ? along : -along);
        const double sign = s % 2 == 0 ? 0.5 : -0.5;
        FOR_LANES (l) {
            o->flux[s][l] = flux_ahead(a, f, start + l);
            o->flux_pair[s][l] = flux_ahead(a, f, pair + l);
            o->rise[s][l] = 0.5 * (velocity_ahead(a, &a->faces, first + l + n->step[s]) - here[l]);
            out[l] += sign * (o->flux[s][l] + o->flux_pair[s][l]);
        }
    }
    const double *area = a->g.area + first, *depth = a->depth + first, *rise = a->rise + first;
    FOR_LANES (l) {
        const double volume = 0.5 * (area[l] * depth[l] + area[l - along] * depth[l - along]);
        const double more = 0.5 * a->pace * (area[l] * rise[l] + area[l - along] * rise[l - along]);
        o->smooth[l] = least_of_both(a->smooth, first + l, along);
        o->resolved[l] = least_of_both(a->resolved, first + l, along);
        const double part = o->smooth[l] * (more - a->dt * out[l]) / max_of(volume, 1e-12);
        o->growth[l] = 1.0 + max_of(-0.1, min_of(part, 0.1));
        o->lost[l] = (1.0 / o->growth[l] - 1.0) * here[l];
    }
}

#endif
