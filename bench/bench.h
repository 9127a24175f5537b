/* SPDX-License-Identifier: Apache-2.0
 *
 * The measurements of `maeotis bench` other than time steps.
 */
#ifndef MAEOTIS_BENCH_BENCH_H
#define MAEOTIS_BENCH_BENCH_H

#include "base/error.h"
#include "bench/clock.h"
#include "bench/systems.h"
#include "numerics/lines/lines.h"
#include "numerics/lines/long_line.h"
#include "numerics/matm/matm.h"
#include "numerics/matm/on_device.h"
#include "settings/scenario.h"
#include <stdbool.h>

typedef struct BenchMeasured {
    int iterations;
    double solve_s, setup_s; /* medians */
    double residual;         /* true and relative */
} BenchMeasured;

/* Does a name contain one of `names`? If there are none: yes. */
bool bench_wanted(const char *name, const char *const *names, int count);

/* Systems whose names contain one of `names` (all if there are none); `variants`: all kinds of MATM, not only
 * the one it chooses. Collective. */
CHECKED Status bench_solvers(MPI_Comm comm, const char *const *names, int count, bool variants);

/* `choice` (memory_free), unless NULL: the variant that MATM chose. Collective. */
CHECKED Status bench_matm(const BenchSystem *system, MatmOptions options, double tolerance,
                          BenchMeasured *out, char **choice);

/* The system of that name, of those that bench_solvers solves, and its grid. Collective. */
CHECKED Status bench_case_create(MPI_Comm comm, const char *name, Grid **grid, BenchSystem **system);

/* Grids of 1e4 to 1e7 cells. Collective. */
CHECKED Status bench_growth(MPI_Comm comm, const char *const *names, int count);

/* The whole program; returns the exit code. Collective. */
int bench_command(int argc, char **argv);

/* Triangular sweeps on a device (exec_create) against the speed of its memory. Collective. */
CHECKED Status bench_sweeps(MPI_Comm comm, const char *device);

/* A sweep forward over a box of so many cells in tiles of some shapes, on a device: the best of some, for each. */
CHECKED Status bench_sweep_in_tiles(Exec exec, const int cells[3], const SweepTiles *tiles, int count,
                                    double *seconds);

/* What decides how well the program can run on a device. Collective. */
CHECKED Status bench_probe(MPI_Comm comm, const char *device);

/* Solvers of tridiagonal lines against the speed of memory and LAPACK; the block counts of the N-shaped
 * method. Collective. */
CHECKED Status bench_lines(MPI_Comm comm);
/* On a GPU, or on the emulator, which tells nothing but that it runs. `peak` of its memory [bytes s-1], 0: by
 * its properties. */
CHECKED Status bench_lines_on(MPI_Comm comm, const char *device, double peak);

/* The sixth-order compact first derivative, or diffusion of number 1, for all lines or for each. Collective.
 */
typedef enum BenchRows { BENCH_COMPACT, BENCH_DIFFUSION, BENCH_OWN_DIFFUSION } BenchRows;
CHECKED Status bench_line_operator(const LineLayout *layout, BenchRows rows, const LineChoice *choice,
                                   LineOperator **out);

/* The derivative on lines that all processors share: per own row, and of the speed at which its memory moves what the paper on DistD2
 * counts: a copy, of DistD2 and a scaling in place. Collective. */
typedef struct BenchLineSpeed {
    double ns, of_memory;
} BenchLineSpeed;
CHECKED Status bench_line_speed(MPI_Comm comm, int rows, int lines, bool periodic, LineMethod method,
                                BenchLineSpeed *out);
/* On a device, of copies there: two for DistD2. ns 0: on the emulator, which has no times. */
CHECKED Status bench_line_speed_on(const char *device, int rows, bool periodic, LineMethod method,
                                   BenchLineSpeed *out);
CHECKED Status bench_line_blocks(MPI_Comm comm);

/* A packet's system (long_line.h); what its numbers are does not matter for the time. */
typedef struct BenchPacket {
    Exec exec;
    int n;
    Complex *b, *a, *c, *psi;
} BenchPacket;
BenchPacket bench_packet_create(Exec exec, int n);
void bench_packet_destroy(const BenchPacket *packet);

/* A step of it with a processor for every block: the stages' times over their blocks, and that of the last rows; the least of
 * some. [s] */
double bench_chain_seconds(const BenchPacket *packet, int blocks, int levels);

/* STREAM triad of all ranks of `comm` together: the best of ten. [bytes s-1] Collective. */
double bench_stream(MPI_Comm comm);
double bench_stream_of_device(MPI_Comm comm, Exec exec); /* the same where kernels run */
void bench_sort(double *numbers, int count);

#endif
