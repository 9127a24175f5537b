/* SPDX-License-Identifier: Apache-2.0
 *
 * Advection of momentum where the ground inside cells makes channels narrower than they are (model/subgrid): a channel oblique to
 * the grid turns from face to face. Water that enters the velocity cell of face i from the side of face n has n's velocity only as
 * far as it came through n; the rest turned on its way, past n, which it did not touch and which may have hardly any water, and
 * its velocity is taken for that of i. So a side through which water enters brings
 *
 *     w F_in (u^ - u),    w = min(1, 2 max(S_n / S_i, |F_n| / |F_i|))
 *
 * with S the section and F the flux of a face: all of it where the next face is at least half as large or passes half as much (in wide
 * water, along a channel, through its narrows), nothing where ground closes it. With w = S_n / S_i already where depth changes from cell
 * to cell, and for what leaves, advection in wide water would be of first order. Like a dry donor in advection.h, of which this is the rest.
 */
#ifndef MAEOTIS_MODEL_TURNING_H
#define MAEOTIS_MODEL_TURNING_H

#include "model/momentum/centred.h"

/* F; of the middle of the step with order 2. [m3 s-1] */
POINTWISE double turning_flux(const Momentum *a, ptrdiff_t m, ptrdiff_t mk) {
    const Faces *f = &a->faces;
    return f->flux[mk] + (a->centred ? f->phi[mk] * flux_ahead(a, f, m) : 0.0);
}

/* w of the side towards the face `step` away, of lane l of a block; 1 where the ground of the face is even, or nothing enters. */
POINTWISE double turning_weight(const Momentum *a, ptrdiff_t first, ptrdiff_t layer, ptrdiff_t step,
                                bool enters, int l) {
    const Faces *f = &a->faces;
    const ptrdiff_t m = first + l, mk = layer + l;
    if (!enters || !f->uneven || !(f->uneven[m] > 0)) return 1.0;
    const double section = f->width[m + step] * f->depth[m + step];
    const double own_section = f->width[m] * f->depth[m];
    const double flux = fabs(turning_flux(a, m + step, mk + step)), own_flux = fabs(turning_flux(a, m, mk));
    const double wide = section < own_section ? section / own_section : 1.0;
    const double passes = flux < own_flux ? flux / own_flux : 1.0;
    return min_of(1.0, 2.0 * max_of(wide, own_flux > 0 ? passes : 0.0));
}

#endif
