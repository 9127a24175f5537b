/* SPDX-License-Identifier: Apache-2.0
 *
 * Nudging: relaxes a tracer or a velocity towards given values within a zone,
 *
 *     c_t = ... + r (c_given - c),     implicit: c' = c + (c_given - c) r dt / (1 + r dt)
 *
 * with r(x, y, z) = w/T of the scenario's time scale T, stable for any step. In a zone in front of open edges
 * w = (1 - d/width)^2, as in sponges; elsewhere w = 1. It comes before the water moves, and its gain is a source in the
 * tracer's budget.
 *
 * The velocity of a face is relaxed in its prediction and in its response to the slope of the new surface, as in sponges
 * (boundary/sponge.h): the fluxes stay those of the new surface. Faces on open edges have their own condition.
 *
 * The given values are those at the heights that the layers have at rest (profiles.h), of a number, a formula, or a file.
 */
#ifndef MAEOTIS_MODEL_NUDGING_H
#define MAEOTIS_MODEL_NUDGING_H

#include "gpu/reduce.h"
#include "model/momentum/momentum.h"
#include "model/state.h"
#include "settings/scenario.h"

typedef struct Nudging Nudging;

/* NULL where the scenario has none. Collective. */
CHECKED Status nudging_create(const Scenario *scenario, const State *state, Nudging **out);
void nudging_destroy(Nudging **nudging);

/* Changes own values, for water of this depth. Adds to *sum[tracer] its gain on this rank [value m3], with the next
 * fetch (gpu/results.h). Collective. */
CHECKED Status nudging_apply(Nudging *nudging, double time, double dt, const double *depth,
                             ExactSum *const *sum);

/* Relaxes the predicted velocities. Collective. */
CHECKED Status nudging_brake(Nudging *nudging, double time, double dt, const Faces *u, const Faces *v);

/* ---- kernels ---- */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Nudged {
    GridView g;
    const ptrdiff_t *column;
    const double *rate;  /* [column * n3 + layer]; [s-1] */
    const double *given; /* likewise */
    const double *area, *depth;
    double *c;
    double *gain; /* of each column [value m3] */
    double dt;
} Nudged;

void nudge_columns(Exec exec, RunList columns, Nudged args);

typedef struct NudgedFaces {
    GridView g;
    const ptrdiff_t *column;
    const double *rate, *given; /* as above */
    Faces faces;
    double dt;
} NudgedFaces;

void nudge_faces(Exec exec, RunList columns, NudgedFaces args);

#ifdef __cplusplus
}
#endif
#endif
