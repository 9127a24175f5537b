/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench: chooses the measurement, and does the first of them: the cost of a time step, in time and in
 * bytes at the speed of this machine's memory.
 */
#include "bench/bench.h"
#include "base/data.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "bench/papers/papers.h"
#include "bench/transport.h"
#include "bench/triad_kernels.h"
#include "gpu/device.h"
#include "kinetics/module.h"
#include "model/nest.h"
#include "model/simulation.h"
#include "settings/load.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char HELP[] =
    "maeotis bench step [SCENARIO.json ...] [options]     measures the time of a step\n"
    "maeotis bench solvers [NAME ...] [--variants]        measures solvers on systems of a sea\n"
    "maeotis bench growth [NAME ...]                      measures solves on grids of 1e4 to 1e7 cells\n"
    "maeotis bench sweeps                                 compares triangular sweeps with memory speed\n"
    "maeotis bench probe --device gpu                     measures the cost of a GPU's launches, waits,\n"
    "                                                     messages between blocks, and pages\n"
    "maeotis bench lines                                  compares tridiagonal solvers with memory\n"
    "                                                     speed and LAPACK\n"
    "maeotis bench lines blocks                           finds the best number of blocks of a line\n"
    "maeotis bench transport                              measures momentum transport by compact\n"
    "                                                     differences in a box cut along all axes\n"
    "maeotis bench papers [WORD ...]                      repeats the three papers' measurements, and\n"
    "                                                     writes docs/papers.md (-o FILE.md: another);\n"
    "                                                     --list: their names; --from FILE.md: takes what\n"
    "                                                     another machine has measured\n"
    "\n"
    "  -n N           number of processes; measures with 1 and with all of them\n"
    "  --spin-up N    steps before the measured ones (default 60)\n"
    "  --steps N      measured steps, in three parts; the median counts (default 60)\n"
    "  --set /POINTER=VALUE   change the scenarios, as for run\n"
    "  --device DEVICE        where to compute, as for run (default cpu)\n"
    "  --peak-gb-s N          for lines on a GPU: its peak memory speed, if it reports a wrong one\n"
    "\n"
    "Without scenarios: scenarios/peer_basin.json, the same with twice the land around it, and the\n"
    "Azov storm. To compare two builds, run them alternately, without a pause.\n"
    "\n"
    "Solvers: all systems, or those whose name contains a NAME (surface, dirichlet, robin, transport,\n"
    "poisson, fine); --variants: every kind of MATM. If the build has found HYPRE and PETSc, their times\n"
    "are printed, too, without and with the set-up for a new matrix; hypre or petsc: only that library.\n"
    "Growth: all, or the parts named (surface, lines, grids, coasts).\n"
    "\n"
    "Example: ./maeotis bench step -n 2\n"
    "         ./maeotis bench solvers robin --variants\n";

typedef enum Subject {
    STEP,
    SOLVERS,
    GROWTH,
    PAPERS,
    SWEEPS,
    PROBE,
    TRANSPORT,
    LINES,
    BLOCKS,
    SUBJECTS
} Subject;

typedef struct BenchOptions {
    Subject subject;
    const char *const *name; /* scenarios, or systems to solve */
    int count;
    int64_t spin_up, steps;
    bool help, variants, list;
    const char *device, *page; /* where rows of the papers go; NULL: docs/papers.md */
    const char *from;          /* a page of another machine */
    double peak;               /* of a GPU's memory, 0: by its properties [bytes s-1] */
    Overrides overrides;
} BenchOptions;

/* What is to be measured, and of which scenarios or systems. */
static Status parse_subject(int count, const char *const *words, BenchOptions *o) {
    static const char *const subjects[SUBJECTS] = {"step",  "solvers",   "growth", "papers",      "sweeps",
                                                   "probe", "transport", "lines",  "lines blocks"};
    o->subject = STEP;
    while (count > 0 && o->subject < BLOCKS && strcmp(words[0], subjects[o->subject]) != 0) o->subject++;
    CHECK(count > 0 && o->subject < BLOCKS, STATUS_BAD_INPUT,
          "bench: name a benchmark; there are \"step\", \"solvers\", \"growth\", \"papers\", "
          "\"sweeps\", \"probe\", \"transport\" and \"lines\" (see ./maeotis bench --help)");
    o->name = words + 1;
    o->count = count - 1;
    if (o->subject == LINES && o->count > 0 && strcmp(o->name[0], "blocks") == 0) {
        o->subject = BLOCKS;
        o->name++;
        o->count--;
    }
    CHECK(o->count == 0 || o->subject <= PAPERS, STATUS_BAD_INPUT,
          "bench %s: \"%s\" is not a benchmark (see ./maeotis bench --help)", subjects[o->subject],
          o->name[0]);
    return STATUS_OK;
}

static Status take_peak(const char *text, void *to) {
    double *peak = to;
    TRY(option_numbers("peak-gb-s", text, 1, peak));
    *peak *= 1e9;
    CHECK(*peak > 0 && *peak < 1e15, STATUS_BAD_INPUT,
          "bench: --peak-gb-s needs a number of GB/s, not \"%s\"", text);
    return STATUS_OK;
}

