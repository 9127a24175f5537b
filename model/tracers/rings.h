/* SPDX-License-Identifier: Apache-2.0
 *
 * Rings: water that circulates many times in a part of the step (substeps.h) settles slowly, as each sweep takes the values one
 * cell further. With g the guess and J(g) the next value, J linear with a coupling a_s to the donor on each side, MATM solves
 *
 *     d - sum of a_s d_s = J(g) - g
 *
 * and g + d is where sweeps go on, no further than the extremes of what the water is made of, which no exact solution
 * exceeds: so a constant stays as it is, and nothing becomes negative.
 */
#ifndef MAEOTIS_MODEL_RINGS_H
#define MAEOTIS_MODEL_RINGS_H

#include "base/error.h"
#include "model/tracers/cells.h"
#include "numerics/grid/halo.h"

/* ---- kernels: over all own cells ---- */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RingCells {
    Transport transport;
    Carried tracer;
    double *row[SIDES]; /* a_s; 0 where nothing is implicit */
    double *centre;     /* 1 */
    double *rhs;        /* J(g) - g; 0 where nothing is implicit */
    double *change;     /* d, with halo */
    double least, most; /* of old values and sources */
} RingCells;

void ring_rows(Exec exec, RunList cells, RingCells args);  /* row, centre */
void ring_right(Exec exec, RunList cells, RingCells args); /* rhs; d = 0 */
void ring_values(Exec exec, RunList cells,
                 RingCells args); /* next = g + d within the extremes, where d is not 0 */

/* {- the least, the most} value that a cell has, or a neighbour or source brings to it. */
void ring_extremes(Exec exec, RunList cells, RingCells args, double *most);

#ifdef __cplusplus
}
#endif

/* ---- the whole ---- */

typedef struct Rings Rings;

/* Collective. */
CHECKED Status rings_create(const Grid *grid, Rings **out);
void rings_destroy(Rings **rings);

/* Memory that rings take [bytes]. Collective. */
CHECKED Status rings_memory(const Grid *grid, double *bytes);

/* The couplings of a part of the step. Collective. */
CHECKED Status rings_begin(Rings *rings, const Transport *args);

/* Puts g + d of all tracers into `next`, and into `scale` the size below which values may be less exact. Collective. */
CHECKED Status rings_solve(Rings *rings, Transport *args);

#endif
