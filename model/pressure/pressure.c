/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/pressure.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/momentum/turns.h"
#include "model/pressure/face_flows.h"
#include "numerics/grid/halo.h"
#include "numerics/krylov/matrix_free.h"
#include <math.h>

enum { LEVEL_FIELDS = 13, PLANE_FIELDS = 10 };

struct Pressure {
    const Grid *grid; /* not owned */
    PressureOptions options;
    PressurePast past;
    Matm *matm; /* seven points of the system */
    MatrixFree *solver;
    Flows *flows;
    Halo *halo;
    double *active, *steady, *kept, *kept_below, *carrying_u, *carrying_v, *added_u, *added_v, *carried;
    double *centre, *west, *south, *lower, *rhs, *w, *acceleration_u, *acceleration_v;
    double *flux_u, *flux_v, *flux_w, *depth_advected, *advected_u, *advected_v;
};

static double **level_fields(Pressure *p, int n) {
    double **all[LEVEL_FIELDS] = {&p->centre, &p->west,           &p->south,          &p->lower,  &p->rhs,
                                  &p->w,      &p->acceleration_u, &p->acceleration_v, &p->flux_u, &p->flux_v,
                                  &p->flux_w, &p->advected_u,     &p->advected_v};
    return n < LEVEL_FIELDS ? all[n] : NULL;
}

static double **plane_fields(Pressure *p, int n) {
    double **all[PLANE_FIELDS] = {&p->active,  &p->kept,      &p->carrying_u,     &p->carrying_v,
                                  &p->added_u, &p->added_v,   &p->depth_advected, &p->carried,
                                  &p->steady,  &p->kept_below};
    return n < PLANE_FIELDS ? all[n] : NULL;
}

static PressureColumns columns_of(const Pressure *p, const PressureStep *s) {
    return (PressureColumns){.g = grid_view(p->grid),
                             .dt = s->dt,
                             .theta = s->theta,
                             .gravity = p->options.gravity,
                             .u = *s->u,
                             .v = *s->v,
                             .depth = s->depth,
                             .depth_u = s->depth_u,
                             .depth_v = s->depth_v,
                             .source = s->source,
                             .w = p->w,
                             .added_u = p->added_u,
                             .added_v = p->added_v,
                             .active = p->active,
                             .centre = p->centre,
                             .west = p->west,
                             .south = p->south,
                             .lower = p->lower,
                             .rhs = p->rhs,
                             .p = p->past.p};
}

static PressureFaces faces_of(const Pressure *p, const Faces *f, const double *depth_face,
                              const double *depth) {
    return (PressureFaces){.g = grid_view(p->grid),
                           .along = f->along,
                           .spacing = f->spacing,
                           .bottom = f->bottom,
                           .phi = f->phi,
                           .width = f->width,
                           .depth_face = depth_face,
                           .depth = depth};
}

/* By `pressure`, whose halo is filled. */
static PressureGradient gradient_of(const Pressure *p, const Faces *f, const double *depth_face,
                                    const double *depth, const double *pressure) {
    const bool along_x = f->along == 1;
    return (PressureGradient){.at = faces_of(p, f, depth_face, depth),
                              .active = p->active,
                              .pressure = pressure,
                              .acceleration = along_x ? p->acceleration_u : p->acceleration_v};
}

/* ---- from velocities ---- */

typedef struct OfVelocity {
    FlowOfVelocity u, v;
    PressureColumns columns; /* to be assembled; */
    FindW w;                 /* or w to be found */
} OfVelocity;

static void flow_of_velocity(const void *context, Exec exec, bool along_x, BlockList faces, FaceFlow flow) {
    const OfVelocity *of = (const OfVelocity *)context;
    FlowOfVelocity args = along_x ? of->u : of->v;
    args.flow = flow;
    pressure_flow_of_velocity(exec, faces, args);
}

