/* SPDX-License-Identifier: Apache-2.0
 *
 * Protects files from being overwritten: the run's own inputs, links to other places, results of earlier
 * runs.
 */
#ifndef MAEOTIS_OUTPUT_GUARD_H
#define MAEOTIS_OUTPUT_GUARD_H

#include "base/error.h"
#include "settings/scenario.h"
#include <stdbool.h>

typedef struct GuardOptions {
    const char *restart; /* the file that the run continues from; NULL: a run from the start */
    const char *log;     /* of --log-json; NULL: none */
    const char *record;  /* of how the run went; NULL: none */
    bool overwrite;      /* results of an earlier run may be replaced */
    const char *grid;    /* of check --grid; NULL: none */
} GuardOptions;

/* The path of a file that an earlier run has left where this one would write: an output or a restart file;
 * NULL: none. To be freed. Local. */
char *output_results(const Scenario *scenario);

/* Refuses the run if a file that it would write is an input, a symbolic link or no regular file, or if a run
 * from the start would replace results. Writes nothing. Local. */
CHECKED Status output_guard(const Scenario *scenario, const GuardOptions *options);

#endif
