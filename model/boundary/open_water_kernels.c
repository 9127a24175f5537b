/* SPDX-License-Identifier: Apache-2.0
 *
 * The water outside as the baroclinic pressure gradient of an open face feels it (open_faces.h). What given values of
 * temperature and salinity change is a difference to the column inside, layer by layer: where they equal those inside
 * nothing moves, to the last bit.
 */
#include "model/boundary/ghosts.h"

/* Cells inside with less water are dry. [m] */
#define DRY 1e-9

/* Temperature (0) or salinity (1) outside. */
POINTWISE double outer_value(const OpenFace *f, int which, const FaceTracer *outside, ptrdiff_t layer,
                             double inside) {
    if (f->shear && f->water[which]) return f->water[which][layer];
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
        const double below = in->below ? in->below[m] : (above + 0.5 * share) * in->depth[f->inside];
        const double z = in->eta[f->inside] - below;
        const double t = in->temperature ? in->temperature[m] : in->linear.temperature_0;
        const double s = in->salinity ? in->salinity[m] : in->linear.salinity_0;
        const double outer_t = outer_value(f, 0, a->temperature ? &a->temperature[i] : NULL, layer, t);
        const double outer_s = outer_value(f, 1, a->salinity ? &a->salinity[i] : NULL, layer, s);
        const double depth = in->level - z;
        excess[layer] = density_there(in, outer_t, outer_s, depth) - density_there(in, t, s, depth);
        above += share;
    }
}

/* Depth of the water outside a face over the bed inside: the ghost's own may be another one. [m] */
POINTWISE double depth_outside(const DensityColumns *in, const OpenFace *f) {
    return in->below || in->g.bed[f->ghost] != in->g.bed[f->inside] ? in->eta[f->ghost] - in->g.bed[f->inside]
                                                                    : in->depth[f->ghost];
}

/* Depth of the water inside, likewise: the deepest in a cell. [m] */
POINTWISE double depth_inside(const DensityColumns *in, const OpenFace *f) {
    return in->below ? in->eta[f->inside] - in->g.bed[f->inside] : in->depth[f->inside];
}

/* Between the middles of a layer inside and the one above, at the top: the surface, as a share of that depth. */
POINTWISE double share_above(const DensityColumns *in, const OpenFace *f, int layer) {
    const ptrdiff_t m = f->inside + layer * in->g.plane, up = m + in->g.plane;
    const bool top = layer == in->g.n3 - 1;
    const double depth = depth_inside(in, f);
    /* the layers of a dry cell lie at one height */
    if (!in->below || !(depth > DRY)) return 0.5 * (top ? in->g.phi_c[m] : in->g.phi_c[m] + in->g.phi_c[up]);
    return (top ? in->below[m] : in->below[m] - in->below[up]) / depth;
}

/* The pressure of that, by the rule of density_columns; at the surface it is `at_surface`. [m2 s-2] */
POINTWISE void weigh_excess(const Mirrored *a, const OpenFace *f, int bottom, const double *excess,
                            double *pressure, double *at_surface) {
    const GridView *g = &a->inside.g;
    const double weight = a->inside.gravity / a->inside.reference * depth_outside(&a->inside, f);
    const int top = g->n3 - 1;
    const double half = share_above(&a->inside, f, top);
    *at_surface = excess[top];
    if (bottom < top)
        *at_surface += (excess[top] - excess[top - 1]) / share_above(&a->inside, f, top - 1) * half;
    pressure[top] = 0.5 * weight * half * (*at_surface + excess[top]);
    for (int layer = top - 1; layer >= bottom; layer--) {
        const double share = share_above(&a->inside, f, layer);
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

/* How many faces of the ghost, up to the nth, have a say about the layer. */
POINTWISE int sides_until(const Mirrored *a, const Ghost *ghost, int n, int layer) {
    int sides = 0;
    for (int m = 0; m <= n; m++)
        sides += ghost_counts(&a->inside.g, ghost, &a->face[ghost->face[m]], layer) ? 1 : 0;
    return sides;
}

/* What the nth face has outside becomes the ghost's, or is added to what it has by those before. */
POINTWISE void mirror_face(const Mirrored *a, const Ghost *ghost, int n) {
    const OpenFace *f = &a->face[ghost->face[n]];
    const DensityColumns *in = &a->inside;
    /* inside cells of uneven ground a film does not lift the level off the lowest ground */
    const double inner = depth_inside(in, f), stretch = inner > 0 ? depth_outside(in, f) / inner : 0;
    const int bottom = (int)in->g.bottom_c[f->inside];
    double excess[MAX_LEVELS], more[MAX_LEVELS], at_surface = 0;
    for (int layer = 0; layer < in->g.n3; layer++) excess[layer] = more[layer] = 0;
    if (f->weighed && bottom < in->g.n3) {
        find_excess(a, f, ghost->face[n], bottom, excess);
        weigh_excess(a, f, bottom, excess, more, &at_surface);
        if (f->level) remove_mean_pressure(a, f, bottom, more);
    }
    const double surface = in->surface[f->inside] + at_surface;
    in->surface[f->ghost] = n > 0 ? in->surface[f->ghost] + surface : surface;
    for (int layer = 0; layer < in->g.n3; layer++) {
        const ptrdiff_t m = f->ghost + layer * in->g.plane, inside = f->inside + layer * in->g.plane;
        const double anomaly = in->anomaly[inside] + excess[layer],
                     pressure = stretch * in->pressure[inside] + more[layer];
        if (f->heavier) f->heavier[layer] = pressure - in->pressure[inside];
        if (!ghost_counts(&in->g, ghost, f, layer)) continue;
        const bool first = n == 0 || sides_until(a, ghost, n, layer) == 1;
        in->anomaly[m] = first ? anomaly : in->anomaly[m] + anomaly;
        in->pressure[m] = first ? pressure : in->pressure[m] + pressure;
        if (!in->below) continue;
        const double below = stretch * in->below[inside];
        in->below[m] = first ? below : in->below[m] + below;
    }
}

KERNEL_CELLS(ghosts_mirror, Mirrored) {
    const Ghost *ghost = &a->ghost[i];
    const DensityColumns *in = &a->inside;
    const int last = ghost->count - 1;
    (void)j, (void)k;
    for (int n = 0; n <= last; n++) mirror_face(a, ghost, n);
    if (last == 0) return;
    in->surface[ghost->m] = ghost_mean(in->surface[ghost->m], ghost->count);
    for (int layer = 0; layer < in->g.n3; layer++) {
        const ptrdiff_t m = ghost->m + layer * in->g.plane;
        const int sides = sides_until(a, ghost, last, layer);
        in->anomaly[m] = ghost_mean(in->anomaly[m], sides);
        in->pressure[m] = ghost_mean(in->pressure[m], sides);
        if (in->below) in->below[m] = ghost_mean(in->below[m], sides);
    }
}
