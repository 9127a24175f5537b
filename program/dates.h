/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenario of a run with its dates: where it begins, if it goes on from a restart file, and where it ends.
 *
 * Time is counted from the start of the first run of a chain, so that formulas, ramps and tides go on. The scenario's own
 * `/time/start` may be that date, the start of the run that wrote the restart file, or the date of the file; left out, it is
 * the latter. The end and the duration are those after this start.
 */
#ifndef MAEOTIS_PROGRAM_DATES_H
#define MAEOTIS_PROGRAM_DATES_H

#include "settings/load.h"

/* `restart`, `until`: as the options of `run`, NULL: not given. Collective. */
CHECKED Status dates_load(MPI_Comm comm, const char *scenario, const Overrides *overrides,
                          const char *restart, const char *until, Scenario **out);

#endif
