/* SPDX-License-Identifier: Apache-2.0
 *
 * Values outside from NetCDF files: levels, velocities and tracers along the open faces, layer by layer where the file
 * has levels, and at the targets of sponges. Each edge of a boundary reads its own part of a file. A velocity's mean
 * over the depth is that of the boundary condition; how its layers deviate from it takes the place of what is found
 * one face farther in.
 *
 * The pressure outside is compared with that inside: both are taken in the middle of the cell inside, so that what is the same
 * there drives nothing. What comes in has the values at the face.
 *
 * What a file knows is a transport. If it holds the bed, as files of maeotis do, the mean is that over its own depth, and
 * as much greater as its column is deeper than those of the faces that share it: the volume that flows through the edge
 * is then the one outside, whatever the beds on both sides, and none comes through land.
 */
#ifndef MAEOTIS_MODEL_OUTER_FILES_H
#define MAEOTIS_MODEL_OUTER_FILES_H

#include "model/boundary/boundaries.h"
#include "model/forcing/profiles.h"
#include "model/scales.h"

typedef enum OuterQuantity {
    OUTER_LEVEL,
    OUTER_BED,
    OUTER_VELOCITY,
    OUTER_TRACER,
    OUTER_WATER
} OuterQuantity;

/* One variable along one edge of a boundary. */
typedef struct OuterFile {
    Profiles *profiles;
    int boundary; /* its number */
    OuterQuantity quantity;
    int tracer; /* of OUTER_TRACER; OUTER_WATER: temperature 0, salinity 1 */
    ProfilePlaces places;
    int faces;       /* of the places; the others are targets of sponges */
    int *number;     /* of the face, or of the target */
    double *weights; /* [place * layers + layer]: share of the layer in the depth */
    double *outer;   /* likewise in the depth outside; velocities only */
} OuterFile;

/* Which levels and velocities come from files: takes them out of all->given, of which the others are made. Collective.
 */
CHECKED Status outer_files_choose(Boundaries *all);

/* Opens the files of levels and velocities. Collective. */
CHECKED Status outer_files_open(Boundaries *all, const Scales *scales);

/* Opens the files of the tracers. Collective. */
CHECKED Status outer_files_add_tracers(Boundaries *all, const State *state);

/* Sets (tracers) or adds (levels, velocities: there may be a tide) the values at this time. Collective. */
CHECKED Status outer_files_advance(Boundaries *all, double time);

/* Of "uo, vo", the name of the velocity at u faces or at v faces; to be freed. NULL: of NULL. Local. */
char *outer_component(const char *column, bool along_x);

void outer_files_close(Boundaries *all);

#endif
