/* SPDX-License-Identifier: Apache-2.0
 *
 * Transport in substeps, where a cell loses nearly all of its water or more in a step: in straits, in thin
 * layers, where it falls dry. Such cells are hot. They, and the cold cells that touch one (the rim), take
 * the step in N parts of length p = 1/N; with V^m the volume between two of them and F the volume that passes
 * a side in the whole step:
 *
 *     theta = min(1, V^m / (p O))          of hot donors; 1 of others
 *     hot   cL = c + sum over inflows p F [theta_u c_u + (1 - theta_u) cL_u - c] / (V^m - theta p O + p I)
 *     rim   V^(m+1) (cL - c0) = (V^m - p sum of F_out to hot cells) (c - c0)
 *                               + sum over inflows p F (c_u - c0)
 *
 * where c0 is the value at the beginning of the whole step, which faces between two cold cells carry all the
 * time. The share 1 - theta is implicit: it is needed only where N is at its limit, and found by sweeps (rings.h). Each
 * cL is again a convex combination, and the flux out of a cell enters another.
 *
 * Corrections: those of faces between two hot cells are limited and applied in each part; those of faces
 * between a hot and a cold cell are only summed up, and limited with all others at the end of the step. Both
 * with c, C and T of the part, theta times those of transport.h, and for the implicit rest the third-order
 * mean of (c + cL)/2 in place of cL_u.
 */
#ifndef MAEOTIS_MODEL_SUBSTEPS_H
#define MAEOTIS_MODEL_SUBSTEPS_H

#include "model/tracers/rings.h"
#include "model/tracers/rows.h"
#include "model/tracers/transport.h"
#include "model/tracers/unsettled.h"
#include "numerics/grid/halo.h"

/* ---- kernels: over hot and rim cells, but where it says else ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* now = guess = before in a cell and its neighbours, two deep. */
void substep_begin(Exec exec, RunList cells, Transport args);

/* Corrections of a cell's west, south and lower faces that touch a hot cell: 0. */
void substep_clear(Exec exec, RunList cells, Transport args);

/* next = cL, with `guess` for the implicit part. */
void substep_low(Exec exec, RunList cells, Transport args);
void substep_keep_guess(Exec exec, RunList cells, Transport args); /* guess = next */

/* Adds up the outflow of hot cells, and the corrections of faces between hot and cold cells. */
void substep_add(Exec exec, RunList cells, Transport args);

/* Room for the corrections between hot cells; then guess = cL with them. */
void substep_room(Exec exec, RunList cells, Transport args);
void substep_correct(Exec exec, RunList cells, Transport args);

/* Into the window of the passes, at the end: values, and corrections of faces that touch a hot cell. */
void substep_hand_on(Exec exec, RunList cells, Transport args);
void substep_hand_on_corrections(Exec exec, RunList cells, Transport args);

/* Over all own cells: the largest number of parts that a hot one asks for, into most[0]. */
enum { MOST_PARTS = 12 };
void substep_parts(Exec exec, RunList cells, Transport args, double *most);

/* Adds to count[0] for how many tracers and cells next and guess differ by more than rounding. */
void substep_changes(Exec exec, RunList cells, Transport args, uint64_t *count);

#ifdef __cplusplus
}
#endif

/* ---- the whole ---- */

typedef struct Substeps {
    RunList cells;    /* own hot and rim cells */
    RunList window;   /* the same and those in the halo beside own cells */
    RunList implicit; /* own cells with an inflow that is implicit in part */
    RunRows handed;   /* for the passes: the same and those in the halo, two deep */
    RunRows faces;    /* for the passes: cells of the faces */
    int parts;        /* N; 0: nothing is hot on any rank */
} Substeps;

/* Finds the cells, from `out` with halo. Collective. */
Substeps substeps_find(const Grid *grid, const Transport *transport);
void substeps_release(Substeps *substeps);

/* Finds `now` of hot and rim cells, and the sums of corrections of their faces where `corrected`. The
 * pointers now and guess of `transport` are exchanged. Creates `rings` where it needs them; `unsettled` is what these have not
 * settled, with the number of the tracer in `transport`. Collective. */
CHECKED Status substeps_do(const Substeps *substeps, const Grid *grid, Halo *halo, Transport *transport,
                           bool corrected, Rings **rings, Unsettled *unsettled);

#endif
