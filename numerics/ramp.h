/* SPDX-License-Identifier: Apache-2.0
 *
 * A linear transition between two cases.
 */
#ifndef MAEOTIS_NUMERICS_RAMP_H
#define MAEOTIS_NUMERICS_RAMP_H

#include "gpu/kernel.h"

/* 0 up to `from`, 1 from `to` on; where both are constants, without a division. */
POINTWISE double ramp(double at, double from, double to) {
    return max_of(0.0, min_of((at - from) * (1.0 / (to - from)), 1.0));
}

#endif