static Status parse_options(int argc, char **argv, BenchOptions *o) {
    const Option options[] = {{"spin-up", OPTION_WHOLE, &o->spin_up},
                              {"steps", OPTION_WHOLE, &o->steps, .least = 3},
                              {"set", OPTION_TAKE, &o->overrides, .take = overrides_take},
                              {"variants", OPTION_FLAG, &o->variants},
                              {"list", OPTION_FLAG, &o->list},
                              {"device", OPTION_TEXT, &o->device},
                              {"output", OPTION_TEXT, &o->page, .letter = 'o'},
                              {"from", OPTION_TEXT, &o->from},
                              {"peak-gb-s", OPTION_TAKE, &o->peak, .take = take_peak},
                              {NULL}};
    *o = (BenchOptions){.spin_up = 60, .steps = 60, .device = "cpu"};
    Operands words = {"benchmark", 0, argc, (const char **)argv};
    TRY(options_read("bench", argc, argv, options, &words));
    o->help = words.help;
    if (o->help) return STATUS_OK;
    TRY(parse_subject(words.count, words.word, o));
    CHECK(!o->variants || o->subject == SOLVERS, STATUS_BAD_INPUT,
          "bench: --variants applies only to solvers");
    CHECK((!o->list && !o->page && !o->from) || o->subject == PAPERS, STATUS_BAD_INPUT,
          "bench: --list, --from and -o apply only to papers");
    CHECK(o->peak == 0 || o->subject == LINES, STATUS_BAD_INPUT, "bench: --peak-gb-s applies only to lines");
    return STATUS_OK;
}

double bench_stream(MPI_Comm comm) {
    const int64_t n = 8 << 20; /* 64 MiB an array: far beyond caches */
    double *a = ALLOCATE(n, double), *b = ALLOCATE(n, double), *c = ALLOCATE(n, double), best = 0;
    for (int64_t i = 0; i < n; i++) {
        b[i] = (double)i;
        c[i] = 1;
    }
    for (int turn = 0; turn < 10; turn++) {
        MPI_Barrier(comm);
        double start = bench_clock(comm);
#pragma omp simd
        for (int64_t i = 0; i < n; i++) a[i] = b[i] + 3.0 * c[i];
        double mine = 24.0 * (double)n / (bench_clock(comm) - start), all = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
        if (all > best) best = all;
        b[turn] = a[n - 1 - turn]; /* so that no turn can be left out */
    }
    memory_free(a);
    memory_free(b);
    memory_free(c);
    return best;
}

/* The same where kernels run: on a GPU 6 GiB a rank, far beyond its caches. */
double bench_stream_of_device(MPI_Comm comm, Exec exec) {
    enum { CHUNK_BITS = 20, CHUNK_RUN = 1024 };
    if (exec.device == DEVICE_CPU) return bench_stream(comm);
    const int chunks = exec.device == DEVICE_GPU ? 256 : 1, pieces = 1 << (CHUNK_BITS - 10);
    const int64_t n = (int64_t)chunks << CHUNK_BITS;
    double *a = ALLOCATE(n, double), *b = ALLOCATE(n, double), *c = ALLOCATE(n, double), best = 0;
    RunList runs = {ALLOCATE(chunks * pieces, Run), 0, n};
    for (int j = 0; j < chunks; j++)
        for (int i = 0; i < pieces; i++)
            runs.run[runs.count++] = (Run){i * CHUNK_RUN, (i + 1) * CHUNK_RUN, j, 0};
    exec_settle(exec);
    for (int turn = 0; turn < 10; turn++) {
        MPI_Barrier(comm);
        const double start = MPI_Wtime();
        bench_triad(exec, runs, (Triad){a, b, c, 3.0});
        exec_wait(exec);
        double mine = 24.0 * (double)n / (MPI_Wtime() - start), all = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
        if (all > best) best = all;
    }
    memory_free(a), memory_free(b), memory_free(c), memory_free(runs.run);
    return best;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sort(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
}

static double step_seconds(Simulation *sim, int64_t steps, Status *status) {
    MPI_Barrier(sim->grid->comm);
    double start = MPI_Wtime();
    for (int64_t n = 0; n < steps && *status == STATUS_OK; n++) *status = simulation_step(sim);
    MPI_Barrier(sim->grid->comm);
    return (MPI_Wtime() - start) / (double)steps;
}

static const char *phase_name(int phase) {
    static const char *const names[PHASES] = {"forcing",  "momentum", "surface",    "pressure", "move",
                                              "vertical", "tracers",  "turbulence", "stock"};
    return names[phase];
}

static void print_row(const Simulation *sim, const char *name, double seconds, const double phases[PHASES]) {
    int ranks;
    int64_t columns, cells, bytes = memory_in_use();
    MPI_Comm_size(sim->grid->comm, &ranks);
    grid_count(sim->grid, &columns, &cells);
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, sim->grid->comm);
    double ns = 1e9 * seconds / (double)cells, total = 0;
    for (int p = 0; p < PHASES; p++) total += phases[p];
    log_info("%-24s %2d process%s  %8" PRId64 " wet cells  %7.1f ns  %5.0f B memory  it %d", name, ranks,
             ranks == 1 ? "  " : "es", cells, ns, (double)bytes / (double)cells,
             sim->report.surface.iterations);
    char line[512];
    int used = snprintf(line, sizeof line, "%24s", "of it");
    for (int p = 0; p < PHASES; p++)
        used += snprintf(line + used, sizeof line - (size_t)used, "  %s %.0f %% %.1f ns", phase_name(p),
                         100 * phases[p] / total, ns * phases[p] / total);
    log_info("%s", line);
}

