/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the open boundaries: boundaries_create.c makes them, boundaries.c sets the levels of the ghost cells, impose.c the
 * velocities of the faces, carried.c the inflowing tracers; their kernels are in open_faces_kernels.c.
 */
#ifndef MAEOTIS_MODEL_BOUNDARIES_INTERNAL_H
#define MAEOTIS_MODEL_BOUNDARIES_INTERNAL_H

#include "gpu/device.h"
#include "model/boundary/along_edge.h"
#include "model/boundary/boundaries.h"
#include "model/boundary/critical_level.h"
#include "model/boundary/open_faces.h"
#include "model/boundary/outer_files.h"
#include "model/boundary/outside.h"
#include "model/boundary/sponge.h"
#include "numerics/grid/halo.h"

/* Where a face's numbers come from, on the host. */
typedef struct FaceSource {
    int number; /* of the boundary */
    const ScenarioBoundary *boundary;
    OutsidePoint point;
    double x, y;             /* where the face is */
    double level_x, level_y; /* where its level is */
    double middle[2];        /* of the cell inside [x, y] */
    Series **tracer;         /* NULL: nothing is said about it */
} FaceSource;

struct Boundaries {
    const Grid *grid;
    Exec exec;
    const Scenario *scenario;
    ScenarioBoundary *given; /* of each, without what comes from NetCDF files; owns nothing */
    OuterChoice *choice;
    OuterFile *file;
    int n_files;
    bool *by_file;     /* [boundary][tracer] */
    Outside **outside; /* of each boundary */
    OpenFace *face;
    FaceSource *source;
    Ghost *ghost;
    RunList list, ghosts; /* of the faces, of their ghosts */
    Sponge *sponge;
    AlongEdge *along; /* NULL: no file gives the current along the edges */
    int own, count;   /* faces: of this rank, which come first, and with those of others */
    int n_ghosts, n_tracers;
    Halo *halo;         /* where ghosts lie in the area of ranks; NULL: beyond the grid's edges alone */
    double *heavier;    /* [face][layer] (open_faces.h); NULL: no ghost is shared */
    double *level[2];   /* of ghost cells at u and v faces; NULL: none is kept */
    Series **carried;   /* [boundary][tracer]: values that are constant along it; else NULL */
    double **inflow[2]; /* of each tracer, the same in layers; NULL: inflow has the given value at once */
    ExactSum *sums;     /* at most two of each boundary */
    bool some_discharge;
    CriticalEdge *critical; /* of each boundary with a discharge */
    double *entrance;       /* of each face: its level of critical flow is so much higher [m] */
    /* between host and kernels (open_faces.h) */
    FaceOutside *now;
    FaceTracer *tracer_now; /* [tracer][face] */
    double tracers_at;      /* the time of these [s]; NaN: of none yet */
    Dealt *dealt;
    double *gathered;
    double *outer_bed; /* of each face, in the file of its velocity; NaN: unknown [m] */
    double *own_depth; /* mean at rest of the faces that share one of the file's with it [m] */
    double *shear;     /* [now, one step ago][face][layer], from files; NULL: none */
    double *by_layer;  /* [tracer][face][layer], likewise */
    double *water;     /* [temperature, salinity][face][layer] in the middle of the cell inside, likewise */
};

void boundaries_forget_tracers(Boundaries *boundaries);

/* Finds the ghosts of the faces. Collective. */
CHECKED Status ghosts_create(Boundaries *boundaries);
void ghosts_destroy(Boundaries *boundaries);

/* Brings values of other ranks' columns before ghosts are set, and those of their ghosts after; nothing where all lie beyond
 * the edges. Collective. */
void ghosts_exchange(const Boundaries *boundaries, int n2, double *const *fields2, int n3,
                     double *const *fields3);

/* The boundaries whose ghost cells have levels of their own that waves carry out. */
static inline bool boundary_carries_out(const ScenarioBoundary *b) {
    return b->kind == BOUNDARY_CHAPMAN || b->kind == BOUNDARY_RADIATION;
}

#endif
