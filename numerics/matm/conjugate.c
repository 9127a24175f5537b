/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients preconditioned by B, and the choice of w.
 *
 * With y = P^-1 r and v = P*^-1 D y the sums (B^-1 r, r) = (D y, y) come with the first sweep, and
 * D^-1 R2 v = (y - v) / w gives the w that the last correction would have liked. B must not change within a
 * solve; the geometric mean of what its later half liked is the w of the next.
 *
 * With patches, which are for many ranks, an iteration waits for one sum: A z instead of A p is found, and from the
 * products of z alone follows (p, A p). Reference: A. Chronopoulos, C. W. Gear, J. Comput. Appl. Math. 25 (1989)
 * 153-168.
 */
#include "numerics/matm/conjugate.h"

#include "numerics/matm/sweep.h"
#include <math.h>

static const double OMEGA_LEAST = 2, OMEGA_MOST = 50;
enum { ALWAYS_OBSERVED = 12, OBSERVED_EVERY = 16 };

static void sweeps(Inner *m, const Lanes *r, Lanes *y, Lanes *z, Lanes *sums) {
    const double a = matm_a(m->omega);
    sweep_forward(m->pipeline, m->layout, &m->frame->swept, a, r, y, sums);
    sweep_backward(m->pipeline, m->layout, &m->frame->swept, a, y, z);
}

void matm_precondition(Inner *m, const Lanes *r, Lanes *y, Lanes *z, Lanes *rz) {
    if (m->correction) {
        Lanes *rest = m->vector[MATM_VECTORS - 1];
        correction_split(m->correction, m->frame, r, rest);
        sweeps(m, rest, y, z, NULL);
        correction_join(m->correction, m->frame, z);
        if (rz) lanes_products(m->layout, r, z, rz);
    } else if (m->multigrid) {
        multigrid_cycle(m->multigrid, r, z);
        if (rz) lanes_products(m->layout, r, z, rz);
    } else
        sweeps(m, r, y, z, rz);
}

void conjugate_compare(Inner *m, double omega, const Lanes *y, const Lanes *z) {
    const double h = 1 / (1 + 0.5 * omega);
    lanes_norms_of_d(m->layout, &m->frame->swept, h, y, z, m->sum[1], m->sum[2]);
}

static double omega_of(double omega, const double square[2]) {
    const double h = 1 / (1 + 0.5 * omega);
    if (!(square[0] > 0 && square[1] > 0)) return 0;
    return fmin(fmax(omega * h * sqrt(square[0] / square[1]), OMEGA_LEAST), OMEGA_MOST);
}

double matm_observed_omega(Inner *m, double omega, const Lanes *y, const Lanes *z) {
    double square[2];
    conjugate_compare(m, omega, y, z);
    lanes_totals(m->layout, 2, m->sum + 1, square);
    return omega_of(omega, square);
}

void conjugate_observe(Observed *o, const Inner *m, const double square[2]) {
    const double omega = omega_of(m->omega, square);
    if (omega == 0) return;
    o->count++;
    o->logarithms += log(omega);
    if ((o->count & (o->count - 1)) == 0) o->before = o->logarithms; /* at powers of two: about the half */
}

static void choose_omega(const Observed *o, Inner *m) {
    if (!o->wanted || o->count == 0) return;
    int first = 1;
    while (2 * first <= o->count) first *= 2;
    const int later = o->count - first;
    m->omega = later > 0 ? exp((o->logarithms - o->before) / later) : exp(o->logarithms / o->count);
}

/* ---- the steps ---- */

/* A solve needs the product (z, r) of an iteration only if the residual's norm says that there is one. Where it
 * surely is, both travel in one message: a preconditioner in vain costs more than a message, but no bits. */
static bool surely_goes_on(const Inner *m, double norm, double goal) {
    return !m->correction /* which learns from each use */ && m->steepest[m->part] * norm > goal;
}

/* Falls differ from solve to solve: a steep one is remembered for a while. */
static void note_steepest(double *steepest, double fall) {
    *steepest = *steepest > 0 ? fmin(fall, 4 * *steepest) : fall;
}

/* The norm after an iteration; with `also`, B^-1 r and its product with r as well. */
static double find_norm(Inner *m, bool also, Lanes *y, Lanes *z, double *rz) {
    double values[2]; /* squares are in sum[0] */
    if (also) matm_precondition(m, m->r, y, z, m->sum[1]);
    lanes_totals(m->layout, also ? 2 : 1, m->sum, values);
    if (also) *rz = values[1];
    return sqrt(values[0]);
}

static Observed observed_of(const Inner *m) {
    const bool due = m->solves <= ALWAYS_OBSERVED || m->solves % OBSERVED_EVERY == 0;
    return (Observed){.wanted = m->options.omega == 0 && m->frame->a.diagonal != LANE_CENTRE &&
                                !m->multigrid && due};
}

