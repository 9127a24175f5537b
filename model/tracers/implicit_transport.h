/* SPDX-License-Identifier: Apache-2.0
 *
 * Transport that is implicit in all directions ("matm"), for any step: upwind, with exactly the volumes that
 * moved the water (transport.h). With F the inflow through a side in the step, S that of sources (with the
 * value c_S), I their sum, O the outflow, V and V' the cell's volume before and after, V + I = V' + O:
 *
 *     c* (V + I) = V c + sum over inflows F c*_u + S c_S
 *
 * an M-matrix, not self-adjoint, solved by MATM (numerics/matm) for d = c* - c, each row over V + I:
 * residuals are then changes of the value, in films as in the open sea, and a constant has none. Every c* is
 * a mean of old values and inflowing values. The solver leaves a residual e in each row. So
 * the water that leaves the cell carries c*, and the water that stays takes up the residual:
 *
 *     c' V' = V c + sum F c*_u + S c_S - O c*,   that is   c' = c* + e (V' + O) / V'
 *
 * which conserves to round-off, whatever the solver left. Where V' is a small part of V' + O, M / V' would be
 * lost in rounding. There c' = c* + e instead, after sweeps c* += e over those films until no e exceeds
 * rounding: a film passes its error on downstream, and deep water takes it up. Where water circulates in films, sweeps settle
 * slowly: then MATM solves again, as far as rounding allows.
 *
 * Then a correction of third order in space, from the mean of the values before and after,
 *
 *     A = F [(c_d - c_u)/3 + (c_u - c_uu)/6 + (c_u - c'_u)],   c = (c_before + c')/2,
 *
 * limited as in transport.h. Where F is many times V it has little effect: steps are long, but fronts smear.
 */
#ifndef MAEOTIS_MODEL_IMPLICIT_TRANSPORT_H
#define MAEOTIS_MODEL_IMPLICIT_TRANSPORT_H

#include "base/error.h"
#include "model/tracers/transport.h"
#include "numerics/grid/halo.h"
#include "numerics/matm/matm.h"

typedef struct ImplicitTransport ImplicitTransport;

/* The halo is not owned. Collective. */
CHECKED Status implicit_transport_create(const Grid *grid, Exec exec, Halo *halo, MatmStep step,
                                         double tolerance, int max_iterations, ImplicitTransport **out);
void implicit_transport_destroy(ImplicitTransport **implicit);

/* Rows for the step's water, after transport_outflow: `out` becomes negative everywhere, as where values that
 * leave stand in `left`. Collective. */
CHECKED Status implicit_transport_begin(ImplicitTransport *implicit, Exec exec, const Transport *water);

/* now is c', left is c*. Fails where the solver does not get there. Collective. */
CHECKED Status implicit_transport_do(ImplicitTransport *implicit, Exec exec, const Transport *args,
                                     int tracer);

/* Of the tracer since implicit_transport_begin that took most. Local. */
int implicit_transport_iterations(const ImplicitTransport *implicit);

/* ---- kernels ---- */

#ifdef __cplusplus
extern "C" {
#endif

enum { ROW_FIELDS = 7 }; /* the couplings to the six sides, and the diagonal */

typedef struct ImplicitCells {
    Transport transport;
    Carried tracer;
    double *row[ROW_FIELDS];
    double *per_water; /* dt / (V + I) [s m-3]; 0 where nothing is and nothing comes */
    double *spread;    /* (V' + O) / V', 0: a film */
    double *rhs;       /* of d */
    double *change;    /* d, with halo */
    double *error;     /* e */
} ImplicitCells;

void implicit_rows(Exec exec, BlockList blocks, ImplicitCells args);   /* row, per_water, spread; out < 0 */
void implicit_right(Exec exec, BlockList blocks, ImplicitCells args);  /* rhs; d = 0 */
void implicit_error(Exec exec, BlockList blocks, ImplicitCells args);  /* e */
void implicit_films(Exec exec, BlockList blocks, ImplicitCells args);  /* d += e in films */
void implicit_values(Exec exec, BlockList blocks, ImplicitCells args); /* left, now */

/* Largest |e| of films, of all, and the largest value, |c| or |c*|. */
void implicit_worst(Exec exec, RunList cells, ImplicitCells args, double *most);

/* Fills the window of the passes with the results of transport_low, and the correction of all tracers, from
 * `now` with halo. */
void implicit_hand_on(Exec exec, BlockList blocks, Transport args);
void implicit_correction(Exec exec, BlockList faces, Transport args);

#ifdef __cplusplus
}
#endif
#endif
