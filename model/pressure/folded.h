/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pressure does to w of the topmost layer, and the surface folded into that layer.
 */
#ifndef MAEOTIS_MODEL_FOLDED_H
#define MAEOTIS_MODEL_FOLDED_H

#include "model/pressure/pressure.h"
#include "model/pressure/vertical_inertia.h"

/* g theta^2 dt^2: how far the pressure of a rising surface holds the water below. [m] */
POINTWISE double stiffness(const PressureColumns *a) {
    const double theta_dt = a->theta * a->dt;
    return a->gravity * theta_dt * theta_dt;
}

/* `up` and `link` of vertical_inertia.h. [m-1] */
POINTWISE void push_of_top(const GridView *g, const double *depth, const double *active, ptrdiff_t first,
                           double *up, double *link) {
    const double *phi = g->phi_c + first + (g->n3 - 1) * g->plane, *below = phi - g->plane,
                 topmost = g->n3 - 1;
    FOR_LANES (l) {
        const double inertia = inertia_of(active[first + l]) * max_of(depth[first + l], 1e-12);
        const double shared = g->bottom_c[first + l] < topmost ? SHARED_IN_TOPMOST : SHARED_IN_SINGLE;
        const double pull = 2.0 / max_of(below[l] * inertia, 1e-300);
        up[l] = 1.0 / max_of((0.5 - shared) * phi[l] * inertia, 1e-300);
        link[l] = g->bottom_c[first + l] < topmost ? pull : 0.0;
    }
}

/* The equation of r, A (up + link + 1/stiff) r = A (up + 2 link) p_n - A link p_b + rest, put into those of p_n and p_b:
 * what it adds to their matrix, over A. It is solved for p_n / scale, with the sum of the row of p_b that without
 * neighbours is 0, as preconditioners want it: p_n / scale is 2 p_n, the pressure below the topmost layer, if the step
 * is short, and p_n if it is so long that the surface takes all. */
typedef struct Folded {
    double top[LANES], coupling[LANES],
        below[LANES];                                /* the diagonals, and minus what is between them [m-1] */
    double part_of_top[LANES], part_of_below[LANES]; /* of p_n / scale, and of -p_b, in r */
    double of_rest[LANES];                           /* of rest / A in r [m] */
    double scale[LANES];
} Folded;

POINTWISE void fold(const GridView *g, const double *depth, const double *active, double stiff,
                    ptrdiff_t first, Folded *f) {
    double up[LANES], link[LANES], full[LANES];
    push_of_top(g, depth, active, first, up, link);
    FOR_LANES (l) full[l] = active[first + l] > HYDROSTATIC ? 1.0 : 0.0;
    FOR_LANES (l) {
        const double both = up[l] + 2.0 * link[l], of_rest = stiff / (1.0 + stiff * (link[l] + up[l]));
        const double of_top = of_rest * both, of_below = of_rest * link[l];
        f->coupling[l] = 2.0 * link[l] - both * of_below;
        f->below[l] = link[l] - link[l] * of_below;
        f->part_of_top[l] = of_top;
        f->part_of_below[l] = of_below;
        f->of_rest[l] = of_rest;
        f->top[l] = full[l] > 0 ? up[l] + 4.0 * link[l] - both * of_top : 1.0 / stiff;
    }
    FOR_LANES (l) {
        const double ratio = f->below[l] / max_of(f->coupling[l], 1e-300);
        const double scale = full[l] * link[l] > 0 ? ratio : 1.0;
        f->scale[l] = scale;
        f->coupling[l] *= scale;
        f->part_of_top[l] *= scale;
        f->top[l] *= scale * scale;
    }
}

#endif
