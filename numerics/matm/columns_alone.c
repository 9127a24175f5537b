/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/columns_alone.h"

#include "base/memory.h"

struct Inner {
    const Grid *grid;
    Exec exec;
    const double *lower;
    double *inverse; /* of pivots, a field */
};

static void destroy(Inner **inner) {
    if (!*inner) return;
    field3_destroy((*inner)->grid, &(*inner)->inverse);
    memory_free(*inner);
    *inner = NULL;
}

static Status create(const Grid *grid, Exec exec, const MatmOptions *options, bool both, Inner **out) {
    Inner *m = *out = ALLOCATE(1, Inner);
    (void)options;
    (void)both;
    m->grid = grid;
    m->exec = exec;
    m->inverse = field3_create(grid);
    field3_fill(grid, m->inverse, 0);
    return STATUS_OK;
}

static void setup(Inner *m, const Stencil *stencil) {
    m->lower = stencil->lower;
    column_pivots(m->exec, m->grid->blocks_c,
                  (ColumnPivots){stencil->g, stencil->centre, stencil->lower, m->inverse});
}

static void add_solution(const Inner *m, const double *r, double *x) {
    column_solve(m->exec, m->grid->blocks_c, (ColumnSolve){grid_view(m->grid), m->lower, m->inverse, r, x});
}

/* One step: the residual that follows is that of x. */
static int improve(Inner *m, const InnerSolve *solve, double *x) {
    add_solution(m, solve->residual, x);
    return 1;
}

static void precondition(Inner *m, const double *r, double norm, double *z) {
    (void)norm;
    add_solution(m, r, z);
}

static double omega_of(const Inner *m) {
    (void)m;
    return 0;
}

const InnerKind matm_in_columns = {create, destroy, setup, improve, NULL, precondition, omega_of};