static void assemble(const void *context, Exec exec, BlockList columns, SideFlows flows) {
    PressureColumns args = ((const OfVelocity *)context)->columns;
    args.flows = flows;
    pressure_assemble(exec, columns, args);
}

static void find_w(const void *context, Exec exec, BlockList columns, SideFlows flows) {
    FindW args = ((const OfVelocity *)context)->w;
    args.flows = flows;
    pressure_columns_w(exec, columns, args);
}

void pressure_find_w(const Pressure *p, Exec exec, const Faces *u, const Faces *v, const double *depth,
                     const double *source, double *w) {
    const double least = p->options.least_depth;
    const OfVelocity of = {.u = {faces_of(p, u, u->depth, depth), least, u->velocity, {NULL, NULL}},
                           .v = {faces_of(p, v, v->depth, depth), least, v->velocity, {NULL, NULL}},
                           .w = {.g = grid_view(p->grid), .depth = depth, .source = source, .w = w}};
    flows_find(p->flows, exec, (FlowWork){&of, flow_of_velocity, find_w});
}

static Status set_up_system(Pressure *p, Exec exec, PressureColumns columns) {
    const double least = p->options.least_depth;
    const Faces *u = &columns.u, *v = &columns.v;
    const OfVelocity of = {
        .u = {faces_of(p, u, columns.depth_u, columns.depth), least, u->predicted, {NULL, NULL}},
        .v = {faces_of(p, v, columns.depth_v, columns.depth), least, v->predicted, {NULL, NULL}},
        .columns = columns};
    flows_find(p->flows, exec, (FlowWork){&of, flow_of_velocity, assemble});
    halo_exchange(p->halo, 0, NULL, 2, (double *[]){p->west, p->south});
    return matm_setup(p->matm, &(Stencil){.g = grid_view(p->grid),
                                          .centre = p->centre,
                                          .west = p->west,
                                          .south = p->south,
                                          .lower = p->lower});
}

void pressure_destroy(Pressure **pressure) {
    Pressure *p = *pressure;
    if (!p) return;
    for (int n = 0; level_fields(p, n); n++) field3_destroy(p->grid, level_fields(p, n));
    for (int n = 0; plane_fields(p, n); n++) field2_destroy(p->grid, plane_fields(p, n));
    matm_destroy(&p->matm);
    matrix_free_destroy(&p->solver);
    flows_destroy(&p->flows);
    halo_destroy(&p->halo);
    memory_free(p);
    *pressure = NULL;
}

void pressure_start(Pressure *p, Exec exec, const double *depth, PressureState state) {
    pressure_start_columns(
        exec, p->grid->columns,
        (PressureStart){grid_view(p->grid), p->options.gravity, depth, state.w, state.inertia});
}

void pressure_begin(Pressure *p, Exec exec, const Momentum *momentum, PressureState state) {
    const PressureMark mark = {.g = grid_view(p->grid),
                               .least_depth = p->options.least_depth,
                               .gravity = p->options.gravity,
                               .breaking = p->options.breaking,
                               .dt_before = momentum->dt / momentum->pace,
                               .depth = momentum->depth,
                               .w = state.w,
                               .eta = momentum->eta,
                               .increment = momentum->increment,
                               .active = p->active,
                               .q = state.q,
                               .inertia = state.inertia,
                               .carried = p->carried};
    halo_exchange(p->halo, 1, &state.inertia, 1, &state.w);
    pressure_mark(exec, p->grid->blocks_c, mark);
    pressure_carry(exec, p->grid->columns, mark);
    pressure_release(exec, p->grid->cells, mark);
    halo_exchange(p->halo, 1, &p->active, 0, NULL);
}

