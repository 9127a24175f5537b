/* SPDX-License-Identifier: Apache-2.0
 *
 * Tidal atlases in NetCDF: level and depth-mean current of each constituent, as amplitude and phase at any place. The
 * layouts are those of
 *
 *     TPXO 9 and 10    hRe + i hIm (or ha, hp) at lon_z, lat_z; transports uRe + i uIm at lon_u, lat_u and vRe + i vIm at
 *                      lon_v, lat_v, divided by the depths hu, hv of the atlas's grid file; 0 is land; the phase lag of
 *                      a + i b is that of a - i b
 *     FES 2014, 2022   amplitude, phase at lon, lat; currents Ua, Ug and Va, Vg
 *
 * with a file for each constituent or one for all. Between points, the level's and the current's parts in phase and a
 * quarter later are bilinear; land takes the values of the nearest water.
 *
 * G. D. Egbert, S. Y. Erofeeva, J. Atmos. Ocean. Technol. 19 (2002) 183-204. F. H. Lyard et al., Ocean Sci. 17 (2021)
 * 615-649.
 */
#ifndef MAEOTIS_MODEL_TIDE_ATLAS_H
#define MAEOTIS_MODEL_TIDE_ATLAS_H

#include "base/error.h"
#include <stdbool.h>

/* [degrees] */
typedef struct AtlasArea {
    double west, east, south, north;
} AtlasArea;

typedef enum AtlasQuantity { ATLAS_LEVEL, ATLAS_EAST, ATLAS_NORTH, ATLAS_QUANTITIES } AtlasQuantity;

/* `paths`: files and folders; `wanted`: names of constituents, none of them: all that the program knows. */
typedef struct AtlasRequest {
    char *const *paths;
    int n_paths;
    char *const *wanted;
    int n_wanted;
    AtlasArea area;
    AtlasArea asked;   /* the part of it that this rank will ask for; west > east: none */
    const char *place; /* of the key, for messages */
} AtlasRequest;

typedef struct TideAtlas TideAtlas;

/* Rank 0 reads, and sends each rank what it will ask for. Collective. */
CHECKED Status tide_atlas_create(MPI_Comm comm, const AtlasRequest *request, TideAtlas **out);
void tide_atlas_destroy(TideAtlas **atlas);

/* Its constituents, by importance as in tide_names. Local. */
int tide_atlas_count(const TideAtlas *atlas);
int tide_atlas_constituent(const TideAtlas *atlas, int n);
bool tide_atlas_has_currents(const TideAtlas *atlas); /* of all constituents */

/* Amplitude times cosine and sine of the phase lag at a place that was to be asked for [m, m s-1]; false: the atlas does
 * not have this quantity. Local. */
bool tide_atlas_at(const TideAtlas *atlas, int n, AtlasQuantity quantity, double lon, double lat,
                   double part[2]);

#endif
