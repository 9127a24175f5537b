/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdir */
#include "program/session_internal.h"

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "kinetics/module.h"
#include "model/forcing/source_records.h"
#include "model/given.h"
#include "model/nest.h"
#include "model/seam/seam.h"
#include "output/guard.h"
#include "output/inputs.h"
#include "output/parts.h"
#include "output/restart_simulation.h"
#include "program/check_costs.h"
#include "program/dates.h"
#include "program/session_words.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The name with the present date and time, and a number if another run took it in the same second: who makes the folder
 * has it. */
static Status make_new_folder(const char *name, char **out) {
    char date[32];
    calendar_format_compact((double)time(NULL), 0, date);
    *out = memory_format("%s_%s", name, date);
    TRY(path_make_folders(*out));
    for (int n = 2; mkdir(*out, 0777) != 0; n++) {
        CHECK(errno == EEXIST, STATUS_FAILED, "cannot make the folder \"%s\": %s", *out, strerror(errno));
        memory_free(*out);
        *out = memory_format("%s_%s_%d", name, date, n);
    }
    return STATUS_OK;
}

/* The folder that rank 0 makes. Collective. */
static Status take_new_folder(Scenario *scenario, MPI_Comm comm) {
    char *folder = NULL;
    int rank;
    MPI_Comm_rank(comm, &rank);
    Status status =
        status_agree(comm, rank == 0 ? make_new_folder(scenario->output_folder, &folder) : STATUS_OK);
    int length = folder ? (int)strlen(folder) + 1 : 0;
    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    if (rank != 0) folder = ALLOCATE(length, char);
    MPI_Bcast(folder, length, MPI_CHAR, 0, comm);
    memory_free(scenario->output_folder);
    scenario->output_folder = folder;
    scenario->folder_made = status == STATUS_OK;
    return status;
}

Status session_read(const RunOptions *o, MPI_Comm comm, Scenario **out) {
    kinetics_trust(true); /* who asks for a run wants what it executes */
    TRY(dates_load(comm, o->scenario, &o->overrides, o->restart, o->until, out));
    TRY(nest_complete(comm, *out));
    (*out)->keeps_tables = !o->no_files;
    return o->new_folder && !o->no_files ? take_new_folder(*out, comm) : STATUS_OK;
}

void session_forget_folder(const Scenario *scenario) {
    if (scenario && scenario->folder_made) (void)rmdir(scenario->output_folder);
}

static Status guard_files(const RunOptions *o, const Scenario *s) {
    char *record = run_record_path(s->output_folder);
    const GuardOptions guard = {o->restart, o->json, record,
                                o->overwrite || o->no_files || getenv("MAEOTIS_OVERWRITE")};
    const Status status = output_guard(s, &guard);
    memory_free(record);
    return status;
}

/* Of the finer grid of a zoom. */
static Status guard_zoom(const RunOptions *o, const Simulation *sim) {
    if (!sim->seam || o->no_files) return STATUS_OK;
    const Simulation *inner = seam_inner(sim->seam);
    char *restart = o->restart ? restart_of_zoom(o->restart) : NULL;
    const GuardOptions guard = {.restart = restart, .overwrite = o->overwrite || getenv("MAEOTIS_OVERWRITE")};
    const Status status = output_guard(inner->scenario, &guard);
    memory_free(restart);
    return status;
}

static double asks(void *asker) {
    const Session *session = asker;
    const double caller = session->asks ? session->asks() : SESSION_ASKED_NOTHING;
    return fmax(caller, progress_due(session->progress) ? SESSION_ASKED_TO_SHOW : SESSION_ASKED_NOTHING);
}

/* What has to be known before the first file is opened. */
static Status look_first(Session *session, double *end) {
    const RunOptions *o = session->options;
    const Scenario *s = session->scenario;
    MPI_Comm comm = session->comm;
    const bool first = session->rank == 0;
    *end = s->time.to_s;
    TRY(simulation_create(s, comm, run_options_device(o, s), &session->sim));
    session->sim->asks = asks;
    session->sim->asker = session;
    TRY(records_check_open(comm, false));
    TRY(output_check(s, session->sim->state));
    const Simulation *inner = session->sim->seam ? seam_inner(session->sim->seam) : NULL;
    if (inner) TRY(output_check(inner->scenario, inner->state));
    TRY(watch_check(&o->watch, session->sim->grid));
    session->facts.ground = session->sim->ground_note;
    TRY(status_agree(comm, first ? inputs_describe(s, &session->inputs) : STATUS_OK));
    session->facts.inputs = session->inputs;
    session->chain = first ? restart_chain(o->restart, session->scenario_text) : NULL;
    session->facts.chain = session->restarts.chain = session->zoom_restarts.chain = session->chain;
    if (o->restart) {
        TRY(restart_resume(session->sim, o->restart, o->force & FORCE_SCENARIO));
        if (!o->coupled) TRY(given_complete(session->sim));
        TRY(status_agree(comm,
                         first ? inputs_check_restart(s, o->restart, session->inputs, o->force & FORCE_FILES)
                               : STATUS_OK));
    }
    session->sim->until = *end;
    return STATUS_OK;
}

/* Is the run dated by its restart file? */
static bool begins_at(const Scenario *s, double time) {
    return s->time.dated_s > 0 && fabs(time - s->time.dated_s) < SCHEDULE_EARLY_S;
}

/* The files of the finer grid, which go on after a restart from this file; NULL: they begin. */
static Status open_zoom(Session *session, const char *restart, bool begins) {
    Simulation *inner = seam_inner(session->sim->seam);
    RunFacts facts = session->facts;
    facts.ground = inner->ground_note;
    TRY(output_create(inner->scenario, &facts, inner->state, restart != NULL, &session->zoom));
    if (!restart) return session_record_zoom(session);
    char *path = restart_of_zoom(restart);
    const Status status = restart_read_output(path, session->zoom, inner->state, begins);
    memory_free(path);
    return status;
}

