/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a run: CF + SGRID NetCDF written in parallel (fields, means, boxes, stations, extremes) and
 * restart files, from which a run continues with the same bits.
 */
#ifndef MAEOTIS_OUTPUT_OUTPUT_H
#define MAEOTIS_OUTPUT_OUTPUT_H

#include "base/error.h"
#include "model/ledger.h"
#include "model/state.h"
#include "settings/scenario.h"

typedef struct Output Output;

/* Facts about the run that go into the attributes of every file; those of rank 0 count. */
typedef struct RunFacts {
    const char *effective_scenario; /* JSON text */
    const char *scenario_text;      /* as the user wrote it */
    const char *ground;             /* source, checksum and ledger of the bathymetry */
    const char *command;            /* the command line */
    const char *inputs;             /* files with checksums (output/inputs.h); NULL: none */
    const char *chain;              /* of restart files: that of restart_chain; NULL: none */
    bool named;                     /* likewise: it belongs to a moment of /restart/at */
} RunFacts;

/* Refuses boxes without a cell, and variables and levels that are not there, which output_create refuses too, but later; and
 * stations far from all water. Collective. */
CHECKED Status output_check(const Scenario *scenario, const State *state);

/* The size of the files of fields and of the restart files for so much simulated time, and whether the disk
 * has room for so many bytes. Local. */
double output_bytes(const Scenario *scenario, const Grid *grid, double seconds);
double output_restart_bytes(const Scenario *scenario, const State *state, double seconds);
/* Can the run's harmonic analyses tell their constituents from each other? Local. */
CHECKED Status output_check_harmonics(const Scenario *scenario, const State *state);
CHECKED Status output_check_space(const Scenario *scenario, double fields, double restarts);

/* Before a run continues from a restart file: refused if files whose records it would continue are of another scenario
 * than `now`, the present one with all defaults (NULL: any), or hold another sea of that time by its digest (0: not
 * known). Local. */
CHECKED Status output_compare(const Scenario *scenario, double time, const char *now, uint64_t digest);

/* Creates the folder and the files (a file that exists is replaced), stations are moved to the nearest wet
 * cell (said in the log and in the file). With `resumed`, continues the files of an earlier run at the record
 * that follows state->time (records beyond it are overwritten). Collective. */
CHECKED Status output_create(const Scenario *scenario, const RunFacts *facts, const State *state,
                             bool resumed, Output **out);

/* After every step, and once before the first (after a restart too: what is in the files already is not
 * written again): samples stations, extremes and means, writes what is due. One halo cell of u, v, depth,
 * depth_u and depth_v has to be valid; those of fluxes and stresses are filled here when they are needed.
 * `ledger` is the volume ledger's row of this step, kept as time series in the fields files. Collective. */
CHECKED Status output_step(Output *output, const State *state, const LedgerRow *ledger);

/* The row for the means that end with the run, where output_step has had none with a digest. Local. */
void output_take_ledger(Output *output, const LedgerRow *ledger);

/* Will output_step at this time write the ledger's row into a file? The same on all ranks. Local. */
bool output_will_record(const Output *output, double time);

/* Writes everything that is still held and closes. Collective. */
CHECKED Status output_close(Output **output);

/* Where the files are, for the closing summary: of outputs that are cut the first, and how many there are of output `n`.
 * NULL-terminated; owned by `output`. */
const char *const *output_files(const Output *output);
int output_parts(const Output *output, int n);

/* All fields of the state at once, for autopsies, and the face where it was worst, "u,120,31,0" (NULL: none). Collective. */
CHECKED Status output_snapshot(const char *path, const RunFacts *facts, const State *state, const char *face);

/* ---- restart ---- */

/* Runs that continue each other form a chain, whose name is made of the first one's scenario and stands in its restart
 * files: that in the file, or what a new chain is called if there is none (or `path` is NULL). Local; to be freed. */
char *restart_chain(const char *path, const char *effective_scenario);

/* The restart files of a chain in the output folder. On rank 0. */
typedef struct RestartFiles {
    const char *chain; /* not owned */
    char **path;
    int count;
    bool looked; /* for those that earlier runs of the chain have left */
} RestartFiles;

/* Adds one, which has just been written, and deletes all but the newest `keep`; those of times after this one, left by
 * a run that went further, count as the oldest. Files of other chains are never deleted, nor are those of moments of
 * /restart/at (`named`), which do not count. Local. */
void restart_files_add(RestartFiles *files, const char *path, bool named, int keep);
void restart_files_release(RestartFiles *files);

/* Writes <folder>/restart_<date>.nc under a temporary name, with a checksum of the data, fsync, rename. Never
 * replaces a good file by a bad one: refuses fields with NaN, and reads back what it wrote. Outputs are
 * brought to the disk first. Collective. */
CHECKED Status restart_write(const Scenario *scenario, const RunFacts *facts, const State *state,
                             const Output *output, const StateNumber *numbers, int n_numbers,
                             char path_out[512]);

/* The start of the first run of the chain [s since 1970], and of the file and the run that wrote it [s since that]. */
typedef struct RestartDates {
    double start, elapsed, began;
} RestartDates;

/* Refuses what is no restart file, and one whose header is not what was written. Local. */
CHECKED Status restart_dates(const char *path, RestartDates *out);

/* Reads it back on any number of ranks: own values of the state's fields (halos are the caller's, and so is
 * what follows from others: eta) and the numbers. Refused: another grid or ground, a changed scenario unless
 * `force` (end, outputs, restart, ranks, and the files that drive the sea may change freely), a file whose checksum does not fit.
 * Collective. */
CHECKED Status restart_read(const char *path, const Scenario *scenario, bool force, State *state,
                            const StateNumber *numbers, int n_numbers);

/* After output_create with `resumed`: the extremes and unfinished means of outputs that were there before; a run that
 * `begins` at the date of the file restarts its extremes. Collective. */
CHECKED Status restart_read_output(const char *path, Output *output, const State *state, bool begins);

#endif
