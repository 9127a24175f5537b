/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/ghosts.h"
#include "model/boundary/open_shear.h"

/* ---- levels ---- */

/* A dry edge is opened by water outside, so that what is given can come in. [m] */
POINTWISE double ghost_level(const OpenLevels *a, const OpenFace *f, double outside) {
    const double bed = a->bed[f->ghost];
    const double level = f->kind == BOUNDARY_ELEVATION ? outside : f->level ? *f->level : a->eta[f->inside];
    const double least = f->kind == BOUNDARY_VELOCITY    ? bed + f->film
                         : f->kind == BOUNDARY_DISCHARGE ? (outside < bed ? bed : outside)
                                                         : bed;
    return level < least ? least : level; /* no number stays none, and is found */
}

KERNEL_CELLS(open_faces_begin, OpenLevels) {
    const OpenFace *f = &a->face[i];
    (void)j, (void)k;
    if (f->level) *f->level = a->eta[f->ghost];
}

KERNEL_CELLS(ghosts_raise, OpenLevels) {
    const Ghost *ghost = &a->ghost[i];
    double sum = 0;
    (void)j, (void)k;
    for (int n = 0; n < ghost->count; n++) {
        const OpenFace *f = &a->face[ghost->face[n]];
        const bool given = f->kind == BOUNDARY_ELEVATION;
        const double rise = given      ? ghost_level(a, f, a->outside[ghost->face[n]].eta) - a->eta[ghost->m]
                            : f->level ? a->increment[f->inside] /* so far; see carry_out */
                                       : 0;
        sum = n > 0 ? sum + rise : rise;
    }
    a->increment[ghost->m] = ghost_mean(sum, ghost->count);
}

KERNEL_CELLS(open_faces_carry_out, OpenLevels) {
    const OpenFace *f = &a->face[i];
    (void)j, (void)k;
    if (f->level) *f->level = f->fixed + f->share * a->eta[f->inside];
}

KERNEL_CELLS(ghosts_set, OpenLevels) {
    const Ghost *ghost = &a->ghost[i];
    double sum = 0;
    (void)j, (void)k;
    for (int n = 0; n < ghost->count; n++) {
        const double level = ghost_level(a, &a->face[ghost->face[n]], a->outside[ghost->face[n]].eta);
        sum = n > 0 ? sum + level : level;
    }
    const double level = ghost_mean(sum, ghost->count);
    a->eta[ghost->m] = level;
    a->depth[ghost->m] = level - a->bed[ghost->m];
}

/* ---- velocities ---- */

POINTWISE const Faces *faces_of(const Imposed *a, const OpenFace *f) {
    return f->along_x ? &a->u : &a->v;
}

/* By how much the level outside counts as higher for the weight of its water. [m] */
POINTWISE double level_by_weight(const Imposed *a, const OpenFace *f) {
    double sum = 0;
    if (!a->water.density || !f->weighed) return 0;
    for (int k = (int)a->g.bottom_c[f->inside]; k < a->g.n3; k++)
        sum += a->g.phi_c[f->inside + k * a->g.plane] * heavier_outside(a, f, k);
    return sum / a->gravity;
}

/* Replaces the deviation of the layers; their mean stays that of the momentum equation. */
POINTWISE void give_shear(const Imposed *a, const OpenFace *f, const Faces *faces) {
    double before[MAX_LEVELS], shear[MAX_LEVELS];
    if (!a->water.density) return;
    for (int k = (int)faces->bottom[f->face]; k < a->g.n3; k++)
        before[k] = faces->predicted[f->face + k * a->g.plane];
    remove_mean(&a->g, faces, f->face, before);
    find_shear(a, f, faces, shear);
    for (int k = (int)faces->bottom[f->face]; k < a->g.n3; k++)
        faces->predicted[f->face + k * a->g.plane] += shear[k] - before[k];
}

/* The column has this velocity in the mean, whatever the surface does. */
POINTWISE void give_velocity(const Imposed *a, const OpenFace *f, const Faces *faces, double inwards) {
    const GridView *g = &a->g;
    const ptrdiff_t m = f->face;
    const double velocity = f->inwards * inwards;
    double shear[MAX_LEVELS];
    find_shear(a, f, faces, shear);
    for (int k = (int)faces->bottom[m]; k < g->n3; k++) {
        faces->predicted[m + k * g->plane] = velocity + shear[k];
        faces->response[m + k * g->plane] = 0;
    }
    faces->theta[m] = 1;
    faces->flux_predicted[m] = faces->width[m] * faces->depth[m] * velocity;
    faces->conductance[m] = 0;
}

/* Flather's condition is linear: it holds where levels differ by less than the depth. In a film sqrt(g/H)
 * would make any difference a jet; there the water gets the speed of a front, sqrt(g times the difference). */
