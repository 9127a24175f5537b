/* SPDX-License-Identifier: Apache-2.0
 *
 * The length of the next step. With "step_s": "auto" it follows from the last one: the longest for which no
 * water moves more than `step_courant` cells, and no long wave more than `step_wave_courant`, within the
 * bounds, and at most a fifth longer than the one before. On the way to the next output, restart or the end,
 * steps are shortened equally so that one ends there exactly.
 *
 * It depends only on numbers that are the same on any number of ranks and that restarts hold.
 */
#ifndef MAEOTIS_MODEL_TIME_STEP_H
#define MAEOTIS_MODEL_TIME_STEP_H

#include "model/simulation.h"

/* The largest Courant number of the flow at which the scenario's advection works well. */
double time_step_best_courant(const Scenario *scenario);

/* The one that automatic steps aim at, at most. */
double time_step_courant(const Scenario *scenario);

/* For the initial state. Collective. */
void time_step_start(Simulation *simulation);

StepLengths time_step_lengths(const Simulation *simulation);

/* After the state was read. A step of another length than before counts from there. Local. */
void time_step_resume(Simulation *simulation, StepLengths lengths);

/* Sets the length of the step that begins; returns the time at which it ends [s since the start]. Local. */
double time_step_begin(Simulation *simulation);

/* After a step, from its report. Local. */
void time_step_end(Simulation *simulation);

/* The next time after `time` at which a step must end, `until` at the latest [s since the start]. */
double time_step_next_stop(const Scenario *scenario, double time, double until);

/* Nothing is left to do: `until` is reached. Local. */
bool time_step_done(const Simulation *simulation);

#endif
