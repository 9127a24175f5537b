/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of a run, as its command line names them. Whoever starts a session in another way, as the library does,
 * gives the same words.
 */
#ifndef MAEOTIS_PROGRAM_RUN_OPTIONS_H
#define MAEOTIS_PROGRAM_RUN_OPTIONS_H

#include "program/watch.h"
#include "settings/load.h"

/* The checks of a restart that --force waives. */
enum { FORCE_SCENARIO = 1, FORCE_FILES = 2 };

typedef struct RunOptions {
    const char *scenario, *restart, *device, *json, *until, *cluster;
    int64_t steps;     /* since the start of the scenario; -1: to its end */
    int64_t rebalance; /* steps after which cuts are moved by measured speeds; 0: never */
    int force;         /* of the above */
    bool quiet, overwrite, new_folder, no_files, help;
    bool coupled; /* a program drives the run and may give it forcing: no word says so, the library does */
    Overrides overrides;
    Watch watch;
} RunOptions;

/* argv[0] is the command's name; the options point into argv. Local. */
CHECKED Status run_options_parse(int argc, char **argv, RunOptions *out);

/* Where the run computes if neither --device nor the scenario says it: on the processor. */
const char *run_options_device(const RunOptions *options, const Scenario *scenario);

#endif