POINTWISE void radiate(const Imposed *a, const OpenFace *f, const FaceOutside *outside, const Faces *faces) {
    const GridView *g = &a->g;
    const double gravity = a->gravity, depth = faces->depth[f->face];
    const double difference = outside->eta + level_by_weight(a, f) - a->eta[f->inside];
    const double deep = max_of(max_of(water_depth(faces, f->face), fabs(difference)), f->film);
    const double speed_per_level = f->slant * sqrt(gravity / deep), theta = faces->theta[f->face];
    const double outer =
        f->incoming_wave ? outside->velocity + speed_per_level * outside->eta : outside->velocity;
    const double predicted = f->inwards * (outer + speed_per_level * difference);
    const double response = speed_per_level * faces->spacing[f->j] / (theta * gravity);
    double old = 0, shear[MAX_LEVELS];
    find_shear(a, f, faces, shear);
    for (int k = (int)faces->bottom[f->face]; k < g->n3; k++) {
        const ptrdiff_t m = f->face + k * g->plane;
        old += faces->phi[m] * depth * faces->velocity[m];
        faces->predicted[m] = predicted + shear[k];
        faces->response[m] = response;
    }
    const double width = faces->width[f->face];
    faces->flux_predicted[f->face] = width * (theta * depth * predicted + (1 - theta) * old);
    faces->conductance[f->face] = width * theta * depth * speed_per_level;
}

/* Of the water at a face of a discharge: where it comes in, that outside if it stands higher. [m] */
POINTWISE double dealt_level(const Imposed *a, int i) {
    const OpenFace *f = &a->face[i];
    const double inside = a->eta[f->inside];
    return a->dealt[f->number].discharge < 0 ? inside : max_of(inside, a->outside[i].eta);
}

/* How a discharge is dealt out: a flow down a slope that the bed brakes goes with H^1.5. Here H is the depth
 * under the mean level along the edge: with each face's own level, a crest that reaches the edge would draw
 * discharge from its neighbours and grow. H stays between half and twice the face's own depth: along an edge
 * that runs down a slope the mean level says little. */
POINTWISE double weight_of(const Imposed *a, int i) {
    const OpenFace *f = &a->face[i];
    const Faces *faces = faces_of(a, f);
    const double depth = faces->depth[f->face], width = faces->width[f->face];
    if (depth <= 0) return 0;
    if (f->by_width) return f->slant * width;
    const double mean = depth + (a->dealt[f->number].level - dealt_level(a, i));
    const double even = max_of(0.5 * depth, min_of(mean, 2 * depth));
    return f->slant * width * even * sqrt(even);
}

KERNEL_CELLS(open_faces_weigh, Imposed) {
    (void)j, (void)k;
    a->gathered[i] = weight_of(a, i);
}

KERNEL_CELLS(open_faces_section, Imposed) {
    const OpenFace *f = &a->face[i];
    const Faces *faces = faces_of(a, f);
    const double section = faces->width[f->face] * faces->depth[f->face];
    (void)j, (void)k;
    a->gathered[2 * i] = section;
    a->gathered[2 * i + 1] = section * dealt_level(a, i);
}

/* No faster than twice the waves there: what is asked for may jump from a step to the next, or be more than there is. */
POINTWISE double dealt_velocity(const Imposed *a, int i, const Faces *faces) {
    const OpenFace *f = &a->face[i];
    const Dealt *dealt = &a->dealt[f->number];
    const double depth = faces->depth[f->face], share = weight_of(a, i) / dealt->weight;
    const double velocity = share * dealt->discharge / (faces->width[f->face] * depth);
    const double most = 2.0 * sqrt(a->gravity * max_of(depth, a->outside[i].eta - a->g.bed[f->ghost]));
    return velocity > most ? most : velocity < -most ? -most : velocity; /* no number stays none */
}

/* ---- levels that waves carry out ---- */

/* How far an outgoing wave goes in a step, in cells: at the speed of long waves, or at the one with which the
 * level inside rose in the last step and slopes. 0: it comes in. Means over time or space in place of these
 * two were tried; near an edge that holds its level they take more outgoing waves for incoming ones. */
POINTWISE double cells_gone(const Imposed *a, const OpenFace *f, double long_waves) {
    const double rise = a->increment[f->inside] * a->dt / a->dt_before;
    const double slope = a->eta[f->inside] - a->eta[f->behind];
    if (f->kind == BOUNDARY_CHAPMAN || a->g.area[f->behind] <= 0 || a->depth[f->behind] <= 0)
        return long_waves;
    if (rise * slope >= 0) return 0;
    return fabs(rise) >= long_waves * fabs(slope) ? long_waves : -rise / slope;
}

/* What a ghost that rises by so much more than its increment says drives through this face alone. */
POINTWISE void push_by(const Imposed *a, const OpenFace *f, const Faces *faces, double more) {
    const double gain = faces->theta[f->face] * a->gravity / faces->spacing[f->j] * (f->inwards * more);
    faces->flux_predicted[f->face] += faces->conductance[f->face] * (f->inwards * more);
    for (int k = (int)faces->bottom[f->face]; k < a->g.n3; k++) {
        const ptrdiff_t m = f->face + k * a->g.plane;
        faces->predicted[m] += gain * faces->response[m];
    }
}

