/* SPDX-License-Identifier: Apache-2.0
 *
 * A limited slope for second-order fluxes that create no new extremes: monotonised central,
 * B. van Leer, J. Comput. Phys. 23 (1977) 276-299.
 */
#ifndef MAEOTIS_NUMERICS_LIMITER_H
#define MAEOTIS_NUMERICS_LIMITER_H

#include "gpu/kernel.h"

/* From the differences to the neighbours on both sides: 0 at an extreme, at most twice the smaller one. */
POINTWISE double limited_slope(double back, double forth) {
    const double centre = 0.5 * fabs(back + forth), least = 2.0 * min_of(fabs(back), fabs(forth));
    const double size = min_of(centre, least), slope = back > 0 ? size : -size;
    return back * forth > 0 ? slope : 0.0;
}

/* The smaller one of the differences to the neighbours on both sides, 0 at an extreme (minmod). */
POINTWISE double least_slope(double back, double forth) {
    const double size = min_of(fabs(back), fabs(forth)), slope = back > 0 ? size : -size;
    return back * forth > 0 ? slope : 0.0;
}

#endif
