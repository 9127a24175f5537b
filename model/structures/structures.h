/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands in the water along lines: thin dams, weirs and levees, gates; and culverts and pumps (conduits.h). A line finds its faces as an open line does
 * (bathymetry/open_lines.h). Dams are faces that the grid closes; what flows over weirs and through gates follows from the
 * levels on both sides (weir.h) and takes the place of the momentum equation on their faces, in the equation of the surface
 * and in the layers above the crest, so that water and what it carries are exactly kept.
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_H
#define MAEOTIS_MODEL_STRUCTURES_H

#include "bathymetry/topography.h"
#include "model/momentum/momentum.h"
#include "model/state.h"
#include "model/structures/conduits.h"
#include "model/subgrid/subgrid.h"
#include "settings/scenario.h"

typedef struct Structures Structures;

/* Closes the faces of dams, after the repairs, so that the water behind them stays. Local. */
void structures_close_dams(const Scenario *scenario, const Axes *axes, Topography *topography);

/* NULL: the scenario has none; `subgrid` may be NULL. Refuses those that stand in no water. Collective. */
CHECKED Status structures_create(const Scenario *scenario, const State *state, const Subgrid *subgrid,
                                 Structures **out);
void structures_destroy(Structures **structures);

/* Crests and openings at this time, after a step of dt, when no kernel is under way. Local. */
CHECKED Status structures_advance(Structures *structures, double time, double dt);

/* Makes closed faces dry: after face_depth; and looks at levels and flows. For NULL nothing happens, as below. */
void structures_close(const Structures *structures, const double *eta, const double *depth, const Faces *u,
                      const Faces *v, double *depth_u, double *depth_v);

/* The predicted flow of open faces, after all that predicts it. `momentum`: of u. */
void structures_impose(const Structures *structures, const Momentum *momentum);

/* Of culverts and pumps, before the surface of a step of dt to `time` is solved for the first time, tries = 0, and again after each
 * solution, with its depths: sets the sources of their columns [m3 s-1]; false: what was solved is good. Collective. */
bool structures_flow(Structures *structures, int tries, double time, double dt, const double *depth,
                     double *source);

/* After that step: moves their water and its tracers before it, in the depths of then, so that `source` is that of others alone
 * again. Local; false: there are none. */
bool structures_pour(Structures *structures, double *depth_before, double *source);

/* After fronts have started (momentum/front.h): nothing flows below a crest. */
void structures_start(const Structures *structures, const double *eta, const double *depth, const Faces *u,
                      const Faces *v);

/* Adds up what structures_close saw; `look` before the first step, when no culvert has looked at its levels. Collective. */
void structures_gather(Structures *structures);
void structures_look(Structures *structures);

/* Series of each structure; levels are means along it, NAN where it is dry. */
typedef enum StructureSeries {
    FLOW_DISCHARGE,
    FLOW_LEFT,
    FLOW_RIGHT,
    FLOW_OPENING,
    FLOW_CREST,
    FLOW_SERIES
} StructureSeries;

/* [StructureSeries][structure] of the last step; NULL: there are none. Local. */
const double *structures_flows(const Structures *structures);

/* What the next step needs of them; `numbers` may be NULL; returns how many. Local. */
int structures_numbers(const Structures *structures, StateNumber *numbers);

/* What `check` says of a structure. */
typedef struct StructureFacts {
    int breached;         /* faces in its breach */
    int faces;            /* between cells that can be wet */
    double length;        /* of these faces together [m] */
    double crest[2];      /* the lowest, the highest at the start [m] */
    double bed[2];        /* of the faces, likewise */
    double breach_length; /* of the faces in the breach together [m] */
} StructureFacts;
StructureFacts structures_facts(const Structures *structures, int n);
ConduitFacts structures_conduit(const Structures *structures, int n); /* of a culvert or pump */

#endif
