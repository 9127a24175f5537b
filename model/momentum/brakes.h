/* SPDX-License-Identifier: Apache-2.0
 *
 * What brakes a layer in proportion to its new velocity u', all of it: the acceleration
 *
 *     -rate u' + push        rate [s-1], push [m s-2]
 *
 * of each brake stands on the diagonal of the vertical line (vertical.h) and of the implicit scheme (implicit.h). Brakes are
 * found from the velocity before the step. A new one is a header with its equation and its function, a member of
 * Brakes, its line in brakes_find, and its values in brake_values.c; no kernel changes.
 */
#ifndef MAEOTIS_MODEL_BRAKES_H
#define MAEOTIS_MODEL_BRAKES_H

#include "model/momentum/flanks.h"
#include "model/momentum/rayleigh.h"
#include "model/momentum/vegetation.h"

typedef struct Brakes {
    double rayleigh; /* r [s-1] */
    Vegetation vegetation;
    Flanks flanks;
} Brakes;

/* Is there none but Rayleigh damping, which needs nothing of the layer? */
POINTWISE bool brakes_are_plain(const Brakes *b) {
    return !b->vegetation.density && !b->flanks.part;
}

/* The same for the compiler to know. */
POINTWISE Brakes brakes_plain(const Brakes *b) {
    Brakes plain = *b;
    plain.vegetation.density = NULL;
    plain.flanks.part = NULL;
    return plain;
}

/* `layer` may be NULL where they are plain. */
POINTWISE void brakes_find(const Brakes *b, const BrakedLayer *layer, double *rate, double *push) {
    FOR_LANES (l) rate[l] = push[l] = 0.0;
    rayleigh_brake(b->rayleigh, rate);
    if (b->vegetation.density) vegetation_brake(&b->vegetation, layer, rate, push);
    if (b->flanks.part) flanks_brake(&b->flanks, layer, rate, push);
}

#endif
