/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/forcing_kernels.h"

KERNEL_CELLS(sample_fill, SampleFill) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    a->to[m] = sample_at(&a->from, m, i, j);
}

KERNEL_CELLS(wind_fill_stress, WindFill) {
    const ptrdiff_t m = j * a->row + i;
    double x, y;
    (void)k;
    wind_stress_of(&a->wind, m, i, j, &x, &y);
    const double *part = a->drag_factor;
    const double factor = part ? 0.5 * (part[m - (a->along_x ? 1 : a->row)] + part[m]) : 1.0;
    a->to[m] = factor * (a->along_x ? x : y);
}

KERNEL_CELLS(wind_fill_speed, WindFill) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    a->to[m] = wind_speed_of(&a->wind, m, i, j);
}

KERNEL_CELLS(stress_fill, StressFill) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    a->to[m] = a->ramp * (a->from ? a->from[m] : a->constant);
}
