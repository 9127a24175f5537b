/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/diffusion.h"

#include "model/tracers/cells.h"

/* The distance of the centres across the face before a cell. [m] */
POINTWISE double spacing_before(const Diffusion *a, int j) {
    return a->along_x ? a->g.dx_c[j] : 0.5 * (a->g.dy_c[j - 1] + a->g.dy_c[j]);
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

KERNEL_COLUMNS(diffusion_faces, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const double spacing = spacing_before(a, j);
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        FOR_LANES (l) a->through[layer + l] = through_face(a, first + l, layer + l, k, spacing);
    }
}

KERNEL_COLUMNS(diffusion_rows, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *through = a->through + layer;
        FOR_LANES (l) {
            const double both = through[l] + through[l + step];
            a->lower[layer + l] = -through[l];
            a->centre[layer + l] = both > 0 ? volume_of(a, first + l, layer + l) + both : 1.0;
            a->upper[layer + l] = -through[l + step];
        }
    }
}

KERNEL_COLUMNS(diffusion_right, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *c = a->before + layer, *through = a->through + layer;
        FOR_LANES (l)
            a->change[layer + l] =
                through[l + step] * (c[l + step] - c[l]) - through[l] * (c[l] - c[l - step]);
    }
}

/* c' of the cell m of the column p, which differs from those before and behind it by these gaps at the time of the flux. */
POINTWISE double mixed_value(const Diffusion *a, ptrdiff_t p, ptrdiff_t m, ptrdiff_t step, double gap_before,
                             double gap_behind) {
    const double *c = a->before + m, *through = a->through + m;
    const double in = through[step] * gap_behind, out = through[0] * gap_before;
    const double inverse = 1.0 / max_of(volume_of(a, p, m), 1e-300);
    const double largest = max_of(fabs(c[0]), max_of(fabs(c[step]), fabs(c[-step])));
    const double both = through[0] + through[step], size = (1.0 + both * inverse) * largest;
    const double mixed = above_rounding(c[0] + (in - out) * inverse, size);
    return both > 0 ? mixed : c[0];
}

KERNEL_COLUMNS(diffusion_after, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *c = a->before + layer, *d = a->change + layer;
        FOR_LANES (l)
            a->after[layer + l] =
                mixed_value(a, first + l, layer + l, step, (c[l] - c[l - step]) + (d[l] - d[l - step]),
                            (c[l + step] - c[l]) + (d[l + step] - d[l]));
    }
}

KERNEL_COLUMNS(diffusion_at_once, Diffusion) {
    const ptrdiff_t first = AT2(a->g, i0, j), step = a->along_x ? 1 : a->g.row;
    for (int k = lowest_of_block(a, first); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *c = a->before + layer;
        FOR_LANES (l)
            a->after[layer + l] =
                mixed_value(a, first + l, layer + l, step, c[l] - c[l - step], c[l + step] - c[l]);
    }
}
