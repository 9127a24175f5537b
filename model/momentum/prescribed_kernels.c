/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/prescribed.h"

KERNEL_CELLS(prescribed_faces, PrescribedFaces) {
    const Faces *f = &a->faces;
    const ptrdiff_t m = AT2(a->g, i, j);
    const double flux = f->depth[m] > 0 ? a->factor * a->total[m] : 0;
    const double velocity = f->depth[m] > 0 ? flux / (f->width[m] * f->depth[m]) : 0;
    f->flux_total[m] = flux;
    f->fastest[m] = fabs(velocity);
    f->excess[m] = fabs(velocity) < HUGE_VAL ? 0 : 1;
    for (int layer = k + (int)f->bottom[m]; layer < a->g.n3; layer++) {
        const ptrdiff_t mk = m + layer * a->g.plane;
        f->flux[mk] = f->phi[mk] * flux;
        f->velocity[mk] = velocity;
    }
}
