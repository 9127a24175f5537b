/* SPDX-License-Identifier: Apache-2.0
 *
 * The first steps of a scenario on one rank: what a step costs and asks for (numerics/cluster/forecast.h).
 */
#ifndef MAEOTIS_PROGRAM_TRIAL_H
#define MAEOTIS_PROGRAM_TRIAL_H

#include "numerics/cluster/forecast.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

typedef struct Trial {
    StepProfile profile;
    int nx, ny, nz;
    bool periodic_x, periodic_y;
    double *weight; /* grid_weights */
    double cells, columns;
    double ns[KERNELS];     /* 95th percentile of step and sweep; lines: 0 [ns a node] */
    double median[KERNELS]; /* medians of them */
    double more_memory;     /* that small steps of tracers may add, over what the sea has before */
    DeviceKind device;
} Trial;

/* Spins up, then takes `steps` steps, fewer if these take more than some seconds. Local: every rank of a program
 * may make one at the same time. */
CHECKED Status trial_run(const Scenario *scenario, const char *device, int steps, Trial *out);
void trial_release(Trial *trial);

/* Solves tridiagonal lines as the schemes of a step do: 95th percentile [ns a node]. Local, on the processor. */
CHECKED Status trial_lines(double *ns);

/* The work in each column of a grid that one process has, for cuts; to be freed. Local. */
double *trial_weights(const Grid *grid);

#endif
