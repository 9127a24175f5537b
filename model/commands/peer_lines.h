/* SPDX-License-Identifier: Apache-2.0
 *
 * Tridiagonal solvers of others, to measure against: a plug-in that is built where LAPACK is
 * (tests/performance/lapack.c) and that nothing but `maeotis bench lines` loads.
 */
#ifndef MAEOTIS_MODEL_PEER_LINES_H
#define MAEOTIS_MODEL_PEER_LINES_H

/* `lines` lines of n rows, one after the other, with the same a, b, c: x from d, by LAPACK's factors (dgttrf,
 * once) and substitution (dgttrs, timed). Returns seconds, or -1. */
typedef double PeerLines(int n, int lines, const double *a, const double *b, const double *c, double *d);

#endif
