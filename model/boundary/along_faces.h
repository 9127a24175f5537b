/* SPDX-License-Identifier: Apache-2.0
 *
 * Faces across open edges as data of kernels (along_edge.h).
 */
#ifndef MAEOTIS_MODEL_ALONG_FACES_H
#define MAEOTIS_MODEL_ALONG_FACES_H

#include "model/momentum/momentum.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AlongFace {
    ptrdiff_t m, cell[2], open[2]; /* cells on both sides, and the open faces of these */
    int j;                         /* its row */
    double inwards;                /* +1 where a positive velocity at the edge flows in */
    bool along_x;                  /* a u face, beside a southern or northern edge */
    bool layered;                  /* else the mean over the depth is given */
} AlongFace;

typedef struct AlongFlow {
    GridView g;
    const AlongFace *face;
    const double *given; /* [face][layer] */
    Faces u, v;
    const double *depth, *viscosity_c; /* as in Momentum */
    double dt, viscosity;
    double carried; /* part of what comes in that brings its velocity: 1; 0: nothing is advected */
} AlongFlow;

void along_faces_enter(Exec exec, RunList faces, AlongFlow args);

#ifdef __cplusplus
}
#endif
#endif
