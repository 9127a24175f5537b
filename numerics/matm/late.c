/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients of a rank alone on a device, whose scalars stay there (numerics/krylov/late.h).
 */
#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/matm/conjugate.h"
#include "numerics/matm/on_device.h"

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

static void copy_scalars(const void *found, int count, void *into) {
    (void)count;
    if (found)
        memcpy(into, found, sizeof(LateScalars));
    else
        *(LateScalars *)into = (LateScalars){.stopped = 1}; /* after no iterations */
}

bool late_is_possible(Inner *m) {
    const Exec exec = m->layout->exec;
    const Decomposition *d = &m->grid->decomposition;
    if (exec.device == DEVICE_CPU || decomposition_ranks(d) > 1 || m->correction || m->multigrid ||
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

static void test_totals(Inner *m, LateTest test, int count, int slot, bool first) {
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
    test_totals(m, LATE_RZ, 1, slot, first);
    if (observed) conjugate_compare(m, m->omega, y, late->z);
    if (first) {
        Lanes *unused = late->p;
        late->p = late->z;
        late->z = unused;
    } else
        lanes_direction_late(m->layout, scalars, late->z, late->p);
    lanes_exchange(m->layout, late->p);
    matrix_apply(m->layout, &m->frame->a, late->p, q, m->sum[0]);
    test_totals(m, LATE_PAP, observed ? MATM_SUMS : 1, slot, first);
    lanes_advance_late(m->layout, scalars, late->p, q, m->frame->unscale, first, m->x, m->r, m->sum[0]);
    test_totals(m, LATE_NORM, 1, slot, first);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Launches about so many iterations, and asks for their scalars. */
static void launch_iterations(Inner *m, int wanted) {
    Late *late = m->late;
    const Exec exec = m->layout->exec;
    const Course *c = &late->course;
    const int until_patience = CONJUGATE_PATIENCE - c->n % CONJUGATE_PATIENCE;
    late->launched = least(least(wanted, LATE_MOST), least(until_patience, c->max_iterations - c->n));
    pipeline_rests(m->pipeline, &late->scalars->stopped);
    for (int n = 0; n < late->launched; n++) launch_iteration(m, n, c->n + n == 0);
    pipeline_rests(m->pipeline, NULL);
    exec_copy(exec, results_ask(exec, sizeof late->found, 1, copy_scalars, &late->found), late->scalars,
              sizeof late->found);
}

int late_begin(Inner *m, const Course *course, const Observed *observed) {
    Late *late = m->late;
    late->observed = *observed;
    late->course = *course;
    late->z = m->vector[1];
    late->p = m->vector[2];
    exec_clear(m->layout->exec, late->scalars, sizeof *late->scalars);
    const int expected = late->expected[m->part];
    launch_iterations(m, expected > 0 ? expected : FIRST_LAUNCH);
    return MATM_LATE;
}

/* One of the iterations, as it went; false: the last. */
static bool take_iteration(Inner *m, const LateIteration *now) {
    Late *late = m->late;
    if (!(now->rz > 0)) return false;
    if (late->observed.wanted) conjugate_observe(&late->observed, m, now->with_p + 1);
    if (!(now->with_p[0] > 0)) return false;
    late->course.n++;
    return conjugate_goes_on(&late->course, now->norm);
}

bool matm_late_end(Inner *m, int *iterations) {
    Late *late = m->late;
    bool more = true, complete = true;
    while (more) {
        for (int n = 0; n < late->launched && more; n++) more = take_iteration(m, &late->found.past[n]);
        complete = complete && late->found.stopped;
        if (!more) break;
        launch_iterations(m, LATER_LAUNCH);
        results_fetch(m->layout->exec);
        complete = false; /* when x was asked for */
    }
    late->expected[m->part] = late->course.n;
    conjugate_end(m, &late->course, &late->observed);
    *iterations = late->course.n;
    return complete;
}
