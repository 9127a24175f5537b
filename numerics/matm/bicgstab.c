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

static double advance(Inner *m, double step, const Lanes *d, const Lanes *image) {
    double square;
    lanes_advance(m->layout, step, d, image, m->frame->unscale, m->x, m->r, m->sum[0]);
    lanes_totals(m->layout, 1, m->sum, &square);
    return sqrt(square);
}

int matm_bicgstab(Inner *m, double goal, int max_iterations) {
    Lanes *d = m->vector[1], *p = m->vector[2], *v = m->vector[3], *shadow = m->vector[4], *t = m->vector[5];
    const LaneLayout *layout = m->layout;
    double rho_old = 0, alpha = 0, omega = 0, values[2];
    bool fresh = true;
    double first = 0;
    if (max_iterations > MOST_AT_ONCE) max_iterations = MOST_AT_ONCE;
    for (int n = 0; n < max_iterations; n++) {
        if (fresh) lanes_copy(layout, m->r, shadow);
        two_products(m, m->r, shadow, m->r, values);
        const double rho = values[0];
        if (!(values[1] > 0)) return n;
        if (!fresh && fabs(rho) < ORTHOGONAL * values[1]) {
            fresh = true; /* costs no iteration: the shadow is renewed at once */
            lanes_copy(layout, m->r, shadow);
            two_products(m, m->r, shadow, m->r, values);
        }
        if (fresh)
            lanes_copy(layout, m->r, p);
        else { /* p = r + beta (p - omega v) */
            const double beta = rho / rho_old * (alpha / omega);
            lanes_add(layout, -omega, v, p);
            lanes_direction(layout, beta, m->r, p);
        }
        fresh = false;
        rho_old = values[0];
        direction(m, p, d, v);
        two_products(m, shadow, v, v, values);
        if (values[0] == 0 || !isfinite(values[0])) return n;
        alpha = rho_old / values[0];
        if (!(advance(m, alpha, d, v) > goal)) return n + 1;
        direction(m, m->r, d, t);
        two_products(m, t, m->r, t, values);
        if (!(values[1] > 0)) return n + 1;
        omega = values[0] / values[1];
        const double norm = advance(m, omega, d, t);
        if (n == 0) first = norm;
        if (!(norm > goal) || !(norm < MOST_GROWTH * first)) return n + 1;
        fresh = omega == 0;
    }
    return max_iterations;
}
