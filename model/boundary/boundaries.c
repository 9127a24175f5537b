/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries.h"

#include "base/memory.h"
#include "model/boundary/outside.h"
#include "model/boundary/segments.h"
#include "model/boundary/sponge.h"
#include <math.h>

typedef struct OpenFace {
    ptrdiff_t face, ghost, inside; /* in 2-D fields */
    bool along_x;                  /* a u face */
    double inwards;                /* +1 where a positive velocity flows in */
    int j;                         /* its row */
    int number;                    /* of the boundary */
    const ScenarioBoundary *boundary;
    OutsidePoint point;
    double eta, velocity; /* outside, now */
    double weight;        /* of a discharge */
    double x, y;          /* where the face is */
    Series **tracer;      /* NULL: nothing is said about it */
} OpenFace;

struct Boundaries {
    const Grid *grid;
    const Scenario *scenario;
    Outside **outside; /* of each boundary */
    OpenFace *face;
    Sponge *sponge;
    int count, n_tracers;
    ExactSum *weights; /* of each boundary */
    bool some_discharge;
};

/* ---- making ---- */

static Status add_face(Boundaries *all, EdgeFace at) {
    const Grid *g = all->grid;
    const ScenarioBoundary *b = &all->scenario->boundaries[at.boundary];
    const ptrdiff_t face = AT2(*g, at.i, at.j), back = at.along_x ? face - 1 : face - g->row;
    double x = at.along_x ? g->x_u[at.i] : g->x_c[at.i], y = at.along_x ? g->y_c[at.j] : g->y_v[at.j];
    if (b->kind == BOUNDARY_ELEVATION) { /* where the given level is: in the middle of the ghost */
        const double half = at.low ? -0.5 : 0.5;
        x += at.along_x ? half * g->axes.step_x : 0;
        y += at.along_x ? 0 : half * g->axes.step_y;
    }
    all->face = ENLARGE(all->face, all->count + 1, OpenFace);
    OpenFace *f = &all->face[all->count++];
    *f = (OpenFace){.face = face,
                    .ghost = at.low ? back : face,
                    .inside = at.low ? face : back,
                    .along_x = at.along_x,
                    .inwards = at.low ? 1 : -1,
                    .j = at.j,
                    .number = at.boundary,
                    .boundary = b,
                    .x = x,
                    .y = y};
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

Status boundaries_create(const Scenario *scenario, const Grid *grid, Boundaries **out) {
    Boundaries *all = *out = ALLOCATE(1, Boundaries);
    Status status;
    all->grid = grid;
    all->scenario = scenario;
    all->outside = ALLOCATE(scenario->n_boundaries + 1, Outside *);
    all->weights = ALLOCATE(scenario->n_boundaries + 1, ExactSum);
    for (int n = 0; n < scenario->n_boundaries; n++)
        all->some_discharge |= scenario->boundaries[n].kind == BOUNDARY_DISCHARGE;
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
    for (int n = 0; n < all->count; n++) {
        OpenFace *f = &all->face[n];
        outside_point_release(&f->point);
        for (int t = 0; f->tracer && t < all->n_tracers; t++) series_destroy(&f->tracer[t]);
        memory_free(f->tracer);
    }
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
        f->eta = outside_eta(all->outside[f->number], &f->point);
        f->velocity = outside_velocity(all->outside[f->number], &f->point);
    }
    sponge_advance(all->sponge);
}

/* A dry edge is opened by this much water outside, so that what is given can come in. */
static const double FILM_M = 0.1;

static double ghost_level(const OpenFace *f, const double *eta, double bed) {
    const bool flow_given = f->boundary->kind == BOUNDARY_VELOCITY || f->boundary->kind == BOUNDARY_DISCHARGE;
    const double level = f->boundary->kind == BOUNDARY_ELEVATION ? f->eta : eta[f->inside];
    const double least = flow_given ? bed + FILM_M : bed;
    return level < least ? least : level; /* no number stays none, and is found */
}

void boundaries_raise_ghosts(Boundaries *all, const double *eta, double *increment) {
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const bool given = f->boundary->kind == BOUNDARY_ELEVATION;
        increment[f->ghost] = given ? ghost_level(f, eta, all->grid->bed[f->ghost]) - eta[f->ghost] : 0;
    }
}

void boundaries_set_ghosts(Boundaries *all, double *eta, double *depth) {
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const double bed = all->grid->bed[f->ghost];
        eta[f->ghost] = ghost_level(f, eta, bed);
        depth[f->ghost] = eta[f->ghost] - bed;
    }
}

