/* SPDX-License-Identifier: Apache-2.0
 *
 * One driving quantity (a wind component, the air pressure) over the sea, in the cheapest of three forms,
 *
 *     uniform   the same everywhere: a Series, one number per time
 *     formula   of x, y, lon, lat (and t): evaluated point by point on the host
 *     gridded   from NetCDF: interpolated point by point by kernels
 *
 * or given by the caller of the simulation, at the centres of cells, in place of these.
 *
 * The host waits for no kernel: its values go to the device through memory of their own (gpu/staging.h).
 */
#ifndef MAEOTIS_MODEL_FORCING_QUANTITY_H
#define MAEOTIS_MODEL_FORCING_QUANTITY_H

#include "base/expression.h"
#include "gpu/staging.h"
#include "model/forcing/gridded.h"
#include "model/forcing/series.h"

/* The values of a formula or a file at the points of one place on the cell. */
typedef struct Evaluated {
    Staging staging;
    double *value; /* 2-D, for kernels; NULL: never requested */
    bool known;
    double time;
} Evaluated;

typedef struct Quantity {
    Series *series;
    Expression *formula;
    Gridded *gridded;
    double *given; /* 2-D, with halo; one of the four */
    Evaluated at[PLACES];
    const Grid *grid;
    const FieldNames *names; /* not owned */
    Value limits;            /* of the formula's values; owns nothing */
    double least, most;      /* range ever observed; both 0: any number */
    bool filled;             /* quantity_fill has nothing left to do */
    double time, uniform;    /* after quantity_advance: the time, and the value of a uniform quantity */
    char *source;            /* its origin, as text */
} Quantity;

/* `names`: how it is called in files. A file may be CSV or NetCDF. Collective. */
CHECKED Status quantity_create(const Value *value, const FieldNames *names, const Grid *grid,
                               const Scenario *scenario, Quantity *out);

/* The quantity becomes the series' owner. Local. */
void quantity_from_series(Series **series, const FieldNames *names, const Grid *grid, Quantity *out);

/* The field of centres, one halo cell around, that from now on takes the place of what the quantity was; made by the
 * first call. The caller fills it between steps. Local. */
double *quantity_give(Quantity *quantity, const FieldNames *names, const Grid *grid);

/* Refuses rows of a table that lie beyond this range, in which all that was ever observed lies, and from now on such values
 * of anything else. Collective. */
CHECKED Status quantity_limit(Quantity *quantity, const Scenario *scenario, double least, double most);
void quantity_release(Quantity *quantity);

bool quantity_is_uniform(const Quantity *quantity);
bool quantity_is_steady(const Quantity *quantity);

/* Goes to the time since the start [s]. Collective where gridded. */
CHECKED Status quantity_advance(Quantity *quantity, double time);

/* For kernels at these points, of any form. Refuses values that are not numbers, or beyond the limits of the
 * key or the range ever observed, with place and time. Collective if it varies in space. */
CHECKED Status quantity_sample(Quantity *quantity, Place place, RunList points, Sample *out);

/* Both for cells, into a field of them, always the same; once only where it is steady. Collective. */
CHECKED Status quantity_fill(Quantity *quantity, double time, RunList points, double *field);

#endif
