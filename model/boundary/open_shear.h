/* SPDX-License-Identifier: Apache-2.0
 *
 * How the velocity of the layers of an open face deviates from its mean over the depth: see boundaries.h.
 */
#ifndef MAEOTIS_MODEL_OPEN_SHEAR_H
#define MAEOTIS_MODEL_OPEN_SHEAR_H

#include "model/boundary/ghosts.h"
#include "model/boundary/internal_modes.h"
#include "model/boundary/open_faces.h"

/* The deviation from the mean over the face's depth. */
POINTWISE void remove_mean(const GridView *g, const Faces *faces, ptrdiff_t m, double *velocity) {
    double mean = 0;
    for (int k = (int)faces->bottom[m]; k < g->n3; k++) mean += faces->phi[m + k * g->plane] * velocity[k];
    for (int k = (int)faces->bottom[m]; k < g->n3; k++) velocity[k] -= mean;
}

/* How the layers differ from the mean of the column one face farther in. A boundary that gives one velocity to all of
 * them would be a wall to the exchange of light and heavy water. [m s-1] */
POINTWISE void find_shear_within(const GridView *g, const OpenFace *f, const Faces *faces, double *shear) {
    const ptrdiff_t m = f->face, within = m + (ptrdiff_t)f->inwards * faces->along;
    const bool wet = faces->depth[within] > 0 && faces->bottom[within] < g->n3;
    const int lowest = wet ? (int)faces->bottom[within] : g->n3;
    for (int k = (int)faces->bottom[m]; k < g->n3; k++)
        shear[k] = wet ? faces->velocity[within + (k < lowest ? lowest : k) * g->plane] : 0;
    remove_mean(g, faces, m, shear);
}

/* M_k of internal_modes.h, of the water in the middle of the face. [m s-2] */
POINTWISE void find_lightness(const Imposed *a, const OpenFace *f, int bottom, double *light) {
    const OpenWater *water = &a->water;
    double below = 0;
    for (int k = bottom; k < a->g.n3; k++) {
        const ptrdiff_t inside = f->inside + k * a->g.plane, ghost = f->ghost + k * a->g.plane;
        const double here = water->density[inside] + 0.5 * (water->anomaly[ghost] - water->anomaly[inside]);
        if (k > bottom) light[k - 1] = max_of(0.0, a->gravity / water->reference * (below - here));
        below = here;
    }
}

/* The deviation from the shear outside at an edge beyond which an internal wave of each mode goes on as it came: its
 * pressure there is c_n times its velocity, beside what is given. `excess` comes in as that given pressure leaves it, and
 * feels the rest implicitly: each mode is drawn to 0 by c_n dt/dx. Modes beyond the second take half its speed. What comes
 * in with the flow of speed `carried` is that outside. */
POINTWISE void pass_out(const Imposed *a, const OpenFace *f, const Faces *faces, double carried,
                        double *excess) {
    enum { BEYOND = 2 };
    const ptrdiff_t m = f->face;
    const double step = a->dt / faces->spacing[f->j], slant = f->slant;
    double light[MAX_LEVELS], part[BEYOND];
    InternalMode mode[BEYOND];
    const WaveColumn column = {(int)faces->bottom[m], a->g.n3 - 1,           a->g.plane,
                               faces->phi + m,        water_depth(faces, m), light};
    find_lightness(a, f, column.bottom, light);
    internal_mode(&column, NULL, &mode[0]);
    internal_mode(&column, &mode[0], &mode[1]);
    const double rest = 1 / (1 + (0.5 * mode[1].speed / slant + carried) * step);
    for (int n = 0; n < BEYOND; n++) {
        const double cells = (mode[n].speed / slant + carried) * step;
        part[n] = internal_part(&column, &mode[n], excess) * (1 / (1 + cells) - rest);
    }
    for (int k = column.bottom; k <= column.top; k++)
        excess[k] = excess[k] * rest + part[0] * mode[0].shape[k] + part[1] * mode[1].shape[k];
}

/* Where the shear outside is known, the forces that make it are, too: it differs by those of the pressure alone. */
POINTWISE void follow_shear(const Imposed *a, const OpenFace *f, const Faces *faces, double *shear) {
    const double push = f->inwards * a->dt / faces->spacing[f->j];
    double fastest = 0;
    for (int k = (int)faces->bottom[f->face]; k < a->g.n3; k++) {
        const ptrdiff_t m = f->face + k * a->g.plane;
        shear[k] = faces->velocity[m] + push * heavier_outside(a, f, k);
        fastest = max_of(fastest, fabs(faces->velocity[m]));
    }
    remove_mean(&a->g, faces, f->face, shear);
    for (int k = (int)faces->bottom[f->face]; k < a->g.n3; k++) shear[k] -= f->shear_before[k];
    pass_out(a, f, faces, fastest, shear);
    for (int k = (int)faces->bottom[f->face]; k < a->g.n3; k++) shear[k] += f->shear[k];
}

/* How the layers differ from the mean of the column: with water of one density as outside, or, if nothing is known of
 * that, as inside. Else as the momentum equation has it, with the pressure outside, while internal waves leave: from
 * inside where nothing is known. [m s-1] */
POINTWISE void find_shear(const Imposed *a, const OpenFace *f, const Faces *faces, double *shear) {
    const GridView *g = &a->g;
    const int bottom = (int)faces->bottom[f->face];
    double outside[MAX_LEVELS];
    if (f->shear && a->water.density) {
        follow_shear(a, f, faces, shear);
        return;
    }
    if (!f->shear) find_shear_within(g, f, faces, outside);
    for (int k = bottom; k < g->n3; k++) {
        outside[k] = f->shear ? f->shear[k] : f->weighed ? 0 : outside[k];
        shear[k] = a->water.density ? faces->predicted[f->face + k * g->plane] : outside[k];
    }
    if (!a->water.density) return;
    remove_mean(g, faces, f->face, shear);
    for (int k = bottom; k < g->n3; k++) shear[k] -= outside[k];
    pass_out(a, f, faces, 0, shear);
    for (int k = bottom; k < g->n3; k++) shear[k] += outside[k];
}

#endif