void pressure_advance_fluxes(Pressure *p, Exec exec, Momentum *u, Momentum *v) {
    const Grid *g = p->grid;
    const Faces *fu = &u->faces, *fv = &v->faces;
    pressure_find_steady(exec, g->columns,
                         (FindSteady){grid_view(g), u->depth, u->increment, p->active, p->steady});
    halo_exchange(p->halo, 1, &p->steady, 0, NULL);
    /* beyond these blocks and their levels velocities are 0, or in halos */
    pressure_advance_flux(exec, g->blocks_u,
                          (AdvanceFlux){grid_view(g), u->pace, u->dt, 1, fu->spacing, p->active, p->steady,
                                        fu->width, fu->bottom, fu->phi, fu->depth, fu->velocity, fu->flux,
                                        u->increment, p->flux_u, p->advected_u});
    pressure_advance_flux(exec, g->blocks_v,
                          (AdvanceFlux){grid_view(g), u->pace, u->dt, g->row, fv->spacing, p->active,
                                        p->steady, fv->width, fv->bottom, fv->phi, fv->depth, fv->velocity,
                                        fv->flux, u->increment, p->flux_v, p->advected_v});
    halo_exchange(p->halo, 0, NULL, 4, (double *[]){p->flux_u, p->flux_v, p->advected_u, p->advected_v});
    /* columns beyond open edges stay as deep as they are, also those outside of all blocks */
    field2_copy(exec, g, u->depth, p->depth_advected);
    pressure_advance_flux_w(exec, g->blocks_c,
                            (AdvanceFluxW){grid_view(g), u->dt, u->depth, p->steady, p->flux_u, p->flux_v,
                                           p->flux_w, p->depth_advected});
    halo_exchange(p->halo, 1, &p->depth_advected, 1, &p->flux_w);
    u->faces.advected = p->advected_u;
    v->faces.advected = p->advected_v;
    u->faces.flux = v->other.flux = p->flux_u;
    v->faces.flux = u->other.flux = p->flux_v;
    u->flux_w = v->flux_w = p->flux_w;
    u->depth_advected = v->depth_advected = p->depth_advected;
}

static VerticalMomentum vertical_momentum(const Pressure *p, const Momentum *a) {
    return (VerticalMomentum){.g = grid_view(p->grid),
                              .flux_u = a->faces.flux,
                              .flux_v = a->other.flux,
                              .flux_w = a->flux_w,
                              .width_u = a->faces.width,
                              .width_v = a->other.width,
                              .depth = a->depth,
                              .depth_advected = a->depth_advected,
                              .active = p->active,
                              .carried = p->carried,
                              .predicted = p->w,
                              .dt = a->dt,
                              .least_depth = p->options.least_depth,
                              .advection = a->advection,
                              .viscosity = a->viscosity,
                              .viscosity_c = a->viscosity_c,
                              .viscosity_in_sum = a->viscosity_in_sum,
                              .floor_viscosity = a->floor_viscosity};
}

static void push_faces(const void *context, Exec exec, bool along_x, BlockList faces) {
    pressure_gradient(exec, faces, ((const PressureGradient *)context)[along_x ? 0 : 1]);
}

void pressure_predict(Pressure *p, Exec exec, const Momentum *momentum, double *w, double *q) {
    const Grid *g = p->grid;
    const Momentum *a = momentum;
    halo_exchange(p->halo, 0, NULL, 1, &q);
    faces_by_turns(exec, g, push_faces,
                   (const PressureGradient[]){gradient_of(p, &a->faces, a->faces.depth, a->depth, q),
                                              gradient_of(p, &a->other, a->other.depth, a->depth, q)});
    VerticalMomentum vertical = vertical_momentum(p, a);
    vertical.w = w;
    vertical.q = q;
    vertical_momentum_predict(exec, g->blocks_c, vertical);
}

