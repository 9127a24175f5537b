/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries_internal.h"

#include "base/memory.h"
#include "model/boundary/segments.h"

/* ---- making ---- */

static Status add_face(Boundaries *all, EdgeFace at) {
    const Grid *g = all->grid;
    const ScenarioBoundary *b = &all->scenario->boundaries[at.boundary];
    const ptrdiff_t face = AT2(*g, at.i, at.j), along = at.along_x ? 1 : g->row, back = face - along;
    double x = at.along_x ? g->x_u[at.i] : g->x_c[at.i], y = at.along_x ? g->y_c[at.j] : g->y_v[at.j];
    if (b->kind == BOUNDARY_ELEVATION ||
        boundary_carries_out(b)) { /* where the given level is: in the middle of the ghost */
        const double half = at.low ? -0.5 : 0.5;
        x += at.along_x ? half * g->axes.step_x : 0;
        y += at.along_x ? 0 : half * g->axes.step_y;
    }
    all->face = ENLARGE(all->face, all->count + 1, OpenFace);
    OpenFace *f = &all->face[all->count++];
    *f = (OpenFace){.face = face,
                    .ghost = at.low ? back : face,
                    .inside = at.low ? face : back,
                    .behind = at.low ? face + along : back - along,
                    .along_x = at.along_x,
                    .inwards = at.low ? 1 : -1,
                    .j = at.j,
                    .number = at.boundary,
                    .boundary = b,
                    .x = x,
                    .y = y};
    if (boundary_carries_out(b)) f->level = all->level[at.along_x ? 0 : 1] + face;
    return outside_point_create(all->outside[at.boundary], x, y, &f->point);
}

static Status make_faces(Boundaries *all) {
    const Scenario *s = all->scenario;
    EdgeFace *at = NULL;
    const int count = segments_find(s, all->grid, &at);
    Status status = STATUS_OK;
    for (int n = 0; n < s->n_boundaries; n++)
        ATTEMPT(outside_create(s, &s->boundaries[n], &all->grid->axes, &all->outside[n]));
    for (int n = 0; n < count; n++) ATTEMPT(add_face(all, at[n]));
cleanup:
    memory_free(at);
    return status;
}

static Status make_sponge(Boundaries *all) {
    EdgePlace *places = NULL;
    const int count = segments_gather(all->scenario, all->grid, &places);
    Status status = sponge_create(all->scenario, all->grid, places, count, all->outside, &all->sponge);
    memory_free(places);
    return status;
}

/* Levels that ghosts have from step to step. */
static void keep_levels(Boundaries *all, State *state) {
    for (int n = 0; n < all->scenario->n_boundaries; n++)
        if (boundary_carries_out(&all->scenario->boundaries[n]) && !all->level[0]) {
            all->level[0] = state_keep(state, "boundary_level_u", false, 'u');
            all->level[1] = state_keep(state, "boundary_level_v", false, 'v');
        }
}

Status boundaries_create(const Scenario *scenario, State *state, Boundaries **out) {
    const Grid *grid = state->grid;
    Boundaries *all = *out = ALLOCATE(1, Boundaries);
    Status status;
    all->grid = grid;
    all->scenario = scenario;
    all->outside = ALLOCATE(scenario->n_boundaries + 1, Outside *);
    all->weights = ALLOCATE(scenario->n_boundaries + 1, ExactSum);
    for (int n = 0; n < scenario->n_boundaries; n++)
        all->some_discharge |= scenario->boundaries[n].kind == BOUNDARY_DISCHARGE;
    keep_levels(all, state);
    ATTEMPT(status_agree(grid->comm, make_faces(all)));
    ATTEMPT(status_agree(grid->comm, make_sponge(all)));
    boundaries_doubt(scenario, grid);
    return STATUS_OK;
cleanup:
    boundaries_destroy(out);
    return status;
}

