/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the paper on MATM on heterogeneous systems (docs/papers.md).
 */
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/papers/papers.h"
#include "bench/papers/tuning.h"
#include <math.h>

/* The paper's steps beside those that the program chooses. */
static Status iterations_of(const PaperRun *run, const char *name, char **here) {
    Grid *grid = NULL;
    BenchSystem *system = NULL;
    BenchMeasured paper, ours;
    Status status;
    ATTEMPT(bench_case_create(run->comm, name, &grid, &system));
    ATTEMPT(bench_matm(system, (MatmOptions){.step = MATM_STEP_PAPER}, 1e-6, &paper, NULL));
    ATTEMPT(bench_matm(system, (MatmOptions){0}, 1e-6, &ours, NULL));
    *here = memory_format("its steps %d in %.3g ms, `auto` %d in %.3g ms", paper.iterations,
                          1e3 * paper.solve_s, ours.iterations, 1e3 * ours.solve_s);
cleanup:
    bench_system_destroy(&system);
    grid_destroy(&grid);
    return status;
}

static Status surface(const PaperRun *run, char **here) {
    return iterations_of(run, "surface-300", here);
}
static Status pressure(const PaperRun *run, char **here) {
    return iterations_of(run, "robin-60", here);
}
static Status transport(const PaperRun *run, char **here) {
    return iterations_of(run, "transport-600", here);
}

/* Seconds of a solve of transport by all processes, the least of some medians: what disturbs one of them delays all. */
static Status solve_seconds(MPI_Comm comm, double *least, int *iterations) {
    enum { TURNS = 9 };
    Grid *grid = NULL;
    BenchSystem *system = NULL;
    Status status;
    *least = HUGE_VAL;
    ATTEMPT(bench_case_create(comm, "transport-600", &grid, &system));
    for (int turn = 0; turn < TURNS; turn++) {
        BenchMeasured found;
        ATTEMPT(bench_matm(system, (MatmOptions){0}, 1e-10, &found, NULL));
        *least = fmin(*least, found.solve_s);
        *iterations = found.iterations;
    }
cleanup:
    bench_system_destroy(&system);
    grid_destroy(&grid);
    return status;
}

/* The pipeline of sweeps: what more processes gain. */
static Status pipeline(const PaperRun *run, char **here) {
    double one, all;
    int ranks, of_one, of_all;
    MPI_Comm_size(run->comm, &ranks);
    TRY(solve_seconds(MPI_COMM_SELF, &one, &of_one));
    TRY(solve_seconds(run->comm, &all, &of_all));
    *here = memory_format("%.2f times as fast on %d, %d and %d iterations", one / all, ranks, of_one, of_all);
    return STATUS_OK;
}

static const PaperRow ROWS[] = {
    {"Equation 5", "iterations to 1e-6: free surface of the Azov Sea, 300 s, 10,156 columns", "", NEEDS_CORE,
     surface, NULL},
    {"Equation 5", "the same: non-hydrostatic pressure, 60 s, 85,782 cells", "", NEEDS_CORE, pressure, NULL},
    {"Equation 5", "the same: transport, not self-adjoint, 600 s", "", NEEDS_CORE, transport, NULL},
    {"Section 3", "operations a node: residual", "14", NEEDS_ANOTHER, NULL, "./maeotis test operations"},
    {"Section 3", "operations a node: an iteration with known parameters", "35", NEEDS_ANOTHER, NULL,
     "./maeotis test operations"},
    {"Figures 1, 2", "busiest core or GPU over the mean, nodes of 2 CPUs and 4 GPUs", "about the same time",
     NEEDS_ANOTHER, NULL, "./maeotis plan SCENARIO --cluster FILE"},
    {"Figure 3", "the graph of fragments is traversed in order of s = k i + j", "yes", NEEDS_ANOTHER, NULL,
     "./maeotis plan SCENARIO"},
    {"Section 4", "time saved by the layer in shared memory (algorithm 2)", "up to 30 %", NEEDS_GPU,
     paper_shared_memory, NULL},
    {"Equation 6, figure 4", "T = a - b Y - c ln(k) - d ln(Y), ms for 1000 nodes, k = X / Z",
     "a 0.026, b 2e-7, c 1.6e-4, d 7.7e-4, R^2 0.86; least at the largest Y and k (GTX 1650)", NEEDS_GPU,
     paper_law_of_kernel, NULL},
    {"Equation 6, figure 4", "the printed law within its text: X Z = 640, Y of 1000 to 30,000",
     "least at the largest Y and k", NEEDS_CORE, paper_law_printed, NULL},
    {"Equation 6", "the same fit for the tiles of our sweep: X rows, Z levels, Y columns", "", NEEDS_GPU,
     paper_law_of_tiles, NULL},
    {"Section 4", "the pipeline: transport, 600 s, to 1e-10 on several processes",
     "keeps all cores and GPUs at work", NEEDS_RANKS, pipeline, NULL},
    {"Equation 7", "T = a + b V, V of 10,000 to 1,000,000 numbers",
     "278.72 + 0.038 V ms, R^2 0.995 (K-60); as printed 0.21 MB/s, in microseconds 210", NEEDS_ANOTHER, NULL,
     "./maeotis calibrate -n 2"},
};

const Paper PAPER_MATM = {"matm", "MATM on heterogeneous systems",
                          "A. Sukhinov, V. Litvinov, A. Chistyakov, A. Nikitina, N. Gracheva, N. Rudenko, "
                          "\"Solving grid equations on a\n"
                          "heterogeneous computing system\" (2021).",
                          ROWS, sizeof ROWS / sizeof *ROWS};
