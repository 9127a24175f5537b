/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/along_faces.h"

/* r of along_edge.h in a layer. [s-1] */
POINTWISE double entering_rate(const AlongFlow *a, const AlongFace *f, const Faces *faces,
                               const Faces *across, int layer) {
    const ptrdiff_t up = layer * a->g.plane;
    const double enters = 0.5 * f->inwards * (across->flux[f->open[0] + up] + across->flux[f->open[1] + up]);
    double volume = 1e-12, viscosity = 0;
    if (!(enters > 0)) return 0;
    for (int n = 0; n < 2; n++) {
        const ptrdiff_t cell = f->cell[n];
        volume += 0.5 * a->g.area[cell] * a->depth[cell] * a->g.phi_c[cell + up];
        viscosity += 0.5 * (a->viscosity_c ? max_of(0.0, a->viscosity_c[cell + up]) : a->viscosity);
    }
    const double spacing = faces->cross_spacing[f->j];
    return a->carried * enters / volume + 2 * viscosity / (spacing * spacing);
}

KERNEL_CELLS(along_faces_enter, AlongFlow) {
    const AlongFace *f = &a->face[i];
    const Faces *faces = f->along_x ? &a->u : &a->v, *across = f->along_x ? &a->v : &a->u;
    const double *given = a->given + (ptrdiff_t)i * a->g.n3;
    const double depth = faces->depth[f->m], section = faces->width[f->m] * faces->theta[f->m] * depth;
    double mean = 0, gain = 0, response = 0, left = 0;
    (void)j, (void)k;
    if (depth <= 0) return;
    for (int layer = (int)faces->bottom[f->m]; layer < a->g.n3; layer++) {
        const ptrdiff_t mk = f->m + layer * a->g.plane;
        mean += faces->phi[mk] * faces->predicted[mk];
    }
    for (int layer = (int)faces->bottom[f->m]; layer < a->g.n3; layer++) {
        const ptrdiff_t mk = f->m + layer * a->g.plane;
        const double drawn = entering_rate(a, f, faces, across, layer) * a->dt, kept = 1 / (1 + drawn);
        const double now = f->layered ? faces->predicted[mk] : mean, share = faces->phi[mk];
        const double change = (given[layer] - now) * (drawn * kept);
        gain += share * change;
        response += share * faces->response[mk];
        left += share * faces->response[mk] * kept;
        faces->predicted[mk] += change;
        faces->response[mk] *= kept;
    }
    faces->flux_predicted[f->m] += section * gain;
    if (response > 0) faces->conductance[f->m] *= left / response;
}
