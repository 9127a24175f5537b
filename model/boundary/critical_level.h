/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowest level at which a discharge comes in: that of critical flow,
 *
 *     Q = sum of b sqrt(g) (E - z)^1.5
 *
 * over strips of the width b whose ground z is lower; one for each face, or with uneven ground along faces (model/subgrid) several. So
 * a river fills its dry bed from the edge, its banks stay dry, and nothing comes in as a jet. Where a discharge is distributed by
 * width, z and E are above the lowest ground of each face; of even ones E = (q^2/g)^(1/3), q = Q / sum of b.
 */
#ifndef MAEOTIS_MODEL_CRITICAL_LEVEL_H
#define MAEOTIS_MODEL_CRITICAL_LEVEL_H

#include "model/boundary/open_faces.h"
#include "model/subgrid/subgrid.h"

/* Ground of a boundary's open faces. */
typedef struct Strip {
    double bed, width; /* [m] */
} Strip;

typedef struct CriticalEdge {
    Strip *strip; /* of all ranks, the lowest first; to be freed */
    int count;
    double discharge, level; /* the last ones, level NaN: none yet */
} CriticalEdge;

/* Of a boundary, from the first `own` faces; `subgrid` may be NULL. Collective. */
CriticalEdge critical_edge(const Grid *grid, const Subgrid *subgrid, const OpenFace *faces, int own,
                           int boundary);

/* E; -INFINITY: nothing comes in. [m] Local. */
double critical_level(CriticalEdge *edge, double discharge, double gravity);

#endif
