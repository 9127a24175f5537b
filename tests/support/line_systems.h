/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of random tridiagonal systems whose every number follows from its place in the whole line and a seed,
 * whatever the ranks; and what LAPACK makes of them.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_LINE_SYSTEMS_H
#define MAEOTIS_TESTS_SUPPORT_LINE_SYSTEMS_H

#include "numerics/lines/lines.h"

typedef struct LineShape {
    Exec exec; /* where they are solved; of the emulator or a GPU: made by exec_create */
    int rows, lines;
    const int *parts; /* own rows of each rank; NULL: as even as can be */
    bool per_line, periodic;
    bool land;        /* per line only: a third of the rows, in stretches */
    int reach;        /* of the right-hand side; -1: it is given */
    bool even;        /* a = c = -1, b > 0: what DistD2 loses does not cancel */
    double dominance; /* b / (|a| + |c|) - 1; couplings spread over two decades */
    uint64_t seed;
} LineShape;

/* Largest error of the method against LAPACK, over the largest |x| of the line; -1: the operator could not be
 * created. `inspect` (may be NULL) sees the operator and the solution. Collective. */
typedef void (*LineInspect)(const LineOperator *op, const LineLayout *layout, const double *x);
double line_error(MPI_Comm comm, const LineShape *shape, const LineChoice *choice, LineInspect inspect);

/* Is every own row's number that of one rank that has the whole line, on a processor, to the last bit?
 * Collective. */
bool line_same_bits(MPI_Comm comm, const LineShape *shape, const LineChoice *choice);

/* Is it the number that the same ranks find on their processors? Systems that both refuse are the same.
 * Collective. */
bool line_same_as_processor(MPI_Comm comm, const LineShape *shape, const LineChoice *choice);

/* What rounding may do to any method on these systems, up to a small factor: eps times their condition. */
double line_round_off(const LineShape *shape);

int line_system_own_rows(MPI_Comm comm, const LineShape *shape);
double line_system_u(const LineShape *shape, int line, int row); /* -1 .. 1 */

#endif