/* ---- velocities ---- */

/* The column has this velocity, whatever the surface does. */
static void give_velocity(const Grid *g, const OpenFace *f, const Faces *faces, double inwards) {
    const ptrdiff_t m = f->face;
    const double velocity = f->inwards * inwards;
    for (int k = (int)faces->bottom[m]; k < g->n3; k++) {
        faces->predicted[m + k * g->plane] = velocity;
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
    double old = 0;
    for (int k = (int)faces->bottom[f->face]; k < g->n3; k++) {
        const ptrdiff_t m = f->face + k * g->plane;
        old += faces->phi[m] * depth * faces->velocity[m];
        faces->predicted[m] = predicted;
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

void boundaries_impose(Boundaries *all, double gravity, const double *eta, const Faces *u, const Faces *v) {
    if (all->some_discharge) weigh_faces(all, u, v);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const Faces *faces = f->along_x ? u : v;
        if (faces->depth[f->face] <= 0) continue;
        switch (f->boundary->kind) {
        case BOUNDARY_ELEVATION:
            break;
        case BOUNDARY_FLATHER:
            radiate(all->grid, f, faces, gravity, eta[f->inside]);
            break;
        case BOUNDARY_VELOCITY:
            give_velocity(all->grid, f, faces, f->velocity);
            break;
        case BOUNDARY_DISCHARGE:
            give_velocity(all->grid, f, faces, dealt_velocity(all, f, faces));
            break;
        }
    }
}

/* ---- tracers ---- */

Status boundaries_add_tracers(Boundaries *all, const Scenario *scenario, const State *state) {
    all->n_tracers = state->n_tracers;
    for (int n = 0; n < all->count; n++) {
        OpenFace *f = &all->face[n];
        f->tracer = ALLOCATE(state->n_tracers + 1, Series *);
        for (int t = 0; t < state->n_tracers; t++) {
            const Value *value = inflow_value(&f->boundary->inflow, state, t);
            if (value)
                TRY(series_create(value, state->tracer[t].name, &all->grid->axes, f->x, f->y,
                                  scenario->time.start, scenario->time.end, &f->tracer[t]));
        }
    }
    return STATUS_OK;
}

void boundaries_set_tracer(Boundaries *all, int tracer, double time, double *c) {
    const Grid *g = all->grid;
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const bool given = f->tracer[tracer] != NULL;
        const double outside = given ? series_at_or_nan(f->tracer[tracer], time) : 0;
        for (ptrdiff_t k = 0; k < g->n3; k++)
            c[f->ghost + k * g->plane] = given ? outside : c[f->inside + k * g->plane];
    }
}

void boundaries_tracer_inflow(const Boundaries *all, const double *flux_u, const double *flux_v,
                              const double *before, const double *after, const double *theta, ExactSum *sum) {
    const Grid *g = all->grid;
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        for (ptrdiff_t k = 0; k < g->n3; k++) {
            const ptrdiff_t inside = f->inside + k * g->plane, ghost = f->ghost + k * g->plane;
            const double flux = f->inwards * (f->along_x ? flux_u : flux_v)[f->face + k * g->plane];
            const double leaves = theta[inside] * before[inside] + (1 - theta[inside]) * after[inside];
            if (flux != 0) exact_sum_add(sum, flux * (flux > 0 ? before[ghost] : leaves));
        }
    }
}

void boundaries_mirror(const Boundaries *all, const double *depth, double *anomaly, double *surface,
                       double *pressure) {
    const Grid *g = all->grid;
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const double stretch = depth[f->inside] > 0 ? depth[f->ghost] / depth[f->inside] : 0;
        surface[f->ghost] = surface[f->inside];
        for (int k = 0; k < g->n3; k++) {
            anomaly[f->ghost + k * g->plane] = anomaly[f->inside + k * g->plane];
            pressure[f->ghost + k * g->plane] = stretch * pressure[f->inside + k * g->plane];
        }
    }
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

void boundaries_brake(Boundaries *all, double dt, const Faces *u, const Faces *v) {
    sponge_brake(all->sponge, dt, u, v);
}

void boundaries_inflow(const Boundaries *all, const Faces *u, const Faces *v, ExactSum *sum) {
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        exact_sum_add(sum, f->inwards * (f->along_x ? u : v)->flux_total[f->face]);
    }
    sponge_inflow(all->sponge, sum);
}
