/* SPDX-License-Identifier: Apache-2.0 */
#include "program/session_internal.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/seam/seam.h"
#include "model/time_step.h"
#include "numerics/grid/traffic.h"
#include "output/restart_simulation.h"
#include "program/session_words.h"
#include <inttypes.h>

static void keep_restarts(Session *session) {
    const int keep = session->scenario->restart.keep;
    restart_files_add(&session->restarts, session->restart, session->facts.named, keep);
    if (!session->zoom) return;
    char *finer = restart_of_zoom(session->restart);
    restart_files_add(&session->zoom_restarts, finer, session->facts.named, keep);
    memory_free(finer);
}

Status session_write_restart(Session *session) {
    CHECK(session->output, STATUS_BAD_INPUT, "%s",
          session->options->no_files
              ? "a run with --no-files writes no restart files: leave it out"
              : "the run is already at its end, so there is no restart file to write: set a later /time/end");
    TRY(restart_save(session->sim, &session->facts, session->output, session->zoom, session->restart));
    if (session->rank == 0) keep_restarts(session);
    if (session->progress) (void)progress_finish(session->progress);
    log_info("restart file: %s", session->restart);
    session->restart_written = true;
    return STATUS_OK;
}

bool session_done(const Session *session) {
    const int64_t steps = session->options->steps;
    return time_step_done(session->sim) || (steps >= 0 && session->sim->state->step >= steps);
}

/* `advice` ends the sentence on what to do. */
static void warn_unsolved(Session *session, const char *system, const char *key, MatmVariant variant,
                          double residual, int iterations, const char *advice) {
    (void)progress_finish(session->progress);
    log_warn("step %" PRId64 ": the solver of %s stopped at a residual of %.1e after %d iterations; raise "
             "solver.%s.max_iterations%s or shorten time.step_s%s",
             session->sim->state->step, system, residual, iterations, key,
             variant == VARIANT_AUTO ? "" : ", set its variant to \"auto\"", advice);
}

/* Budgets count the same water in each of its turns, so what is left of a change is lost many times over. */
static void warn_unsettled(Session *session, const Simulation *sim) {
    const Unsettled worst = tracers_unsettled(sim->tracers);
    if (!(worst.change > 0) || session->said_unsettled) return;
    const Axes *axes = &sim->grid->axes;
    session->said_unsettled = true;
    (void)progress_finish(session->progress);
    log_warn(
        "step %" PRId64 ": %s did not settle where water circulates many times in a step: its value at "
        "cell (%d, %d, %d), %g %g, still changed by %.1e of its size, and its budget may not close; "
        "shorten time.step_s or set physics.tracers.scheme to \"matm\"; later steps of this kind are not "
        "reported",
        sim->state->step, sim->state->tracer[worst.tracer].name, worst.i, worst.j, worst.k,
        axes_x(axes, worst.i + 0.5), axes_y(axes, worst.j + 0.5), worst.change);
}

static Status check_step(Session *session) {
    const StepReport *r = &session->sim->report;
    const ScenarioSolver *solver = &session->scenario->solver;
    const char *const volume = " (volume is conserved all the same)";
    history_add(&session->history, session->sim);
    progress_watch(session->progress, &session->options->watch, session->sim);
    if (r->broken)
        return autopsy(session->sim, session->options->no_files ? NULL : &session->facts, &session->history);
    if (!r->surface.converged)
        warn_unsolved(session, "the surface", "surface", solver->surface_variant, r->surface.residual,
                      r->surface.iterations, volume);
    for (int c = 0; c < 2; c++) {
        const SolveReport *m = &r->momentum[c];
        if (!m->converged)
            warn_unsolved(session, c == 0 ? "u" : "v", "momentum", solver->momentum_variant, m->residual,
                          m->iterations, "");
    }
    if (!r->pressure.converged)
        warn_unsolved(session, "the non-hydrostatic pressure", "pressure", solver->pressure_variant,
                      r->pressure.residual, r->pressure.iterations, volume);
    warn_unsettled(session, session->sim);
    if (session->sim->seam) warn_unsettled(session, seam_inner(session->sim->seam));
    return STATUS_OK;
}

void session_find_restart_moment(Session *session) {
    const Scenario *s = session->scenario;
    session->restart_moment =
        moments_next(s->restart.at, s->restart.n_at, s->time.start, session->sim->state->time);
}

/* A restart file, if one is due or requested. */
static Status take_requests(Session *session) {
    const bool write = session->sim->asked >= SESSION_ASKED_TO_WRITE;
    const double every = session->scenario->restart.every_s, now = session->sim->state->time;
    const bool due = every > 0 && schedule_due(&session->restart_times, now);
    session->facts.named = now >= session->restart_moment - SCHEDULE_EARLY_S;
    if (due) schedule_advance(&session->restart_times, now);
    if (session->facts.named) session_find_restart_moment(session);
    session->restart_written = false;
    if (session->output && (write || due || session->facts.named)) TRY(session_write_restart(session));
    return session->sim->asked >= SESSION_ASKED_TO_STOP ? STATUS_INTERRUPTED : STATUS_OK;
}

/* Few steps need a digest without having kept it: it is read from all of the sea, a twentieth of a cheap step. */
static bool needs_digest(const Session *session) {
    const double now = session->sim->state->time;
    return progress_is_last(session->progress, now) ||
           (session->output && output_will_record(session->output, now));
}

Status session_record_zoom(Session *session) {
    Simulation *inner = seam_inner(session->sim->seam);
    if (output_will_record(session->zoom, inner->state->time)) simulation_find_digest(inner);
    const LedgerRow ledger = simulation_ledger(inner);
    return output_step(session->zoom, inner->state, &ledger);
}

Status session_step(Session *session) {
    const State *state = session->sim->state;
    const double start = traffic_now() - traffic.waited;
    session->sim->keeps_digest = session->options->json || session->sim->asked >= SESSION_ASKED_TO_SHOW;
    TRY(simulation_step(session->sim));
    session->computed += traffic_now() - traffic.waited - start;
    TRY(check_step(session));
    progress_note(session->progress, state);
    if (needs_digest(session)) simulation_find_digest(session->sim);
    const LedgerRow ledger = simulation_ledger(session->sim);
    progress_show(session->progress, session->sim, &ledger);
    if (session->output) TRY(output_step(session->output, state, &ledger));
    if (session->zoom) TRY(session_record_zoom(session));
    return take_requests(session);
}

Status session_end(Session *session, Status status) {
    if (session->begun) {
        if (status == STATUS_OK && session->output && session->scenario->restart.at_end &&
            !session->restart_written)
            status = session_write_restart(session);
        const double seconds = progress_finish(session->progress);
        run_record_end(session->record, session->sim);
        if (status == STATUS_OK || status == STATUS_INTERRUPTED) session_say_end(session, seconds, status);
        if (status == STATUS_OK) status = status_agree(session->comm, progress_check_log(session->progress));
        session->begun = false;
    }
    if (session->output) {
        const Status closed = output_close(&session->output);
        if (status == STATUS_OK) status = closed;
    }
    const Status closed = output_close(&session->zoom);
    if (status == STATUS_OK) status = closed;
    folder_unlock(&session->lock);
    return status;
}

void session_destroy(Session **session) {
    Session *s = *session;
    if (!s) return;
    restart_files_release(&s->restarts);
    restart_files_release(&s->zoom_restarts);
    progress_destroy(&s->progress);
    simulation_destroy(&s->sim);
    memory_free(s->inputs);
    memory_free(s->chain);
    memory_free(s->scenario_text);
    memory_free(s);
    *session = NULL;
}
