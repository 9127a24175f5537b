/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis calibrate: measures the speed of the cores and GPUs of this machine and of messages between processes.
 */
#include "base/data.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "kinetics/module.h"
#include "model/nest.h"
#include "numerics/cluster/cluster.h"
#include "program/commands.h"
#include "program/machine_kept.h"
#include "program/trial.h"
#include "settings/load.h"
#include <math.h>
#include <string.h>
#include <time.h>

static const char HELP[] =
    "maeotis calibrate [SCENARIO.json] [options]   measures this machine, for plan and run --cluster\n"
    "\n"
    "  -n, --processes N     processes that compute at the same time (default: all cores); timing messages\n"
    "                        needs two\n"
    "  -o, --output FILE     file to write (default cluster.json)\n"
    "  --device DEVICE       as for run; a list, such as gpu,cpu, assigns devices to the processes in turn\n"
    "  --steps N             steps of each of three trials (default 30)\n"
    "  --set /POINTER=VALUE  change the scenario, as for run; may be repeated\n"
    "  --trust               load the scenario's kinetics module, a program (see maeotis check --help)\n"
    "\n"
    "All processes run the first steps of the scenario (default: the Azov storm) at the same time, each by\n"
    "itself. For each kind of device the file contains the 95th percentile of the time per node of the\n"
    "grid for a step, a sweep and tridiagonal lines, with the spread between the trials; for messages of\n"
    "V bytes, the line T = a + b V. Describe other nodes by hand in the same file (docs/clusters.md). Runs\n"
    "without --cluster take the times of messages from a copy in ~/.cache/maeotis.\n"
    "\n"
    "Example: ./maeotis calibrate -n 2 -o laptop.json\n";

typedef struct Options {
    const char *scenario, *file, *device;
    int64_t steps;
    bool help;
    Overrides overrides;
} Options;

enum { TRIALS = 3, RANGES = 3, SIZES = 100 };

static Status parse_options(int argc, char **argv, Options *o) {
    bool trust = false;
    const Option options[] = {{"output", OPTION_TEXT, &o->file, .letter = 'o'},
                              {"device", OPTION_TEXT, &o->device},
                              {"steps", OPTION_WHOLE, &o->steps, .least = 3},
                              {"set", OPTION_TAKE, &o->overrides, .take = overrides_take},
                              {"trust", OPTION_FLAG, &trust},
                              {NULL}};
    *o = (Options){.file = "cluster.json", .device = "cpu", .steps = 30};
    Operands scenario = {"scenario", 0, 1, &o->scenario};
    TRY(options_read("calibrate", argc, argv, options, &scenario));
    o->help = scenario.help;
    if (trust) kinetics_trust(true);
    return STATUS_OK;
}

/* ---- cores and GPUs ---- */

static double middle(double numbers[TRIALS]) {
    return percentile(TRIALS, numbers, 0.5); /* which sorts them */
}

typedef struct Measured {
    DeviceKind kind;
    double ns[KERNELS], alone[KERNELS], spread[KERNELS];
} Measured;

/* The middle of some trials, by this rank. */
static Status measure_trials(const Scenario *s, const char *device, int steps, double middles[KERNELS]) {
    double ns[KERNELS][TRIALS];
    for (int n = 0; n < TRIALS; n++) {
        Trial trial;
        TRY(trial_run(s, device, steps, &trial));
        for (int k = 0; k < KERNELS; k++) ns[k][n] = trial.ns[k];
        trial_release(&trial);
        log_only_warnings(true); /* the same sea says the same again */
    }
    for (int k = 0; k < KERNELS; k++) middles[k] = middle(ns[k]);
    return STATUS_OK;
}

/* Rank 0 by itself; the others sleep meanwhile. Collective. */
static Status measure_alone(const Scenario *s, const char *device, int steps, Measured *out) {
    const struct timespec nap = {.tv_nsec = 5000000};
    MPI_Request all_here;
    Status status = STATUS_OK;
    int rank, done = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) status = measure_trials(s, device, steps, out->alone);
    MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
    while (MPI_Test(&all_here, &done, MPI_STATUS_IGNORE), !done) nanosleep(&nap, NULL);
    return status_agree(MPI_COMM_WORLD, status);
}

