/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/diffusion.h"

#include "model/tracers/cells.h"

/* The distances of the centres across both faces of a cell along the line. [m] */
POINTWISE void spacings(const Diffusion *a, int j, double *before, double *behind) {
    const double *dy = a->g.dy_c;
    *before = a->along_x ? a->g.dx_c[j] : 0.5 * (dy[j - 1] + dy[j]);
    *behind = a->along_x ? a->g.dx_c[j] : 0.5 * (dy[j] + dy[j + 1]);
}

/* Through the face before the cell m of the column p. */
POINTWISE double through_face(const Diffusion *a, ptrdiff_t p, ptrdiff_t m, int k, double spacing) {
    const GridView *g = &a->g;
    const ptrdiff_t step = a->along_x ? 1 : g->row;
    const double *width = a->along_x ? g->width_u : g->width_v, *phi = a->along_x ? g->phi_u : g->phi_v;
    const double here = g->phi_c[m] * a->depth[p], near = g->phi_c[m - step] * a->depth[p - step];
    const double height = min_of(phi[m] * a->face_depth[p], min_of(here, near));
    const double viscosity =
        a->viscosity ? 0.5 * (max_of(0.0, a->viscosity[m]) + max_of(0.0, a->viscosity[m - step])) : 0.0;
    const double diffusivity = a->diffusivity + a->passed * viscosity;
    const bool water = (a->reach[p] <= k) & (a->reach[p - step] <= k) & (height > 1e-100);
    const double through = a->dt * diffusivity * width[p] * height / spacing;
    return water ? through : 0.0;
}

POINTWISE double volume_of(const Diffusion *a, ptrdiff_t p, ptrdiff_t m) {
    return a->g.area[p] * a->g.phi_c[m] * a->depth[p];
}

/* Below the lowest cell of a block nothing mixes, and nothing is looked up. */
POINTWISE int lowest_of_block(const Diffusion *a, ptrdiff_t first) {
    double lowest = a->g.n3;
    for (int l = 0; l < LANES; l++) lowest = min_of(lowest, a->reach[first + l]);
    return (int)lowest;
}

KERNEL_COLUMNS(diffusion_rows, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    double before, behind;
    spacings(a, j, &before, &behind);
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        FOR_LANES (l) {
            const ptrdiff_t p = first + l, m = layer + l;
            const double lower = through_face(a, p, m, k, before);
            const double upper = through_face(a, p + step, m + step, k, behind);
            a->lower[m] = -lower;
            a->centre[m] = lower + upper > 0 ? volume_of(a, p, m) + (lower + upper) : 1.0;
            a->upper[m] = -upper;
        }
    }
}

KERNEL_COLUMNS(diffusion_right, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *c = a->before + layer, *lower = a->lower + layer, *upper = a->upper + layer;
        FOR_LANES (l)
            a->change[layer + l] = lower[l] * (c[l] - c[l - step]) - upper[l] * (c[l + step] - c[l]);
    }
}

KERNEL_COLUMNS(diffusion_after, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *c = a->before + layer, *d = a->change + layer;
        const double *lower = a->lower + layer, *upper = a->upper + layer;
        FOR_LANES (l) {
            const double in = -upper[l] * ((c[l + step] - c[l]) + (d[l + step] - d[l]));
            const double out = -lower[l] * ((c[l] - c[l - step]) + (d[l] - d[l - step]));
            const double inverse = 1.0 / max_of(volume_of(a, first + l, layer + l), 1e-300);
            const double largest = max_of(fabs(c[l]), max_of(fabs(c[l + step]), fabs(c[l - step])));
            const double size = (1.0 - (lower[l] + upper[l]) * inverse) * largest;
            const double mixed = above_rounding(c[l] + (in - out) * inverse, size);
            a->after[layer + l] = lower[l] + upper[l] < 0 ? mixed : c[l];
        }
    }
}
