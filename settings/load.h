/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a scenario on all ranks, for run, check and bench.
 */
#ifndef MAEOTIS_SETTINGS_LOAD_H
#define MAEOTIS_SETTINGS_LOAD_H

#include "settings/scenario.h"
#include <stdint.h>

/* --set options, in order. */
typedef struct Overrides {
    const char *text[64];
    int count;
} Overrides;

CHECKED Status overrides_add(Overrides *overrides, const char *text);
CHECKED Status overrides_take(const char *text,
                              void *overrides); /* for the row of --set in a table of options */

/* Rank 0 reads the file, all parse the same text. Messages are raised on rank 0 alone. Collective. */
CHECKED Status scenario_load(MPI_Comm comm, const char *path, const Overrides *overrides, Scenario **out);

/* Appends a space and the word, in single quotes where a shell would read more into it. */
void command_word(char **line, const char *word);

/* The words of the command line, as a shell takes them, for the files' history; to be freed. */
char *command_line(int argc, char **argv);

/* Appends " --set WORD" for each, as a shell takes it. */
void overrides_append(const Overrides *overrides, char **line);

#endif
