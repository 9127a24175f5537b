/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/krylov/conjugate_gradient.h"

#include "base/memory.h"
#include "numerics/grid/sums.h"
#include "numerics/krylov/vector_kernels.h"
#include <math.h>

struct ConjugateGradient {
    const Grid *grid;
    Halo *halo;
    double *r, *z, *p, *q; /* zero on land and in halos, except for p */
};

static double **vectors(ConjugateGradient *s, int n) {
    double **all[] = {&s->r, &s->z, &s->p, &s->q};
    return n < 4 ? all[n] : NULL;
}

Status conjugate_gradient_create(const Grid *grid, ConjugateGradient **out) {
    ConjugateGradient *s = ALLOCATE(1, ConjugateGradient);
    s->grid = grid;
    for (int n = 0; vectors(s, n); n++) *vectors(s, n) = field2_create(grid);
    *out = s;
    Status status = halo_create(grid, 1, &s->halo);
    if (status != STATUS_OK) conjugate_gradient_destroy(out);
    return status;
}

void conjugate_gradient_destroy(ConjugateGradient **solver) {
    if (!*solver) return;
    for (int n = 0; vectors(*solver, n); n++) field2_destroy((*solver)->grid, vectors(*solver, n));
    halo_destroy(&(*solver)->halo);
    memory_free(*solver);
    *solver = NULL;
}

static double residual_norm(ConjugateGradient *s, Exec exec, const Stencil *stencil, const double *rhs,
                            double *x) {
    halo_exchange(s->halo, 1, &x, 0, NULL);
    stencil_residual(exec, s->grid->columns, (StencilResidual){*stencil, x, rhs, s->r});
    double square;
    sums_of_products(exec, s->grid, 1, (const double *[]){s->r}, (const double *[]){s->r}, &square);
    return sqrt(square);
}

/* Iterates until the recursive residual is at most `goal`; s->r holds the residual of x. */
static int iterate(ConjugateGradient *s, Exec exec, const Stencil *stencil, double *x, double goal,
                   int max_iterations) {
    const Grid *g = s->grid;
    const double *r = s->r, *z = s->z, *p = s->p, *q = s->q;
    double rz_old = 0, sums[2];
    diagonal_solve(exec, g->columns, (DiagonalSolve){grid_view(g), r, stencil->centre, s->z});
    for (int n = 1;; n++) {
        sums_of_products(exec, g, 2, (const double *[]){r, r}, (const double *[]){z, r}, sums);
        double rz = sums[0];
        if (sqrt(sums[1]) <= goal || n > max_iterations || !(rz > 0)) return n - 1;
        cg_direction(exec, g->columns, (CgDirection){grid_view(g), n == 1 ? 0 : rz / rz_old, z, s->p});
        rz_old = rz;
        halo_exchange(s->halo, 1, &s->p, 0, NULL);
        stencil_apply(exec, g->columns, (StencilApply){*stencil, p, s->q});
        double pq;
        sums_of_products(exec, g, 1, (const double *[]){p}, (const double *[]){q}, &pq);
        if (!(pq > 0)) return n;
        cg_advance(exec, g->columns,
                   (CgAdvance){grid_view(g), rz / pq, p, q, stencil->centre, x, s->r, s->z});
    }
}

SolveReport conjugate_gradient_solve(ConjugateGradient *s, Exec exec, const Stencil *stencil,
                                     const double *rhs, double *x, double tolerance, int max_iterations) {
    SolveReport report = {.converged = true, .end = SOLVE_REACHED};
    double square;
    sums_of_products(exec, s->grid, 1, (const double *[]){rhs}, (const double *[]){rhs}, &square);
    double residual = residual_norm(s, exec, stencil, rhs, x), last = INFINITY;
    double scale = fmax(sqrt(square), residual); /* ghosts may drive x where rhs is 0 */
    double goal = tolerance * scale;
    /* the recursive residual drifts below the true one: start again from the true one while that helps */
    while (residual > goal && residual < 0.5 * last && report.iterations < max_iterations) {
        last = residual;
        report.iterations += iterate(s, exec, stencil, x, goal, max_iterations - report.iterations);
        residual = residual_norm(s, exec, stencil, rhs, x);
    }
    if (residual > goal) report.end = report.iterations < max_iterations ? SOLVE_STAGNATED : SOLVE_LIMIT;
    if (!isfinite(residual)) report.end = SOLVE_BROKE;
    /* ten times: what rounding leaves of a tolerance that it cannot quite reach is not a failure */
    report.converged = residual <= 10 * goal;
    report.residual = scale > 0 ? residual / scale : residual;
    report.norm = residual;
    return report;
}