void pressure_spread_w(Pressure *p, Exec exec, const Momentum *momentum, int stages) {
    const Grid *g = p->grid;
    double *now = stages % 2 ? p->rhs : p->w, *next = stages % 2 ? p->w : p->rhs; /* the last is p->w */
    if (stages % 2) field3_copy(exec, g, next, now);
    for (int n = 1; n <= stages; n++) {
        halo_exchange(p->halo, 0, NULL, 1, &now);
        vertical_viscous_stage(
            exec, g->blocks_c,
            (VerticalStage){vertical_momentum(p, momentum), now, next, stage_weights(n, stages)});
        double *kept = now;
        now = next;
        next = kept;
    }
}

/* ---- the whole system ---- */

typedef struct WholeSystem {
    Pressure *p;
    Exec exec;
    PressureColumns columns;
} WholeSystem;

static PressureGradient gradient_u(const WholeSystem *s, const double *pressure) {
    return gradient_of(s->p, &s->columns.u, s->columns.depth_u, s->columns.depth, pressure);
}
static PressureGradient gradient_v(const WholeSystem *s, const double *pressure) {
    return gradient_of(s->p, &s->columns.v, s->columns.depth_v, s->columns.depth, pressure);
}

/* Fills the halo, the surface's level included. */
static void exchange_pressure(const Pressure *p, double *pressure) {
    double *surface = pressure + p->grid->n3 * p->grid->plane;
    halo_exchange(p->halo, 1, &surface, 1, &pressure);
}

typedef struct OfGradient {
    FlowOfGradient u, v;
    PressureColumns columns;
} OfGradient;

static void flow_of_gradient(const void *context, Exec exec, bool along_x, BlockList faces, FaceFlow flow) {
    const OfGradient *of = (const OfGradient *)context;
    FlowOfGradient args = along_x ? of->u : of->v;
    args.flow = flow;
    pressure_flow_of_gradient(exec, faces, args);
}

static void find_product(const void *context, Exec exec, BlockList columns, SideFlows flows) {
    PressureColumns args = ((const OfGradient *)context)->columns;
    args.flows = flows;
    pressure_apply(exec, columns, args);
}

static void apply_whole(void *context, double *x, double *y, double *xy) {
    const WholeSystem *s = context;
    const FaceFlow found = {NULL, NULL};
    OfGradient of = {{gradient_u(s, x), found}, {gradient_v(s, x), found}, s->columns};
    of.columns.p = x;
    of.columns.product = y;
    of.columns.sum = xy;
    exchange_pressure(s->p, x);
    flows_find(s->p->flows, s->exec, (FlowWork){&of, flow_of_gradient, find_product});
}

/* Seven points, without the slope of the layers, for which the surface can be eliminated. */
static void solve_about(void *context, double *r, double norm, double *z, double *rz) {
    const WholeSystem *s = context;
    Pressure *p = s->p;
    const double theta_dt = s->columns.theta * s->columns.dt;
    const PressureSurface surface = {grid_view(p->grid),
                                     p->options.gravity * theta_dt * theta_dt,
                                     s->columns.depth,
                                     p->active,
                                     r,
                                     z,
                                     p->kept,
                                     p->kept_below,
                                     rz};
    pressure_fold_surface(s->exec, p->grid->blocks_c, surface);
    matm_apply_inverse(p->matm, r, norm, z);
    pressure_unfold_surface(s->exec, p->grid->blocks_c, surface);
}

/* ---- the choice ---- */

/* Preconditioners that are tried, w fixed: one that follows from earlier solves would not survive a restart.
 * What an iteration of each costs beside the first. */
static const struct {
    MatmOptions options;
    double cost;
} CANDIDATES[] = {
    {{.omega = 3, .correction = MATM_CORRECTION_NONE}, 1}, /* MATM's own choice, uncorrected */
    {{.omega = 3, .diagonal = MATM_D_LINES, .grids = MATM_GRIDS_ONE, .correction = MATM_CORRECTION_NONE},
     1.1},
    {{.omega = 3, .diagonal = MATM_D_LINES, .correction = MATM_CORRECTION_COLUMNS}, 1.6},
};
enum { CANDIDATE_COUNT = sizeof CANDIDATES / sizeof *CANDIDATES, TRIAL_ITERATIONS = 60 };
static const double TRIAL_TOLERANCE = 1e-4;

