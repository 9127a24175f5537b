/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells coarser than the ground: volumes, wet areas and sections from the pixels of the bathymetry in them
 * (V. Casulli, Int. J. Numer. Meth. Fluids 60 (2009) 391-408; V. Casulli and G. S. Stelling, 67 (2011) 441-449;
 * N. D. Volp et al., Water Resour. Res. 49 (2013) 4124-4135). With A, V the wet area and volume of a cell under the level eta, and
 * S, B, K the section, wet width and conveyance of a face:
 *
 *     V(eta + d)/dt + sum over faces of kappa (d - d_neighbour) = V(eta)/dt - div F* + Q     (surface.h has A max(0, H + d))
 *     drag on a face: g S |Q| Q / K^2, one slope for its deep and shallow parts
 *
 * V is convex, so Newton's method converges, with A(eta + d) in the matrix; the new volume follows from the fluxes, the level
 * from the volume. A face whose section is empty has no flux.
 */
#ifndef MAEOTIS_MODEL_SUBGRID_H
#define MAEOTIS_MODEL_SUBGRID_H

#include "model/subgrid/subgrid_kernels.h"
#include "numerics/grid/halo.h"
#include "settings/scenario.h"

/* Of all ranks, for messages. */
typedef struct SubgridCounts {
    int64_t bytes, pixels; /* of all tables; of all columns */
    int64_t closed;  /* faces closed by ground inside the cells beside them, to a height above their own */
    int64_t dikes;   /* length of those inside [mm]: sums of whole numbers are alike on any number of ranks */
    int64_t divided; /* cells with two waters, the second a tenth of the wet area at least */
    int64_t apart;   /* area of these second waters [cm2] */
} SubgridCounts;

/* A cell with two waters. */
typedef struct SubgridDivided {
    double area, part; /* of the second one [m2]; of what can be wet of the cell */
    double i, j;       /* of the whole grid */
} SubgridDivided;
enum { DIVIDED_NAMED = 4 };

typedef struct Subgrid {
    const Grid *grid;
    Hypsometry column, u, v;
    double *height, *share, *rise, *held; /* of subgrid_kernels.h, with halo but for `held` */
    /* of shores.h, along x and y, the middles with halo [cells] */
    double *begin[2], *bend[2], *middle[2], *slant[2];
    double *thick,
        *thick_before; /* volume over wet area after and before the step, with halo; NULL: one layer [m] */
    double *flank_u,
        *flank_v;        /* parts of the beds of faces (momentum/flanks.h); NULL: not at fixed heights */
    double *sunk, *wide; /* of subgrid_kernels.h, own columns; NULL: nobody asks for them */
    double *hydraulic_before
        [2]; /* of the faces when the step began, along x and y, with halo; NULL: one layer [m] */
    SubgridFaces face_u, face_v;
    SubgridWays ways_u, ways_v;
    /* faces with lower ground on both sides, over which no more than critical flow passes */
    RunList sills_u, sills_v;
    RunList beside; /* places of fields that are none of the columns: ghosts, halos, land */
    int n_spots;
    /* of the stations of all outputs, in their order: height of the pixel; INFINITY: none that can be wet [m] */
    double *spots;
    SubgridCounts counts;
    SubgridDivided divided[DIVIDED_NAMED]; /* of all ranks, the largest first; area 0: no more */
    char *kept;     /* path of the file that keeps the tables (kept.h); NULL: none does */
    bool from_kept; /* the tables were read from it */
} Subgrid;

/* NULL: the scenario has even cells. Sets the beds of the grid's columns and faces, their lowest ground. Collective. */
CHECKED Status subgrid_create(const Scenario *scenario, Grid *grid, Subgrid **out);
void subgrid_destroy(Subgrid **subgrid);

/* Room for `sunk` and `wide`, for water that exchanges or carries something. Local. */
void subgrid_make_sides(Subgrid *subgrid);

/* The arguments of the columns' kernels. Local. */
SubgridColumns subgrid_columns(const Subgrid *subgrid, double *depth, double *eta, const double *increment);

/* `thick`, with halo, that goes with a depth. Collective. */
void subgrid_thicknesses(const Subgrid *subgrid, Exec exec, Halo *halo, double *depth, double *thick);

/* How far the middles of layers lie below the level of a depth, with halo; those of ghosts are set elsewhere. Collective. */
void subgrid_heights(const Subgrid *subgrid, Exec exec, Halo *halo, const double *depth, double *below);

/* How far the lower sides of layers lie below the level of a depth, own columns. Local. */
void subgrid_lower_sides(const Subgrid *subgrid, Exec exec, const double *depth, double *sunk);

/* `sunk` and `wide` for a depth. The bed of a layer is as large as `wide` above it less that below it. Local. */
void subgrid_sides(const Subgrid *subgrid, Exec exec, const double *depth);

/* The depth that goes with a level so high above the lowest ground of column m; NULL: with even cells. [m] Local. */
double subgrid_depth_at(const Subgrid *subgrid, ptrdiff_t m, double height);

/* The moving depths of all faces, with or without ground inside cells; in face_u and face_v what else is known of their sections. */
void subgrid_or_even_depths(const Subgrid *subgrid, Exec exec, const Grid *grid, FaceDepth u, FaceDepth v);

/* What is known of sections, from the faces' depths. Local. */
void subgrid_resume(const Subgrid *subgrid, Exec exec, const double *depth_u, const double *depth_v);

/* Before a step: the ways between wet areas (shores.h), from `share` and eta with halos. The ways get halos, and with several layers
 * so do sections, which several faces around share down their columns. Collective. */
void subgrid_find_ways(const Subgrid *subgrid, Exec exec, Halo *halo, const double *eta);

/* After all that predicts the flow: over crests no more than critical flow. */
void subgrid_limit_crests(const Subgrid *subgrid, Exec exec, const Momentum *u, const Momentum *v);

/* Parts of the bed in the layers of faces, if layers lie at fixed heights. `subgrid` may be NULL. */
bool subgrid_has_flanks(const Subgrid *subgrid);
Flanks subgrid_flanks(const Subgrid *subgrid, const Faces *faces);

/* In place of bed_drag_prepare. */
void subgrid_drag_prepare(const Subgrid *subgrid, Exec exec, RunList faces, const Momentum *m);

#endif
