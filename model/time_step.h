/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the next step is. With "step_s": "auto" it follows from the last one: the longest for which no
 * water would go further than `step_courant` cells, and no long wave than `step_wave_courant`, within the
 * bounds, and at most a fifth longer than the one before. On the way to a moment at which something is to
 * be written, to a restart or to the end, steps are shortened alike so that one ends there exactly.
 *
 * All of it comes from numbers that are the same on any number of ranks and that restarts hold.
 */
#ifndef MAEOTIS_MODEL_TIME_STEP_H
#define MAEOTIS_MODEL_TIME_STEP_H

#include "model/simulation.h"

/* For the initial state. Collective. */
void time_step_start(Simulation *simulation);

StepLengths time_step_lengths(const Simulation *simulation);

/* After the state was read. A step of another length than before counts from there. Local. */
void time_step_resume(Simulation *simulation, StepLengths lengths);

/* Sets the length of the step that begins; returns the time at which it ends [s since the start]. Local. */
double time_step_begin(Simulation *simulation);

/* After a step, from its report. Local. */
void time_step_end(Simulation *simulation);

/* The next moment after `time` at which a step has to end, `until` at the latest [s since the start]. */
double time_step_next_stop(const Scenario *scenario, double time, double until);

/* Nothing is left to do: `until` is reached. Local. */
bool time_step_done(const Simulation *simulation);

#endif
