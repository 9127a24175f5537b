/* SPDX-License-Identifier: Apache-2.0
 *
 * When a run becomes unstable: which value, where, why, and what to try.
 */
#ifndef MAEOTIS_PROGRAM_AUTOPSY_H
#define MAEOTIS_PROGRAM_AUTOPSY_H

#include "model/simulation.h"
#include "output/output.h"

/* What the last steps were like, the newest last, so that an autopsy can tell how it came to the end. */
enum { HISTORY_STEPS = 6 };
typedef struct StepHistory {
    struct {
        int64_t step;
        double fastest, highest, courant; /* [m s-1], [m], [1] */
        int iterations;                   /* of the surface */
    } row[HISTORY_STEPS];
    int count; /* kept */
} StepHistory;

/* Keeps the step that was just made. Local. */
void history_add(StepHistory *history, const Simulation *sim);

/* Finds the worst face (the first that is not a number, else the fastest), raises a message on its rank that
 * names variable, cell, position, depth, Courant number, the largest terms there, open boundaries, rivers and dry ground
 * near it, and what to try, the likeliest first; a shorter step only if the flow is too fast for this one. Tells what
 * the steps before were like, and writes all fields into <output folder>/autopsy.nc unless `facts` is NULL. Returns
 * STATUS_FAILED. Collective. */
CHECKED Status autopsy(const Simulation *simulation, const RunFacts *facts, const StepHistory *history);

#endif