/* A source in every cell that knows nothing of its neighbours', the same for any number of ranks. */
static void fill_trial(Pressure *p, Exec exec) {
    const Grid *g = p->grid;
    exec_wait(exec);
    for (int n = 0; n < g->cells.count; n++) {
        const Run r = g->cells.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const uint64_t place =
                ((uint64_t)r.k * (uint64_t)g->ny + (uint64_t)(g->j_first + r.j)) * (uint64_t)g->nx;
            const uint64_t noise = hash_mix(place + (uint64_t)(g->i_first + i));
            const ptrdiff_t m = AT(*g, i, r.j, r.k);
            p->rhs[m] = p->active[AT2(*g, i, r.j)] > 0
                            ? g->area[AT2(*g, i, r.j)] * ((double)(noise >> 11) * 0x1p-53 - 0.5)
                            : 0;
        }
    }
}

/* How much the solution of a trial costs with one candidate, which is made the solver. Collective. */
static Status try_solver(Pressure *p, Exec exec, const PressureColumns *columns, int candidate,
                         double *cost) {
    WholeSystem system = {p, exec, *columns};
    MatmOptions options = CANDIDATES[candidate].options;
    if (candidate == 0) options.step = p->options.step;
    if (p->options.step != MATM_STEP_AUTO) options.correction = MATM_CORRECTION_AUTO; /* the only candidate */
    matm_destroy(&p->matm);
    TRY(matm_create(p->grid, exec, &options, &p->matm));
    TRY(set_up_system(p, exec, *columns));
    fill_trial(p, exec);
    double *x = p->advected_u; /* past.p may be a restart's */
    field3_copy(exec, p->grid, NULL, x);
    const SolveReport report = matrix_free_solve(p->solver, &(FreeSystem){&system, apply_whole, solve_about},
                                                 p->rhs, x, TRIAL_TOLERANCE, TRIAL_ITERATIONS);
    const double digits = fmax(-log10(report.residual), 1e-3);
    *cost = CANDIDATES[candidate].cost * report.iterations / digits;
    return STATUS_OK;
}

/* By a trial in the sea at the datum, so that a restart chooses the same. Collective. */
static Status choose_solver(Pressure *p, Exec exec, double dt, double theta, const Faces *u, const Faces *v) {
    const Grid *g = p->grid;
    double *plane[4], cost[CANDIDATE_COUNT] = {0};
    int best = 0;
    Status status;
    for (int n = 0; n < 4; n++) plane[n] = field2_create(g);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            plane[0][m] = g->area[m] > 0 ? fmax(p->options.least_depth, -g->bed[m]) : 0;
            plane[1][m] = g->width_u[m] > 0 ? fmax(p->options.least_depth, -g->bed_u[m]) : 0;
            plane[2][m] = g->width_v[m] > 0 ? fmax(p->options.least_depth, -g->bed_v[m]) : 0;
        }
    PressureColumns columns = columns_of(
        p, &(PressureStep){dt, theta, u, v, NULL, plane[0], plane[1], plane[2], plane[3], NULL, true});
    pressure_mark(exec, g->blocks_c,
                  (PressureMark){.g = grid_view(g),
                                 .least_depth = p->options.least_depth,
                                 .depth = plane[0],
                                 .active = p->active});
    halo_exchange(p->halo, 1, &p->active, 0, NULL);
    const int count = p->options.step == MATM_STEP_AUTO ? CANDIDATE_COUNT : 1;
    for (int n = 0; n < count; n++) {
        ATTEMPT(try_solver(p, exec, &columns, n, &cost[n]));
        if (cost[n] < cost[best]) best = n;
    }
    if (best != count - 1) ATTEMPT(try_solver(p, exec, &columns, best, &cost[best]));
    status = STATUS_OK;
