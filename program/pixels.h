/* SPDX-License-Identifier: Apache-2.0
 *
 * The levels of a run, painted on the pixels of the ground that it was made from: level minus pixel, where the water reaches. A
 * pixel has the level of the cell that it lies in. Water reaches it if it hangs together, over pixels below their levels, with the
 * main water of a wet cell (model/subgrid/ways.h): no pools behind barriers. Local.
 */
#ifndef MAEOTIS_PROGRAM_PIXELS_H
#define MAEOTIS_PROGRAM_PIXELS_H

#include "program/datafile.h"

typedef struct PixelsWanted {
    const char *
        folder; /* of the scenario, to which the names of its files are relative; NULL: where the run found it */
    int level; /* of compression */
} PixelsWanted;

/* Writes `path`: depth at each record of a file of fields with eta, or max_depth of extremes with max_eta. */
CHECKED Status pixels_write(const DataFile *from, const char *path, PixelsWanted wanted);

/* Whether GDAL is there. */
CHECKED Status geotiff_possible(void);

/* The same map as a GeoTIFF, by GDAL: a band for each record. */
CHECKED Status pixels_geotiff(const char *path, const char *geotiff);

#endif
