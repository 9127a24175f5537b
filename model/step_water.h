/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of a step that moves the water, in the order in which it happens. step.c shows what comes before and after.
 */
#ifndef MAEOTIS_MODEL_STEP_WATER_H
#define MAEOTIS_MODEL_STEP_WATER_H

#include "model/simulation.h"

/* u*, v*: everything but the change of the surface. Collective. */
CHECKED Status step_predict(Simulation *simulation);

/* The level, with what rotation does to the flow that it drives, and with the culverts' flow that it drives. Collective. */
CHECKED Status step_find_surface(Simulation *simulation, double time);

/* Makes the flow that surface and momentum have left free of divergence; new depth and level again. Collective. */
CHECKED Status step_correct_pressure(Simulation *simulation);

/* Depths of cells and faces, velocities and fluxes after the step; the old depth ends in next_depth. Collective. */
void step_move(Simulation *simulation);

/* Instead of all these, where the flow is given and levels stay as they are. Collective. */
void step_prescribe(Simulation *simulation, double time);

#endif
