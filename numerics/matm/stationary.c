/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that only need the last correction: the paper's, least residual, and in place.
 */
#include "numerics/matm/solver.h"
#include "numerics/matm/sweep.h"
#include <math.h>

enum { PATIENCE = 200 };

/* Has the residual fallen in the last PATIENCE iterations? */
static bool moves(int n, double norm, double *before) {
    if (n % PATIENCE != 0) return true;
    const bool fell = norm < 0.9 * *before;
    *before = norm;
    return fell;
}

/* Equation 5, for v with A0 v in a0v and A1 v in a1v (NULL: self-adjoint). B v = r, so that (B v, v) = (r,
 * v). All inner products are those of the paper: scaling A by Q on both sides changes none of them. */
typedef struct PaperSums {
    double a0v_v;  /* (A0 v, v) */
    double bv_v;   /* (B v, v) */
    double of_a0v; /* (B^-1 A0 v, A0 v) */
    double of_a1v; /* (B^-1 A1 v, A1 v) */
} PaperSums;

static double paper_step(const PaperSums *s) {
    if (!(s->of_a0v > 0) || !(s->bv_v > 0)) return 0;
    const double s2 = fmin(fmax(1 - s->a0v_v * s->a0v_v / (s->of_a0v * s->bv_v), 0), 1);
    const double k2 = s->of_a1v / s->of_a0v;
    const double theta = (1 - sqrt(s2 * k2 / (1 + k2))) / (1 + k2 * (1 - s2));
    return theta * s->a0v_v / s->of_a0v;
}

/* (B^-1 g, g) = |P^-1 g|^2 in the norm of D: one sweep. */
static double inverse_square(Inner *m, double omega, const Lanes *g, Lanes *scratch) {
    const double h = 1 / (1 + 0.5 * omega);
    double total;
    sweep_forward(m->pipeline, m->layout, &m->self_adjoint, matm_a(omega), g, scratch, m->sum[0]);
    lanes_totals(m->layout, 1, m->sum, &total);
    return h * h * total;
}

int matm_paper(Inner *m, double goal, int max_iterations) {
    Lanes *y = m->vector[0], *v = m->vector[1], *a0v = m->vector[2], *a1v = m->vector[3];
    Lanes *scratch = m->vector[4];
    const LaneLayout *layout = m->layout;
    const LaneMatrix *a0 = &m->self_adjoint;
    double before = INFINITY;
    lanes_clear(layout, m->x);
    for (int n = 0; n < max_iterations; n++) {
        const double omega = m->omega, a = matm_a(omega), h = 1 / (1 + 0.5 * omega);
        PaperSums sums = {0};
        double square, own;
        sweep_forward(m->pipeline, layout, a0, a, m->r, y, m->sum[0]);
        lanes_totals(layout, 1, m->sum, &own);
        sums.bv_v = h * h * own;
        sweep_backward(m->pipeline, layout, a0, a, y, v); /* the correction is h^2 v */
        const double next = matm_observed_omega(m, omega, y, v);
        lanes_exchange(layout, v);
        matrix_apply(layout, a0, v, a0v, m->sum[0]);
        lanes_totals(layout, 1, m->sum, &own);
        sums.a0v_v = h * h * h * h * own;
        sums.of_a0v = h * h * h * h * inverse_square(m, omega, a0v, scratch);
        if (m->frame->a.both) {
            matrix_apply_skew(layout, &m->skew, v, a1v);
            sums.of_a1v = h * h * h * h * inverse_square(m, omega, a1v, scratch);
        }
        const double step = h * h * paper_step(&sums);
        if (!(step > 0)) return n;
        if (m->frame->a.both) lanes_add(layout, 1, a1v, a0v);
        lanes_advance(layout, step, v, a0v, m->frame->unscale, false, m->x, m->r, m->sum[0]);
        lanes_totals(layout, 1, m->sum, &square);
        if (m->options.omega == 0 && next > 0) m->omega = next;
        if (!(sqrt(square) > goal) || !moves(n + 1, sqrt(square), &before)) return n + 1;
    }
    return max_iterations;
}

int matm_least_residual(Inner *m, double goal, int max_iterations) {
    Lanes *y = m->vector[0], *v = m->vector[1], *q = m->vector[2];
    const LaneLayout *layout = m->layout;
    double before = INFINITY;
    lanes_clear(layout, m->x);
    for (int n = 0; n < max_iterations; n++) {
        double sums[2], square;
        matm_precondition(m, m->r, y, v, NULL);
        lanes_exchange(layout, v);
        matrix_apply(layout, &m->frame->a, v, q, NULL);
        lanes_products(layout, m->r, q, m->sum[0]);
        lanes_products(layout, q, q, m->sum[1]);
        lanes_totals(layout, 2, m->sum, sums);
        if (!(sums[1] > 0) || sums[0] == 0) return n;
        lanes_advance(layout, sums[0] / sums[1], v, q, m->frame->unscale, false, m->x, m->r, m->sum[0]);
        lanes_totals(layout, 1, m->sum, &square);
        if (!(sqrt(square) > goal) || !moves(n + 1, sqrt(square), &before)) return n + 1;
    }
    return max_iterations;
}

/* Single precision ends before its goal: the residual no longer falls. A system that is merely slow does not come
 * so far in SINGLE_ITERATIONS. */
static bool stalls(const Inner *m, double norm, double last) {
    return sizeof(Real) < sizeof(double) && norm < 5e-3 * m->norm && norm > 0.95 * last;
}

/* Falls differ from iteration to iteration by less than this. */
static const double SURE = 5;

/* Symmetric Gauss-Seidel on x itself: no correction, no product but the one that shows the residual. It is asked where
 * the last fall leaves open whether this iteration ends: who solves finds that of x anyway. */
int matm_in_place(Inner *m, double goal, int max_iterations) {
    const LaneLayout *layout = m->layout;
    double before = INFINITY, last = INFINITY, fall = 1;
    if (max_iterations < 1) return 0;
    for (int n = 0; n < max_iterations; n++) {
        double square;
        if (n > 0) lanes_exchange(layout, m->x);
        if (n == 0) /* x is 0: the same without what is above */
            sweep_forward(m->pipeline, layout, &m->frame->a, 1, m->r, m->x, NULL);
        else
            sweep_in_place(m->pipeline, layout, &m->frame->a, m->r, m->x, true);
        if (n > 0 && SURE * sqrt(fall) * last < goal) return n + 1; /* half an iteration will do */
        lanes_exchange(layout, m->x);
        sweep_in_place(m->pipeline, layout, &m->frame->a, m->r, m->x, false);
        if (n > 0 && SURE * fall * last < goal) return n + 1;
        lanes_exchange(layout, m->x);
        matrix_rest(layout, &m->frame->a, m->x, m->r, m->frame->unscale, NULL, m->sum[0]);
        lanes_totals(layout, 1, m->sum, &square);
        const double norm = sqrt(square);
        if (!(norm > goal) || !(norm < 10 * last) || stalls(m, norm, last) || !moves(n + 1, norm, &before))
            return n + 1;
        fall = norm / (n > 0 ? last : m->norm);
        last = norm;
    }
    return max_iterations;
}
