/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/stress_kernels.h"

KERNEL_CELLS(stress_fill, StressFill) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    a->to[m] = a->ramp * (a->from ? a->from[m] : a->constant);
}
