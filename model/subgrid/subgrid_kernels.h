/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step does with the ground inside cells. Depth of a column stands for its volume over the cell's area, depth of a face for
 * its section over its width: fluxes, budgets, advection and tracers need no more. What needs the level, the wet area or the shape
 * of a section is here.
 */
#ifndef MAEOTIS_MODEL_SUBGRID_KERNELS_H
#define MAEOTIS_MODEL_SUBGRID_KERNELS_H

#include "gpu/measure.h"
#include "model/subgrid/hypsometry.h"
#include "model/subgrid/shores.h"
#include "model/surface/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SubgridColumns {
    GridView g;
    Hypsometry ground;
    double *depth, *eta;
    const double *increment;          /* of eta: in the last step, or sought [m] */
    double *guess;                    /* of the increment that is sought, for subgrid_flood [m] */
    double *height;                   /* of the level above the lowest ground when the step began [m] */
    double *share;                    /* wet of its area when the step began */
    const double *begin[2], *bend[2]; /* of shores.h, along x and y [cells] */
    double *middle[2];                /* of the wet area, when the step began [cells] */
    double *rise;                     /* of the depth in the last step [m] */
    double *thick;                    /* volume over wet area [m] */
    double *below; /* of layers: how far the middle of their volume lies below the level [m] */
    /* of the lower sides of layers, and of the surface above the uppermost one: how far below the level [m]; wet part of the area */
    double *sunk, *wide;
    double *wet,
        *held; /* of the surface's system: share of the area that stores, and depth less what is stored at no
                                increment [m] */
} SubgridColumns;

void subgrid_fill(Exec exec, RunList columns, SubgridColumns args);   /* depth, from heights in its place */
void subgrid_levels(Exec exec, RunList columns, SubgridColumns args); /* eta, from depth */
void subgrid_begin(Exec exec, RunList columns, SubgridColumns args);  /* height, share, middle, rise */
void subgrid_beside(Exec exec, RunList places, SubgridColumns args);  /* the same of even ground */

void subgrid_thick(Exec exec, RunList columns, SubgridColumns args);   /* thick */
void subgrid_middles(Exec exec, RunList columns, SubgridColumns args); /* below */
void subgrid_sink(Exec exec, RunList columns, SubgridColumns args);    /* sunk */
void subgrid_cut(Exec exec, RunList columns, SubgridColumns args);     /* sunk, wide */

/* The system's line, `wet` and `held`: about the level of now and as much more as the increment says, but never where nothing is wet;
 * about the increment that was found; about a level at which everything is wet, with 0 in `guess`: where hardly anything stores water, the first
 * increments may have no numbers in single precision, and these have. */
void subgrid_start(Exec exec, RunList columns, SubgridColumns args);
void subgrid_follow(Exec exec, RunList columns, SubgridColumns args);
void subgrid_flood(Exec exec, RunList columns, SubgridColumns args);

/* Columns that store otherwise at the increment than the system takes for granted, by more than 1 um. */
void subgrid_off(Exec exec, RunList columns, SubgridColumns args, uint64_t *count);

/* What is between the middles of two cells, of faces. A crest that is a part C of the way, the rest lower by R, brakes less than
 * ground as high as the crest, and the flow behind it widens from h to h + R:
 *
 *     drag times C + (1 - C) a^(2e),   a = h / (h + R),   e the exponent of the depth in the conveyance,
 *     and a loss of (1 - a)^2 u^2/2g (Borda and Carnot)
 *
 * Where the lower level stands at more than 2/3 of the upper one, h goes over to the depth half way between both, at 0.8. */
typedef struct SubgridWays {
    double *part;   /* of the drag, by the roughness of the face's pixels; NULL: 1 */
    double *crest;  /* C; 1: no crest */
    double *rise;   /* R [m] */
    double *sill;   /* 1: lower ground on both sides, else 0; NULL once Subgrid has a list of these faces */
    double *length; /* of dikes over that of the staircase of faces beside them; NULL: there are none */
} SubgridWays;

typedef struct SubgridFaces {
    GridView g;
    Hypsometry ground;
    const double *depth;
    double *hydraulic;  /* section over wet width [m] */
    double *resistance; /* drag over that of a rectangle of the hydraulic depth, for the whole width */
    double *drag;
    SubgridWays ways;
    const double *spacing; /* by row [m] */
    double exponent;       /* 2e */
    ptrdiff_t along;
    Shores shores;
    double *weight;    /* w of shores.h, with halo as the next two */
    double *closeness; /* 1 / distance of shores.h */
    double *lift;      /* what the level differs by between the two middles as these lie aside [m] */
    const double *eta; /* with halo, for these two [m] */
    const double *closeness_aside, *lift_aside; /* the same of the faces across */
    /* of beds in several layers (momentum/flanks.h), NULL where layers lie along the bed: */
    double *narrow;
    double *datum_share; /* wet part of the width at the datum */
    double *
        bed_share; /* mean height of the layers' upper sides over the depth, geometric and by the bed: for one that lies in one
                            layer that layer's share */
} SubgridFaces;

typedef struct SubgridFaceDepth {
    /* its `resolved` and `increment` are never NULL: a vector that reads at address 0 takes long */
    FaceDepth face;
    SubgridFaces section;
    double centred; /* 1: they count; 0: the faces' depth of now is asked for */
} SubgridFaceDepth;

/* The section over the width, under the level on the side that the water came from, with a limited slope, in two parts: the level
 * above the face's lowest ground, in place of the depth; the depth, and as subgrid_find_sections. */
void subgrid_face_level(Exec exec, RunList faces, SubgridFaceDepth args);
void subgrid_face_section(Exec exec, RunList faces, SubgridFaceDepth args);

void subgrid_find_sections(Exec exec, RunList faces, SubgridFaces args); /* the nodes of depths, for this: */
void subgrid_sections(Exec exec, RunList faces, SubgridFaces args);      /* hydraulic, resistance */
void subgrid_closeness(Exec exec, RunList faces, SubgridFaces args);     /* weight, closeness, lift */
void subgrid_narrow(Exec exec, RunList faces, SubgridFaces args);        /* narrow */
void subgrid_resist(Exec exec, RunList faces, SubgridFaces args); /* drag, from that of the hydraulic depth */

typedef struct SubgridCrests {
    GridView g;
    Faces faces;
    Hypsometry ground;
    double gravity;
    const double *eta;
    const double *length; /* of SubgridWays */
} SubgridCrests;

/* Over ground that stands above that of both cells no more passes than critical flow brings, as over a weir (structures/weir.h): with
 * the section S, its width B, and the levels h1 > h2 above its lowest ground
 *
 *     Q = S(z) sqrt(2g (h1 - z)),   z = h1 - S/(2B), S and B at 2/3 h1;   free where h2 < 2/3 h1, gone at 0.8
 *
 * (z = 2/3 h1 and Q = (2/3)^(3/2) sqrt(g) B h1^(3/2) over a level crest). The equation of the surface gets its tangent in h1. Where
 * momentum and drag bring less, they decide. On slopes and in bowls, where a face lies up to half a pixel's rise above its cells, there is no
 * sill (Subgrid lists the sills). A staircase of faces is longer than the dike along it, where that is known; B is that of
 * the dike. */
void subgrid_crests(Exec exec, RunList faces, SubgridCrests args);

#ifdef __cplusplus
}
#endif
#endif
