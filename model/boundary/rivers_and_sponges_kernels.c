/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/rivers_and_sponges.h"

/* What can be drawn from a column in a step [m3 s-1]. Nothing from a film: by parts of what is left, step by step, its depth would
 * underflow. */
POINTWISE double drawable(double area, double depth, double dt) {
    return depth < 1e-100 ? 0 : area * depth / dt * (1 - 1e-12);
}

KERNEL_CELLS(mouths_pour, Mouths) {
    Mouth *mouth = &a->mouth[i];
    const ptrdiff_t m = mouth->column;
    const double held = drawable(a->area[m], a->depth[m], a->dt);
    (void)j, (void)k;
    mouth->source = mouth->discharge < -held ? -held : mouth->discharge; /* no number stays none */
    a->source[m] = mouth->source;
    a->source_in[m] = mouth->in;
}

KERNEL_CELLS(mouths_load, MouthLoads) {
    const ptrdiff_t m = a->mouth[i].column;
    (void)j, (void)k;
    a->load[m] = a->brought[i].load;
    a->carried[m] = a->brought[i].carried;
}

KERNEL_CELLS(sponge_cells, SpongeSoak) {
    const SpongeCell *c = &a->cell[i];
    const double area = a->area[c->m], held = drawable(area, a->depth[c->m], a->dt);
    const double drawn = area * c->rate / (1 + c->rate * a->dt) * (a->aim[c->target].eta - a->eta[c->m]);
    const double flow = a->depth[c->m] <= 0 ? 0 : drawn < -held ? -held : drawn; /* no number stays none */
    (void)j, (void)k;
    a->flow[i] = flow;
    a->source[c->m] = flow;
    a->source_in[c->m] = flow > 0 ? flow : 0;
}

KERNEL_CELLS(sponge_faces, SpongeBrake) {
    const SpongeFace *face = &a->face[i];
    const Faces *faces = &a->faces;
    const ptrdiff_t m = face->m;
    const double depth = faces->depth[m], width = faces->width[m], theta = faces->theta[m];
    const double kept = 1 / (1 + face->rate * a->dt);
    const double drawn = (1 - kept) * face->inwards * a->aim[face->target].velocity;
    (void)j, (void)k;
    if (depth <= 0) return;
    double mean = 0;
    for (int layer = (int)faces->bottom[m]; layer < a->n3; layer++) {
        const ptrdiff_t mk = m + layer * a->plane;
        mean += faces->phi[mk] * faces->predicted[mk];
        faces->predicted[mk] = kept * faces->predicted[mk] + drawn;
        faces->response[mk] *= kept;
    }
    faces->flux_predicted[m] += width * theta * depth * ((kept - 1) * mean + drawn);
    faces->conductance[m] *= kept;
}
