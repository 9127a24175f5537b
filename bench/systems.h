/* SPDX-License-Identifier: Apache-2.0
 *
 * The linear systems that `maeotis bench solvers` solves: those of a sea at rest on a given grid.
 */
#ifndef MAEOTIS_BENCH_SYSTEMS_H
#define MAEOTIS_BENCH_SYSTEMS_H

#include "numerics/stencil/stencil.h"

typedef enum BenchKind {
    BENCH_SURFACE,            /* free surface, one layer:  A d / dt + g theta^2 dt div (H grad d) */
    BENCH_PRESSURE_DIRICHLET, /* non-hydrostatic pressure, 0 at the surface */
    BENCH_PRESSURE_ROBIN,     /* the same, at the surface dq/dz = -q / (g dt^2) */
    BENCH_TRANSPORT, /* implicit transport, upwind, w from continuity, with diffusion: V / dt + ... */
    BENCH_POISSON,   /* couplings of 1 (vertical ones of `dt`), walls that hold 0 on all sides */
    BENCH_POISSON_FLAT
} BenchKind;

typedef struct BenchSystem {
    const Grid *grid;
    bool flat;
    Stencil stencil;
    double *field[8]; /* centre, six couplings, rhs; NULL where there is none */
} BenchSystem;

enum { BENCH_CENTRE, BENCH_WEST, BENCH_SOUTH, BENCH_LOWER, BENCH_EAST, BENCH_NORTH, BENCH_UPPER, BENCH_RHS };

/* Collective. */
CHECKED Status bench_system_create(const Grid *grid, BenchKind kind, double dt, BenchSystem **out);
void bench_system_destroy(BenchSystem **system);

/* A box of wet cells. Collective. */
CHECKED Status bench_box_create(MPI_Comm comm, int nx, int ny, int nz, Grid **out);

/* The sea of scenarios/azov_storm_2014.json, in cells of dx and layers of dz [m]. Collective. */
CHECKED Status bench_azov_create(MPI_Comm comm, double dx, double dz, Grid **out);

#endif
