/* SPDX-License-Identifier: Apache-2.0
 *
 * The current along open edges, where a file gives it. In the first row of faces that lie across an edge, it comes in with
 * the water and by viscosity, layer by layer:
 *
 *     (v' - v*)/dt = r (v_b - v'),     r = q/V + 2 A/dx^2     where water comes in, q > 0; else r = 0
 *
 * with v* as the momentum equation gives it, which knows nothing beyond the edge; v_b the file's velocity at the edge; q the
 * volume that enters the velocity cell, half of what comes through the two open faces beside it; V that cell's volume; A
 * the horizontal viscosity, over half a cell. Where water leaves, it has the velocity inside. A file without levels gives
 * the mean over the depth. Records more than two hours apart hold no tide: they are left alone.
 */
#ifndef MAEOTIS_MODEL_ALONG_EDGE_H
#define MAEOTIS_MODEL_ALONG_EDGE_H

#include "model/boundary/along_faces.h"
#include "model/boundary/outside.h"

typedef struct AlongEdge AlongEdge;

/* `choice` of each boundary. NULL comes out where nothing is known. Collective. */
CHECKED Status along_edge_create(const Scenario *scenario, const Grid *grid, const OuterChoice *choice,
                                 AlongEdge **out);
void along_edge_destroy(AlongEdge **along);

CHECKED Status along_edge_advance(AlongEdge *along, double time);

/* Brings the current in: changes the prediction of u and v. Local. */
void along_edge_enter(const AlongEdge *along, const Momentum *u);

#endif
