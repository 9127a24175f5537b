/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/viscous_stages.h"

#include "gpu/measure.h"
#include "model/momentum/viscosity.h"

KERNEL_COLUMNS(viscous_stage, ViscousStage) {
    const Momentum *m = &a->momentum;
    const ptrdiff_t first = AT2(m->g, i0, j);
    double lowest[LANES], change[LANES];
    Neighbours n;
    neighbours_find(m, first, &n);
    for (int l = 0; l < LANES; l++) lowest[l] = on_boundary(m, i0 + l, j) ? (double)m->g.n3 : n.lowest[l];
    for (int k = deepest_layer(m->faces.bottom + first, m->g.n3); k < m->g.n3; k++) {
        const Place at = {&n, first, first + k * m->g.plane, j, k};
        const double *now = a->now + at.layer;
        double *next = a->next + at.layer;
        PREFETCH(now + 2 * LANES);
        PREFETCH(now + 2 * LANES + m->g.row);
        PREFETCH(now + 2 * LANES - m->g.row);
        PREFETCH(next + 2 * LANES);
        horizontal_viscosity(m, &at, now, change);
        FOR_LANES (l) {
            const double found = stage_value(a->weights, now[l], next[l], change[l]);
            next[l] = lowest[l] <= k ? found : now[l];
        }
    }
}

KERNEL_COLUMNS(viscous_sums, ViscousSums) {
    const Momentum *m = &a->momentum;
    const ptrdiff_t first = AT2(m->g, i0, j);
    double most[LANES] = {0}, weight[LANES], gain[LANES], sum[LANES];
    Neighbours n;
    neighbours_find(m, first, &n);
    for (int k = deepest_layer(m->faces.bottom + first, m->g.n3); k < m->g.n3; k++) {
        FOR_LANES (l) sum[l] = 0.0;
        UNROLLED for (int s = 0; s < SIDES; s++) {
            viscous_weights(m, &n, first, j, k, s, weight, gain);
            FOR_LANES (l) sum[l] += weight[l];
        }
        FOR_LANES (l) most[l] = n.lowest[l] <= k ? max_of(most[l], sum[l]) : most[l];
    }
    FOR_LANES (l) a->sum[first + l] = most[l];
}

MAX_CELLS(viscous_most, ViscousMost, 1) {
    (void)k;
    most[0] = max_of(a->sum[j * a->row + i], most[0]);
}
