/* SPDX-License-Identifier: Apache-2.0
 *
 * When a run stops for a value that is impossible though no current is: which one, where, and what to check.
 */
#ifndef MAEOTIS_PROGRAM_AUTOPSY_VALUES_H
#define MAEOTIS_PROGRAM_AUTOPSY_VALUES_H

#include "model/simulation.h"

/* Raises a message for the highest of this rank's levels above all possible ones; else nothing. Local. */
void autopsy_level(const Simulation *simulation);

/* Raises one, on one rank, for the first cell where the tracer is no number. Collective. */
void autopsy_tracer(const Simulation *simulation, int tracer);

#endif
