/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/nudging.h"

KERNEL_CELLS(nudge_columns, Nudged) {
    const ptrdiff_t m = a->column[i];
    const int n3 = a->g.n3;
    double gain = 0;
    (void)j, (void)k;
    for (int layer = (int)a->g.bottom_c[m]; layer < n3; layer++) {
        const ptrdiff_t mk = m + layer * a->g.plane, n = (ptrdiff_t)i * n3 + layer;
        const double drawn = a->rate[n] * a->dt, before = a->c[mk];
        const double after = before + (a->given[n] - before) * (drawn / (1 + drawn));
        gain += a->g.phi_c[mk] * (after - before);
        a->c[mk] = after;
    }
    a->gain[i] = a->area[m] * a->depth[m] * gain;
}
