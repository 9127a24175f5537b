/* SPDX-License-Identifier: Apache-2.0
 *
 * Rivers and sponges as data of kernels: a few columns and faces, and numbers that the host sets before each
 * step or reads after it (pinned memory, as in open_faces.h).
 */
#ifndef MAEOTIS_MODEL_RIVERS_AND_SPONGES_H
#define MAEOTIS_MODEL_RIVERS_AND_SPONGES_H

#include "model/momentum/momentum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sum of the river mouths in one column. */
typedef struct Mouth {
    ptrdiff_t column;     /* in 2-D fields */
    double discharge, in; /* [m3 s-1]; its inflowing part */
    double source;        /* the column's part of it; a withdrawal is limited to its volume */
} Mouth;

typedef struct Mouths {
    Mouth *mouth;
    const double *area, *depth;
    double dt;
    double *source, *source_in;
} Mouths;
void mouths_pour(Exec exec, RunList mouths, Mouths args);

/* The inflow of a tracer through the mouths in a column. */
typedef struct MouthLoad {
    double load, carried; /* see model/tracers/transport.h */
} MouthLoad;

typedef struct MouthLoads {
    const Mouth *mouth;
    const MouthLoad *brought;
    double *load, *carried;
} MouthLoads;
void mouths_load(Exec exec, RunList mouths, MouthLoads args);

typedef struct SpongeCell {
    ptrdiff_t m;
    double rate; /* [s-1] */
    int target;
} SpongeCell;

typedef struct SpongeFace {
    ptrdiff_t m;
    double rate;
    int target;     /* whose velocity it is drawn to */
    double inwards; /* part of it that is along the face's axis; 0: to rest */
} SpongeFace;

/* The values towards which the cells near one open face are relaxed. */
typedef struct SpongeAim {
    double eta, velocity;
} SpongeAim;

typedef struct SpongeSoak {
    const SpongeCell *cell;
    const SpongeAim *aim;
    const double *area, *eta, *depth;
    double dt;
    double *source, *source_in;
    double *flow; /* by cell, for the host [m3 s-1] */
} SpongeSoak;
void sponge_cells(Exec exec, RunList cells, SpongeSoak args);

typedef struct SpongeBrake {
    ptrdiff_t plane;
    int n3;
    const SpongeFace *face;
    const SpongeAim *aim;
    Faces faces;
    double dt;
} SpongeBrake;
void sponge_faces(Exec exec, RunList faces, SpongeBrake args);

#ifdef __cplusplus
}
#endif
#endif
