/* SPDX-License-Identifier: Apache-2.0
 *
 * The faces of structures as data of kernels: a short list, and numbers that the host sets before each step or reads
 * after it (pinned memory).
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_KERNELS_H
#define MAEOTIS_MODEL_STRUCTURES_KERNELS_H

#include "model/momentum/momentum.h"
#include "model/subgrid/hypsometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StructureFace {
    ptrdiff_t m;
    ptrdiff_t along_x, j, structure; /* as wide as a pointer, so that no padding looks like one */
    ptrdiff_t breaks;                /* 1: it lies in the breach */
    double sense;                    /* +1: u or v leads from the left of the line to its right; -1 */
    double free[2], drowned[2];      /* coefficients, in positive direction of the line, against it */
    /* by the host */
    double crest, open, lift; /* [m]; 0..1; of the leaf's edge above the crest [m], INFINITY: no leaf */
    /* for the host */
    double flux,
        level[2]; /* [m3 s-1] from left to right; [m] on the left, on the right: NAN where it is dry */
} StructureFace;

typedef struct StructureStation {
    ptrdiff_t m;  /* its column; -1: it is another rank's, or there is none */
    double level; /* for the host [m]; the bed where it is dry */
} StructureStation;

typedef struct StructureFaces {
    GridView g;
    StructureFace *face;
    StructureStation *station;
    Faces u, v;
    Hypsometry ground_u, ground_v; /* along the faces; all NULL: it is even */
    const double *eta, *depth;     /* of columns */
    double *depth_u, *depth_v;     /* moving depths of the faces [m] */
    double dt, gravity;
} StructureFaces;

/* Faces that are closed, or whose crest is above both levels, become dry: no water, no momentum. Tells the host levels and
 * flux. */
void structure_faces_close(Exec exec, RunList faces, StructureFaces args);

/* predicted, response, flux_predicted, conductance, theta of the others (weir.h). */
void structure_faces_impose(Exec exec, RunList faces, StructureFaces args);

/* New velocities, in `predicted`, of faces over whose crest the first water comes: none below it. */
void structure_faces_start(Exec exec, RunList faces, StructureFaces args);

void structure_stations_tell(Exec exec, RunList stations, StructureFaces args);

#ifdef __cplusplus
}
#endif
#endif
