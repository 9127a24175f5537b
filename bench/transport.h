/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench transport: the three-dimensional momentum transport of section 5.3 of the paper on DistD2,
 *
 *     du_i/dt = sum over j of [- 1/2 (u_j du_i/dx_j + d(u_j u_i)/dx_j) + nu d2u_i/dx_j2] + s_i
 *
 * in a periodic box of edge 2 pi by compact differences of sixth order, cut along x, y and z. With the source
 * s = (u . grad) u of
 *
 *     u = a (sin x cos y cos z, cos x sin y cos z, -2 cos x cos y sin z),    a = exp(-3 nu t),
 *
 * which is free of divergence, that is the exact solution. Steps are the classical ones of Runge and Kutta.
 */
#ifndef MAEOTIS_BENCH_TRANSPORT_H
#define MAEOTIS_BENCH_TRANSPORT_H

#include "base/error.h"
#include "numerics/lines/line_transport.h"

#define TRANSPORT_VISCOSITY 0.02

typedef struct TransportBox TransportBox;

/* points^3, cut into `parts`. `tolerance`: of lines, 0: exact; `apart`: solutions one by one. Collective. */
CHECKED Status transport_create(Exec exec, MPI_Comm comm, int points, const int parts[3], double tolerance,
                                bool apart, TransportBox **out);
void transport_destroy(TransportBox **box);

/* The right-hand side without source, from the current velocity. Collective. */
void transport_evaluate(TransportBox *box);

/* From 0 to `until`; the L2 error then, over the solution's L2 norm. Collective. */
double transport_error(TransportBox *box, double until, int steps);

/* Least seconds of an evaluation, and of it for moving fields to lines, and lines to fields and sums. Collective. */
typedef struct TransportSeconds {
    double all, to_lines, to_fields;
} TransportSeconds;
TransportSeconds transport_seconds(TransportBox *box, int turns);

/* Numbers that an evaluation must move a point, as its loops are written: read, written, and of both for moving
 * between fields and lines. */
enum { TRANSPORT_READS = 39, TRANSPORT_WRITES = 27, TRANSPORT_MOVES = 42 };

/* As even a cut as there is. */
void transport_parts(int ranks, int parts[3]);

CHECKED Status bench_transport(MPI_Comm comm, const char *device);

#endif
