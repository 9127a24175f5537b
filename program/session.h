/* SPDX-License-Identifier: Apache-2.0
 *
 * A run, step by step: a simulation with its files, its progress line and its messages. The command `run` and the
 * library (bmi/) both go through here, so that they compute the same bits and write the same files.
 *
 *     session_read(options, comm, &scenario)
 *     session_begin(...)
 *     while (status == STATUS_OK && !session_done(session)) status = session_step(session);
 *     status = session_end(session, status);
 *     session_destroy(&session);
 */
#ifndef MAEOTIS_PROGRAM_SESSION_H
#define MAEOTIS_PROGRAM_SESSION_H

#include "base/schedule.h"
#include "model/simulation.h"
#include "output/folder_lock.h"
#include "output/output.h"
#include "program/autopsy.h"
#include "program/progress.h"
#include "program/run_options.h"
#include "program/run_record.h"

/* What a rank may ask for; the ranks agree on the largest in each step. */
typedef enum SessionAsked {
    SESSION_ASKED_NOTHING,
    SESSION_ASKED_TO_SHOW, /* the next step, with its digest */
    SESSION_ASKED_TO_WRITE,
    SESSION_ASKED_TO_STOP
} SessionAsked;

typedef struct Session {
    const RunOptions *options; /* not owned, like scenario and record */
    const Scenario *scenario;
    RunRecord *record;
    MPI_Comm comm;
    int rank;
    Simulation *sim;
    Output *output; /* NULL: the run writes no files, or has nothing left to do */
    Output *zoom;   /* of the finer grid; NULL: there is none */
    Progress *progress;
    RunFacts facts;
    StepHistory history;
    Schedule restart_times;
    double restart_moment; /* of /restart/at: the next [s since the start] */
    double (*asks)(void);  /* a SessionAsked of the caller, such as of a signal to it; NULL: nothing */
    double computed;       /* by this rank in all steps, without waiting for others [s] */
    bool begun;            /* there are steps to make */
    bool restart_written;  /* after the newest step */
    bool said_unsettled;   /* that tracers in circulating water had not settled, once */
    char restart[512];     /* the newest one written */
    RestartFiles restarts, zoom_restarts; /* on rank 0 */
    FolderLock lock;                      /* on rank 0 */
    char *inputs, *scenario_text, *chain;
} Session;

/* The scenario as the options change it. Collective. */
CHECKED Status session_read(const RunOptions *options, MPI_Comm comm, Scenario **out);

/* Removes the folder that --new-folder made if nothing was written there, as of a run that was refused. Local. */
void session_forget_folder(const Scenario *scenario);

/* Sets everything up, up to the first record of the files; nothing is written before all that may be refused has been
 * looked at. `command` and what `options` points to must live as long as the session. Collective. */
CHECKED Status session_begin(const RunOptions *options, const Scenario *scenario, const char *command,
                             RunRecord *record, MPI_Comm comm, Session **out);

/* Is the end of the run reached? Local. */
bool session_done(const Session *session);

/* One step, its output, and a restart file if one is due. STATUS_INTERRUPTED: stopped as requested. Collective. */
CHECKED Status session_step(Session *session);

/* Writes a restart file of the present state; its path is in session->restart. Collective. */
CHECKED Status session_write_restart(Session *session);

/* Redistributes the sea among the processes, by the scenario as it is now: the state and the outputs' sums go through a
 * restart file, which stays as any other. Files and messages go on. Collective. */
CHECKED Status session_cut_anew(Session *session);

/* The last restart file and the closing words, if all went well so far (`status`); closes the files. The fields of the
 * simulation are still there. Collective. */
CHECKED Status session_end(Session *session, Status status);

/* Collective. */
void session_destroy(Session **session);

#endif
