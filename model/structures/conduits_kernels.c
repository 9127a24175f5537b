/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/conduits_kernels.h"

KERNEL_CELLS(conduits_tell, ConduitColumns) {
    ConduitColumn *column = &a->column[i];
    (void)j, (void)k;
    if (column->m < 0) return;
    column->depth = a->depth[column->m];
    column->level = a->eta[column->m];
    column->wet =
        a->ground.node ? max_of(0.01, hypsometry_at_depth(&a->ground, column->m, column->depth).share) : 1.0;
}

KERNEL_CELLS(conduits_begin, ConduitColumns) {
    ConduitColumn *column = &a->column[i];
    (void)j, (void)k;
    if (column->m >= 0) column->other = a->source[column->m];
}

KERNEL_CELLS(conduits_tell_tracer, ConduitColumns) {
    const ptrdiff_t m = a->column[i].m;
    (void)j, (void)k;
    if (m < 0) return;
    a->mean[i] = 0.0;
    for (int layer = (int)a->g.bottom_c[m]; layer < a->g.n3; layer++)
        a->mean[i] += a->g.phi_c[m + layer * a->g.plane] * a->c[m + layer * a->g.plane];
}

KERNEL_CELLS(conduits_draw, ConduitColumns) {
    const ConduitColumn *column = &a->column[i];
    (void)j, (void)k;
    if (column->m >= 0) a->source[column->m] = column->other + (column->in - column->out) / a->dt;
}

KERNEL_CELLS(conduits_pour_tracer, ConduitColumns) {
    const ConduitColumn *column = &a->column[i];
    const ptrdiff_t m = column->m;
    (void)j, (void)k;
    if (m < 0) return;
    const double stays = a->depth[m] - column->out / a->area[m], after = stays + column->in / a->area[m];
    for (int layer = (int)a->g.bottom_c[m]; layer < a->g.n3 && column->in > 0; layer++) {
        double *c = &a->c[m + layer * a->g.plane];
        *c = (*c * stays + a->mean[i] / a->area[m]) / after;
    }
}

KERNEL_CELLS(conduits_pour_water, ConduitColumns) {
    const ConduitColumn *column = &a->column[i];
    const ptrdiff_t m = column->m;
    (void)j, (void)k;
    if (m < 0) return;
    const double stays = a->depth[m] - column->out / a->area[m];
    a->depth[m] = max_of(0.0, stays + column->in / a->area[m]);
    a->source[m] = column->other;
}
