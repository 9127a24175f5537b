/* SPDX-License-Identifier: Apache-2.0
 *
 * A closed basin of 16 x 12 cells of 1000 m x 500 m and 10 m of water of 1000 kg/m3, at rest, in which
 * nothing acts: no drag, viscosity, advection or rotation. Tests turn on one term at a time by a scenario's
 * settings, give fields as functions, and read what the momentum equation makes of them.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_BASIN_H
#define MAEOTIS_TESTS_SUPPORT_BASIN_H

#include "model/simulation.h"

enum { BASIN_NX = 16, BASIN_NY = 12, BASIN_DX = 1000, BASIN_DY = 500, BASIN_DEPTH = 10, BASIN_STEP = 10 };

typedef struct Basin {
    Scenario *scenario;
    Simulation *sim;
} Basin;

/* `settings`: as for --set, the last one NULL. Fails the test on any error. */
#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
Basin basin_create(const char *const settings[]);
void basin_destroy(Basin *basin);

/* Gives all cells of a field, halos included, the value at their indices. */
typedef double BasinField(int i, int j, int k);
BasinField slope_x, slope_y; /* 2e-5, from cell to cell */
BasinField steady, shear;    /* 0.3; k */
void basin_fill(const Basin *basin, double *field, int levels, BasinField *value);

/* Predicts one component: its velocity after a step without the change of the surface (momentum.h). */
const double *basin_predict(Basin *basin, bool along_x);

/* The same, less the old velocity, per second. [m s-2] */
double basin_acceleration(Basin *basin, bool along_x, int i, int j, int k);

#endif
