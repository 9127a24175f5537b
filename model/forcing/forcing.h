/* SPDX-License-Identifier: Apache-2.0
 *
 * The forcing: wind stress and air pressure on this rank's grid at any time of the run, from constants,
 * formulas, CSV series and gridded NetCDF; and scalar series for rivers and boundaries.
 */
#ifndef MAEOTIS_MODEL_FORCING_H
#define MAEOTIS_MODEL_FORCING_H

#include "base/error.h"
#include "model/forcing/wind_sample.h"
#include "numerics/grid/grid.h"
#include "settings/scenario.h"

/* ---- a number that varies in time: constants, formulas of t (x, y, lon, lat given), CSV columns ---- */

typedef struct Series Series;

/* `what` names the value in messages, `at` is where formulas in x, y, lon, lat are evaluated. A CSV series
 * must bracket the run: refused otherwise, with the times it covers. Local (every rank reads the small file). */
CHECKED Status series_create(const Value *value, const char *what, const Axes *axes, double x, double y,
                             const Scenario *scenario, Series **out);
double series_at(const Series *series, double seconds_since_start);

/* The time of the largest value (`sign` 1) or the least (-1): of all samples, or of the moments of a formula
 * that are looked at before a run [s since the start]. Local. */
double series_time_of_extreme(const Series *series, double sign, double length);

/* Refuses the value of a formula at one time, if it is not a number or beyond the limits of its key.
 * Local. */
CHECKED Status series_check(const Series *series, double seconds_since_start);

/* For the time loop, which cannot fail: NaN where series_check refuses, with its message raised if it is the
 * first one. Local. */
double series_at_or_nan(const Series *series, double seconds_since_start);
void series_destroy(Series **series);

/* ---- wind and air pressure ---- */

typedef struct Forcing Forcing;

/* Opens, checks (files exist, variables and units understood, Pa not hPa, the times bracket the run, the area
 * covers the grid). Gridded files are read by rank 0 and scattered. Collective. */
CHECKED Status forcing_create(const Scenario *scenario, const Grid *grid, Forcing **out);
void forcing_destroy(Forcing **forcing);

bool forcing_has_air_pressure(const Forcing *forcing);

/* What the caller of a simulation may give in place of the scenario's. Wind [m s-1] takes the place of wind or stress,
 * stress [Pa] that of the stress alone, of air pressure [Pa] there must be one. */
typedef enum ForcingField {
    FORCING_WIND_U,
    FORCING_WIND_V,
    FORCING_STRESS_X,
    FORCING_STRESS_Y,
    FORCING_AIR_PRESSURE,
    FORCING_FIELDS
} ForcingField;

/* See quantity_give: both components before the next step. `given`: NULL if none was. Local. */
double *forcing_give(Forcing *forcing, ForcingField field);
const double *forcing_given(const Forcing *forcing, ForcingField field);

/* Least and most ever observed, of pressures or of deviations from the mean, as the scenario has them. Local. */
void forcing_pressure_bounds(const Forcing *forcing, double bounds[2]);

/* Fills stress_u at open u faces, stress_v at open v faces [m2 s-2] (stress over water density, ramp
 * applied), and air_pressure at cells with one halo cell [Pa] (NULL: not wanted), for the time since the
 * start [s]. Fields that do not vary in time are not computed twice. Collective. */
CHECKED Status forcing_update(Forcing *forcing, double time, double *stress_u, double *stress_v,
                              double *air_pressure);

/* Speed of the wind at the centres of wet cells after forcing_update [m s-1]. Collective. */
CHECKED Status forcing_wind_speed(Forcing *forcing, double *speed);

/* The wind at the centres of wet cells after forcing_update, for kernels. Collective. */
CHECKED Status forcing_wind_sample(Forcing *forcing, WindSample *out);

/* One line for `check` and the log: "wind: storm.csv (2014-09-22T00:00Z to 2014-09-27T00:00Z, 121 records),
 * ..." ; to be freed. */
char *forcing_describe(const Forcing *forcing);

#endif
