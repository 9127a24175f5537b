/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAEOTIS_MODEL_STRESS_KERNELS_H
#define MAEOTIS_MODEL_STRESS_KERNELS_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* to = ramp * from at the faces; `from` NULL: the same `constant` everywhere. */
typedef struct StressFill {
    ptrdiff_t row;
    double ramp;
    const double *from;
    double constant;
    double *to;
} StressFill;
void stress_fill(Exec exec, RunList faces, StressFill args);

#ifdef __cplusplus
}
#endif
#endif
