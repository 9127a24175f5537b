/* SPDX-License-Identifier: Apache-2.0
 *
 * The stress of the wind at the faces of the grid, from whatever the scenario gives: wind components, speed
 * and direction, a file, or the stress itself.
 */
#ifndef MAEOTIS_MODEL_FORCING_WIND_H
#define MAEOTIS_MODEL_FORCING_WIND_H

#include "model/forcing/quantity.h"
#include "model/forcing/wind_drag.h"

typedef enum WindForm { WIND_NONE, WIND_COMPONENTS, WIND_POLAR, WIND_STRESS } WindForm;

typedef struct Wind {
    WindForm form;
    Quantity a, b;        /* u, v [m s-1]; speed [m s-1], direction it blows from [degrees]; or stress [Pa] */
    WindStress stress;    /* the drag law */
    double factor;        /* multiplies the wind speed */
    double water_density; /* [kg m-3] */
    char *source;         /* in words */
} Wind;

/* Collective. */
CHECKED Status wind_create(const Scenario *scenario, const Grid *grid, Wind *out);
void wind_release(Wind *wind);

bool wind_is_uniform(const Wind *wind);
bool wind_is_steady(const Wind *wind);
CHECKED Status wind_advance(Wind *wind, double time); /* collective where gridded */

char *wind_describe(const Wind *wind); /* "wind: storm.csv (...), Large & Pond drag ..."; to be freed */

/* At the centre of a cell [m s-1]; 0 where only the stress is known. Local. */
double wind_speed_at(const Wind *wind, int i, int j);

/* The stress over water density at a point [m2 s-2]. Local. */
void wind_stress_at(const Wind *wind, Place place, int i, int j, double *x, double *y);

#endif