/* The digest of a sea that a caller changed after the step comes too late for its results. */
static uint64_t digest_of(const Simulation *sim) {
    return sim->changed != 0 ? 0 : simulation_ledger(sim).digest;
}

/* Are the results that the run would continue those of the run that wrote its restart file? */
static Status compare_results(const Session *session) {
    const Simulation *sim = session->sim, *inner = sim->seam ? seam_inner(sim->seam) : NULL;
    const double time = sim->state->time;
    const char *now = session->options->force & FORCE_SCENARIO ? NULL : session->scenario_text;
    TRY(output_compare(session->scenario, time, now, digest_of(sim)));
    return inner ? output_compare(inner->scenario, time, now, digest_of(inner)) : STATUS_OK;
}

/* Nothing is written before all that may be refused has been looked at. */
static Status open_files(Session *session, double begin, double end) {
    const RunOptions *o = session->options;
    const Scenario *s = session->scenario;
    const State *state = session->sim->state;
    MPI_Comm comm = session->comm;
    const bool first = session->rank == 0, files = !o->no_files;
    if (files) TRY(status_agree(comm, first ? check_space(session->sim, end - begin) : STATUS_OK));
    if (files || o->json) TRY(status_agree(comm, first ? guard_files(o, s) : STATUS_OK));
    TRY(status_agree(comm, first ? guard_zoom(o, session->sim) : STATUS_OK));
    TRY(status_agree(comm,
                     progress_create(s, session->rank, begin, end, o->json, o->quiet, &session->progress)));
    if (files) TRY(status_agree(comm, first ? folder_lock(s->output_folder, &session->lock) : STATUS_OK));
    if (files) simulation_find_digest(session->sim);
    if (files && o->restart) TRY(status_agree(comm, first ? compare_results(session) : STATUS_OK));
    TRY(status_agree(comm, progress_begin(session->progress, state->step)));
    if (!files) return STATUS_OK;
    TRY(output_create(s, &session->facts, state, o->restart != NULL, &session->output));
    if (session->sim->seam) TRY(open_zoom(session, o->restart, begins_at(s, begin)));
    if (o->restart) return restart_read_output(o->restart, session->output, state, begins_at(s, begin));
    const LedgerRow ledger = simulation_ledger(session->sim);
    return output_step(session->output, state, &ledger);
}

static Status begin(Session *session, const char *command) {
    const RunOptions *o = session->options;
    const Scenario *s = session->scenario;
    double end;
    TRY(look_first(session, &end));
    const State *state = session->sim->state;
    if (o->restart && session_done(session)) {
        log_info(
            "nothing to do: %s is at or beyond the end of the run; set a later /time/end to continue from it",
            o->restart);
        return STATUS_OK;
    }
    if (o->steps >= 0 && !s->time.automatic)
        end = fmin(end, state->time + (double)(o->steps - state->step) * s->time.step_s);
    TRY(open_files(session, state->time, end));
    session->begun = true;
    session->restart_times = schedule_after(s->restart.every_s, state->time);
    session_find_restart_moment(session);
    session_say_start(session, end);
    run_record_begin(session->record, session->sim, run_options_device(o, s), command, o->restart,
                     session->chain);
    if (o->no_files) {
        memory_free(session->record->folder);
        session->record->folder = NULL;
    }
    TRY(status_agree(session->comm, session->rank == 0 && session->record->folder
                                        ? run_record_write_first(session->record)
                                        : STATUS_OK));
    progress_start_clock(session->progress);
    return STATUS_OK;
}

Status session_begin(const RunOptions *o, const Scenario *s, const char *command, RunRecord *record,
                     MPI_Comm comm, Session **out) {
    Session *session = *out = ALLOCATE(1, Session);
    char *effective = scenario_effective(s);
    *session =
        (Session){.options = o,
                  .scenario = s,
                  .record = record,
                  .comm = comm,
                  .scenario_text = effective,
                  .facts = {.effective_scenario = effective, .scenario_text = s->text, .command = command}};
    MPI_Comm_rank(comm, &session->rank);
    Status status = begin(session, command);
    if (status != STATUS_OK) {
        status = session_end(session, status);
        session_destroy(out);
    }
    return status;
}

static Status cut_anew(Session *session, const char *path) {
    const Scenario *s = session->scenario;
    const Simulation before = *session->sim;
    TRY(output_close(&session->output));
    TRY(output_close(&session->zoom));
    simulation_destroy(&session->sim);
    TRY(simulation_create(s, session->comm, run_options_device(session->options, s), &session->sim));
    session->sim->until = before.until;
    session->sim->asks = before.asks;
    session->sim->asker = before.asker;
    session->facts.ground = session->sim->ground_note;
    run_record_processes(session->record, &session->sim->grid->decomposition);
    TRY(restart_resume(session->sim, path, false));
    TRY(output_create(s, &session->facts, session->sim->state, true, &session->output));
    TRY(restart_read_output(path, session->output, session->sim->state, false));
    return session->sim->seam ? open_zoom(session, path, false) : STATUS_OK;
}

Status session_cut_anew(Session *session) {
    if (!session->restart_written) TRY(session_write_restart(session));
    const Status status = status_agree(session->comm, cut_anew(session, session->restart));
    if (status != STATUS_OK) {
        session->begun = false; /* there is no simulation to tell of */
        log_warn("the cuts could not be moved; continue with --restart %s", session->restart);
    }
    return status;
}
