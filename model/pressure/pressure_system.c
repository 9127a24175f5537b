/* SPDX-License-Identifier: Apache-2.0
 *
 * The system for the pressure: its matrix, its product, its preconditioner; and w, whose flows are found in the same way.
 */
#include "model/pressure/pressure_parts.h"

PressureColumns pressure_columns_of(const Pressure *p, const PressureStep *s) {
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

PressureGradient pressure_gradient_of(const Pressure *p, const Faces *f, const double *depth_face,
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
    PressureColumns columns; /* to be assembled */
    FindW w;                 /* or: w to be found */
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

Status pressure_set_up_system(Pressure *p, Exec exec, PressureColumns columns) {
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

/* ---- the whole system ---- */

PressureGradient pressure_gradient_u(const WholeSystem *s, const double *pressure) {
    return pressure_gradient_of(s->p, &s->columns.u, s->columns.depth_u, s->columns.depth, pressure);
}
PressureGradient pressure_gradient_v(const WholeSystem *s, const double *pressure) {
    return pressure_gradient_of(s->p, &s->columns.v, s->columns.depth_v, s->columns.depth, pressure);
}

void pressure_exchange(const Pressure *p, double *pressure) {
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
    OfGradient of = {{pressure_gradient_u(s, x), found}, {pressure_gradient_v(s, x), found}, s->columns};
    of.columns.p = x;
    of.columns.product = y;
    of.columns.sum = xy;
    pressure_exchange(s->p, x);
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

SolveReport pressure_solve_whole(WholeSystem *s, double *x, double tolerance, int max_iterations) {
    return matrix_free_solve(s->p->solver, &(FreeSystem){s, apply_whole, solve_about}, s->p->rhs, x,
                             tolerance, max_iterations);
}
