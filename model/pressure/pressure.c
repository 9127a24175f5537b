/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/pressure_parts.h"

#include "base/memory.h"
#include "model/momentum/turns.h"

enum { LEVEL_FIELDS = 13, PLANE_FIELDS = 10 };

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
    faces_by_turns(
        exec, g, push_faces,
        (const PressureGradient[]){pressure_gradient_of(p, &a->faces, a->faces.depth, a->depth, q),
                                   pressure_gradient_of(p, &a->other, a->other.depth, a->depth, q)});
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
    ATTEMPT(pressure_choose_solver(p, exec, dt, theta, u, v));
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
    PressureColumns columns = pressure_columns_of(p, &step);
    const double gravity = p->options.gravity;
    pressure_mark_again(exec, g->columns,
                        (PressureMark){.g = grid_view(g),
                                       .least_depth = p->options.least_depth,
                                       .depth = step.depth,
                                       .active = p->active});
    halo_exchange(p->halo, 1, &p->active, 0, NULL);
    WholeSystem system = {p, exec, columns};
    faces_by_turns(exec, g, spend_on_faces,
                   (const SpendResponse[]){{pressure_gradient_u(&system, step.q), *u, step.increment, gravity,
                                            step.dt, p->carrying_u, p->added_u},
                                           {pressure_gradient_v(&system, step.q), *v, step.increment, gravity,
                                            step.dt, p->carrying_v, p->added_v}});
    halo_exchange(p->halo, 2, (double *[]){p->added_u, p->added_v}, 2,
                  (double *[]){u->predicted, v->predicted});
    TRY(pressure_set_up_system(p, exec, columns));
    pressure_guess(exec, g->blocks_c,
                   (PressureGuess){grid_view(g), p->active, p->past.p, p->past.before, p->past.surface,
                                   p->past.surface_before});
    *report = pressure_solve_whole(&system, p->past.p, p->options.tolerance, p->options.max_iterations);
    pressure_exchange(p, p->past.p);
    faces_by_turns(exec, g, correct_faces,
                   (const PressureCorrect[]){{pressure_gradient_u(&system, p->past.p), *u, step.dt},
                                             {pressure_gradient_v(&system, p->past.p), *v, step.dt}});
    pressure_renew(exec, g->blocks_c,
                   (PressureRenew){grid_view(g), p->active, p->past.p, step.q, p->past.surface});
    if (step.first) field3_copy(exec, g, NULL, step.q);
    return STATUS_OK;
}
