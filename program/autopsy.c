/* SPDX-License-Identifier: Apache-2.0 */
#include "program/autopsy.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/momentum/terms.h"
#include <math.h>
#include <string.h>

typedef struct Worst {
    double badness; /* transport |u| H, above all others where the speed is impossible; infinite if no number;
                       -1: nothing found */
    bool along_x;
    int i, j, k;
} Worst;

static void find_worst(const Simulation *sim, bool along_x, Worst *worst) {
    const Grid *g = sim->grid;
    const RunList parts = along_x ? g->cells_u : g->cells_v;
    const Faces *faces = along_x ? &sim->u : &sim->v;
    for (int n = 0; n < parts.count; n++) {
        Run r = parts.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            double speed = fabs(faces->velocity[AT(*g, i, r.j, r.k)]);
            double transport = speed * faces->depth[AT2(*g, i, r.j)];
            double badness = isfinite(transport) ? transport : INFINITY;
            const bool film = faces->depth[AT2(*g, i, r.j)] < sim->scales.film;
            if (speed >= (film ? IMPOSSIBLE_SPEED : sim->scales.speed)) badness += 1e100;
            if (badness > worst->badness) *worst = (Worst){badness, along_x, i, r.j, r.k};
        }
    }
}

typedef struct Term {
    const char *name, *advice;
    double acceleration; /* [m s-2] */
} Term;

/* The largest term of the momentum equation at the face, or the first that is no number. */
static Term largest_term(const Simulation *sim, const Worst *w) {
#define TERM(function, time, words, advice) {words, advice, 0},
    static const Term terms[] = {MOMENTUM_TERMS(TERM)};
    const Grid *g = sim->grid;
    double *acceleration = ALLOCATE(MOMENTUM_TERM_COUNT, double);
    const TermsAt at = {simulation_momentum(sim, w->along_x), w->i, w->j, w->k, acceleration};
    momentum_terms_at(sim->exec, w->along_x ? g->blocks_u : g->blocks_v, at);
    exec_wait(sim->exec);
    Term largest = {.acceleration = -1};
    for (int n = 0; n < MOMENTUM_TERM_COUNT && isfinite(largest.acceleration); n++)
        if (!(fabs(acceleration[n]) <= largest.acceleration))
            largest = (Term){terms[n].name, terms[n].advice, fabs(acceleration[n])};
    memory_free(acceleration);
    return largest;
}

static Status report_worst(const Simulation *sim, const Worst *w) {
    const Grid *g = sim->grid;
    const Faces *f = w->along_x ? &sim->u : &sim->v;
    const ptrdiff_t m = AT2(*g, w->i, w->j), mk = AT(*g, w->i, w->j, w->k);
    const Term term = largest_term(sim, w);
    const char *x = g->spherical ? "lon" : "x", *y = g->spherical ? "lat" : "y";
    double dt = sim->dt;
    char date[32], limit[160] = "";
    calendar_format_since(sim->state->start, sim->state->time, date);
    if (sim->scales.speed < IMPOSSIBLE_SPEED)
        snprintf(limit, sizeof limit,
                 "; more than %.3g m/s are taken for impossible in this sea, unless \"scales\" is in /allow",
                 sim->scales.speed);
    return error_raise(STATUS_FAILED,
                       "the simulation became unstable at step %lld (%s): %s = %g m/s at cell i %d, j %d, "
                       "level %d (%s %.5g, %s %.5g), water depth %.3g m, Courant number %.3g; the largest "
                       "term there is %s (%.3g m/s2). What to try: %s%s",
                       (long long)sim->state->step, date, w->along_x ? "u" : "v", f->velocity[mk],
                       g->i_first + w->i, g->j_first + w->j, w->k, x,
                       w->along_x ? g->x_u[w->i] : g->x_c[w->i], y, w->along_x ? g->y_c[w->j] : g->y_v[w->j],
                       f->depth[m], fabs(f->velocity[mk]) * dt / f->spacing[w->j], term.name,
                       term.acceleration, term.advice, limit);
}