/* Collective over `comm`. */
static Status bench_scenario(MPI_Comm comm, const BenchOptions *o, const char *path, const char *name,
                             const Overrides *overrides) {
    Scenario *scenario = NULL;
    Simulation *sim = NULL;
    Status status;
    double part[3], before[PHASES];
    ATTEMPT(scenario_load(comm, path, overrides, &scenario));
    ATTEMPT(nest_complete(comm, scenario));
    ATTEMPT(simulation_create(scenario, comm, o->device, &sim));
    sim->wait_for_phases = true;
    if (o->spin_up) (void)step_seconds(sim, o->spin_up, &status);
    memcpy(before, sim->seconds, sizeof before);
    for (int p = 0; p < 3; p++) part[p] = step_seconds(sim, o->steps / 3, &status);
    if (status != STATUS_OK) goto cleanup;
    for (int p = 0; p < PHASES; p++) before[p] = sim->seconds[p] - before[p];
    bench_sort(part, 3);
    print_row(sim, name, part[1], before);
cleanup:
    simulation_destroy(&sim);
    scenario_destroy(&scenario);
    return status;
}

/* A scenario that comes with the program. */
static Status bench_shipped(MPI_Comm comm, const BenchOptions *o, const char *file, const char *name,
                            const Overrides *overrides) {
    char *path;
    TRY(data_find(file, &path));
    const Status status = bench_scenario(comm, o, path, name, overrides);
    memory_free(path);
    return status;
}

static Status bench_steps(MPI_Comm comm, const BenchOptions *o) {
    static const char basin[] = "scenarios/peer_basin.json";
    Overrides wide = o->overrides;
    for (int n = 0; n < o->count; n++) TRY(bench_scenario(comm, o, o->name[n], o->name[n], &o->overrides));
    if (o->count > 0) return STATUS_OK;
    TRY(bench_shipped(comm, o, basin, "peer basin", &o->overrides));
    TRY(overrides_add(&wide, "/grid/x0_m=-180000"));
    TRY(overrides_add(&wide, "/grid/length_x_m=720000"));
    TRY(bench_shipped(comm, o, basin, "with twice the area", &wide));
    return bench_shipped(comm, o, "scenarios/azov_storm_2014.json", "Azov storm, 2 km", &o->overrides);
}

static Status bench_subject(MPI_Comm comm, const BenchOptions *o) {
    switch (o->subject) {
    case SOLVERS:
        return bench_solvers(comm, o->name, o->count, o->variants);
    case GROWTH:
        return bench_growth(comm, o->name, o->count);
    case PAPERS:
        return bench_papers(comm, o->device, o->name, o->count, o->page, o->from);
    case SWEEPS:
        return bench_sweeps(comm, o->device);
    case PROBE:
        return bench_probe(comm, o->device);
    case TRANSPORT:
        return bench_transport(comm, o->device);
    case LINES:
        return strcmp(o->device, "cpu") == 0 ? bench_lines(comm) : bench_lines_on(comm, o->device, o->peak);
    case BLOCKS:
        return bench_line_blocks(comm);
    default:
        return bench_steps(comm, o);
    }
}

/* Asleep, so that what rank 0 measures alone has the machine for itself. */
static void wait_for_rank_0(MPI_Comm comm) {
    const struct timespec nap = {.tv_nsec = 5000000};
    MPI_Request all_here;
    int done = 0;
    MPI_Ibarrier(comm, &all_here);
    for (;;) {
        MPI_Test(&all_here, &done, MPI_STATUS_IGNORE);
        if (done) return;
        nanosleep(&nap, NULL);
    }
}

int bench_command(int argc, char **argv) {
    BenchOptions options;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Status status = parse_options(argc, argv, &options);
    kinetics_trust(true); /* who asks for its speed wants a run */
    if (status == STATUS_OK && options.help) {
        if (rank == 0) fputs(HELP, stdout);
        return 0;
    }
    if (status == STATUS_OK && options.list) {
        if (rank == 0) bench_papers_list();
        return 0;
    }
    MPI_Comm alone;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &alone);
    if (status == STATUS_OK && rank == 0) status = bench_subject(alone, &options);
    if (rank == 0) MPI_Comm_free(&alone);
    wait_for_rank_0(MPI_COMM_WORLD);
    status = status_agree(MPI_COMM_WORLD, status);
    if (status == STATUS_OK && ranks > 1 && !options.from) status = bench_subject(MPI_COMM_WORLD, &options);
    error_report(MPI_COMM_WORLD);
    return status;
}
