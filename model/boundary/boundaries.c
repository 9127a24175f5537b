/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries_internal.h"

const OpenFace *boundaries_faces(const Boundaries *all, int *count) {
    *count = all->own;
    return all->face;
}

/* ---- levels ---- */

/* The least level outside a face where a discharge comes in; where it goes out, a film, so that no thinner water carries it. [m] */
static double level_to_enter(const Boundaries *all, int face) {
    const OpenFace *f = &all->face[face];
    const double discharge = outside_discharge(all->outside[f->number]);
    if (discharge < 0) return all->grid->bed[f->ghost] + f->film;
    return all->entrance[face] +
           critical_level(&all->critical[f->number], discharge, all->scenario->physics.gravity_m_s2);
}

Status boundaries_advance(Boundaries *all, double time) {
    for (int n = 0; n < all->scenario->n_boundaries; n++) outside_advance(all->outside[n], time);
    for (int n = 0; n < all->count; n++) {
        const FaceSource *f = &all->source[n];
        const Outside *outside = all->outside[f->number];
        all->now[n] = (FaceOutside){outside_eta(outside, &f->point), outside_velocity(outside, &f->point),
                                    all->now[n].eta};
        if (all->face[n].kind == BOUNDARY_DISCHARGE) all->now[n].eta = level_to_enter(all, n);
    }
    sponge_advance(all->sponge);
    TRY(along_edge_advance(all->along, time));
    return outer_files_advance(all, time);
}

static OpenLevels levels_of(const Boundaries *all, const double *eta, double *depth, double *increment) {
    return (OpenLevels){all->grid->bed,           all->ghost, all->face, all->now,
                        (double *)(uintptr_t)eta, depth,      increment};
}

void boundaries_raise_ghosts(Boundaries *all, const double *eta, double *increment) {
    ghosts_exchange(all, 1, &increment, 0, NULL);
    ghosts_raise(all->exec, all->ghosts, levels_of(all, eta, NULL, increment));
    ghosts_exchange(all, 1, &increment, 0, NULL);
}

void boundaries_begin(Boundaries *all, const double *eta) {
    open_faces_begin(all->exec, all->list, levels_of(all, eta, NULL, NULL));
}

void boundaries_carry_out(Boundaries *all, const double *eta) {
    open_faces_carry_out(all->exec, all->list, levels_of(all, eta, NULL, NULL));
}

void boundaries_resume(const Boundaries *all) {
    if (all->level[0]) ghosts_exchange(all, 2, all->level, 0, NULL);
    for (int t = 0; t < all->n_tracers; t++)
        if (all->inflow[0][t])
            ghosts_exchange(all, 0, NULL, 2, (double *[]){all->inflow[0][t], all->inflow[1][t]});
}

void boundaries_set_ghosts(Boundaries *all, double *eta, double *depth) {
    ghosts_set(all->exec, all->ghosts, levels_of(all, eta, depth, NULL));
    ghosts_exchange(all, 2, (double *[]){eta, depth}, 0, NULL);
}

/* ---- sponges, and the account ---- */

void boundaries_soak(Boundaries *all, double dt, const double *eta, const double *depth, double *source,
                     double *source_in) {
    sponge_soak(all->sponge, dt, eta, depth, source, source_in);
}

void boundaries_leave(void *boundaries, ptrdiff_t column) {
    sponge_leave(((Boundaries *)boundaries)->sponge, column);
}

void boundaries_each_soaked(const Boundaries *all, void (*visit)(void *context, ptrdiff_t column),
                            void *context) {
    sponge_each_column(all->sponge, visit, context);
}

void boundaries_brake(Boundaries *all, const Momentum *u) {
    along_edge_enter(all->along, u);
    sponge_brake(all->sponge, u->dt, &u->faces, &u->other);
}

void boundaries_inflow(const Boundaries *all, const Faces *u, const Faces *v, ExactSum *begun) {
    open_faces_inflow(all->exec, all->list,
                      (Imposed){.face = all->face, .u = *u, .v = *v, .gathered = all->gathered});
    reduce_add_terms(all->exec, all->gathered, all->own, begun);
    sponge_inflow(all->sponge, begun);
}
