/* SPDX-License-Identifier: Apache-2.0
 *
 * Rayleigh damping: the acceleration -r u in all layers, at the faces of u and v; w is left alone. It stands
 * for drag that is spread over the column, such as that of plants, or for the friction of theory.
 *
 * It is taken at the new time, on the diagonal of the vertical line (vertical.h) and of the implicit scheme
 * (implicit.h): (h/dt + r h) u' = h/dt u + force. Without forces u' = u / (1 + r dt), bounded for any step; a
 * balance of r u with forces does not depend on the step; the response G to the surface is damped alike.
 *
 * H. Stommel, Trans. Am. Geophys. Union 29 (1948) 202-206.
 */
#ifndef MAEOTIS_MODEL_RAYLEIGH_H
#define MAEOTIS_MODEL_RAYLEIGH_H

#include "model/momentum/momentum.h"

/* What it adds to the diagonal of a layer of this thickness. [m s-1] */
POINTWISE double rayleigh_damping(const Momentum *a, double thickness) {
    return a->rayleigh * thickness;
}

#endif
