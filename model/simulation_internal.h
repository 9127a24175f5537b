/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of a simulation: simulation_create.c makes its parts, simulation_flow.c those that move the water,
 * simulation_start.c its state between two steps, simulation.c what others ask of it. A step is in step.c.
 */
#ifndef MAEOTIS_MODEL_SIMULATION_INTERNAL_H
#define MAEOTIS_MODEL_SIMULATION_INTERNAL_H

#include "model/simulation.h"

/* Does horizontal viscosity act on the flow? Local. */
bool simulation_is_viscous(const Simulation *simulation);

/* All that moves the water, after the state. Collective. */
CHECKED Status simulation_create_flow(Simulation *simulation);

/* The faces and the schemes of momentum. Local. */
void simulation_destroy_momentum(Simulation *simulation);

/* After the parts were made: the state at the start, and what follows from it. Collective. */
CHECKED Status simulation_begin(Simulation *simulation);

/* After it: a finer grid inside, and the state of this one under it; nothing without a zoom. Collective. */
CHECKED Status simulation_begin_zoom(Simulation *simulation);

#endif
