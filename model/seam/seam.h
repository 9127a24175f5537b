/* SPDX-License-Identifier: Apache-2.0
 *
 * A zoom: a part of the sea on a finer grid, in the same run and in both directions. The finer grid is a simulation of its
 * own, which takes `finer` steps in each step of the grid around. That one computes everywhere, also under the zoom, but
 * there its cells count in no budget (counted_area of the grid).
 *
 * In each step, with Q the volume flux through a layer of a face of the seam, and F the flux of a tracer:
 *
 *     1  The grid around moves its water, and so finds Q, which is final. Where the parts of a face have less of a layer
 *        than the face, the water that has no place goes with that of all layers (seam_fit).
 *     2  The finer grid takes its steps. Through the r parts of the face flows Q, shared by their sections w h. Water
 *        that comes in has the tracers of the cell outside (slopes.c); water that leaves has those of its own cell (seam_step).
 *     3  What it carried out, F, becomes the value F/Q beyond the seam for the tracers of the grid around, which move only
 *        now (seam_step, at its end). At a corner of the box two faces share one such value, that of both together.
 *     4  Levels, tracers and velocities under the zoom become means of the finer grid (seam_return), with which the next
 *        step of the grid around begins: so waves and eddies leave the zoom.
 *
 * Where a cell outside of the seam gives the zoom more water than it has, it passes on what comes in meanwhile, and so has no
 * one value in the step: 2 and 3 then go in turns, piece by piece of the step, each so short that the cell has enough. The flow
 * is that of the whole step, in which levels change evenly (pieces.c).
 *
 * Volume and tracers that leave one grid enter the other, and both transports stay convex combinations: nothing is corrected
 * afterwards, a constant stays constant, what is positive stays so, and still water is still. At the seam inflow is of second
 * order (slopes.c), outflow upwind of first. The whole sea's budgets are those of both grids, without the seam (seam_add).
 *
 * Flux-matched nesting of this kind: L. Debreu, P. Marchesiello, P. Penven, G. Cambon, Ocean Modell. 49-50 (2012) 1-21,
 * where the finer fluxes correct the coarse ones; here each flux has one owner.
 */
#ifndef MAEOTIS_MODEL_SEAM_SEAM_H
#define MAEOTIS_MODEL_SEAM_SEAM_H

#include "model/simulation.h"

typedef struct Seam Seam;

/* The finer grid of a scenario's zoom, at its initial state, and the means of it under it. Collective, as are the next. */
CHECKED Status seam_create(Simulation *around, Seam **out);
void seam_destroy(Seam **seam);

/* The finer grid's simulation. Local. */
Simulation *seam_inner(const Seam *seam);

/* Cells that its steps move, for one that a step of the grid around does. Local. */
double seam_work(const Seam *seam);

/* Step 1, before anything is made of the layers' fluxes. */
CHECKED Status seam_fit(Seam *seam);

/* Steps 2 and 3, with the tracers of the grid around and their account. */
CHECKED Status seam_move_tracers(Seam *seam, const WaterMoved *moved, Tally *tally);

/* Step 4. */
void seam_return(Seam *seam);

/* Sets the predicted flow through the edges of the finer grid. Local, as is the next. */
void seam_impose(Seam *seam);

/* Adds the finer grid to the account of volume and tracers, and to the digest. */
void seam_add(Seam *seam, LedgerRow *row);

#endif
