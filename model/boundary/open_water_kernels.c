/* SPDX-License-Identifier: Apache-2.0
 *
 * The water outside as the baroclinic pressure gradient of an open face feels it (open_faces.h). What given values of
 * temperature and salinity change is a difference to the column inside, layer by layer: where they equal those inside
 * nothing moves, to the last bit.
 */
#include "model/boundary/open_faces.h"

POINTWISE double outer_value(const FaceTracer *outside, ptrdiff_t layer, double inside) {
    if (!outside || !outside->given) return inside;
    return outside->by_layer ? outside->by_layer[layer] : outside->value;
}

/* At a depth below the level whose pressure is that of the surface. [kg m-3] */
POINTWISE double density_there(const DensityColumns *in, double temperature, double salinity, double depth) {
    return in->compression > 0 ? density_at_depth(in->equation, temperature, salinity, depth, in->compression)
                               : density_of_water(in->equation, in->linear, temperature, salinity);
}

/* By how much the water outside is heavier, layer by layer. [kg m-3] */
POINTWISE void find_excess(const Mirrored *a, const OpenFace *f, ptrdiff_t i, int bottom, double *excess) {
    const DensityColumns *in = &a->inside;
    double above = 0;
    for (int layer = in->g.n3 - 1; layer >= bottom; layer--) {
        const ptrdiff_t m = f->inside + layer * in->g.plane;
        const double share = in->g.phi_c[m];
        const double z = in->eta[f->inside] - (above + 0.5 * share) * in->depth[f->inside];
        const double t = in->temperature ? in->temperature[m] : in->linear.temperature_0;
        const double s = in->salinity ? in->salinity[m] : in->linear.salinity_0;
        const double outer_t = outer_value(a->temperature ? &a->temperature[i] : NULL, layer, t);
        const double outer_s = outer_value(a->salinity ? &a->salinity[i] : NULL, layer, s);
        const double depth = in->level - z;
        excess[layer] = density_there(in, outer_t, outer_s, depth) - density_there(in, t, s, depth);
        above += share;
    }
}

/* The pressure of that, by the rule of density_columns; at the surface it is `at_surface`. [m2 s-2] */
POINTWISE void weigh_excess(const Mirrored *a, const OpenFace *f, int bottom, const double *excess,
                            double *pressure, double *at_surface) {
    const GridView *g = &a->inside.g;
    const double weight = a->inside.gravity / a->inside.reference * a->inside.depth[f->ghost];
    const int top = g->n3 - 1;
    const double *phi = g->phi_c + f->inside;
    const double half = 0.5 * phi[top * g->plane];
    *at_surface = excess[top];
    if (bottom < top)
        *at_surface += (excess[top] - excess[top - 1]) / (half + 0.5 * phi[(top - 1) * g->plane]) * half;
    pressure[top] = 0.5 * weight * half * (*at_surface + excess[top]);
    for (int layer = top - 1; layer >= bottom; layer--) {
        const double share = 0.5 * (phi[layer * g->plane] + phi[(layer + 1) * g->plane]);
        pressure[layer] = pressure[layer + 1] + 0.5 * weight * share * (excess[layer] + excess[layer + 1]);
    }
}

/* Levels that waves carry out follow the level inside, whatever the water outside weighs: there its mean does not push. */
POINTWISE void remove_mean_pressure(const Mirrored *a, const OpenFace *f, int bottom, double *pressure) {
    const GridView *g = &a->inside.g;
    double mean = 0;
    for (int layer = bottom; layer < g->n3; layer++)
        mean += g->phi_c[f->inside + layer * g->plane] * pressure[layer];
    for (int layer = bottom; layer < g->n3; layer++) pressure[layer] -= mean;
}

KERNEL_CELLS(open_faces_mirror, Mirrored) {
    const OpenFace *f = &a->face[i];
    const DensityColumns *in = &a->inside;
    const double stretch = in->depth[f->inside] > 0 ? in->depth[f->ghost] / in->depth[f->inside] : 0;
    const int bottom = (int)in->g.bottom_c[f->inside];
    double excess[MAX_LEVELS], more[MAX_LEVELS], at_surface = 0;
    (void)j, (void)k;
    for (int layer = 0; layer < in->g.n3; layer++) excess[layer] = more[layer] = 0;
    if (f->weighed && bottom < in->g.n3) {
        find_excess(a, f, i, bottom, excess);
        weigh_excess(a, f, bottom, excess, more, &at_surface);
        if (f->level) remove_mean_pressure(a, f, bottom, more);
    }
    in->surface[f->ghost] = in->surface[f->inside] + at_surface;
    for (int layer = 0; layer < in->g.n3; layer++) {
        const ptrdiff_t ghost = f->ghost + layer * in->g.plane, inside = f->inside + layer * in->g.plane;
        in->anomaly[ghost] = in->anomaly[inside] + excess[layer];
        in->pressure[ghost] = stretch * in->pressure[inside] + more[layer];
    }
}
