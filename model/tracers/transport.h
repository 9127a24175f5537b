/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracers on the move, with exactly the volumes that moved the water. With F = dt times the flux through a
 * side, V and V' a cell's volume before and after the step, O what leaves it and I what enters:
 *
 *     theta = min(1, V/O)      the part of O that still has the old value; the rest has the new one
 *     c' = c + sum over inflows F [theta_u c_u + (1 - theta_u) c'_u - c] / (V - theta O + I)
 *
 * Upwind, explicit where less water leaves than there is, implicit in the rest: a convex combination of
 * neighbours at any Courant number, so that a constant stays as it is to the last bit, whatever falls dry;
 * and what leaves a cell is what enters the next one, since V - O + I = V'. V' itself never divides.
 *
 * Sources are inflows too. What they bring is told by two numbers per column: `load`, the sum of discharge
 * times value, and `carried`, the sum of those discharges; water beyond that comes with the value that is
 * there already.
 */
#ifndef MAEOTIS_MODEL_TRANSPORT_H
#define MAEOTIS_MODEL_TRANSPORT_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_CARRIED = 8 }; /* tracers in one pass */

typedef struct Carried {
    const double *before;  /* c, with halo */
    double *after;         /* c' */
    const double *guess;   /* c' of the last sweep, with halo; only of transport_sweep */
    const double *load;    /* [value m3 s-1] */
    const double *carried; /* [m3 s-1] */
} Carried;

typedef struct Transport {
    Grid g;
    double dt;
    const double *depth, *depth_new; /* [m] */
    const double *flux_u, *flux_v, *flux_w;
    const double *source, *source_in; /* of columns: all, and what comes in [m3 s-1] */
    double *theta;
    int count;
    Carried tracer[MOST_CARRIED];
} Transport;

/* theta; it needs its halo before the rest. */
void transport_shares(Exec exec, BlockList blocks, Transport args);

/* c' with c in place of c'_u. */
void transport_start(Exec exec, BlockList blocks, Transport args);

/* c' from the c' of the last sweep, in cells that have an inflow with theta_u < 1. */
void transport_sweep(Exec exec, RunList cells, Transport args);

/* How much of a tracer a column holds, and its bounds there. */
typedef struct Contents {
    Grid g;
    const double *depth, *c;
    double *mean;         /* over the depth, times the depth */
    double *least, *most; /* infinite where there is no water */
} Contents;
void tracer_contents(Exec exec, BlockList blocks, Contents args);

/* Mixing down the column, implicit: (h c')_t = (K c'_z)_z, no flux through bed and surface. The deviation
 * from the surface's value is solved for, by an elimination without a subtraction: a constant stays as it is,
 * and no film of water is too thin. */
typedef struct Mixing {
    Grid g;
    double dt;
    const double *depth;       /* [m] */
    const double *diffusivity; /* through lower faces [m2 s-1] */
    int count;
    double *c[MOST_CARRIED];
} Mixing;
void mix_columns(Exec exec, BlockList blocks, Mixing args);

#ifdef __cplusplus
}
#endif
#endif
