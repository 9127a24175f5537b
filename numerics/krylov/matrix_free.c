/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/krylov/matrix_free.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/grid/sums.h"
#include "numerics/krylov/matrix_free_kernels.h"
#include <math.h>

enum { VECTORS = 4, PLANES = 4, SUMS = 3 };
/* The recursive residual drifts below the true one by rounding: above this tolerance by nothing that counts. */
static const double TRUSTED = 1e-9;

struct MatrixFree {
    const Grid *grid;
    Exec exec;
    double *r, *z, *p, *q;
    double *sum[SUMS]; /* of columns */
    double *ones;      /* on own columns */
};

static double **vectors(MatrixFree *s, int n) {
    double **all[VECTORS] = {&s->r, &s->z, &s->p, &s->q};
    return n < VECTORS ? all[n] : NULL;
}

static double **planes(MatrixFree *s, int n) {
    double **all[PLANES] = {&s->sum[0], &s->sum[1], &s->sum[2], &s->ones};
    return n < PLANES ? all[n] : NULL;
}

MatrixFree *matrix_free_create(const Grid *grid, Exec exec) {
    MatrixFree *s = ALLOCATE(1, MatrixFree);
    s->grid = grid;
    s->exec = exec;
    for (int n = 0; vectors(s, n); n++) *vectors(s, n) = field3_create(grid);
    for (int n = 0; planes(s, n); n++) *planes(s, n) = field2_create(grid);
    for (int n = 0; n < grid->columns.count; n++) {
        const Run r = grid->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) s->ones[AT2(*grid, i, r.j)] = 1;
    }
    return s;
}

void matrix_free_destroy(MatrixFree **solver) {
    if (!*solver) return;
    for (int n = 0; vectors(*solver, n); n++) field3_destroy((*solver)->grid, vectors(*solver, n));
    for (int n = 0; planes(*solver, n); n++) field2_destroy((*solver)->grid, planes(*solver, n));
    memory_free(*solver);
    *solver = NULL;
}

/* The first `count` sums of columns, over all of them. */
static void totals(const MatrixFree *s, int count, double *values) {
    const double *const sum[SUMS] = {s->sum[0], s->sum[1], s->sum[2]};
    const double *const ones[SUMS] = {s->ones, s->ones, s->ones};
    sums_of_products(s->exec, s->grid, count, sum, ones, values);
}

/* r = rhs - factor q, x = factor x; the norm of r. */
static double start(MatrixFree *s, double factor, const double *rhs, double *x) {
    const Grid *g = s->grid;
    double square;
    free_start(s->exec, g->blocks_c, (FreeStart){grid_view(g), factor, rhs, s->q, x, s->r, s->sum[0]});
    totals(s, 1, &square);
    return sqrt(square);
}

/* r = rhs - A x; its norm. */
static double residual_norm(MatrixFree *s, const FreeSystem *system, const double *rhs, double *x) {
    system->apply(system->context, x, s->q, s->sum[0]);
    return start(s, 1, rhs, x);
}

/* The direction after one, by how (z, r) has changed: the first is z itself. */
static void turn(MatrixFree *s, bool first, double factor) {
    const Grid *g = s->grid;
    if (first) {
        double *unused = s->p;
        s->p = s->z;
        s->z = unused;
    } else
        free_turn(s->exec, g->blocks_c, (FreeTurn){grid_view(g), factor, s->z, s->p});
}

/* Iterates until the recursive residual is at most `goal`; s->r holds the residual of x, of `*norm`, which
 * becomes that of the last x. */
static int iterate(MatrixFree *s, const FreeSystem *system, double *norm, double *x, double goal,
                   int max_iterations) {
    const Grid *g = s->grid;
    double rz_old = 0, rz, pq, square;
    for (int n = 0; n < max_iterations; n++) {
        system->precondition(system->context, s->r, *norm, s->z, s->sum[0]);
        totals(s, 1, &rz);
        if (!(rz > 0)) return n;
        turn(s, n == 0, rz / rz_old);
        rz_old = rz;
        system->apply(system->context, s->p, s->q, s->sum[0]);
        totals(s, 1, &pq);
        if (!(pq > 0)) return n;
        free_advance(s->exec, g->blocks_c,
                     (FreeAdvance){grid_view(g), rz / pq, s->p, s->q, x, s->r, s->sum[0]});
        totals(s, 1, &square);
        *norm = sqrt(square);
        if (!(*norm > goal)) return n + 1;
    }
    return max_iterations;
}

static SolveEnd end_of(const SolveReport *report, double residual, double goal, int max_iterations) {
    if (residual <= goal) return SOLVE_REACHED;
    if (!isfinite(residual)) return SOLVE_BROKE;
    return report->iterations >= max_iterations ? SOLVE_LIMIT : SOLVE_STAGNATED;
}

/* Takes the multiple of x that is best in the norm of A, and finds its residual, whose norm it gives, and that of
 * rhs. */
static double begin(MatrixFree *s, const FreeSystem *system, const double *rhs, double *x, double *scale) {
    const Grid *g = s->grid;
    double sums[SUMS]; /* (x, A x), (rhs, rhs), (rhs, x) */
    system->apply(system->context, x, s->q, s->sum[0]);
    free_compare(s->exec, g->blocks_c, (FreeCompare){grid_view(g), rhs, x, s->sum[1], s->sum[2]});
    totals(s, SUMS, sums);
    *scale = sqrt(sums[1]);
    if (!(sums[0] > 0)) { /* also where x is not finite, which a factor of 0 would leave */
        field3_copy(s->exec, g, NULL, x);
        field3_copy(s->exec, g, NULL, s->q);
    }
    return start(s, sums[0] > 0 ? sums[2] / sums[0] : 0, rhs, x);
}

SolveReport matrix_free_solve(MatrixFree *s, const FreeSystem *system, const double *rhs, double *x,
                              double tolerance, int max_iterations) {
    SolveReport report = {.converged = true, .end = SOLVE_REACHED};
    double scale, residual = begin(s, system, rhs, x, &scale), last = INFINITY;
    const double goal = tolerance * scale;
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
    report.norm = residual;
    return report;
}
