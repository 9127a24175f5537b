/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress of a run: a line that updates itself on a terminal, an occasional line elsewhere, and JSON lines
 * in a file for machines. Only rank 0 writes.
 */
#ifndef MAEOTIS_PROGRAM_PROGRESS_H
#define MAEOTIS_PROGRAM_PROGRESS_H

#include "model/simulation.h"
#include "program/watch.h"

typedef struct Progress Progress;

/* `json_path` may be NULL. `first` and `last` are where the run begins and ends [s since the start]. */
CHECKED Status progress_create(const Scenario *scenario, int rank, double first, double last,
                               const char *json_path, bool quiet, Progress **out);

/* Leaves of the log of an earlier run the lines of steps up to this one, from which the run goes on: only when no other
 * run can be writing to it. */
CHECKED Status progress_begin(Progress *progress, int64_t step);

/* The set-up is over, the steps begin: what is left is reckoned from here. */
void progress_start_clock(Progress *progress);

/* After every step: the pace, from which the time that is left is reckoned. */
void progress_note(Progress *progress, const State *state);

/* Into the log in JSON, if there is one, what is watched. Collective. */
void progress_watch(Progress *progress, const Watch *watch, const Simulation *simulation);

/* By the clock of rank 0: is it time for a line? Local. */
bool progress_due(const Progress *progress);
/* Does the run end here? The same on all ranks. Local. */
bool progress_is_last(const Progress *progress, double time);

/* Writes the log; shows a line where one is due and the step's digest has been found. Local. */
void progress_show(Progress *progress, const Simulation *simulation, const LedgerRow *ledger);

/* Has all of the log arrived? Local. */
CHECKED Status progress_check_log(const Progress *progress);

/* At the end: warns of tracers that were made or lost, and of water that cannot be. */
void progress_warn(const State *state, const LedgerRow *ledger);

/* Ends the line; returns the seconds since the steps began. */
double progress_finish(Progress *progress);
void progress_destroy(Progress **progress);

#endif
