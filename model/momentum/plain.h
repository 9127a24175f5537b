/* SPDX-License-Identifier: Apache-2.0
 *
 * Momentum without what most seas do not have: momentum_predict_plain, momentum_predict_pressed for those with
 * non-hydrostatic pressure, and momentum_predict_uneven for those with ground inside cells. The compiler leaves out what is
 * missing there, and with it the places where numbers of all lanes go to memory, since a branch lies between: a block takes
 * a seventh less time. A term that costs a branch in each layer and that few seas have belongs in this list.
 */
#ifndef MAEOTIS_MODEL_PLAIN_H
#define MAEOTIS_MODEL_PLAIN_H

#include "model/momentum/momentum.h"

/* OF(field), all of them pointers: of the implicit scheme, waves, compact advection, cut walls, and viscosity of the flow.
 * Nor are smooth flow of second order in the step and brakes other than Rayleigh damping. */
#define MOMENTUM_OPTIONS(OF)                                                                                 \
    OF(faces.push)                                                                                           \
    OF(faces.braking)                                                                                        \
    OF(faces.stokes)                                                                                         \
    OF(faces.stokes_rise)                                                                                    \
    OF(other.stokes)                                                                                         \
    OF(faces.carried)                                                                                        \
    OF(faces.advective)                                                                                      \
    OF(faces.outer)                                                                                          \
    OF(faces.past)                                                                                           \
    OF(faces.coast)                                                                                          \
    OF(viscosity_c)

/* Of ground inside cells, of non-hydrostatic pressure: all of them or none. */
#define MOMENTUM_UNEVEN(OF)                                                                                  \
    OF(faces.uneven)                                                                                         \
    OF(faces.closeness)                                                                                      \
    OF(faces.lift)                                                                                           \
    OF(faces.thick)
#define MOMENTUM_PRESSED(OF)                                                                                 \
    OF(faces.acceleration)                                                                                   \
    OF(faces.carrying)                                                                                       \
    OF(faces.advected)

#define IS_THERE_(field)   &&a->field
#define IS_MISSING_(field) &&!a->field
#define LEAVE_OUT_(field)  plain.field = NULL;

static inline bool has_no_options(const Momentum *a) {
    return !a->centred && brakes_are_plain(&a->brakes) MOMENTUM_OPTIONS(IS_MISSING_);
}
static inline bool is_plain(const Momentum *a) {
    return has_no_options(a) MOMENTUM_PRESSED(IS_MISSING_) MOMENTUM_UNEVEN(IS_MISSING_);
}
static inline bool is_pressed(const Momentum *a) {
    return has_no_options(a) MOMENTUM_PRESSED(IS_THERE_) MOMENTUM_UNEVEN(IS_MISSING_);
}
static inline bool is_uneven(const Momentum *a) {
    return has_no_options(a) MOMENTUM_PRESSED(IS_MISSING_) MOMENTUM_UNEVEN(IS_THERE_);
}

POINTWISE Momentum without_options(const Momentum *a, bool curved, bool pressed, bool uneven) {
    Momentum plain = *a;
    plain.centred = false;
    plain.curved = curved; /* known to the compiler */
    plain.brakes = brakes_plain(&a->brakes);
    MOMENTUM_OPTIONS(LEAVE_OUT_)
    if (!pressed) { MOMENTUM_PRESSED(LEAVE_OUT_) }
    if (!uneven) { MOMENTUM_UNEVEN(LEAVE_OUT_) }
    return plain;
}

#undef IS_THERE_
#undef IS_MISSING_
#undef LEAVE_OUT_

#endif
