/* SPDX-License-Identifier: Apache-2.0
 *
 * Rayleigh damping: the acceleration -r u in all layers, at the faces of u and v; w is left alone. It stands
 * for drag that is spread over the column, or for the friction of theory.
 *
 * It is taken at the new time, on the diagonal (brakes.h): (h/dt + r h) u' = h/dt u + force. Without forces
 * u' = u / (1 + r dt), bounded for any step; a balance of r u with forces does not depend on the step; the
 * response G to the surface is damped alike.
 *
 * H. Stommel, Trans. Am. Geophys. Union 29 (1948) 202-206.
 */
#ifndef MAEOTIS_MODEL_RAYLEIGH_H
#define MAEOTIS_MODEL_RAYLEIGH_H

#include "gpu/kernel.h"

/* r [s-1] is added to `rate`. */
POINTWISE void rayleigh_brake(double r, double *rate) {
    FOR_LANES (l) rate[l] += r;
}

#endif