void boundaries_destroy(Boundaries **boundaries) {
    Boundaries *all = *boundaries;
    if (!all) return;
    sponge_destroy(&all->sponge);
    boundaries_forget_tracers(all);
    for (int n = 0; n < all->count; n++) outside_point_release(&all->face[n].point);
    for (int n = 0; n < all->scenario->n_boundaries; n++) outside_destroy(&all->outside[n]);
    memory_free(all->outside);
    memory_free(all->weights);
    memory_free(all->face);
    memory_free(all);
    *boundaries = NULL;
}

/* ---- levels ---- */

void boundaries_advance(Boundaries *all, double time) {
    for (int n = 0; n < all->scenario->n_boundaries; n++) outside_advance(all->outside[n], time);
    for (int n = 0; n < all->count; n++) {
        OpenFace *f = &all->face[n];
        f->eta_before = f->eta;
        f->eta = outside_eta(all->outside[f->number], &f->point);
        f->velocity = outside_velocity(all->outside[f->number], &f->point);
    }
    sponge_advance(all->sponge);
}

/* A dry edge is opened by this much water outside, so that what is given can come in. */
static const double FILM_M = 0.1;

static double ghost_level(const OpenFace *f, const double *eta, double bed) {
    const bool flow_given = f->boundary->kind == BOUNDARY_VELOCITY || f->boundary->kind == BOUNDARY_DISCHARGE;
    const double level = f->boundary->kind == BOUNDARY_ELEVATION ? f->eta
                         : f->level                              ? *f->level
                                                                 : eta[f->inside];
    const double least = flow_given ? bed + FILM_M : bed;
    return level < least ? least : level; /* no number stays none, and is found */
}

void boundaries_raise_ghosts(Boundaries *all, const double *eta, double *increment) {
    exec_wait(all->grid->exec);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const bool given = f->boundary->kind == BOUNDARY_ELEVATION;
        increment[f->ghost] = given      ? ghost_level(f, eta, all->grid->bed[f->ghost]) - eta[f->ghost]
                              : f->level ? increment[f->inside] /* so far; see impose.c */
                                         : 0;
    }
}

void boundaries_begin(Boundaries *all, const double *eta) {
    exec_wait(all->grid->exec);
    for (int n = 0; n < all->count; n++)
        if (all->face[n].level) *all->face[n].level = eta[all->face[n].ghost];
}

void boundaries_carry_out(Boundaries *all, const double *eta) {
    exec_wait(all->grid->exec);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        if (f->level) *f->level = f->fixed + f->share * eta[f->inside];
    }
}

void boundaries_set_ghosts(Boundaries *all, double *eta, double *depth) {
    exec_wait(all->grid->exec);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const double bed = all->grid->bed[f->ghost];
        eta[f->ghost] = ghost_level(f, eta, bed);
        depth[f->ghost] = eta[f->ghost] - bed;
    }
}

/* ---- sponges, and the account ---- */

void boundaries_soak(Boundaries *all, double dt, const double *eta, const double *depth, double *source,
                     double *source_in) {
    exec_wait(all->grid->exec);
    sponge_soak(all->sponge, dt, eta, depth, source, source_in);
}

void boundaries_leave(void *boundaries, ptrdiff_t column) {
    sponge_leave(((Boundaries *)boundaries)->sponge, column);
}

void boundaries_each_soaked(const Boundaries *all, void (*visit)(void *context, ptrdiff_t column),
                            void *context) {
    sponge_each_column(all->sponge, visit, context);
}

void boundaries_brake(Boundaries *all, double dt, const Faces *u, const Faces *v) {
    exec_wait(all->grid->exec);
    sponge_brake(all->sponge, dt, u, v);
}

void boundaries_inflow(const Boundaries *all, const Faces *u, const Faces *v, ExactSum *sum) {
    exec_wait(all->grid->exec);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        exact_sum_add(sum, f->inwards * (f->along_x ? u : v)->flux_total[f->face]);
    }
    sponge_inflow(all->sponge, sum);
}
