/* SPDX-License-Identifier: Apache-2.0
 *
 * The wind stress at the faces of the grid, from one of these in the scenario: wind components, speed and
 * direction, a file, or the stress itself.
 */
#ifndef MAEOTIS_MODEL_FORCING_WIND_H
#define MAEOTIS_MODEL_FORCING_WIND_H

#include "model/forcing/quantity.h"
#include "model/forcing/wind_sample.h"

typedef struct Wind {
    WindForm form;
    Quantity a, b;        /* u, v [m s-1]; speed [m s-1], direction it blows from [degrees]; or stress [Pa] */
    WindStress stress;    /* the drag law */
    double factor;        /* multiplies the wind speed */
    double height;        /* at which it is given [m] */
    double water_density; /* [kg m-3] */
    double *drag_factor;  /* of the drag coefficient, at centres with halo; NULL: the same everywhere */
    Turn turn[PLACES];    /* on a map */
    bool along_grid;      /* components of a file are along the axes of the map, not eastward and northward */
    const Grid *grid;     /* not owned */
    char *source;         /* in words */
    char *drag_source;    /* the same of the factor; NULL: it is 1 */
} Wind;

/* The range ever observed, for components and speeds from files. [m s-1] */
#define STRONGEST_WIND 100.0

/* That of such a wind, about. [Pa] */
#define STRONGEST_STRESS 50.0

/* A table of wind: time with u and v, or with speed and the direction it blows from, found by the columns' names. Directions
 * become components row by row, before interpolation: half way between 350 and 10 degrees the wind blows from the north.
 * Refused: winds outside the range ever observed, directions that are none (999), rows that do not bracket the run, or lack
 * some. `source`, to be freed, describes the file. Local. */
CHECKED Status wind_file_read(const char *path, const Scenario *scenario, Series **u, Series **v,
                              char **source);

/* Collective. */
CHECKED Status wind_create(const Scenario *scenario, const Grid *grid, Wind *out);
void wind_release(Wind *wind);

/* See quantity_give: one component of a wind [m s-1] that takes the place of the scenario's wind or stress. Local. */
double *wind_give(Wind *wind, bool eastward);

bool wind_is_uniform(const Wind *wind);
bool wind_is_steady(const Wind *wind);
CHECKED Status wind_advance(Wind *wind, double time); /* collective where gridded */

char *wind_describe(const Wind *wind); /* "wind: storm.csv (...), Large & Pond drag ..."; to be freed */

/* For kernels at these points (wind_stress_of, wind_speed_of). Refuses impossible winds, with place and time.
 * Collective if it varies in space. */
CHECKED Status wind_sample(Wind *wind, Place place, RunList points, WindSample *out);

/* Is the sample one of fields of components at 10 m along the grid's axes, with the drag of COARE 3.5 (wind_fill_coare)? */
bool wind_is_plain(const WindSample *sample);

#endif
