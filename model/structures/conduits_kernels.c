/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/conduits_kernels.h"

KERNEL_CELLS(conduits_tell, ConduitColumns) {
    ConduitColumn *column = &a->column[i];
    const ptrdiff_t m = column->m;
    (void)j, (void)k;
    if (m < 0) return;
    column->depth = a->depth[m];
    column->level = a->eta[m];
    if (!a->c) return;
    a->mean[i] = 0.0;
    for (int layer = (int)a->g.bottom_c[m]; layer < a->g.n3; layer++)
        a->mean[i] += a->g.phi_c[m + layer * a->g.plane] * a->c[m + layer * a->g.plane];
}

KERNEL_CELLS(conduits_pour, ConduitColumns) {
    const ConduitColumn *column = &a->column[i];
    const ptrdiff_t m = column->m;
    (void)j, (void)k;
    if (m < 0) return;
    const double stays = a->depth[m] - column->out / a->area[m], after = stays + column->in / a->area[m];
    if (!a->c) {
        a->depth[m] = max_of(0.0, after);
        a->eta[m] = a->g.bed[m] + a->depth[m];
        return;
    }
    for (int layer = (int)a->g.bottom_c[m]; layer < a->g.n3 && column->in > 0; layer++) {
        double *c = &a->c[m + layer * a->g.plane];
        *c = (*c * stays + a->mean[i] / a->area[m]) / after;
    }
}
