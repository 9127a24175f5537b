/* SPDX-License-Identifier: Apache-2.0
 *
 * Grids of any mask and seven-point systems of random couplings on them, the same whatever the ranks: every
 * number follows from the place in the whole grid and a seed.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_SYSTEMS_H
#define MAEOTIS_TESTS_SUPPORT_SYSTEMS_H

#include "numerics/grid/grid.h"
#include "numerics/stencil/stencil.h"

typedef struct SystemShape {
    int nx, ny, nz;
    int (*levels)(int i, int j); /* how many levels of the column are wet, at most nz; 0: land */
    bool flat;                   /* one layer: two-dimensional fields */
    bool two_ways;               /* not self-adjoint */
    double flow;                 /* how much larger couplings against the flow are, two_ways only */
    double vertical;             /* vertical couplings are this much larger */
    double excess;               /* of the centre over the couplings */
    bool even;                   /* all couplings 1 */
    bool periodic_x;
    CutKind cuts;
    const int *strips; /* as of CutProblem, like the next */
    int n_strips;
    int patch;
    const double *speed; /* of each rank, relative; NULL: all alike */
    uint64_t seed;
} SystemShape;

typedef struct TestSystem {
    SystemShape shape;
    Grid *grid;
    double *centre, *side[6]; /* west, south, lower, east, north, upper */
    double *rhs, *x;
    Stencil stencil;
} TestSystem;

TestSystem *test_system_create(MPI_Comm comm, const SystemShape *shape, int ranks_x, int ranks_y);
void test_system_destroy(TestSystem **system);

/* The number at (i, j, k) of the whole grid, on this rank's own cells. */
double test_number(uint64_t seed, int i, int j, int k); /* 0 <= x < 1 */

/* The dense matrix (row after row) and right-hand side, and the number of each cell as a field; returns the
 * number of cells. Cells are numbered along i, then j, then k. One process; memory_free, test_field_destroy.
 */
int test_system_matrix(const TestSystem *system, double **matrix, double **rhs, double **number);

/* The solution by elimination. One process; test_field_destroy. */
double *test_system_solution(const TestSystem *system);
double *test_field_create(const TestSystem *system);
void test_field_destroy(const TestSystem *system, double **field);

/* Largest |a - b| over wet cells over the largest |b|. One process. */
double test_difference(const TestSystem *system, const double *a, const double *b);

#endif
