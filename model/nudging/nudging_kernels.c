/* SPDX-License-Identifier: Apache-2.0 */
#include "model/nudging/nudging.h"

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

KERNEL_CELLS(nudge_faces, NudgedFaces) {
    const Faces *faces = &a->faces;
    const ptrdiff_t m = a->column[i];
    const int n3 = a->g.n3;
    const double depth = faces->depth[m], section = faces->width[m] * faces->theta[m] * depth;
    double gain = 0, response = 0, left = 0;
    (void)j, (void)k;
    if (depth <= 0) return;
    for (int layer = (int)faces->bottom[m]; layer < n3; layer++) {
        const ptrdiff_t mk = m + layer * a->g.plane, n = (ptrdiff_t)i * n3 + layer;
        const double drawn = a->rate[n] * a->dt, kept = 1 / (1 + drawn), share = faces->phi[mk];
        const double change = (a->given[n] - faces->predicted[mk]) * (drawn * kept);
        gain += share * change;
        response += share * faces->response[mk];
        left += share * faces->response[mk] * kept;
        faces->predicted[mk] += change;
        faces->response[mk] *= kept;
    }
    faces->flux_predicted[m] += section * gain;
    if (response > 0) faces->conductance[m] *= left / response;
}
