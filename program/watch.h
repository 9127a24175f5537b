/* SPDX-License-Identifier: Apache-2.0
 *
 * Faces that are watched: their velocity, depth, level and terms after every step, for the log in JSON. An autopsy repeats
 * a run that broke and watches its worst faces (postproc/maeotis_runs/autopsy.py), so that no run has to keep any of this.
 */
#ifndef MAEOTIS_PROGRAM_WATCH_H
#define MAEOTIS_PROGRAM_WATCH_H

#include "model/simulation.h"
#include <stdio.h>

/* A face of the whole grid: the west side of cell (i, j) if `along_x`, else its south side. */
typedef struct WatchedFace {
    bool along_x;
    int i, j, k;
} WatchedFace;

enum { MOST_WATCHED = 16 };
typedef struct Watch {
    WatchedFace face[MOST_WATCHED];
    int count;
} Watch;

/* Adds a face from a text such as "u,120,31,0": component, i, j, level from the bed up. */
CHECKED Status watch_add(Watch *watch, const char *text);

/* Are all of them on the grid? */
CHECKED Status watch_check(const Watch *watch, const Grid *grid);

/* One line about the state after a step into `file`, which only rank 0 has. Collective. */
void watch_write(const Watch *watch, const Simulation *simulation, FILE *file);

#endif
