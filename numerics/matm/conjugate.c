/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients preconditioned by B, and the choice of w.
 *
 * With y = P^-1 r and v = P*^-1 D y the sums (B^-1 r, r) = (D y, y) come with the first sweep, and
 * D^-1 R2 v = (y - v) / w gives the w that the last correction would have liked. B must not change within a
 * solve; the geometric mean of what its later half liked is the w of the next.
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

/* ---- with scalars on the device ---- */

enum { FIRST_LAUNCH = 4, LATER_LAUNCH = 2 }; /* iterations, where nothing is known; after the expected ones */

struct Late {
    LateScalars *scalars; /* the device's */
    ExactSum *total;
    LateScalars found;
    int expected[2]; /* iterations, by part */
    Observed observed;
    double goal, norm, steepest, best;
    int max_iterations, count, launched; /* iterations that are known of, and under way */
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
    if (exec.device == DEVICE_CPU || d->ranks_x * d->ranks_y > 1 || m->correction || m->multigrid)
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
                     (LateLook){test, count, slot, first, late->goal, late->total, late->scalars});
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
    const int until_look = PATIENCE - late->count % PATIENCE;
    late->launched = least(least(wanted, LATE_MOST), least(until_look, late->max_iterations - late->count));
    pipeline_rests(m->pipeline, &late->scalars->stopped);
    for (int n = 0; n < late->launched; n++) launch_iteration(m, n, late->count + n == 0);
    pipeline_rests(m->pipeline, NULL);
    exec_copy(exec, results_ask(exec, sizeof late->found, 1, take_scalars, &late->found), late->scalars,
              sizeof late->found);
}

static int begin_late(Inner *m, double goal, int max_iterations) {
    Late *late = m->late;
    late->observed = observed_of(m);
    late->goal = goal;
    late->norm = m->norm;
    late->steepest = 1;
    late->best = INFINITY;
    late->max_iterations = max_iterations;
    late->count = 0;
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
    late->count++;
    late->steepest = fmin(late->steepest, now->norm / late->norm);
    late->norm = now->norm;
    if (!(late->norm > late->goal)) return false;
    if (late->count % PATIENCE == 0) {
        if (!(late->norm < 0.9 * late->best)) return false;
        late->best = late->norm;
    }
    return late->count < late->max_iterations;
}

bool matm_late_end(Inner *m, int *iterations) {
    Late *late = m->late;
    bool goes_on = true, complete = true;
    while (goes_on) {
        for (int n = 0; n < late->launched && goes_on; n++) goes_on = take_iteration(m, &late->found.past[n]);
        complete = complete && late->found.stopped;
        if (!goes_on) break;
        launch_some(m, LATER_LAUNCH);
        results_fetch(m->layout->exec);
        complete = false; /* when x was asked for */
    }
    late->expected[m->part] = late->count;
    if (late->count > 0) note_steepest(&m->steepest[m->part], late->steepest);
    choose_omega(&late->observed, m);
    *iterations = late->count;
    return complete;
}

/* ---- with scalars of the host ---- */

int matm_conjugate(Inner *m, double goal, int max_iterations) {
    Lanes *y = m->vector[0], *z = m->vector[1], *p = m->vector[2], *q = m->vector[3];
    const LaneLayout *layout = m->layout;
    Observed observed = observed_of(m);
    if (max_iterations > 0 && makes_late(m)) return begin_late(m, goal, max_iterations);
    double rz = 0, rz_old = 0, best = INFINITY, norm = m->norm, steepest = 1;
    bool known = false; /* rz, and z */
    int n = 0;
    while (n < max_iterations) {
        double values[MATM_SUMS]; /* (p, A p), and what is observed */
        if (!known) {
            matm_precondition(m, m->r, y, z, m->sum[0]);
            lanes_totals(layout, 1, m->sum, &rz);
        }
        if (!(rz > 0)) break;
        if (observed.wanted) compare(m, m->omega, y, z);
        if (n == 0) { /* the first direction is z itself */
            Lanes *unused = p;
            p = z;
            z = unused;
        } else
            lanes_direction(layout, rz / rz_old, z, p);
        rz_old = rz;
        lanes_exchange(layout, p);
        matrix_apply(layout, &m->frame->a, p, q, m->sum[0]);
        lanes_totals(layout, observed.wanted ? MATM_SUMS : 1, m->sum, values);
        if (observed.wanted) observe(&observed, m, values + 1);
        if (!(values[0] > 0)) break;
        lanes_advance(layout, rz / values[0], p, q, m->frame->unscale, n == 0, m->x, m->r, m->sum[0]);
        n++;
        known = n < max_iterations && surely_goes_on(m, norm, goal);
        const double before = norm;
        norm = find_norm(m, known, y, z, &rz);
        steepest = fmin(steepest, norm / before);
        if (!(norm > goal)) break;
        if (n % PATIENCE == 0) {
            if (!(norm < 0.9 * best)) break;
            best = norm;
        }
    }
    if (n > 0) note_steepest(&m->steepest[m->part], steepest);
    choose_omega(&observed, m);
    return n;
}
