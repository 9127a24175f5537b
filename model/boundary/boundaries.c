/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries.h"

#include "base/memory.h"
#include "model/forcing/forcing.h"
#include <math.h>

typedef struct OpenFace {
    ptrdiff_t face, ghost, inside; /* in 2-D fields */
    bool along_x;                  /* a u face */
    double inwards;                /* +1 where a positive velocity flows in */
    int j;                         /* its row */
    const ScenarioBoundary *boundary;
    Series *eta, *velocity;
    double x, y;     /* where the face is */
    Series **tracer; /* NULL: nothing is said about it */
} OpenFace;

struct Boundaries {
    const Grid *grid;
    OpenFace *face;
    int count, n_tracers;
};

static bool in_range(const ScenarioBoundary *b, double position) {
    return !b->has_range || (position >= b->range[0] && position <= b->range[1]);
}

Status boundaries_claim(const Scenario *scenario, const Axes *axes, const double *wet_area,
                        unsigned char *const open_edge[4]) {
    for (int n = 0; n < scenario->n_boundaries; n++) {
        const ScenarioBoundary *b = &scenario->boundaries[n];
        bool vertical = b->edge == EDGE_WEST || b->edge == EDGE_EAST;
        CHECK(!(vertical ? axes->periodic_x : axes->periodic_y), STATUS_BAD_INPUT,
              "%s: boundary \"%s\" lies on an edge that is periodic", b->place, b->name);
        int length = vertical ? axes->ny : axes->nx, claimed = 0;
        for (int p = 0; p < length; p++) {
            int i = vertical ? (b->edge == EDGE_WEST ? 0 : axes->nx - 1) : p;
            int j = vertical ? p : (b->edge == EDGE_SOUTH ? 0 : axes->ny - 1);
            double position = vertical ? axes_y(axes, p + 0.5) : axes_x(axes, p + 0.5);
            if (!in_range(b, position) || wet_area[(size_t)j * axes->nx + i] <= 0) continue;
            CHECK(!open_edge[b->edge][p], STATUS_BAD_INPUT,
                  "%s: boundary \"%s\" overlaps another one on the same edge at %g", b->place, b->name,
                  position);
            open_edge[b->edge][p] = (unsigned char)(n + 1);
            claimed++;
        }
        CHECK(
            claimed > 0, STATUS_BAD_INPUT,
            "%s: boundary \"%s\" meets no wet cell on its edge: check edge and range against the bathymetry",
            b->place, b->name);
    }
    return STATUS_OK;
}

/* Adds one face of this rank, if it is open. */
static Status add_face(Boundaries *all, const Scenario *scenario, const ScenarioBoundary *b, int i, int j) {
    const Grid *g = all->grid;
    bool vertical = b->edge == EDGE_WEST || b->edge == EDGE_EAST,
         low = b->edge == EDGE_WEST || b->edge == EDGE_SOUTH;
    ptrdiff_t face = AT2(*g, i, j), back = vertical ? face - 1 : face - g->row;
    if ((vertical ? g->width_u[face] : g->width_v[face]) <= 0) return STATUS_OK;
    double x = vertical ? g->x_u[i] : g->x_c[i], y = vertical ? g->y_c[j] : g->y_v[j];
    if (b->kind == BOUNDARY_ELEVATION) { /* where the given level is: in the middle of the ghost */
        const double half = low ? -0.5 : 0.5;
        x += vertical ? half * g->axes.step_x : 0;
        y += vertical ? 0 : half * g->axes.step_y;
    }
    OpenFace *f = &all->face[all->count++];
    *f = (OpenFace){.face = face,
                    .ghost = low ? back : face,
                    .inside = low ? face : back,
                    .along_x = vertical,
                    .inwards = low ? 1 : -1,
                    .j = j,
                    .boundary = b,
                    .x = x,
                    .y = y};
    double start = scenario->time.start, end = scenario->time.end;
    TRY(series_create(&b->eta_m, "boundary level", &g->axes, x, y, start, end, &f->eta));
    if (b->velocity_m_s.kind == VALUE_ABSENT) return STATUS_OK;
    return series_create(&b->velocity_m_s, "boundary velocity", &g->axes, x, y, start, end, &f->velocity);
}

