/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangular solvers of another library, for comparison: a plug-in that is built in the CUDA build
 * (bench/peers/cusparse_sweeps.c). Only `maeotis bench sweeps --device gpu` loads it.
 */
#ifndef MAEOTIS_BENCH_PEER_TRIANGULAR_H
#define MAEOTIS_BENCH_PEER_TRIANGULAR_H

/* x from (1 + L) x = rhs, L strictly lower triangular, by rows: entries first[r] <= n < first[r + 1] of row r
 * stand in column[n], value[n]; the ones are not among them. Returns seconds of a solve, without the analysis
 * of the matrix, or -1. */
typedef double PeerTriangular(int rows, const int *first, const int *column, const double *value,
                              const double *rhs, double *x);

#endif
