/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways through the pixels of one cell: a dike inside it must not leak. Water goes from pixel to pixel across their sides, over the
 * ground between them. Local.
 */
#ifndef MAEOTIS_MODEL_WAYS_H
#define MAEOTIS_MODEL_WAYS_H

#include "numerics/limiter.h"

/* The ground between two pixels of heights z[1] and z[2], those beyond them z[0] and z[3]: on a slope their mean, beside a crest or
 * a wall the higher one. */
static inline double height_between(const double z[4]) {
    const double rise = z[2] - z[1];
    return fmax(z[1] + 0.5 * least_slope(z[1] - z[0], rise), z[2] - 0.5 * least_slope(rise, z[3] - z[2]));
}

typedef struct Ways Ways;

/* For cells of up to so many pixels. */
Ways *ways_create(int pixels);
void ways_destroy(Ways **ways);

/* Pixels height[row * columns + column] of a cell, of which those below `level` can be wet: pass[...] becomes the height that water
 * must have to reach each of them from the main water; INFINITY: none can. The main water is the largest of those that lie below
 * the mean height, from its lowest pixels. Returns the part of the wet pixels that is in the second largest of these if a way to
 * it leads over ground that is higher by `apart` than that mean, else 0. */
double ways_find(Ways *ways, const double *height, int columns, int rows, double level, double apart,
                 double *pass);

#endif
