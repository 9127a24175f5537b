/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that a scenario reads while it runs (wind, air pressure, series, initial values), with a checksum
 * of each, because a restart with another wind under the same name is another run. Local.
 */
#ifndef MAEOTIS_OUTPUT_INPUTS_H
#define MAEOTIS_OUTPUT_INPUTS_H

#include "base/error.h"
#include "settings/scenario.h"

/* "0123456789abcdef wind/storm.csv\n...", one line for each file as the scenario names it; NULL comes out
 * where there is none. To be freed. */
CHECKED Status inputs_describe(const Scenario *scenario, char **out);

/* The name of the input that is this file (as stat() told), the scenario itself included; NULL: none. To be freed. */
struct stat;
char *inputs_find(const Scenario *scenario, const struct stat *file);

/* Refuses files that have changed since the restart file was written if the sea itself depends on them, as on maps of
 * roughness; `force`: warns instead. Changed files of what drives the sea are told. */
CHECKED Status inputs_check_restart(const Scenario *scenario, const char *restart, const char *now,
                                    bool force);

#endif