static Status add_edge(Boundaries *all, const Scenario *scenario, const ScenarioBoundary *b) {
    const Grid *g = all->grid;
    bool vertical = b->edge == EDGE_WEST || b->edge == EDGE_EAST,
         low = b->edge == EDGE_WEST || b->edge == EDGE_SOUTH;
    int at = low ? 0 : (vertical ? g->n1 : g->n2);
    int global = at + (vertical ? g->i_first : g->j_first);
    if (global != (low ? 0 : (vertical ? g->nx : g->ny))) return STATUS_OK; /* another rank's edge */
    for (int p = 0; p < (vertical ? g->n2 : g->n1); p++) {
        double position = vertical ? g->y_c[p] : g->x_c[p];
        if (in_range(b, position)) TRY(add_face(all, scenario, b, vertical ? at : p, vertical ? p : at));
    }
    return STATUS_OK;
}

Status boundaries_create(const Scenario *scenario, const Grid *grid, Boundaries **out) {
    Boundaries *all = ALLOCATE(1, Boundaries);
    Status status;
    *out = all;
    all->grid = grid;
    all->face = ALLOCATE(2 * (grid->n1 + grid->n2) + 1, OpenFace);
    for (int n = 0; n < scenario->n_boundaries; n++)
        ATTEMPT(add_edge(all, scenario, &scenario->boundaries[n]));
    return STATUS_OK;
cleanup:
    boundaries_destroy(out);
    return status;
}

void boundaries_destroy(Boundaries **boundaries) {
    if (!*boundaries) return;
    for (int n = 0; n < (*boundaries)->count; n++) {
        series_destroy(&(*boundaries)->face[n].eta);
        series_destroy(&(*boundaries)->face[n].velocity);
        for (int t = 0; (*boundaries)->face[n].tracer && t < (*boundaries)->n_tracers; t++)
            series_destroy(&(*boundaries)->face[n].tracer[t]);
        memory_free((*boundaries)->face[n].tracer);
    }
    memory_free((*boundaries)->face);
    memory_free(*boundaries);
    *boundaries = NULL;
}

void boundaries_set_ghosts(Boundaries *all, double time, double *eta, double *depth, double *increment) {
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        bool given = f->boundary->kind == BOUNDARY_ELEVATION;
        double outside = given ? series_at_or_nan(f->eta, time) : eta[f->inside],
               bed = all->grid->bed[f->ghost];
        double level = outside < bed ? bed : outside; /* no number stays none, and is found */
        if (increment)
            increment[f->ghost] = given ? level - eta[f->ghost] : 0;
        else {
            eta[f->ghost] = level;
            depth[f->ghost] = level - all->grid->bed[f->ghost];
        }
    }
}

/* Flather's condition is linear: it holds where levels differ by less than the depth. In a film sqrt(g/H)
 * would make any difference a jet; there the water gets the speed of a front, sqrt(g times the difference).
 */
static const double LINEAR_DEPTH_M = 0.1;

void boundaries_radiate(Boundaries *all, double time, double gravity, const double *eta, const Faces *u,
                        const Faces *v) {
    const Grid *g = all->grid;
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const Faces *faces = f->along_x ? u : v;
        double depth = faces->depth[f->face];
        if (f->boundary->kind != BOUNDARY_FLATHER || depth <= 0) continue;
        double outer = f->velocity ? series_at_or_nan(f->velocity, time) : 0;
        double difference = series_at_or_nan(f->eta, time) - eta[f->inside];
        double deep = fmax(fmax(depth, fabs(difference)), LINEAR_DEPTH_M);
        double speed_per_level = sqrt(gravity / deep), theta = faces->theta[f->face];
        double predicted = f->inwards * (outer + speed_per_level * difference);
        double response = speed_per_level * faces->spacing[f->j] / (theta * gravity), old = 0;
        for (int k = (int)faces->bottom[f->face]; k < g->n3; k++) {
            ptrdiff_t m = f->face + k * g->plane;
            old += faces->phi[m] * depth * faces->velocity[m];
            faces->predicted[m] = predicted;
            faces->response[m] = response;
        }
        double width = faces->width[f->face];
        faces->flux_predicted[f->face] = width * (theta * depth * predicted + (1 - theta) * old);
        faces->conductance[f->face] = width * theta * depth * speed_per_level;
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

void boundaries_inflow(const Boundaries *all, const Faces *u, const Faces *v, ExactSum *sum) {
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        exact_sum_add(sum, f->inwards * (f->along_x ? u : v)->flux_total[f->face]);
    }
}