/* All ranks at the same time. Collective. */
static Status measure_calculator(const Scenario *s, const char *device, int steps, Measured *out) {
    double ns[KERNELS][TRIALS];
    for (int n = 0; n < TRIALS; n++) {
        Trial trial;
        MPI_Barrier(MPI_COMM_WORLD);
        TRY(status_agree(MPI_COMM_WORLD, trial_run(s, device, steps, &trial)));
        out->kind = trial.device;
        for (int k = 0; k < KERNELS; k++) ns[k][n] = trial.ns[k];
        trial_release(&trial);
        TRY(status_agree(MPI_COMM_WORLD, trial_lines(&ns[KERNEL_LINES][n])));
    }
    for (int k = 0; k < KERNELS; k++) {
        out->ns[k] = middle(ns[k]);
        out->spread[k] = out->ns[k] > 0 ? (ns[k][TRIALS - 1] - ns[k][0]) / out->ns[k] : 0;
    }
    if (out->kind != KIND_CPU) out->ns[KERNEL_LINES] = out->spread[KERNEL_LINES] = 0; /* were the host's */
    return STATUS_OK;
}

/* This rank's word of a list of devices; to be freed. */
static char *device_of(const char *list) {
    MPI_Comm node;
    int place, words = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_free(&node);
    for (const char *c = list; *c; c++) words += *c == ',';
    for (place %= words; place > 0; place--) list = strchr(list, ',') + 1;
    return memory_format("%.*s", (int)strcspn(list, ","), list);
}

/* A device for each kind that some rank has; the mean of its ranks. */
static void add_devices(Cluster *cluster, int ranks, const Measured *all) {
    ClusterNode *node = cluster->node;
    const ClusterDevice cpu = node->device[0];
    node->device = ENLARGE(node->device, 3, ClusterDevice);
    node->n_devices = 0;
    /* mpirun binds ranks to cores; a process by itself may have been given few */
    const int cores = ranks > 1 ? cpu.cores : cluster_allowed_cores(cpu.cores);
    for (int kind = 0; kind < 3; kind++) {
        int count = 0;
        ClusterDevice device = {.kind = (DeviceKind)kind, .count = 1};
        for (int r = 0; r < ranks; r++) {
            if ((int)all[r].kind != kind) continue;
            count++;
            for (int k = 0; k < KERNELS; k++) {
                device.ns[k] += all[r].ns[k];
                if (r == 0) device.alone[k] = all[r].alone[k];
                device.spread[k] = fmax(device.spread[k], all[r].spread[k]);
            }
        }
        if (count == 0) continue;
        for (int k = 0; k < KERNELS; k++) {
            device.ns[k] /= count;
            /* a trial that other programs disturbed: nobody is slower while the others rest */
            device.alone[k] = fmin(device.alone[k], device.ns[k]);
        }
        device.name = memory_copy_text(kind == KIND_CPU   ? cpu.name
                                       : kind == KIND_GPU ? "GPU"
                                                          : "emulated GPU");
        device.cores = kind == KIND_CPU ? (int)fmax(count, ranks > count ? count : cores) : 1;
        if (kind != KIND_CPU) device.count = count;
        node->device[node->n_devices++] = device;
    }
    memory_free(cpu.name);
}

/* ---- messages ---- */