cleanup:
    /* a trial's solution, which steps would not overwrite all over */
    field3_copy(exec, g, NULL, p->advected_u);
    exec_wait(exec);
    for (int n = 0; n < 4; n++) field2_destroy(g, &plane[n]);
    return status;
}

Status pressure_create(const Grid *grid, Exec exec, PressureOptions options, PressurePast past, double dt,
                       double theta, Faces *u, Faces *v, Pressure **out) {
    Pressure *p = ALLOCATE(1, Pressure);
    Status status;
    *out = p;
    p->grid = grid;
    p->options = options;
    p->past = past;
    for (int n = 0; plane_fields(p, n); n++) *plane_fields(p, n) = field2_create(grid);
    for (int n = 0; level_fields(p, n); n++) *level_fields(p, n) = field3_create(grid);
    p->solver = matrix_free_create(grid, exec);
    p->flows = flows_create(grid, exec);
    ATTEMPT(halo_create(grid, 2 * grid->n3 + 4, &p->halo));
    ATTEMPT(choose_solver(p, exec, dt, theta, u, v));
    u->acceleration = p->acceleration_u;
    v->acceleration = p->acceleration_v;
    u->carrying = p->carrying_u;
    v->carrying = p->carrying_v;
    return STATUS_OK;
cleanup:
    pressure_destroy(out);
    return status;
}

/* ---- a step ---- */

static void spend_on_faces(const void *context, Exec exec, bool along_x, BlockList faces) {
    pressure_spend_response(exec, faces, ((const SpendResponse *)context)[along_x ? 0 : 1]);
}
static void correct_faces(const void *context, Exec exec, bool along_x, BlockList faces) {
    pressure_correct(exec, faces, ((const PressureCorrect *)context)[along_x ? 0 : 1]);
}

Status pressure_solve(Pressure *p, Exec exec, PressureStep step, SolveReport *report) {
    const Grid *g = p->grid;
    const Faces *u = step.u, *v = step.v;
    PressureColumns columns = columns_of(p, &step);
    const double gravity = p->options.gravity;
    pressure_mark_again(exec, g->columns,
                        (PressureMark){.g = grid_view(g),
                                       .least_depth = p->options.least_depth,
                                       .depth = step.depth,
                                       .active = p->active});
    halo_exchange(p->halo, 1, &p->active, 0, NULL);
    WholeSystem system = {p, exec, columns};
    faces_by_turns(
        exec, g, spend_on_faces,
        (const SpendResponse[]){
            {gradient_u(&system, step.q), *u, step.increment, gravity, step.dt, p->carrying_u, p->added_u},
            {gradient_v(&system, step.q), *v, step.increment, gravity, step.dt, p->carrying_v, p->added_v}});
    halo_exchange(p->halo, 2, (double *[]){p->added_u, p->added_v}, 2,
                  (double *[]){u->predicted, v->predicted});
    TRY(set_up_system(p, exec, columns));
    pressure_guess(exec, g->blocks_c,
                   (PressureGuess){grid_view(g), p->active, p->past.p, p->past.before, p->past.surface,
                                   p->past.surface_before});
    *report = matrix_free_solve(p->solver, &(FreeSystem){&system, apply_whole, solve_about}, p->rhs,
                                p->past.p, p->options.tolerance, p->options.max_iterations);
    exchange_pressure(p, p->past.p);
    faces_by_turns(exec, g, correct_faces,
                   (const PressureCorrect[]){{gradient_u(&system, p->past.p), *u, step.dt},
                                             {gradient_v(&system, p->past.p), *v, step.dt}});
    pressure_renew(exec, g->blocks_c,
                   (PressureRenew){grid_view(g), p->active, p->past.p, step.q, p->past.surface});
    if (step.first) field3_copy(exec, g, NULL, step.q);
    return STATUS_OK;
}
