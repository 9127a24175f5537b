/* SPDX-License-Identifier: Apache-2.0
 *
 * When a run becomes unstable: which value, where, why, and what to try.
 */
#ifndef MAEOTIS_PROGRAM_AUTOPSY_H
#define MAEOTIS_PROGRAM_AUTOPSY_H

#include "model/simulation.h"
#include "output/output.h"

/* Finds the worst face (the first that is not a number, else the fastest), raises a message on its rank that
 * names variable, cell, position, depth, Courant number, the largest term there and what to try, and writes
 * all fields into <output folder>/autopsy.nc. Returns STATUS_FAILED. Collective. */
CHECKED Status autopsy(const Simulation *simulation, const RunFacts *facts);

#endif