/* Seconds that a message of so many numbers takes one way; the median of some. Ranks 0 and `other`. */
static double one_way(int rank, int other, int numbers, double *buffer) {
    enum { MOST_TURNS = 25 };
    const int turns = numbers > 100000 ? 5 : MOST_TURNS;
    double took[MOST_TURNS];
    for (int n = 0; n < turns; n++) {
        const double start = MPI_Wtime();
        if (rank == 0) MPI_Send(buffer, numbers, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
        MPI_Recv(buffer, numbers, MPI_DOUBLE, rank == 0 ? other : 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != 0) MPI_Send(buffer, numbers, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        took[n] = 0.5 * (MPI_Wtime() - start);
    }
    return percentile(turns, took, 0.5);
}

/* The ranges of the paper: 1 to 100 numbers, to 10,000, to a million. On ranks 0 and `other`. */
static void measure_link(int rank, int other, const char *where, ClusterLink *out) {
    double bytes[RANGES * SIZES], seconds[RANGES * SIZES], *buffer = ALLOCATE(1000000, double);
    static const int step[RANGES] = {1, 100, 10000};
    (void)one_way(rank, other, 1000, buffer);
    for (int r = 0; r < RANGES; r++) {
        for (int n = 0; n < SIZES; n++) {
            const int m = r * SIZES + n, numbers = (n + 1) * step[r];
            bytes[m] = 8.0 * numbers;
            seconds[m] = one_way(rank, other, numbers, buffer);
        }
        const ClusterLink fit = link_fit(SIZES, bytes + r * SIZES, seconds + r * SIZES);
        log_info("messages %s of %d to %d numbers: T = %.3g us + %.3g ns V, V in bytes; determination %.3f",
                 where, step[r], SIZES * step[r], fit.latency_us, fit.ns_per_byte, fit.determination);
    }
    *out = link_fit(RANGES * SIZES, bytes, seconds);
    memory_free(buffer);
}

/* Between rank 0 and the first other one on its node, and the first on another node. Collective. */
static void measure_links(int rank, int ranks, Cluster *cluster) {
    MPI_Comm node;
    int mine = rank, partner[2] = {-1, -1};
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Bcast(&mine, 1, MPI_INT, 0, node); /* the lowest rank of the node */
    MPI_Comm_free(&node);
    int *first = ALLOCATE(ranks, int);
    MPI_Allgather(&mine, 1, MPI_INT, first, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = ranks - 1; r > 0; r--) partner[first[r] != 0] = r;
    memory_free(first);
    ClusterLink *links[2] = {&cluster->inside, &cluster->between};
    for (int far = 0; far < 2; far++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (partner[far] > 0 && (rank == 0 || rank == partner[far]))
            measure_link(rank, partner[far], far ? "between nodes" : "within the node", links[far]);
    }
    if (partner[1] < 0) cluster->between = cluster->inside;
    if (ranks == 1)
        log_warn(
            "one process alone cannot measure messages: use -n 2, or write \"links\" into the file by hand");
}

static void tell(const Cluster *c, const char *file, double seconds) {
    const ClusterNode *node = c->node;
    for (int d = 0; d < node->n_devices; d++) {
        const ClusterDevice *v = &node->device[d];
        log_info(
            "%d x %s (%s): step %.1f ns a node (spread %.0f %%), sweep %.2f (%.0f %%), lines %.2f (%.0f %%)",
            v->count * v->cores, v->name, device_kind_name(v->kind), v->ns[0], 100 * v->spread[0], v->ns[1],
            100 * v->spread[1], v->ns[2], 100 * v->spread[2]);
    }
    log_info("messages: T = %.3g us + %.3g ns V (bytes), determination %.3f", c->inside.latency_us,
             c->inside.ns_per_byte, c->inside.determination);
    log_info("calibrated in %.1f s: %s", seconds, file);
}

static void keep(const Cluster *cluster) {
    char *path = machine_keep(cluster);
    if (path) log_info("kept for runs and plans without --cluster: %s", path);
    memory_free(path);
}

static Status calibrate(const Options *o) {
    int rank, ranks;
    char *shipped = NULL, *device = NULL;
    Scenario *scenario = NULL;
    Cluster cluster = {0};
    Measured mine = {0}, *all = NULL;
    Status status;
    const double start = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!o->scenario)
        ATTEMPT(status_agree(MPI_COMM_WORLD, data_find("scenarios/azov_storm_2014.json", &shipped)));
    ATTEMPT(scenario_load(MPI_COMM_WORLD, o->scenario ? o->scenario : shipped, &o->overrides, &scenario));
    ATTEMPT(nest_complete(MPI_COMM_WORLD, scenario));
    cluster_find_here(&cluster);
    cluster.scenario = memory_copy_text(o->scenario ? o->scenario : "scenarios/azov_storm_2014.json");
    device = device_of(o->device);
    ATTEMPT(measure_alone(scenario, device, (int)o->steps, &mine));
    ATTEMPT(measure_calculator(scenario, device, (int)o->steps, &mine));
    log_only_warnings(false);
    all = ALLOCATE(ranks, Measured);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0) add_devices(&cluster, ranks, all);
    measure_links(rank, ranks, &cluster);
    ATTEMPT(status_agree(MPI_COMM_WORLD, rank == 0 ? cluster_write(o->file, &cluster) : STATUS_OK));
    if (rank == 0) tell(&cluster, o->file, MPI_Wtime() - start);
    if (rank == 0 && ranks > 1) keep(&cluster);
cleanup:
    scenario_destroy(&scenario);
    cluster_release(&cluster);
    memory_free(all);
    memory_free(shipped);
    memory_free(device);
    return status;
}

int calibrate_command(int argc, char **argv) {
    Options options;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Status status = parse_options(argc, argv, &options);
    if (status == STATUS_OK && options.help) {
        if (rank == 0) fputs(HELP, stdout);
        return 0;
    }
    if (status == STATUS_OK) status = calibrate(&options);
    error_report(MPI_COMM_WORLD);
    return status;
}
