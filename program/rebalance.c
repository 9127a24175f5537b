/* SPDX-License-Identifier: Apache-2.0 */
#include "program/rebalance.h"

#include "base/log.h"
#include "base/memory.h"
#include <inttypes.h>
#include <math.h>

/* Speeds that differ by less move no cut: steps vary as much. */
static const double ALIKE = 1.1;

/* Of the ranks: the work of a step over the time of one, the fastest 1; and the longest time over the mean one. */
typedef struct Measured {
    int ranks;
    double *speed, imbalance;
    bool alike;
} Measured;

static Measured measure(const Session *session, double seconds) {
    const Grid *g = session->sim->grid;
    const double work = (double)g->cells.elements + GRID_SURFACE_WORK * (double)g->columns.elements;
    const double own[2] = {work, seconds};
    double most = 0, least = INFINITY, longest = 0, total = 0;
    Measured m = {0};
    MPI_Comm_size(session->comm, &m.ranks);
    double *all = ALLOCATE(2 * m.ranks, double);
    MPI_Allgather(own, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, session->comm);
    m.speed = ALLOCATE(m.ranks, double);
    for (int n = 0; n < m.ranks; n++) {
        const double time = all[2 * n + 1];
        m.speed[n] = time > 0 ? all[2 * n] / time : 0;
        most = fmax(most, m.speed[n]);
        if (m.speed[n] > 0) least = fmin(least, m.speed[n]);
        longest = fmax(longest, time);
        total += time;
    }
    m.alike = !(most > ALIKE * least);
    m.imbalance = total > 0 ? longest * m.ranks / total : 1;
    /* a rank without water tells nothing */
    for (int n = 0; n < m.ranks; n++) m.speed[n] = m.speed[n] > 0 ? m.speed[n] / most : 1;
    memory_free(all);
    return m;
}

/* "1, 0.52, 0.49" */
static char *speeds_text(const Measured *m) {
    char *text = memory_copy_text("");
    for (int n = 0; n < m->ranks; n++) memory_append(&text, "%s%.2g", n ? ", " : "", m->speed[n]);
    return text;
}

Status rebalance_note(Rebalance *r, Session *session, Scenario *scenario) {
    Status status = STATUS_OK;
    r->steps++;
    if (r->steps == 1) r->computed = session->computed; /* memory is touched for the first time */
    if (r->steps != session->options->rebalance || session_done(session)) return STATUS_OK;
    Measured m = measure(session, session->computed - r->computed);
    char *speeds = speeds_text(&m);
    if (m.alike) {
        log_info("cuts stay: in steps 2 to %" PRId64
                 " the speeds of the processes differed by less than %.0f %%",
                 r->steps, 100 * (ALIKE - 1));
    } else {
        memory_free(scenario->solver.speeds);
        scenario->solver.speeds = m.speed;
        scenario->solver.n_speeds = m.ranks;
        m.speed = NULL;
        status = session_cut_anew(session);
        const Decomposition *d = status == STATUS_OK ? &session->sim->grid->decomposition : NULL;
        const Cuts cuts = d ? decomposition_cuts(d) : (Cuts){0};
        char shape[CUTS_SHAPE];
        if (d)
            log_info("cuts moved after step %" PRId64
                     ": speeds of the processes %s; the busiest computed %.2f times the mean; %s processes%s",
                     session->sim->state->step, speeds, m.imbalance, cuts_shape(&cuts, shape),
                     d->straight ? "" : ", in strips");
    }
    memory_free(speeds);
    memory_free(m.speed);
    return status;
}