/* The new level beyond depends on the new level inside: that part goes into the equation of the surface. */
POINTWISE void carry_out(const Imposed *a, OpenFace *f, const FaceOutside *outside, const Faces *faces) {
    const double depth = faces->depth[f->face], inside = a->eta[f->inside], level = *f->level;
    f->fixed = outside->eta; /* of a dry edge */
    f->share = 0;
    if (!f->shared) a->increment[f->ghost] = 0;
    if (depth <= 0) return;
    const double long_waves =
        sqrt(a->gravity * water_depth(faces, f->face)) * a->dt / (f->slant * faces->spacing[f->j]);
    const double gone = cells_gone(a, f, long_waves);
    const double time = gone > 0 ? f->relaxation_out : f->relaxation_in;
    const double drawn = time > 0 ? a->dt / time : 0, sum = 1 + gone + drawn;
    const double rise =
        outside->eta - level + (level - outside->eta_before + gone * (inside - outside->eta)) / sum;
    const double kept = (1 + drawn) / sum; /* of the difference to the level inside */
    f->share = gone / sum;
    f->fixed = level + rise - f->share * inside;
    faces->conductance[f->face] *= kept;
    for (int k = (int)faces->bottom[f->face]; k < a->g.n3; k++)
        faces->response[f->face + k * a->g.plane] *= kept;
    if (f->shared)
        push_by(a, f, faces, rise / kept - a->increment[f->ghost]);
    else
        a->increment[f->ghost] = rise / kept;
}

KERNEL_CELLS(open_faces_impose, Imposed) {
    OpenFace *f = &a->face[i];
    const FaceOutside *outside = &a->outside[i];
    const Faces *faces = faces_of(a, f);
    (void)j, (void)k;
    if (f->level) carry_out(a, f, outside, faces);
    if (faces->depth[f->face] <= 0 || f->foreign) return;
    if (f->kind == BOUNDARY_FLATHER) radiate(a, f, outside, faces);
    if (f->kind == BOUNDARY_VELOCITY) give_velocity(a, f, faces, outside->velocity);
    if (f->kind == BOUNDARY_DISCHARGE) give_velocity(a, f, faces, dealt_velocity(a, i, faces));
    if (f->kind == BOUNDARY_ELEVATION || f->level) give_shear(a, f, faces);
}

KERNEL_CELLS(open_faces_inflow, Imposed) {
    const OpenFace *f = &a->face[i];
    (void)j, (void)k;
    a->gathered[i] = f->inwards * faces_of(a, f)->flux_total[f->face];
}

/* ---- what is carried ---- */

/* What comes in: the given value, which it takes some time to have after the water left, with what was
 * inside.
 */
POINTWISE double next_inflow(const OpenFace *f, double kept, double inside, double given, double flux,
                             double dt, bool first) {
    const double time = f->inflow_relaxation, last = first ? inside : kept;
    if (!(f->inwards * flux > 0)) return inside;
    return time > 0 ? last + (given - last) * (dt / (dt + time)) : given;
}

/* Outside a face; remembers what came in. */
POINTWISE double tracer_outside(const OpenTracer *a, const OpenFace *f, const FaceTracer *outside,
                                int layer) {
    const double *flux = f->along_x ? a->flux_u : a->flux_v;
    double *kept = f->along_x ? a->kept_u : a->kept_v;
    const ptrdiff_t inside = f->inside + layer * a->g.plane, face = f->face + layer * a->g.plane;
    const double value = !outside->given     ? a->c[inside]
                         : outside->by_layer ? outside->by_layer[layer]
                                             : outside->value;
    if (!outside->given || !kept) return value;
    return kept[face] = next_inflow(f, kept[face], a->c[inside], value, flux[face], a->dt, a->first);
}

KERNEL_CELLS(ghosts_set_tracer, OpenTracer) {
    const Ghost *ghost = &a->ghost[i];
    (void)j, (void)k;
    for (int layer = 0; layer < a->g.n3; layer++) {
        double sum = 0;
        int sides = 0;
        for (int n = 0; n < ghost->count; n++) {
            const OpenFace *f = &a->face[ghost->face[n]];
            const double value = tracer_outside(a, f, &a->outside[ghost->face[n]], layer);
            if (ghost_counts(&a->g, ghost, f, layer)) sum = sides++ > 0 ? sum + value : value;
        }
        if (sides > 0) a->c[ghost->m + layer * a->g.plane] = ghost_mean(sum, sides);
    }
}

KERNEL_CELLS(ghosts_copy_inside, CopiedInside) {
    const Ghost *ghost = &a->ghost[i];
    (void)j, (void)k;
    for (int layer = 0; layer < a->g.n3; layer++) {
        double sum = 0;
        int sides = 0;
        for (int n = 0; n < ghost->count; n++) {
            const OpenFace *f = &a->face[ghost->face[n]];
            const double value = a->field[f->inside + layer * a->g.plane];
            if (ghost_counts(&a->g, ghost, f, layer)) sum = sides++ > 0 ? sum + value : value;
        }
        if (sides > 0) a->field[ghost->m + layer * a->g.plane] = ghost_mean(sum, sides);
    }
}
