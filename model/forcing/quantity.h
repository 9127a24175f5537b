/* SPDX-License-Identifier: Apache-2.0
 *
 * One driving quantity (a wind component, the air pressure) over the sea, in the cheapest of three forms:
 *
 *     uniform   the same everywhere: a Series, one number per time
 *     formula   of x, y, lon, lat (and t): evaluated point by point
 *     gridded   from NetCDF: interpolated point by point
 */
#ifndef MAEOTIS_MODEL_FORCING_QUANTITY_H
#define MAEOTIS_MODEL_FORCING_QUANTITY_H

#include "model/forcing/gridded.h"
#include "model/forcing/series.h"

typedef struct Quantity {
    Series *series;
    Expression *formula;
    Gridded *gridded; /* one of the three */
    const Grid *grid;
    Value limits;         /* of the formula's values; owns nothing */
    double time, uniform; /* after quantity_advance: the time, and the value of a uniform quantity */
    char *source;         /* what it comes from, in words */
} Quantity;

/* `names`: how it is called in files. A file may be CSV or NetCDF. Collective. */
CHECKED Status quantity_create(const Value *value, const FieldNames *names, const Grid *grid, double start,
                               double end, Quantity *out);

/* The quantity becomes the series' owner. Local. */
void quantity_from_series(Series **series, const Grid *grid, Quantity *out);
void quantity_release(Quantity *quantity);

bool quantity_is_uniform(const Quantity *quantity);
bool quantity_is_steady(const Quantity *quantity);

/* Goes to the time since the start [s]. Collective where gridded. */
CHECKED Status quantity_advance(Quantity *quantity, double time);

/* At a point, for any form; NaN where a formula has no value, or one beyond the limits of its key. Local. */
double quantity_at(const Quantity *quantity, Place place, int i, int j);

#endif
