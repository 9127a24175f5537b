/* SPDX-License-Identifier: Apache-2.0
 *
 * The inertia of w, and what a pressure does to it. In a layer of thickness h whose lower and upper face have w_a and
 * w_b the kinetic energy is, per area and density,
 *
 *     h/2 ((1/2 - c) (w_a^2 + w_b^2) + 2 c w_a w_b)
 *
 * c = 0: half of the layer goes with each face; 1/6: w is linear; 1/4: the layer goes with the mean of its faces. It
 * decides how fast short waves are on few layers: most of the vertical motion is in the topmost one. With c = 1/4
 * there and 0 below, waves are within 0.4 % of the speed of sqrt(g tanh(k H) / k) up to k H = 4 on two layers and
 * within 0.7 % up to 4 on any number; with c = 0 in all layers two are 16 and three 9 % too slow at k H = 4.
 * Internal waves, for which w is 0 at the surface, have less inertia at the uppermost interface, which they want too.
 * A single layer has c = 1/5: 0.5 % up to k H = 1.5, -3 % at 2.
 *
 * So w_n of the surface and w_b of the interface below it, at the upper face of a layer of thickness h', obey
 *
 *     (w_n + w_b)_t = up (p_n - r),     w_b,t = link (p_b - (2 p_n - r)),     up = 4 / h, link = 2 / h'
 *
 * with r the pressure at the surface: it is linear in the topmost layer, 2 p_n - r at the lower face. The interfaces
 * below go with half of either layer. Under a single layer w_b = 0: link = 0 and up = 1 / (0.3 h).
 */
#ifndef MAEOTIS_MODEL_VERTICAL_INERTIA_H
#define MAEOTIS_MODEL_VERTICAL_INERTIA_H

#include "numerics/grid/grid.h"

#define SHARED_IN_TOPMOST 0.25
#define SHARED_IN_SINGLE  0.2

/* c of layer k of column m. */
POINTWISE double shared_part(const GridView *g, ptrdiff_t m, int k) {
    const double of_top = g->bottom_c[m] < g->n3 - 1 ? SHARED_IN_TOPMOST : SHARED_IN_SINGLE;
    return k == g->n3 - 1 ? of_top : 0.0;
}

/* Mass that goes with the upper face of layer k alone, in parts of the depth. No layer is above the topmost. */
POINTWISE double inertia_of_face(const GridView *g, ptrdiff_t m, int k) {
    const double *phi = g->phi_c + m + k * g->plane;
    return (0.5 - shared_part(g, m, k)) * phi[0] + (0.5 - shared_part(g, m, k + 1)) * phi[g->plane];
}

/* The same that couples the faces of layer k; 0 at the bed. */
POINTWISE double inertia_coupling(const GridView *g, ptrdiff_t m, int k) {
    return g->bottom_c[m] < k ? shared_part(g, m, k) * g->phi_c[m + k * g->plane] : 0.0;
}

#endif
