/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/diffusion.h"

/* What faces between cells exchange in a step per unit of difference, E. [m3] */
typedef struct Exchange {
    double before[LANES], behind[LANES];
} Exchange;

/* The distances of the centres across both faces of a cell along the line. [m] */
POINTWISE void spacings(const Diffusion *a, int j, double *before, double *behind) {
    const double *dy = a->g.dy_c;
    *before = a->along_x ? a->g.dx_c[j] : 0.5 * (dy[j - 1] + dy[j]);
    *behind = a->along_x ? a->g.dx_c[j] : 0.5 * (dy[j] + dy[j + 1]);
}

/* Through the face before the cell m of the column p. */
POINTWISE double through_face(const Diffusion *a, ptrdiff_t p, ptrdiff_t m, int k, double spacing) {
    const Grid *g = &a->g;
    const ptrdiff_t step = a->along_x ? 1 : g->row;
    const double *width = a->along_x ? g->width_u : g->width_v, *phi = a->along_x ? g->phi_u : g->phi_v;
    const double here = g->phi_c[m] * a->depth[p], near = g->phi_c[m - step] * a->depth[p - step];
    const double height = min_of(phi[m] * a->face_depth[p], min_of(here, near));
    const bool water = (a->reach[p] <= k) & (a->reach[p - step] <= k) & (height > 1e-100);
    return water ? a->dt * a->diffusivity * width[p] * height / spacing : 0.0;
}

POINTWISE void exchanges(const Diffusion *a, ptrdiff_t first, int j, int k, Exchange *e) {
    const ptrdiff_t step = a->along_x ? 1 : a->g.row, layer = first + k * a->g.plane;
    double before, behind;
    spacings(a, j, &before, &behind);
    FOR_LANES (l) {
        e->before[l] = through_face(a, first + l, layer + l, k, before);
        e->behind[l] = through_face(a, first + l + step, layer + l + step, k, behind);
    }
}

POINTWISE double volume_of(const Diffusion *a, ptrdiff_t p, ptrdiff_t m) {
    return a->g.area[p] * a->g.phi_c[m] * a->depth[p];
}

KERNEL_COLUMNS(diffusion_rows, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = 0; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        Exchange e;
        exchanges(a, first, j, k, &e);
        FOR_LANES (l) {
            const double both = e.before[l] + e.behind[l];
            a->lower[layer + l] = -e.before[l];
            a->centre[layer + l] = both > 0 ? volume_of(a, first + l, layer + l) + both : 1.0;
            a->upper[layer + l] = -e.behind[l];
        }
    }
}

KERNEL_COLUMNS(diffusion_right, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = 0; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *c = a->before + layer;
        Exchange e;
        exchanges(a, first, j, k, &e);
        FOR_LANES (l) {
            const double in = e.behind[l] * (c[l + step] - c[l]), out = e.before[l] * (c[l] - c[l - step]);
            a->change[layer + l] = in - out;
        }
    }
}

KERNEL_COLUMNS(diffusion_after, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = 0; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *c = a->before + layer, *d = a->change + layer;
        Exchange e;
        exchanges(a, first, j, k, &e);
        FOR_LANES (l) {
            const double in = e.behind[l] * ((c[l + step] - c[l]) + (d[l + step] - d[l]));
            const double out = e.before[l] * ((c[l] - c[l - step]) + (d[l] - d[l - step]));
            const double mixed = c[l] + (in - out) / max_of(volume_of(a, first + l, layer + l), 1e-300);
            a->after[layer + l] = e.before[l] + e.behind[l] > 0 ? mixed : c[l];
        }
    }
}
