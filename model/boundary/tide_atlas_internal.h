/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the tidal atlas: tide_atlas_read.c knows the files, tide_atlas.c shares and interpolates.
 */
#ifndef MAEOTIS_MODEL_TIDE_ATLAS_INTERNAL_H
#define MAEOTIS_MODEL_TIDE_ATLAS_INTERNAL_H

#include "model/boundary/tide_atlas.h"

/* One quantity of one constituent around the area. */
typedef struct AtlasMap {
    bool there;    /* in the atlas */
    int nx, ny;    /* points that this rank has; 0: none */
    double *x, *y; /* ascending [degrees] */
    double middle; /* of all that was read, along x: longitudes asked for are turned to it [degrees] */
    double *part;  /* [2][ny][nx]: amplitude times cosine, and sine, of the phase lag */
} AtlasMap;

typedef struct AtlasTide {
    int constituent; /* its number */
    AtlasMap map[ATLAS_QUANTITIES];
} AtlasTide;

struct TideAtlas {
    AtlasTide *tide;
    int count;
};

/* Local. */
CHECKED Status tide_atlas_read(const AtlasRequest *request, TideAtlas *out);

#endif
