/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/pressure.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/grid/halo.h"
#include <math.h>

enum { LEVEL_FIELDS = 9, PLANE_FIELDS = 6 };

struct Pressure {
    const Grid *grid; /* not owned */
    PressureOptions options;
    Matm *matm;
    Halo *halo;
    double *active, *heave, *carrying_u, *carrying_v, *added_u, *added_v;
    double *centre, *west, *south, *lower, *rhs, *p, *w, *acceleration_u, *acceleration_v;
};

static double **level_fields(Pressure *p, int n) {
    double **all[LEVEL_FIELDS] = {&p->centre, &p->west, &p->south,          &p->lower,         &p->rhs,
                                  &p->p,      &p->w,    &p->acceleration_u, &p->acceleration_v};
    return n < LEVEL_FIELDS ? all[n] : NULL;
}

static double **plane_fields(Pressure *p, int n) {
    double **all[PLANE_FIELDS] = {&p->active,     &p->heave,   &p->carrying_u,
                                  &p->carrying_v, &p->added_u, &p->added_v};
    return n < PLANE_FIELDS ? all[n] : NULL;
}

static PressureColumns columns_of(const Pressure *p, const PressureStep *s) {
    return (PressureColumns){.g = *p->grid,
                             .dt = s->dt,
                             .theta = p->options.theta,
                             .gravity = p->options.gravity,
                             .least_depth = p->options.least_depth,
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
                             .heave = p->heave,
                             .centre = p->centre,
                             .west = p->west,
                             .south = p->south,
                             .lower = p->lower,
                             .rhs = p->rhs,
                             .p = p->p,
                             .q = s->q};
}

static Status set_up_system(Pressure *p, Exec exec, PressureColumns columns) {
    pressure_assemble(exec, p->grid->blocks_c, columns);
    halo_exchange(p->halo, 0, NULL, 2, (double *[]){p->west, p->south});
    return matm_setup(
        p->matm,
        &(Stencil){
            .g = *p->grid, .centre = p->centre, .west = p->west, .south = p->south, .lower = p->lower});
}

/* MATM chooses its kind by the first system that it sees: that of the sea at the datum, so that a restart
 * chooses the same. */
static Status choose_solver(Pressure *p, Exec exec, double dt, const Faces *u, const Faces *v) {
    const Grid *g = p->grid;
    double *plane[4];
    for (int n = 0; n < 4; n++) plane[n] = field2_create(g);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            plane[0][m] = g->area[m] > 0 ? fmax(p->options.least_depth, -g->bed[m]) : 0;
            plane[1][m] = g->width_u[m] > 0 ? fmax(p->options.least_depth, -g->bed_u[m]) : 0;
            plane[2][m] = g->width_v[m] > 0 ? fmax(p->options.least_depth, -g->bed_v[m]) : 0;
        }
    PressureColumns columns =
        columns_of(p, &(PressureStep){dt, u, v, NULL, plane[0], plane[1], plane[2], plane[3], NULL, true});
    pressure_mark(exec, g->columns, columns);
    halo_exchange(p->halo, 1, &p->active, 0, NULL);
    const Status status = set_up_system(p, exec, columns);
    for (int n = 0; n < 4; n++) field2_destroy(g, &plane[n]);
    return status;
}

Status pressure_create(const Grid *grid, Exec exec, PressureOptions options, double dt, Faces *u, Faces *v,
                       Pressure **out) {
    /* w fixed: one that follows from earlier solves would not survive a restart; the paper's begins anew in
     * each */
    const MatmOptions matm = {.step = options.step, .omega = options.step == MATM_STEP_PAPER ? 0 : 3};
    Pressure *p = ALLOCATE(1, Pressure);
    Status status;
    *out = p;
    p->grid = grid;
    p->options = options;
    for (int n = 0; plane_fields(p, n); n++) *plane_fields(p, n) = field2_create(grid);
    for (int n = 0; level_fields(p, n); n++) *level_fields(p, n) = field3_create(grid);
    ATTEMPT(matm_create(grid, exec, &matm, &p->matm));
    ATTEMPT(halo_create(grid, 2 * grid->n3 + 4, &p->halo));
    ATTEMPT(choose_solver(p, exec, dt, u, v));
    u->acceleration = p->acceleration_u;
    v->acceleration = p->acceleration_v;
    u->carrying = p->carrying_u;
    v->carrying = p->carrying_v;
    return STATUS_OK;
cleanup:
    pressure_destroy(out);
    return status;
}

