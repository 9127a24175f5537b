/* SPDX-License-Identifier: Apache-2.0
 *
 * Solvers of another library, for comparison: plug-ins that are built if HYPRE and PETSc are found
 * (bench/peers/hypre.c, petsc.c). Only `maeotis bench solvers` loads them.
 */
#ifndef MAEOTIS_BENCH_PEER_SOLVERS_H
#define MAEOTIS_BENCH_PEER_SOLVERS_H

#include <mpi.h>
#include <stdbool.h>

/* A rank's box of the whole grid, i fastest; `values` holds per cell the centre and then the entries left of
 * it (and right of it, where the matrix is not symmetric) along each dimension, as in the matrix: -coupling.
 */
typedef struct PeerSystem {
    MPI_Comm comm;
    int dimensions, lower[3], upper[3]; /* inclusive */
    bool symmetric;
    const double *values, *right, *rhs; /* right: of symmetric ones, the entries right of the centre */
    const unsigned char *wet;
} PeerSystem;

typedef struct PeerReport {
    int iterations;
    double setup_s, solve_s;
} PeerReport;

/* Starts from 0. Returns 0, or 1 where this solver is not for such systems. Collective. */
typedef int PeerSolve(int solver, const PeerSystem *system, double tolerance, double *x, PeerReport *report);
typedef const char *PeerName(int solver); /* NULL: there are no more */

#endif
