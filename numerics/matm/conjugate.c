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
#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/matm/on_device.h"
#include "numerics/matm/solver.h"
#include "numerics/matm/sweep.h"
#include <math.h>

static const double OMEGA_LEAST = 2, OMEGA_MOST = 50;
enum { ALWAYS_OBSERVED = 12, OBSERVED_EVERY = 16, PATIENCE = 200 };

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

/* Their products, to sum[1] and sum[2]. */
static void compare(Inner *m, double omega, const Lanes *y, const Lanes *z) {
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
    compare(m, omega, y, z);
    lanes_totals(m->layout, 2, m->sum + 1, square);
    return omega_of(omega, square);
}

typedef struct Observed {
    bool wanted;
    int count;
    double logarithms, before; /* of all, of the first half */
} Observed;

static void observe(Observed *o, const Inner *m, const double square[2]) {
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

/* How a solve goes. */
typedef struct Course {
    double goal, norm, steepest, best;
    int n, max_iterations;
} Course;

/* After an iteration that left this norm: is there a next one? */
static bool goes_on(Course *c, double norm) {
    c->steepest = fmin(c->steepest, norm / c->norm);
    c->norm = norm;
    if (!(norm > c->goal)) return false;
    if (c->n % PATIENCE == 0) {
        if (!(norm < 0.9 * c->best)) return false;
        c->best = norm;
    }
    return c->n < c->max_iterations;
}

/* ---- with scalars on the device ---- */

enum { FIRST_LAUNCH = 4, LATER_LAUNCH = 2 }; /* iterations, where nothing is known; after the expected ones */

struct Late {
    LateScalars *scalars; /* the device's */
    ExactSum *total;
    LateScalars found;
    int expected[2]; /* iterations, by part */
    Observed observed;
    Course course;
    int launched; /* iterations under way */
    Lanes *p, *z;
};

static void take_scalars(const void *found, int count, void *into) {
    (void)count;
    if (found)
        memcpy(into, found, sizeof(LateScalars));
    else
        *(LateScalars *)into = (LateScalars){.stopped = 1}; /* after no iterations */
}

static bool makes_late(Inner *m) {
    const Exec exec = m->layout->exec;
    const Decomposition *d = &m->grid->decomposition;
    if (exec.device == DEVICE_CPU || d->ranks_x * d->ranks_y > 1 || m->correction || m->multigrid ||
        m->mixed.x)
        return false;
    if (m->late) return true;
    void *scalars = NULL, *total = NULL;
    if (device_allocate(exec, sizeof(LateScalars), &scalars) != STATUS_OK ||
        device_allocate(exec, LATE_SUMS * sizeof(ExactSum), &total) != STATUS_OK) {
        if (scalars) device_free(exec, scalars);
        error_clear();
        return false;
    }
    m->late = ALLOCATE(1, Late);
    m->late->scalars = scalars;
    m->late->total = total;
    exec_clear(exec, total, LATE_SUMS * sizeof(ExactSum));
    return true;
}

void matm_late_destroy(Inner *m) {
    if (!m->late) return;
    device_free(m->layout->exec, m->late->scalars);
    device_free(m->layout->exec, m->late->total);
    memory_free(m->late);
    m->late = NULL;
}

const LateScalars *matm_late_scalars(const Inner *m) {
    return m->late->scalars;
}

static void look(Inner *m, LateTest test, int count, int slot, bool first) {
    const Late *late = m->late;
    device_totals_begin(m->layout, count, (const void *const *)m->sum, late->total);
    late_look_blocks(m->layout->exec, (BlockShape){1, LATE_SUMS},
                     (LateLook){test, count, slot, first, late->course.goal, late->total, late->scalars});
}

static void launch_iteration(Inner *m, int slot, bool first) {
    Late *late = m->late;
    const LateScalars *scalars = late->scalars;
    const bool observed = late->observed.wanted;
    Lanes *y = m->vector[0], *q = m->vector[3];
    matm_precondition(m, m->r, y, late->z, m->sum[0]);
    look(m, LATE_RZ, 1, slot, first);
    if (observed) compare(m, m->omega, y, late->z);
    if (first) {
        Lanes *unused = late->p;
        late->p = late->z;
        late->z = unused;
    } else
        lanes_direction_late(m->layout, scalars, late->z, late->p);
    lanes_exchange(m->layout, late->p);
    matrix_apply(m->layout, &m->frame->a, late->p, q, m->sum[0]);
    look(m, LATE_PAP, observed ? MATM_SUMS : 1, slot, first);
    lanes_advance_late(m->layout, scalars, late->p, q, m->frame->unscale, first, m->x, m->r, m->sum[0]);
    look(m, LATE_NORM, 1, slot, first);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Launches about so many iterations, and asks how they go. */
static void launch_some(Inner *m, int wanted) {
    Late *late = m->late;
    const Exec exec = m->layout->exec;
    const Course *c = &late->course;
    const int until_look = PATIENCE - c->n % PATIENCE;
    late->launched = least(least(wanted, LATE_MOST), least(until_look, c->max_iterations - c->n));
    pipeline_rests(m->pipeline, &late->scalars->stopped);
    for (int n = 0; n < late->launched; n++) launch_iteration(m, n, c->n + n == 0);
    pipeline_rests(m->pipeline, NULL);
    exec_copy(exec, results_ask(exec, sizeof late->found, 1, take_scalars, &late->found), late->scalars,
              sizeof late->found);
}

static int begin_late(Inner *m, const Course *course, const Observed *observed) {
    Late *late = m->late;
    late->observed = *observed;
    late->course = *course;
    late->z = m->vector[1];
    late->p = m->vector[2];
    exec_clear(m->layout->exec, late->scalars, sizeof *late->scalars);
    const int expected = late->expected[m->part];
    launch_some(m, expected > 0 ? expected : FIRST_LAUNCH);
    return MATM_LATE;
}

/* One of the iterations, as it went; false: the last. */
static bool take_iteration(Inner *m, const LateIteration *now) {
    Late *late = m->late;
    if (!(now->rz > 0)) return false;
    if (late->observed.wanted) observe(&late->observed, m, now->with_p + 1);
    if (!(now->with_p[0] > 0)) return false;
    late->course.n++;
    return goes_on(&late->course, now->norm);
}

bool matm_late_end(Inner *m, int *iterations) {
    Late *late = m->late;
    bool more = true, complete = true;
    while (more) {
        for (int n = 0; n < late->launched && more; n++) more = take_iteration(m, &late->found.past[n]);
        complete = complete && late->found.stopped;
        if (!more) break;
        launch_some(m, LATER_LAUNCH);
        results_fetch(m->layout->exec);
        complete = false; /* when x was asked for */
    }
    late->expected[m->part] = late->course.n;
    if (late->course.n > 0) note_steepest(&m->steepest[m->part], late->course.steepest);
    choose_omega(&late->observed, m);
    *iterations = late->course.n;
    return complete;
}

/* ---- with scalars of the host ---- */

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
    for (double rz_old = 0; c->n == 0 || goes_on(c, sqrt(values[0]));) {
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
        if (observed->wanted) compare(m, m->omega, y, z);
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
        if (observed->wanted) observe(observed, m, values + 1);
        if (!(values[0] > 0)) break;
        advance(m, rz / values[0], p, q, c->n == 0);
        c->n++;
        known = c->n < c->max_iterations && surely_goes_on(m, c->norm, c->goal);
        norm = find_norm(m, known, y, z, &rz);
    } while (goes_on(c, norm));
}

int matm_conjugate(Inner *m, double goal, int max_iterations) {
    Observed observed = observed_of(m);
    Course course = {goal, m->norm, 1, INFINITY, 0, max_iterations};
    if (max_iterations < 1) return 0;
    const bool by_one_sum = m->patch > 0 && !observed.wanted && !m->correction && !m->mixed.x;
    if (!by_one_sum && makes_late(m)) return begin_late(m, &course, &observed);
    if (by_one_sum)
        iterate_by_one_sum(m, &course);
    else
        iterate(m, &course, &observed);
    if (course.n > 0) note_steepest(&m->steepest[m->part], course.steepest);
    choose_omega(&observed, m);
    return course.n;
}
