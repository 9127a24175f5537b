/* SPDX-License-Identifier: Apache-2.0
 *
 * The vertical line of a face, from the surface down, without a subtraction, so that it is exact for the
 * thinnest film: with s_k = h_k/dt and c_k = nu/dz between layer k and the one below,
 *
 *     s'_top = s_top,   d_k = s'_k + c_k,   s'_{k-1} = s_{k-1} + (c_k / d_k) s'_k        (right sides
 * likewise)
 *
 * The bed comes last, where the drag Cd |U| u is solved for its own velocity: with s' and r' gathered from
 * the whole column, s' u + Cd |U| u = r' gives |U| = 2R / (s' + sqrt(s'^2 + 4 Cd R)), R = |r'|; the other
 * component enters through R. Never the old |U|: in films that explodes.
 */
#ifndef MAEOTIS_MODEL_VERTICAL_H
#define MAEOTIS_MODEL_VERTICAL_H

#include "model/momentum/momentum.h"

/* Eddy viscosity at height share `above_bed` (0 bed, 1 surface) of water `depth` deep. [m2 s-1] */
POINTWISE double eddy_viscosity(const Momentum *a, double friction, double depth, double above_bed) {
    return a->floor_viscosity + a->parabola * friction * depth * above_bed * (1.0 - above_bed);
}

/* Exchange with the layer below, c = nu / dz; `above_bed` is the height share of the face between. [m s-1] */
POINTWISE double layer_exchange(const Momentum *a, double friction, double depth, double above_bed,
                                double phi, double phi_below) {
    return eddy_viscosity(a, friction, depth, above_bed) / (0.5 * (phi + phi_below) * depth);
}

/* Cd |U| of the lowest layer, for the mass s' and force r' that the column above hands down, beside a drag
 * that is `linear` in the velocity (no slip). [m s-1] */
POINTWISE double bed_friction(double drag, double linear, double mass, double force, double other_velocity) {
    const double total = mass + linear;
    const double across = total * other_velocity;
    const double r = sqrt(force * force + across * across);
    const double speed = 2.0 * r / (total + sqrt(total * total + 4.0 * drag * r));
    return linear + drag * speed;
}

#endif
