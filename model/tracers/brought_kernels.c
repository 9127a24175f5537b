/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/brought.h"

POINTWISE double value_leaving(const Transport *a, const Carried *t, ptrdiff_t m) {
    return a->out && a->out[m] < 0 ? t->left[m] : t->c[m];
}

KERNEL_CELLS(brought_by_sources, BroughtParts) {
    const Transport *t = &a->transport;
    const ptrdiff_t column = a->column[i];
    const double out = t->source_in[column] - t->source[column];
    const int bottom = (int)t->g.bottom_c[column];
    (void)j, (void)k;
    for (int n = 0; n < t->count; n++) {
        const Carried *tracer = &t->tracer[n];
        double *part = a->part + ((ptrdiff_t)n * a->count + i) * t->g.n3 * 2;
        for (int layer = 0; layer < t->g.n3; layer++) {
            const ptrdiff_t m = column + layer * t->g.plane;
            const double in =
                tracer->load[column] + (t->source_in[column] - tracer->carried[column]) * tracer->c[m];
            part[2 * layer] = layer < bottom ? 0 : t->g.phi_c[m] * in;
            part[2 * layer + 1] = layer < bottom ? 0 : -t->g.phi_c[m] * (out * value_leaving(t, tracer, m));
        }
    }
}

KERNEL_CELLS(brought_through_faces, BroughtParts) {
    const Transport *t = &a->transport;
    const OpenFace *f = &a->face[i];
    const double *flux = f->along_x ? t->flux_u : t->flux_v;
    (void)j, (void)k;
    for (int n = 0; n < t->count; n++) {
        const Carried *tracer = &t->tracer[n];
        double *part = a->part + ((ptrdiff_t)n * a->count + i) * t->g.n3;
        for (int layer = 0; layer < t->g.n3; layer++) {
            const ptrdiff_t up = layer * t->g.plane;
            const double inflow = f->inwards * flux[f->face + up];
            const double value =
                inflow > 0 ? tracer->c[f->ghost + up] : value_leaving(t, tracer, f->inside + up);
            part[layer] = inflow != 0 ? inflow * value : 0;
        }
    }
}
