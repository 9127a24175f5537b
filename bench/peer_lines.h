/* SPDX-License-Identifier: Apache-2.0
 *
 * Tridiagonal solvers of other libraries, for comparison in `maeotis bench lines`: plug-ins (peers.h) that
 * are built if LAPACK is found (bench/peers/lapack.c), and in the CUDA build (bench/peers/cusparse.c).
 */
#ifndef MAEOTIS_BENCH_PEER_LINES_H
#define MAEOTIS_BENCH_PEER_LINES_H

/* `lines` lines of n rows, one after the other, with the same a, b, c: x from d, by LAPACK's factors (dgttrf,
 * once) and substitution (dgttrs, timed). Returns seconds, or -1. */
typedef double PeerLines(int n, int lines, const double *a, const double *b, const double *c, double *d);

/* On the GPU: `lines` lines of n rows, each with these a, b, c (of which a[0] = c[n - 1] = 0) and d; the
 * solution of the first of them goes to x. Returns the seconds of the best of a few, or -1. No name: there
 * are no more. */
typedef double PeerLinesBatch(int solver, int n, int lines, const double *a, const double *b, const double *c,
                              const double *d, double *x);
typedef const char *PeerLinesName(int solver);

#endif
