/* SPDX-License-Identifier: Apache-2.0
 *
 * A running simulation to and from a restart file.
 */
#ifndef MAEOTIS_OUTPUT_CHECKPOINT_H
#define MAEOTIS_OUTPUT_CHECKPOINT_H

#include "model/simulation.h"
#include "output/output.h"

/* See restart_write. Collective. */
CHECKED Status checkpoint_write(Simulation *simulation, const RunFacts *facts, const Output *output,
                                char path_out[512]);

/* Sets the simulation back to what the file holds; see restart_read for what is refused. Collective. */
CHECKED Status checkpoint_read(Simulation *simulation, const char *path, bool force);

#endif
