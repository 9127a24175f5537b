/* SPDX-License-Identifier: Apache-2.0
 *
 * Values outside a boundary: level, velocity and discharge at any time, the tide included. Values that are
 * constant along the boundary are computed once in a step, the others point by point.
 */
#ifndef MAEOTIS_MODEL_OUTSIDE_H
#define MAEOTIS_MODEL_OUTSIDE_H

#include "model/boundary/tide_atlas.h"
#include "model/forcing/forcing.h"
#include "model/scales.h"
#include "settings/scenario.h"

/* NetCDF files of a boundary (outer_files.h); NULL: none. */
typedef struct OuterChoice {
    const char *level, *velocity;
} OuterChoice;

typedef struct Outside Outside;

/* Refuses levels and velocities beyond the scales. The atlas (NULL: none) of the boundary now belongs to the object.
 * Local. */
CHECKED Status outside_create(const Scenario *scenario, const ScenarioBoundary *boundary, const Axes *axes,
                              const Scales *scales, TideAtlas *atlas, Outside **out);
void outside_destroy(Outside **outside);

/* Does the value vary along the boundary, or is it the same everywhere? */
CHECKED Status outside_varies(const Value *value, const char *what, const Axes *axes, bool *varies);

/* Goes to the time since the start [s]. */
void outside_advance(Outside *outside, double time);
double outside_discharge(const Outside *outside); /* [m3 s-1] */

/* Where a face is, and where its level is. Of a velocity given across the edge or line the part `slant` counts, of an
 * atlas' vectors their product with `inwards` [x, y]. */
typedef struct OutsidePlace {
    double x, y, level_x, level_y, slant, inwards[2];
} OutsidePlace;

/* A place along the boundary. */
typedef struct OutsidePoint {
    Series *eta, *velocity; /* where they vary along the boundary, else NULL */
    double slant;           /* of OutsidePlace */
    double *tide;           /* level and velocity of each constituent: parts in phase and a quarter later */
} OutsidePoint;

/* All points are made: what they alone are made from is freed. Local. */
void outside_settle(Outside *outside);

CHECKED Status outside_point_create(Outside *outside, OutsidePlace place, OutsidePoint *out);
void outside_point_release(OutsidePoint *point);

/* At the time of outside_advance; NaN, with a message, where a formula has no value. */
double outside_eta(const Outside *outside, const OutsidePoint *point);      /* [m] */
double outside_velocity(const Outside *outside, const OutsidePoint *point); /* inwards [m s-1] */

#endif
