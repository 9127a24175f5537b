/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/krylov/matrix_free.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/grid/sums.h"
#include "numerics/krylov/vector_kernels.h"
#include <math.h>

enum { VECTORS = 4 };
/* The recursive residual drifts below the true one by rounding: above this tolerance by nothing that counts. */
static const double TRUSTED = 1e-9;

struct MatrixFree {
    const Grid *grid;
    Exec exec;
    double *r, *z, *p, *q;
};

static double **vectors(MatrixFree *s, int n) {
    double **all[VECTORS] = {&s->r, &s->z, &s->p, &s->q};
    return n < VECTORS ? all[n] : NULL;
}

MatrixFree *matrix_free_create(const Grid *grid, Exec exec) {
    MatrixFree *s = ALLOCATE(1, MatrixFree);
    s->grid = grid;
    s->exec = exec;
    for (int n = 0; vectors(s, n); n++) *vectors(s, n) = field3_create(grid);
    return s;
}

void matrix_free_destroy(MatrixFree **solver) {
    if (!*solver) return;
    for (int n = 0; vectors(*solver, n); n++) field3_destroy((*solver)->grid, vectors(*solver, n));
    memory_free(*solver);
    *solver = NULL;
}

static void products(const MatrixFree *s, int count, const double *const *x, const double *const *y,
                     double *values) {
    sums_of_levels(s->exec, s->grid, s->grid->n3 + 1, count, x, y, values);
}

/* p = z + factor p */
static void turn(MatrixFree *s, double factor) {
    const Grid *g = s->grid;
    const ptrdiff_t surface = g->n3 * g->plane;
    cg_direction(s->exec, g->cells, (CgDirection){grid_view(g), factor, s->z, s->p});
    cg_direction(s->exec, g->columns, (CgDirection){grid_view(g), factor, s->z + surface, s->p + surface});
}

/* x += step p, r -= step q */
static void advance(MatrixFree *s, double step, const double *p, const double *q, double *x) {
    const Grid *g = s->grid;
    const ptrdiff_t surface = g->n3 * g->plane;
    cg_advance(s->exec, g->cells, (CgAdvance){grid_view(g), step, p, q, NULL, x, s->r, NULL});
    cg_advance(
        s->exec, g->columns,
        (CgAdvance){grid_view(g), step, p + surface, q + surface, NULL, x + surface, s->r + surface, NULL});
}

/* r = rhs - A x; its norm. */
static double residual_norm(MatrixFree *s, const FreeSystem *system, const double *rhs, double *x) {
    const Grid *g = s->grid;
    double square;
    system->apply(system->context, x, s->q);
    exec_copy(s->exec, s->r - g->origin3, rhs - g->origin3, (size_t)g->size3 * sizeof *rhs);
    advance(s, 1, s->q, s->q, s->z); /* what happens to z is of no interest */
    products(s, 1, (const double *[]){s->r}, (const double *[]){s->r}, &square);
    return sqrt(square);
}

/* Iterates until the recursive residual is at most `goal`; s->r holds the residual of x, of `*norm`, which
 * becomes that of the last x. */
static int iterate(MatrixFree *s, const FreeSystem *system, double *norm, double *x, double goal,
                   int max_iterations) {
    double rz_old = 0, sums[2], pq;
    for (int n = 0; n < max_iterations; n++) {
        system->precondition(system->context, s->r, *norm, s->z);
        products(s, 1, (const double *[]){s->z}, (const double *[]){s->r}, sums);
        if (!(sums[0] > 0)) return n;
        turn(s, n == 0 ? 0 : sums[0] / rz_old);
        rz_old = sums[0];
        system->apply(system->context, s->p, s->q);
        products(s, 1, (const double *[]){s->p}, (const double *[]){s->q}, &pq);
        if (!(pq > 0)) return n;
        advance(s, sums[0] / pq, s->p, s->q, x);
        products(s, 1, (const double *[]){s->r}, (const double *[]){s->r}, sums);
        *norm = sqrt(sums[0]);
        if (!(*norm > goal)) return n + 1;
    }
    return max_iterations;
}

static SolveEnd end_of(const SolveReport *report, double residual, double goal, int max_iterations) {
    if (residual <= goal) return SOLVE_REACHED;
    if (!isfinite(residual)) return SOLVE_BROKE;
    return report->iterations >= max_iterations ? SOLVE_LIMIT : SOLVE_STAGNATED;
}

/* Takes the multiple of x that is best in the norm of A: r is left at its residual, x is the first direction. In:
 * r = rhs. The squares of the norms of rhs and r. */
static void begin(MatrixFree *s, const FreeSystem *system, const double *rhs, double *x, double *square) {
    const Grid *g = s->grid;
    const size_t size = (size_t)g->size3 * sizeof *x;
    double sums[3];
    system->apply(system->context, x, s->q);
    exec_copy(s->exec, s->p - g->origin3, x - g->origin3, size);
    exec_copy(s->exec, s->r - g->origin3, rhs - g->origin3, size);
    exec_clear(s->exec, x - g->origin3, size);
    products(s, 3, (const double *[]){rhs, s->p, s->p}, (const double *[]){rhs, rhs, s->q}, sums);
    square[0] = square[1] = sums[0];
    if (!(sums[2] > 0)) return;
    advance(s, sums[1] / sums[2], s->p, s->q, x);
    products(s, 1, (const double *[]){s->r}, (const double *[]){s->r}, &square[1]);
}

SolveReport matrix_free_solve(MatrixFree *s, const FreeSystem *system, const double *rhs, double *x,
                              double tolerance, int max_iterations) {
    SolveReport report = {0, 0, true, SOLVE_REACHED};
    double square[2], last = INFINITY;
    begin(s, system, rhs, x, square);
    const double scale = sqrt(square[0]), goal = tolerance * scale;
    double residual = sqrt(square[1]);
    /* where the recursive residual is not to be trusted: start again from the true one while that helps */
    while (residual > goal && residual < 0.5 * last && report.iterations < max_iterations) {
        last = residual;
        const double wanted = tolerance < TRUSTED ? 0.95 * goal : goal;
        report.iterations += iterate(s, system, &residual, x, wanted, max_iterations - report.iterations);
        if (tolerance < TRUSTED) residual = residual_norm(s, system, rhs, x);
    }
    report.end = end_of(&report, residual, goal, max_iterations);
    /* ten times: what rounding leaves of a tolerance that it cannot quite reach is not a failure */
    report.converged = residual <= 10 * goal;
    report.residual = scale > 0 ? residual / scale : residual;
    return report;
}
