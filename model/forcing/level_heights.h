/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the levels of a variable in a NetCDF file are, by what its CF coordinates say: heights; depths ("positive":
 * "down", or no number below 0); sigma and s coordinates with formula terms; the layers of maeotis, which are shares
 * (layer_share) of the depth of the bed. Those that follow the surface are at the heights that they have at rest, with
 * the surface at the datum: a sea that reads them stretches in the same way. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_LEVEL_HEIGHTS_H
#define MAEOTIS_MODEL_FORCING_LEVEL_HEIGHTS_H

#include "base/netcdf_in.h"
#include "model/forcing/source_axis.h"

typedef struct LevelHeights {
    int count;        /* 1 where the variable has no levels */
    int *index;       /* of each in the file, from the lowest up */
    ptrdiff_t stride; /* 0: the same in all columns of the window, else `count` */
    double *z;        /* z[column * stride + level], ascending [m] */
} LevelHeights;

CHECKED Status level_heights_read(const NetcdfFile *file, const NetcdfVariable *variable, const SourceAxis *x,
                                  const SourceAxis *y, LevelHeights *out);
void level_heights_free(LevelHeights *heights);

/* The level below `at`, and the part of the way to the next: 0 to 1; beyond the ends, the end. */
static inline int level_locate(const double *z, int count, double at, double *part) {
    int low = 0, high = count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(z[middle] <= at ? &low : &high) = middle;
    }
    const double p = high > low ? (at - z[low]) / (z[high] - z[low]) : 0;
    *part = p < 0 ? 0 : p > 1 ? 1 : p;
    return low;
}

#endif
