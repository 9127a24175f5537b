/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/columns_alone.h"

#include "base/memory.h"
#include "numerics/grid/halo.h"

/* A step gains at least four digits: so much of a residual, and more, one step is asked for. */
static const double ONE_STEP = 1e-3;

struct Inner {
    const Grid *grid;
    Exec exec;
    Halo *halo;
    const double *west, *south, *lower;
    double *inverse, *first; /* fields: of pivots; T^-1 r */
};

static void destroy(Inner **inner) {
    Inner *m = *inner;
    if (!m) return;
    field3_destroy(m->grid, &m->inverse);
    field3_destroy(m->grid, &m->first);
    halo_destroy(&m->halo);
    memory_free(m);
    *inner = NULL;
}

static Status create(const Grid *grid, Exec exec, const MatmOptions *options, bool both, Inner **out) {
    Inner *m = *out = ALLOCATE(1, Inner);
    (void)options;
    (void)both;
    m->grid = grid;
    m->exec = exec;
    m->inverse = field3_create(grid);
    m->first = field3_create(grid);
    field3_fill(grid, m->inverse, 0);
    field3_fill(grid, m->first, 0);
    const Status status = halo_create(grid, grid->n3, &m->halo);
    if (status != STATUS_OK) destroy(out);
    return status;
}

static void setup(Inner *m, const Stencil *stencil) {
    m->west = stencil->west;
    m->south = stencil->south;
    m->lower = stencil->lower;
    column_pivots(m->exec, m->grid->blocks_c,
                  (ColumnPivots){stencil->g, stencil->centre, stencil->lower, m->inverse});
}

static ColumnSolve solve_of(const Inner *m, const double *r, double *x) {
    return (ColumnSolve){grid_view(m->grid), m->west, m->south, m->lower, m->inverse, r, m->first, x};
}

/* Up to two steps: the residual that follows is that of x. */
static int improve(Inner *m, const InnerSolve *solve, double *x) {
    const BlockList blocks = m->grid->blocks_c;
    if (solve->goal >= ONE_STEP * solve->norm || solve->max_iterations < 2) {
        column_solve_add(m->exec, blocks, solve_of(m, solve->residual, x));
        return 1;
    }
    column_solve(m->exec, blocks, solve_of(m, solve->residual, m->first));
    halo_exchange(m->halo, 0, NULL, 1, &m->first);
    column_solve_again(m->exec, blocks, solve_of(m, solve->residual, x));
    return 2;
}

static void precondition(Inner *m, const double *r, double norm, double *z) {
    (void)norm;
    column_solve_add(m->exec, m->grid->blocks_c, solve_of(m, r, z));
}

static double omega_of(const Inner *m) {
    (void)m;
    return 0;
}

const InnerKind matm_in_columns = {create, destroy, setup, improve, NULL, precondition, omega_of};
