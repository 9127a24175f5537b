/* SPDX-License-Identifier: Apache-2.0
 *
 * A running simulation to and from a restart file.
 */
#ifndef MAEOTIS_OUTPUT_RESTART_SIMULATION_H
#define MAEOTIS_OUTPUT_RESTART_SIMULATION_H

#include "model/simulation.h"
#include "output/output.h"

/* See restart_write. The finer grid of a zoom has a file of its own, of the same name in the folder "zoom", that is
 * written before; `zoom`: its output. Collective. */
CHECKED Status restart_save(Simulation *simulation, const RunFacts *facts, const Output *output,
                            const Output *zoom, char path_out[512]);

/* The file of the finer grid beside one of the sea around; to be freed. Local. */
char *restart_of_zoom(const char *path);

/* Sets the simulation, and the finer grid of a zoom, back to what the file holds; see restart_read for what is refused.
 * Collective. */
CHECKED Status restart_resume(Simulation *simulation, const char *path, bool force);

#endif
