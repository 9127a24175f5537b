/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run costs: memory, files and time, those of a zoom included.
 */
#ifndef MAEOTIS_PROGRAM_CHECK_COSTS_H
#define MAEOTIS_PROGRAM_CHECK_COSTS_H

#include "model/simulation.h"

/* Before anything is made: what the process takes by then are its libraries. */
void check_costs_begin(void);

/* Files of fields and series, and restart files, of so much simulated time, with those of a zoom [bytes]. Local. */
typedef struct FileBytes {
    double fields, restarts;
} FileBytes;

FileBytes check_file_bytes(const Simulation *sim, double seconds);

/* Refuses output for which the disk has no room. Local. */
CHECKED Status check_space(const Simulation *sim, double seconds);

/* Refuses output for which the disk has no room. Takes the first steps of the simulation. */
CHECKED Status check_costs(Simulation *sim);

#endif
