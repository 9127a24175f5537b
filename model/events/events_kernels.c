/* SPDX-License-Identifier: Apache-2.0 */
#include "model/events/events_kernels.h"

KERNEL_COLUMNS(watch, Watch) {
    const ptrdiff_t m = AT2(a->g, i0, j);
    double here[LANES] = {0}, water[LANES] = {0};
    for (int k = deepest_layer(a->g.bottom_c + m, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t mk = m + k * a->g.plane;
        double value[LANES] = {0};
        for (int t = 0; t < a->n_terms; t++) {
            const double *c = a->c[t] + mk, factor = a->factor[t];
            FOR_LANES (l) value[l] += factor * c[l];
        }
        FOR_LANES (l) {
            const bool wet = k >= (int)a->g.bottom_c[m + l] && a->depth[m + l] >= a->dry_depth;
            const bool holds = wet && (a->above ? value[l] > a->threshold : value[l] < a->threshold);
            const int layer = a->at_surface ? a->g.n3 - 1 : (int)a->g.bottom_c[m + l];
            water[l] += holds ? a->g.phi_c[mk + l] * a->depth[m + l] : 0.0;
            here[l] = holds && k == layer ? 1.0 : here[l];
        }
    }
    FOR_LANES (l) {
        a->duration[m + l] += a->dt * here[l];
        a->here[m + l] = here[l];
        a->water[m + l] = water[l];
    }
}
