/* SPDX-License-Identifier: Apache-2.0
 *
 * Nesting: what a scenario takes from the output of a coarser run, as far as that holds it.
 */
#ifndef MAEOTIS_MODEL_NEST_H
#define MAEOTIS_MODEL_NEST_H

#include "base/error.h"
#include "settings/scenario.h"
#include <mpi.h>

/* Sets initial values that /nest promises and its file does not hold to their defaults: no temperature, no salinity, no
 * current, no tracer. To be called after scenario_load, before anything reads the scenario. Collective. */
CHECKED Status nest_complete(MPI_Comm comm, Scenario *scenario);

#endif
