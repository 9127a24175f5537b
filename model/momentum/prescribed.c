/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/prescribed.h"

#include "base/memory.h"
#include "model/forcing/forcing.h"
#include "model/forcing/formula.h"
#include <math.h>

struct Prescribed {
    const Grid *grid;
    double *total_u, *total_v; /* of columns, at a factor of 1 [m3 s-1] */
    Series *factor;
};

/* psi at the corners 0 <= i <= n1, 0 <= j <= n2, one more than needed in the halo. */
static Status fill_corners(const Value *value, const Grid *g, double *psi) {
    Expression *formula = NULL;
    if (value->kind != VALUE_EXPRESSION) return STATUS_OK; /* the same everywhere: no flow */
    TRY(formula_create(value, "streamfunction_m3_s", &g->axes, &formula));
    Status status = STATUS_OK;
    for (int j = 0; j <= g->n2; j++)
        for (int i = 0; i <= g->n1; i++) {
            double x = axes_x(&g->axes, g->i_first + i), y = axes_y(&g->axes, g->j_first + j);
            psi[AT2(*g, i, j)] = expression_at(formula, formula_point(&g->axes, x, y, 0));
            if (!isfinite(psi[AT2(*g, i, j)]) && status == STATUS_OK)
                status = error_raise(STATUS_BAD_INPUT, "%s: the stream function is not a number at %g, %g",
                                     value->place, x, y);
        }
    expression_destroy(&formula);
    return status;
}

static void fill_totals(const Grid *g, const double *psi, double *total_u, double *total_v) {
    for (int n = 0; n < g->faces_u.count; n++)
        for (int i = g->faces_u.run[n].i0, j = g->faces_u.run[n].j; i < g->faces_u.run[n].i1; i++)
            total_u[AT2(*g, i, j)] = psi[AT2(*g, i, j)] - psi[AT2(*g, i, j + 1)];
    for (int n = 0; n < g->faces_v.count; n++)
        for (int i = g->faces_v.run[n].i0, j = g->faces_v.run[n].j; i < g->faces_v.run[n].i1; i++)
            total_v[AT2(*g, i, j)] = psi[AT2(*g, i + 1, j)] - psi[AT2(*g, i, j)];
}

/* Water that would pile up: the stream function is not constant along a coast, or not periodic. */
static Status check_columns(const Prescribed *p, const char *place) {
    const Grid *g = p->grid;
    double most[2] = {0, 0}; /* of fluxes, of what is left of them in a column */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const double *u = p->total_u, *v = p->total_v;
            most[0] =
                fmax(most[0], fmax(fmax(fabs(u[m]), fabs(u[m + 1])), fmax(fabs(v[m]), fabs(v[m + g->row]))));
            most[1] = fmax(most[1], fabs(u[m + 1] - u[m] + (v[m + g->row] - v[m])));
        }
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    CHECK(most[1] <= 1e-9 * most[0], STATUS_BAD_INPUT,
          "%s: the stream function lets water pass through a coast: %g of at most %g m3/s per cell; it must "
          "be constant along each coast and on closed edges, and its slopes periodic where the grid is",
          place, most[1], most[0]);
    return STATUS_OK;
}

Status prescribed_create(const Scenario *scenario, const Grid *g, Halo *halo, Prescribed **out) {
    const ScenarioPhysics *physics = &scenario->physics;
    Prescribed *p = *out = ALLOCATE(1, Prescribed);
    p->grid = g;
    p->total_u = field2_create(g);
    p->total_v = field2_create(g);
    double *psi = field2_create(g);
    Status status = fill_corners(&physics->streamfunction_m3_s, g, psi);
    if (status == STATUS_OK)
        status = series_create(&physics->streamfunction_factor, "streamfunction_factor", &g->axes, 0, 0,
                               scenario, &p->factor);
    status = status_agree(g->comm, status);
    if (status == STATUS_OK) {
        fill_totals(g, psi, p->total_u, p->total_v);
        halo_exchange(halo, 2, (double *[]){p->total_u, p->total_v}, 0, NULL);
        exec_wait(g->exec);
        status = check_columns(p, physics->streamfunction_m3_s.place);
    }
    field2_destroy(g, &psi);
    return status;
}

void prescribed_destroy(Prescribed **prescribed) {
    Prescribed *p = *prescribed;
    if (!p) return;
    field2_destroy(p->grid, &p->total_u);
    field2_destroy(p->grid, &p->total_v);
    series_destroy(&p->factor);
    memory_free(p);
    *prescribed = NULL;
}

void prescribed_flow(const Prescribed *p, double time, const Faces *u, const Faces *v) {
    const Grid *g = p->grid;
    const double factor = series_at_or_nan(p->factor, time);
    prescribed_faces(g->exec, g->faces_u, (PrescribedFaces){grid_view(g), *u, p->total_u, factor});
    prescribed_faces(g->exec, g->faces_v, (PrescribedFaces){grid_view(g), *v, p->total_v, factor});
}
