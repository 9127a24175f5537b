/* SPDX-License-Identifier: Apache-2.0
 *
 * BiCGStab with B on the right, for operators that are not self-adjoint. Begins again with the present
 * residual where its shadow has become orthogonal to it.
 *
 * Reference: H. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631-644.
 */
#include "numerics/matm/solver.h"
#include <math.h>

static const double ORTHOGONAL = sizeof(Real) < sizeof(double) ? 1e-4 : 1e-10;

/* In single precision the recursive residual parts from the true one: begin again before that, and where it
 * has grown. */
enum { MOST_AT_ONCE = sizeof(Real) < sizeof(double) ? 60 : 1000000000 };
static const double MOST_GROWTH = sizeof(Real) < sizeof(double) ? 1e2 : 1e300;

/* (x, y) and (x, z), and the latter alone where y is NULL */
static void two_products(Inner *m, const Lanes *x, const Lanes *y, const Lanes *z, double values[2]) {
    lanes_products(m->layout, x, y, m->sum[0]);
    lanes_products(m->layout, x, z, m->sum[1]);
    lanes_totals(m->layout, 2, m->sum, values);
}

/* One half: the correction d = B^-1 of `of`, and its image. */
static void direction(Inner *m, const Lanes *of, Lanes *d, Lanes *image) {
    matm_precondition(m, of, m->vector[0], d, NULL);
    lanes_exchange(m->layout, d);
    matrix_apply(m->layout, &m->frame->a, d, image, NULL);
}

/* Returns the norm of r; with `products`, (r, shadow) and (r, r) travel with it. */
static double advance(Inner *m, double step, const Lanes *d, const Lanes *image, const Lanes *shadow,
                      double *products) {
    double totals[MATM_SUMS];
    lanes_advance(m->layout, step, d, image, m->frame->unscale, false, m->x, m->r, m->sum[0]);
    if (products) {
        lanes_products(m->layout, m->r, shadow, m->sum[1]);
        lanes_products(m->layout, m->r, m->r, m->sum[2]);
    }
    lanes_totals(m->layout, products ? MATM_SUMS : 1, m->sum, totals);
    for (int n = 0; n < 2 && products; n++) products[n] = totals[n + 1];
    return sqrt(totals[0]);
}

int matm_bicgstab(Inner *m, double goal, int max_iterations) {
    Lanes *d = m->vector[1], *p = m->vector[2], *v = m->vector[3], *shadow = m->vector[4], *t = m->vector[5];
    const LaneLayout *layout = m->layout;
    double rho_old = 0, alpha = 0, omega = 0, values[2], of_r[2]; /* of_r: (r, shadow), (r, r) */
    bool fresh = true;
    double first = 0;
    if (max_iterations > MOST_AT_ONCE) max_iterations = MOST_AT_ONCE;
    lanes_clear(layout, m->x);
    for (int n = 0; n < max_iterations; n++) {
        if (n == 0) two_products(m, m->r, m->r, m->r, of_r);
        if (!(of_r[1] > 0)) return n;
        /* costs no iteration: the shadow is renewed at once */
        fresh = fresh || fabs(of_r[0]) < ORTHOGONAL * of_r[1];
        const double rho = fresh ? of_r[1] : of_r[0];
        if (fresh) {
            lanes_copy(layout, m->r, shadow);
            lanes_copy(layout, m->r, p);
        } else { /* p = r + beta (p - omega v) */
            const double beta = rho / rho_old * (alpha / omega);
            lanes_add(layout, -omega, v, p);
            lanes_direction(layout, beta, m->r, p);
        }
        fresh = false;
        rho_old = rho;
        direction(m, p, d, v);
        two_products(m, shadow, v, v, values);
        if (values[0] == 0 || !isfinite(values[0])) return n;
        alpha = rho_old / values[0];
        if (!(advance(m, alpha, d, v, NULL, NULL) > goal)) return n + 1;
        direction(m, m->r, d, t);
        two_products(m, t, m->r, t, values);
        if (!(values[1] > 0)) return n + 1;
        omega = values[0] / values[1];
        const double norm = advance(m, omega, d, t, shadow, of_r);
        if (n == 0) first = norm;
        if (!(norm > goal) || !(norm < MOST_GROWTH * first)) return n + 1;
        fresh = omega == 0;
    }
    return max_iterations;
}