/* The highest of this rank's levels above all possible ones; else nothing. */
static void report_level(const Simulation *sim) {
    const Grid *g = sim->grid;
    const double *eta = sim->state->eta;
    double highest = sim->scales.level;
    int at_i = 0, at_j = -1;
    char date[32];
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            if (!(eta[AT2(*g, i, j)] > highest)) continue;
            highest = eta[AT2(*g, i, j)];
            at_i = i, at_j = j;
        }
    if (at_j < 0) return;
    calendar_format_since(sim->state->start, sim->state->time, date);
    (void)error_raise(
        STATUS_FAILED,
        "step %lld (%s): the level is %g m at cell i %d, j %d (%.5g, %.5g), in a sea that reaches "
        "from %g m to %g m: look at rivers, rain, boundaries and wind, or shorten the step (if it is "
        "meant: \"scales\" in /allow)",
        (long long)sim->state->step, date, highest, g->i_first + at_i, g->j_first + at_j, g->x_c[at_i],
        g->y_c[at_j], sim->scales.lowest, sim->scales.highest_ground);
}

void history_add(StepHistory *history, const Simulation *sim) {
    const StepReport *r = &sim->report;
    if (history->count == HISTORY_STEPS) {
        memmove(history->row, history->row + 1, (HISTORY_STEPS - 1) * sizeof *history->row);
        history->count--;
    }
    history->row[history->count].step = sim->state->step;
    history->row[history->count].fastest = r->fastest;
    history->row[history->count].highest = r->highest;
    history->row[history->count].courant = r->advective_courant;
    history->row[history->count++].iterations = r->surface.iterations;
}

/* Sudden or slow? A mistake in the forcing shows from the first step, a step that is too long all at once. */
static void tell_history(const StepHistory *history) {
    char *text = memory_copy_text("");
    for (int n = 0; n < history->count; n++)
        memory_append(&text, "%sstep %lld: %.3g m/s, %+.3g m, C %.2g, %d", n ? "; " : "",
                      (long long)history->row[n].step, history->row[n].fastest, history->row[n].highest,
                      history->row[n].courant, history->row[n].iterations);
    (void)error_raise(
        STATUS_FAILED,
        "how it came to that (fastest current, highest level, Courant number, iterations of the "
        "surface): %s",
        text);
    memory_free(text);
}

Status autopsy(const Simulation *sim, const RunFacts *facts, const StepHistory *history) {
    Worst worst = {.badness = -1};
    exec_wait(sim->exec);
    find_worst(sim, true, &worst);
    find_worst(sim, false, &worst);
    struct {
        double badness;
        int rank;
    } mine, all;
    mine.badness = fmin(worst.badness, 1e300);
    MPI_Comm_rank(sim->grid->comm, &mine.rank);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, sim->grid->comm);
    /* where forcing had no value, that was said when it was found */
    int known = error_count() > 0;
    MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MAX, sim->grid->comm);
    Status status = STATUS_OK;
    if (known)
        status = STATUS_BAD_INPUT;
    else if (sim->report.highest > sim->scales.level && sim->report.moving <= sim->scales.speed)
        report_level(sim);
    else if (all.rank == mine.rank)
        status = report_worst(sim, &worst);
    if (!known && all.rank == mine.rank) tell_history(history);
    if (facts) {
        char *path = memory_format("%s/autopsy.nc", sim->scenario->output_folder);
        Status written = output_snapshot(path, facts, sim->state);
        if (written == STATUS_OK && all.rank == mine.rank)
            (void)error_raise(STATUS_FAILED, "all fields at that moment are in %s", path);
        memory_free(path);
    }
    status = status_agree(sim->grid->comm, status);
    return status == STATUS_OK ? STATUS_FAILED : status;
}
