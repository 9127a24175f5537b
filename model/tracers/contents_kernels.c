/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/transport.h"

#include "gpu/measure.h"

KERNEL_COLUMNS(tracer_contents, Contents) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double deepest = a->g.n3, sum[LANES] = {0}, least[LANES], most[LANES];
    for (int l = 0; l < LANES; l++) {
        deepest = min_of(deepest, a->g.bottom_c[first + l]);
        least[l] = HUGE_VAL;
        most[l] = -HUGE_VAL;
    }
    for (int k = (int)deepest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * a->g.plane;
            const bool here = (a->g.bottom_c[first + l] <= k) & (a->depth[first + l] > 0);
            const double c = a->c[m];
            sum[l] += a->g.phi_c[m] * c;
            least[l] = here ? min_of(least[l], c) : least[l];
            most[l] = here ? max_of(most[l], c) : most[l];
        }
    FOR_LANES (l) {
        a->mean[first + l] = a->depth[first + l] * sum[l];
        a->least[first + l] = least[l];
        a->most[first + l] = most[l];
    }
}

MAX_CELLS(tracer_bounds, TracerBounds, 2) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    most[0] = max_of(-a->least[m], most[0]);
    most[1] = max_of(a->most[m], most[1]);
}
