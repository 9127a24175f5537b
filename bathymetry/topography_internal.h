/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the parts of the topography. Nothing outside bathymetry/ and its tests includes this.
 */
#ifndef MAEOTIS_BATHYMETRY_TOPOGRAPHY_INTERNAL_H
#define MAEOTIS_BATHYMETRY_TOPOGRAPHY_INTERNAL_H

#include "bathymetry/topography.h"
#include <stddef.h>
#include <stdint.h>

/* A cell that is wet on a smaller share than this becomes land: it would cost a step's stability and hold
 * nothing. */
#define TOPOGRAPHY_SLIVER 0.05

/* Adds a line to the ledger. */
void topography_note(Topography *topography, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* topography_from_raster with another height for land that has none: NaN keeps it unknown. */
CHECKED Status topography_resample(const Raster *raster, const Axes *axes, const TopographyOptions *options,
                                   double unknown_land, Topography **out);

/* A rank's areas are whole numbers of this unit [m2], so that their sums are the same in any order. */
double topography_area_unit(const Axes *axes);

/* Faces beside land are closed; the two sides of a periodic seam are one face. Their shores stay with
 * `keep_shores`, else there is no water. */
void topography_close_faces(Topography *topography, const Axes *axes, bool keep_shores);

/* The largest slope ratio |H1 - H2| / (H1 + H2) of two neighbouring depths, and a cell of the pair; of a whole grid. */
double topography_steepest(const Topography *topography, int64_t *cell);

/* Moves volume between neighbouring cells of the sea until no slope ratio is above r0. Of a whole grid. */
CHECKED Status topography_smooth(Topography *topography, const Axes *axes, double r0);

/* What the ground was before open lines cut it. */
typedef struct LineCut {
    signed char *west, *south; /* faces as in Topography that are cut: not 0 */
    double *wet_area, *open_west, *open_south;
    Shore *shore_west, *shore_south;
} LineCut;

/* Closes the faces that open lines cut; once the sea that stays is known, opens those beside it and makes the ghosts. */
void lines_cut(Topography *topography, const Axes *axes, const TopographyOptions *options, LineCut *out);
CHECKED Status lines_open(Topography *topography, const Axes *axes, const TopographyOptions *options,
                          const LineCut *cut);
void lines_forget(LineCut *cut);

/* Bodies of water: cells connected through open faces, across periodic seams too. */
typedef struct Components {
    int32_t *label; /* label[j*nx + i]: 0 .. count-1, -1: land; free with components_release */
    int count, largest;
    int64_t *cells; /* by component; on rank 0, as is the next */
    double *area;   /* [m2] */
} Components;

void components_find(const Topography *topography, const Axes *axes, Components *out);
void components_release(Components *components);

/* Places that are open on two opposite sides only (of a strait of several cells, one is counted) and cells
 * with a single open face. The first places, as "(x, y), (x, y)", on rank 0; to be freed. */
typedef struct Narrows {
    int64_t straits, strait_cells, bays;
    char *strait_places, *bay_places;
} Narrows;

void narrows_find(const Topography *topography, const Axes *axes, Narrows *out);
void narrows_release(Narrows *narrows);

#endif
