/* SPDX-License-Identifier: Apache-2.0
 *
 * The waves that the wind makes, as a forcing: significant height, period and direction from files, formulas or
 * numbers, or as a steady wind has made them over its fetch (wave_growth.h). They raise the stress at the bed
 * (wave_orbit.h): that which brakes the flow (../momentum/bed_drag_kernels.c), and that which moves suspended matter
 * (../tracers/bed.h). Their Stokes drift moves the water (wave_drift.h).
 *
 * Where the water is too shallow or the period too short for the height that is given, it is that which breaking leaves
 * (wave_highest).
 */
#ifndef MAEOTIS_MODEL_WAVES_WIND_WAVES_H
#define MAEOTIS_MODEL_WAVES_WIND_WAVES_H

#include "model/forcing/forcing.h"
#include "model/momentum/momentum.h"
#include "model/state.h"
#include "model/subgrid/subgrid.h"
#include "numerics/grid/halo.h"
#include "settings/scenario.h"

typedef struct WindWaves WindWaves;

/* Makes the state's fields of waves; NULL comes out where the scenario has none. `subgrid`: of ground inside cells, where waves
 * feel the volume over the wet area; NULL: even cells. Collective. */
CHECKED Status wind_waves_create(const Scenario *scenario, const Subgrid *subgrid, Forcing *forcing,
                                 Halo *halo, State *state, WindWaves **out);
void wind_waves_destroy(WindWaves **waves);

/* The waves at the time since the start [s], in the state's depth. Collective. */
CHECKED Status wind_waves_update(WindWaves *waves, double time);

/* The Stokes drift (wave_drift.h) of the state's faces, and its rate of change in the step; nothing where the scenario
 * has none. Collective. */
void wind_waves_drift(WindWaves *waves, double time, double dt, Faces *u, Faces *v);

/* "the significant height of waves: era5.nc (swh, ...); ..."; to be freed. */
char *wind_waves_describe(const WindWaves *waves);

#endif
