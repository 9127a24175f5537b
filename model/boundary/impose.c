/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries_internal.h"

#include <math.h>

/* How the layers differ from the mean of the column: as they did one face farther in. A boundary that gives
 * one velocity to all of them would be a wall to the exchange of light and heavy water. [m s-1] */
static void find_shear(const Grid *g, const OpenFace *f, const Faces *faces, double *shear) {
    const ptrdiff_t m = f->face, within = m + (ptrdiff_t)f->inwards * faces->along;
    const bool wet = faces->depth[within] > 0 && faces->bottom[within] < g->n3;
    const int bottom = (int)faces->bottom[m], lowest = wet ? (int)faces->bottom[within] : g->n3;
    double mean = 0;
    for (int k = bottom; k < g->n3; k++) {
        shear[k] = wet ? faces->velocity[within + (k < lowest ? lowest : k) * g->plane] : 0;
        mean += faces->phi[m + k * g->plane] * shear[k];
    }
    for (int k = bottom; k < g->n3; k++) shear[k] -= mean;
}

/* The column has this velocity in the mean, whatever the surface does. */
static void give_velocity(const Grid *g, const OpenFace *f, const Faces *faces, double inwards) {
    const ptrdiff_t m = f->face;
    const double velocity = f->inwards * inwards;
    double shear[MAX_LEVELS];
    find_shear(g, f, faces, shear);
    for (int k = (int)faces->bottom[m]; k < g->n3; k++) {
        faces->predicted[m + k * g->plane] = velocity + shear[k];
        faces->response[m + k * g->plane] = 0;
    }
    faces->theta[m] = 1;
    faces->flux_predicted[m] = faces->width[m] * faces->depth[m] * velocity;
    faces->conductance[m] = 0;
}

/* Flather's condition is linear: it holds where levels differ by less than the depth. In a film sqrt(g/H)
 * would make any difference a jet; there the water gets the speed of a front, sqrt(g times the difference).
 */
static const double LINEAR_DEPTH_M = 0.1;

static void radiate(const Grid *g, const OpenFace *f, const Faces *faces, double gravity, double eta) {
    const double depth = faces->depth[f->face], difference = f->eta - eta;
    const double deep = fmax(fmax(depth, fabs(difference)), LINEAR_DEPTH_M);
    const double speed_per_level = sqrt(gravity / deep), theta = faces->theta[f->face];
    const double outer = f->boundary->incoming_wave ? f->velocity + speed_per_level * f->eta : f->velocity;
    const double predicted = f->inwards * (outer + speed_per_level * difference);
    const double response = speed_per_level * faces->spacing[f->j] / (theta * gravity);
    double old = 0, shear[MAX_LEVELS];
    find_shear(g, f, faces, shear);
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

/* How a discharge is dealt out: a flow down a slope that the bed brakes goes with H^1.5. */
static void weigh_faces(Boundaries *all, const Faces *u, const Faces *v) {
    const int boundaries = all->scenario->n_boundaries;
    for (int n = 0; n < boundaries; n++) exact_sum_clear(&all->weights[n]);
    for (int n = 0; n < all->count; n++) {
        OpenFace *f = &all->face[n];
        const Faces *faces = f->along_x ? u : v;
        const double depth = faces->depth[f->face], width = faces->width[f->face];
        f->weight = depth > 0 ? width * (f->boundary->by_width ? 1 : depth * sqrt(depth)) : 0;
        exact_sum_add(&all->weights[f->number], f->weight);
    }
    for (int n = 0; n < boundaries; n++) exact_sum_normalise(&all->weights[n]);
    MPI_Allreduce(MPI_IN_PLACE, all->weights, boundaries * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM,
                  all->grid->comm);
}

static double dealt_velocity(const Boundaries *all, const OpenFace *f, const Faces *faces) {
    const double share = f->weight / exact_sum_value(&all->weights[f->number]);
    return share * outside_discharge(all->outside[f->number]) /
           (faces->width[f->face] * faces->depth[f->face]);
}

/* ---- levels that waves carry out ---- */

/* How far an outgoing wave goes in a step, in cells: at the speed of long waves, or at the one with which the
 * level inside rose in the last step and slopes. 0: it comes in. Means over time or space in place of these
 * two were tried; near an edge that holds its level they take more outgoing waves for incoming ones. */
static double cells_gone(const Grid *g, const OpenFace *f, const State *s, Waves waves, double long_waves) {
    const double rise = s->increment[f->inside] * waves.dt / waves.dt_before;
    const double slope = s->eta[f->inside] - s->eta[f->behind];
    if (f->boundary->kind == BOUNDARY_CHAPMAN || g->area[f->behind] <= 0 || s->depth[f->behind] <= 0)
        return long_waves;
    if (rise * slope >= 0) return 0;
    return fabs(rise) >= long_waves * fabs(slope) ? long_waves : -rise / slope;
}

/* The new level beyond depends on the new level inside: that part goes into the equation of the surface. */
static void carry_out(const Grid *g, OpenFace *f, const Faces *faces, const State *s, Waves waves,
                      double *increment) {
    const double depth = faces->depth[f->face], inside = s->eta[f->inside], level = *f->level;
    f->fixed = f->eta; /* of a dry edge */
    f->share = 0;
    increment[f->ghost] = 0;
    if (depth <= 0) return;
    const double long_waves = sqrt(waves.gravity * depth) * waves.dt / faces->spacing[f->j];
    const double gone = cells_gone(g, f, s, waves, long_waves);
    const double time = gone > 0 ? f->boundary->relaxation_out_s : f->boundary->relaxation_in_s;
    const double drawn = time > 0 ? waves.dt / time : 0, sum = 1 + gone + drawn;
    const double rise = f->eta - level + (level - f->eta_before + gone * (inside - f->eta)) / sum;
    const double kept = (1 + drawn) / sum; /* of the difference to the level inside */
    f->share = gone / sum;
    f->fixed = level + rise - f->share * inside;
    increment[f->ghost] = rise / kept;
    faces->conductance[f->face] *= kept;
    for (int k = (int)faces->bottom[f->face]; k < g->n3; k++) faces->response[f->face + k * g->plane] *= kept;
}

/* ---- all ---- */

void boundaries_impose(Boundaries *all, Waves waves, State *s, const Faces *u, const Faces *v) {
    exec_wait(all->grid->exec);
    if (all->some_discharge) weigh_faces(all, u, v);
    for (int n = 0; n < all->count; n++) {
        OpenFace *f = &all->face[n];
        const Faces *faces = f->along_x ? u : v;
        if (f->level) carry_out(all->grid, f, faces, s, waves, s->increment);
        if (faces->depth[f->face] <= 0) continue;
        if (f->boundary->kind == BOUNDARY_FLATHER)
            radiate(all->grid, f, faces, waves.gravity, s->eta[f->inside]);
        if (f->boundary->kind == BOUNDARY_VELOCITY) give_velocity(all->grid, f, faces, f->velocity);
        if (f->boundary->kind == BOUNDARY_DISCHARGE)
            give_velocity(all->grid, f, faces, dealt_velocity(all, f, faces));
    }
}
