/* SPDX-License-Identifier: Apache-2.0
 *
 * run_record.json in a run's folder: how the run ended, what it cost, and its messages. The NetCDF files hold no
 * clock and no number of ranks, so that they stay equal; this file holds what differs from run to run.
 */
#ifndef MAEOTIS_PROGRAM_RUN_RECORD_H
#define MAEOTIS_PROGRAM_RUN_RECORD_H

#include "model/simulation.h"

typedef struct RunRecord {
    double started;         /* on the clock of MPI_Wtime [s] */
    double set_up, stepped; /* before the first step, and from there to the last [s] */
    double simulated;       /* without what was before a restart [s] */
    int64_t steps;          /* likewise */
    int64_t wet_cells;
    int ranks[2];
    char device[64];
    uint64_t digest;
    char *folder, *command; /* NULL: the run did not get as far as its folder */
    char *restart, *chain;  /* of the legs; NULL: none */
    char *legs;             /* those before this one, a list in JSON; NULL: none */
    char from[32], to[32];  /* dates of the sea */
} RunRecord;

/* The file of a run in this folder, to be freed. */
char *run_record_path(const char *folder);

/* How many processes there are along x and y; where strips have different numbers, all of them and 1. */
void run_record_processes(RunRecord *record, const Decomposition *decomposition);

/* What is known once everything is set up; the digest and the times follow. `restart`: the file that the run goes on
 * from, NULL: none; the record beside it tells of the legs before if it is of the same `chain`. Collective. */
void run_record_begin(RunRecord *record, const Simulation *sim, const char *device, const char *command,
                      const char *restart, const char *chain);

/* After the last step. */
void run_record_end(RunRecord *record, const Simulation *sim);

/* Writes the file with all messages of the log so far, under a temporary name first. Before the first step, too, for a
 * run that will be killed. On rank 0. */
CHECKED Status run_record_write(const RunRecord *record, Status ended);
CHECKED Status run_record_write_first(const RunRecord *record);

void run_record_release(RunRecord *record);

#endif