bool conjugate_goes_on(Course *c, double norm) {
    c->steepest = fmin(c->steepest, norm / c->norm);
    c->norm = norm;
    if (!(norm > c->goal)) return false;
    if (c->n % CONJUGATE_PATIENCE == 0) {
        if (!(norm < 0.9 * c->best)) return false;
        c->best = norm;
    }
    return c->n < c->max_iterations;
}

/* z = B^-1 r and w = A z; their products with r and z to sum[1] and sum[2]. */
static void find_image(Inner *m, Lanes *y, Lanes *z, Lanes *w) {
    matm_precondition(m, m->r, y, z, m->sum[1]);
    lanes_exchange(m->layout, z);
    matrix_apply(m->layout, &m->frame->a, z, w, m->sum[2]);
}

/* One sum an iteration, where the next one is sure. */
static void iterate_by_one_sum(Inner *m, Course *c) {
    Lanes *y = m->vector[0], *z = m->vector[1], *p = m->vector[2], *q = m->vector[3], *w = m->vector[4];
    double values[3] = {0}, factor = 0, step = 0; /* squares of the residual, (z, r), (z, A z) */
    bool known = false;
    for (double rz_old = 0; c->n == 0 || conjugate_goes_on(c, sqrt(values[0]));) {
        if (!known) {
            find_image(m, y, z, w);
            lanes_totals(m->layout, 2, m->sum + 1, values + 1);
        }
        const double rz = values[1];
        factor = c->n > 0 ? rz / rz_old : 0;
        const double pap = values[2] - (c->n > 0 ? factor * rz / step : 0);
        if (!(rz > 0) || !(pap > 0)) break;
        step = rz / pap;
        rz_old = rz;
        lanes_advance_both(m->layout, factor, step, z, w, m->frame->unscale, c->n == 0, p, q, m->x, m->r,
                           m->sum[0]);
        c->n++;
        known = c->n < c->max_iterations && surely_goes_on(m, c->norm, c->goal);
        if (known) find_image(m, y, z, w);
        lanes_totals(m->layout, known ? 3 : 1, m->sum, values);
    }
}

/* q = A' p, and their product to sum[0] */
static void apply(const Inner *m, const Lanes *p, Lanes *q) {
    if (m->mixed.x)
        mixed_apply(m, p, m->sum[0]);
    else
        matrix_apply(m->layout, &m->frame->a, p, q, m->sum[0]);
}

static void advance(const Inner *m, double step, const Lanes *p, const Lanes *q, bool first) {
    if (m->mixed.x)
        mixed_advance(m, step, p, first, m->sum[0]);
    else
        lanes_advance(m->layout, step, p, q, m->frame->unscale, first, m->x, m->r, m->sum[0]);
}

static void iterate(Inner *m, Course *c, Observed *observed) {
    Lanes *y = m->vector[0], *z = m->vector[1], *p = m->vector[2], *q = m->vector[3];
    const LaneLayout *layout = m->layout;
    double rz = 0, rz_old = 0, norm = c->norm;
    bool known = false; /* rz, and z */
    do {
        double values[MATM_SUMS]; /* (p, A p), and what is observed */
        if (!known) {
            matm_precondition(m, m->r, y, z, m->sum[0]);
            lanes_totals(layout, 1, m->sum, &rz);
        }
        if (!(rz > 0)) break;
        if (observed->wanted) conjugate_compare(m, m->omega, y, z);
        if (c->n == 0) { /* the first direction is z itself */
            Lanes *unused = p;
            p = z;
            z = unused;
        } else
            lanes_direction(layout, rz / rz_old, z, p);
        rz_old = rz;
        lanes_exchange(layout, p);
        apply(m, p, q);
        lanes_totals(layout, observed->wanted ? MATM_SUMS : 1, m->sum, values);
        if (observed->wanted) conjugate_observe(observed, m, values + 1);
        if (!(values[0] > 0)) break;
        advance(m, rz / values[0], p, q, c->n == 0);
        c->n++;
        known = c->n < c->max_iterations && surely_goes_on(m, c->norm, c->goal);
        norm = find_norm(m, known, y, z, &rz);
    } while (conjugate_goes_on(c, norm));
}

void conjugate_end(Inner *m, const Course *course, const Observed *observed) {
    if (course->n > 0) note_steepest(&m->steepest[m->part], course->steepest);
    choose_omega(observed, m);
}

int matm_conjugate(Inner *m, double goal, int max_iterations) {
    Observed observed = observed_of(m);
    Course course = {goal, m->norm, 1, INFINITY, 0, max_iterations};
    if (max_iterations < 1) return 0;
    const bool by_one_sum = m->patch > 0 && !observed.wanted && !m->correction && !m->mixed.x;
    if (!by_one_sum && late_is_possible(m)) return late_begin(m, &course, &observed);
    if (by_one_sum)
        iterate_by_one_sum(m, &course);
    else
        iterate(m, &course, &observed);
    conjugate_end(m, &course, &observed);
    return course.n;
}
