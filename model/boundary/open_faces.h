/* SPDX-License-Identifier: Apache-2.0
 *
 * Open faces as data of kernels. The host sets the values outside before each step and reads back the sums
 * that it needs, in memory that both reach without moving pages (pinned_allocate). The kernels run over the
 * indices of faces (flat_list).
 */
#ifndef MAEOTIS_MODEL_OPEN_FACES_H
#define MAEOTIS_MODEL_OPEN_FACES_H

#include "model/density/density_columns.h"
#include "model/momentum/momentum.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpenFace {
    ptrdiff_t face, ghost, inside; /* in 2-D fields */
    ptrdiff_t behind;              /* the cell farther in */
    bool shared;                   /* its ghost has other faces, too */
    bool foreign;                  /* another rank's; here for its ghost */
    double inwards;                /* +1 where a positive velocity flows in */
    double slant; /* part of a velocity across the edge or line that is across the face: 1 on edges */
    int j;        /* its row */
    int number;   /* of the boundary */
    BoundaryKind kind;
    bool along_x; /* a u face */
    bool by_width, incoming_wave;
    bool weighed; /* temperature or salinity outside is given, and so the density there */
    double relaxation_in, relaxation_out, inflow_relaxation; /* [s] */
    double film; /* thinner water is not taken for the sea (boundaries.h) [m] */
    /* by layer: deviation of the outer velocity from its mean; NULL: as inside [m s-1] */
    const double *shear;
    const double *shear_before; /* one step ago */
    /* with that, of flather: temperature and salinity outside in the middle of the cell inside; NULL: as at the face */
    const double *water[2];
    double
        *heavier; /* of a shared ghost, by layer: pressure outside less that inside, for this face [m2 s-2] */
    double *level;       /* of the ghost, which a restart keeps; NULL: follows from the others */
    double fixed, share; /* it will be fixed + share times the new level inside */
} OpenFace;

/* A cell beyond open faces: where it has several, as in the corner of a staircase, it holds the mean of what each of
 * them would have there, layer by layer of those that have the layer. */
typedef struct Ghost {
    ptrdiff_t m; /* in 2-D fields */
    int count, face[4];
} Ghost;

/* Outside a face, now and one step ago. */
typedef struct FaceOutside {
    double eta, velocity, eta_before;
} FaceOutside;

/* Of a boundary with a given discharge: that, the mean level along it by the section of its faces, and the
 * weight of all faces, by which it is dealt out. */
typedef struct Dealt {
    double discharge, level, weight;
} Dealt;

/* The value of a tracer outside a face. */
typedef struct FaceTracer {
    double value;
    const double *by_layer; /* in place of it; NULL: the same in all layers */
    bool given;
} FaceTracer;

typedef struct OpenLevels {
    const double *bed;
    const Ghost *ghost;
    OpenFace *face;
    const FaceOutside *outside;
    double *eta, *depth, *increment;
} OpenLevels;

void open_faces_begin(Exec exec, RunList faces, OpenLevels args);     /* levels of ghosts from eta */
void open_faces_carry_out(Exec exec, RunList faces, OpenLevels args); /* their new levels */
void ghosts_raise(Exec exec, RunList ghosts, OpenLevels args);        /* increment of ghosts */
void ghosts_set(Exec exec, RunList ghosts, OpenLevels args);          /* eta and depth of ghosts */

/* The water of the columns on both sides of open faces; NULL: its density is constant. */
typedef struct OpenWater {
    const double *density;  /* of the inside [kg m-3] */
    const double *anomaly;  /* of both (density.h) [kg m-3] */
    const double *pressure; /* by that [m2 s-2] */
    double reference;       /* [kg m-3] */
} OpenWater;

typedef struct Imposed {
    GridView g;
    OpenWater water;
    OpenFace *face;
    const FaceOutside *outside;
    const Dealt *dealt; /* of each boundary */
    double dt, dt_before, gravity;
    Faces u, v;
    const double *eta, *depth;
    double *increment;
    double *gathered; /* by face, for the host */
} Imposed;

/* gathered, two of each: the section [m2], and that times the level inside */
void open_faces_section(Exec exec, RunList faces, Imposed args);
void open_faces_weigh(Exec exec, RunList faces, Imposed args); /* gathered: its weight of a discharge */
void open_faces_impose(Exec exec, RunList faces, Imposed args);
void open_faces_inflow(Exec exec, RunList faces, Imposed args); /* gathered: volume that comes in [m3 s-1] */

typedef struct OpenTracer {
    GridView g;
    const Ghost *ghost;
    const OpenFace *face;
    const FaceTracer *outside;
    const double *flux_u, *flux_v;
    double *c, *kept_u, *kept_v; /* kept: the last inflow value; NULL: no relaxation */
    double dt;
    ptrdiff_t first; /* step of the run; as wide as a pointer, so that no padding looks like one */
} OpenTracer;

void ghosts_set_tracer(Exec exec, RunList ghosts, OpenTracer args);

/* Density and pressure outside: those inside at the same share of the depth, and what given waters add. */
typedef struct Mirrored {
    DensityColumns inside;
    const Ghost *ghost;
    const OpenFace *face;
    const FaceTracer *temperature, *salinity; /* outside; NULL: there is no such tracer */
} Mirrored;

void ghosts_mirror(Exec exec, RunList ghosts, Mirrored args);

typedef struct CopiedInside {
    GridView g;
    const Ghost *ghost;
    const OpenFace *face;
    double *field; /* any three-dimensional one */
} CopiedInside;

void ghosts_copy_inside(Exec exec, RunList ghosts, CopiedInside args);

#ifdef __cplusplus
}
#endif

/* 0 <= i < count in short runs, for kernels over lists other than rows of cells; `run` to be freed. */
RunList flat_list(int count);

#endif