void pressure_destroy(Pressure **pressure) {
    Pressure *p = *pressure;
    if (!p) return;
    for (int n = 0; level_fields(p, n); n++) field3_destroy(p->grid, level_fields(p, n));
    for (int n = 0; plane_fields(p, n); n++) field2_destroy(p->grid, plane_fields(p, n));
    matm_destroy(&p->matm);
    halo_destroy(&p->halo);
    memory_free(p);
    *pressure = NULL;
}

const char *pressure_solver(const Pressure *p) {
    return matm_choice(p->matm);
}

void pressure_predict(Pressure *p, Exec exec, const Momentum *momentum, double *w, double *q) {
    const Grid *g = p->grid;
    const Momentum *a = momentum;
    pressure_mark(
        exec, g->columns,
        (PressureColumns){
            .g = *g, .depth = a->depth, .least_depth = p->options.least_depth, .active = p->active});
    halo_exchange(p->halo, 1, &p->active, 2, (double *[]){w, q});
    pressure_gradient(exec, g->blocks_u,
                      (PressureGradient){*g, 1, g->dx_c, g->bottom_u, a->faces.depth, a->depth, p->active, q,
                                         p->acceleration_u});
    pressure_gradient(exec, g->blocks_v,
                      (PressureGradient){*g, g->row, g->dy_c, g->bottom_v, a->other.depth, a->depth,
                                         p->active, q, p->acceleration_v});
    vertical_momentum_predict(exec, g->blocks_c,
                              (VerticalMomentum){.g = *g,
                                                 .flux_u = a->faces.flux,
                                                 .flux_v = a->other.flux,
                                                 .flux_w = a->flux_w,
                                                 .width_u = a->faces.width,
                                                 .width_v = a->other.width,
                                                 .depth = a->depth,
                                                 .w = w,
                                                 .q = q,
                                                 .predicted = p->w,
                                                 .dt = a->dt,
                                                 .least_depth = p->options.least_depth,
                                                 .advection = a->advection,
                                                 .viscosity = a->viscosity,
                                                 .viscosity_c = a->viscosity_c,
                                                 .floor_viscosity = a->floor_viscosity});
}

Status pressure_solve(Pressure *p, Exec exec, PressureStep step, SolveReport *report) {
    const Grid *g = p->grid;
    const Faces *u = step.u, *v = step.v;
    PressureColumns columns = columns_of(p, &step);
    const double gravity = p->options.gravity;
    columns.again = true;
    pressure_mark(exec, g->columns, columns);
    halo_exchange(p->halo, 1, &p->active, 0, NULL);
    pressure_spend_response(
        exec, g->blocks_u,
        (SpendResponse){*g, *u, step.increment, p->active, step.depth_u, gravity, p->carrying_u, p->added_u});
    pressure_spend_response(
        exec, g->blocks_v,
        (SpendResponse){*g, *v, step.increment, p->active, step.depth_v, gravity, p->carrying_v, p->added_v});
    halo_exchange(p->halo, 2, (double *[]){p->added_u, p->added_v}, 2,
                  (double *[]){u->predicted, v->predicted});
    TRY(set_up_system(p, exec, columns));
    exec_clear(exec, p->p - g->origin3, (size_t)g->size3 * sizeof *p->p);
    TRY(matm_solve(p->matm, p->rhs, p->p, p->options.tolerance, p->options.max_iterations, report));
    pressure_correct_u(exec, g->blocks_u, columns);
    pressure_correct_v(exec, g->blocks_v, columns);
    pressure_renew(exec, g->blocks_c, columns);
    if (step.first) exec_clear(exec, step.q - g->origin3, (size_t)g->size3 * sizeof *step.q);
    return STATUS_OK;
}
