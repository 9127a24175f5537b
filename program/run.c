/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis run: from a scenario to its files.
 */
#include "base/log.h"
#include "base/memory.h"
#include "kinetics/guard.h"
#include "model/terrain.h"
#include "numerics/cluster/machine.h"
#include "program/commands.h"
#include "program/machine_kept.h"
#include "program/rebalance.h"
#include "program/session.h"
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char HELP[] =
    "maeotis run SCENARIO.json [options]        runs a scenario\n"
    "\n"
    "  -n, --processes N     number of processes (an option of the launcher; default: all cores)\n"
    "  --steps N             stop after N steps from the start of the scenario\n"
    "  --until DATE          stop at this date, such as 2014-09-24T18:00:00Z\n"
    "  --restart FILE        continue from a restart file, at its date: /time/start may be left out, or be "
    "that\n"
    "                        date or the start of the run that wrote the file\n"
    "  --force=scenario      continue although the scenario has changed since the restart file was written, "
    "in\n"
    "                        more than its dates, outputs and forcing files\n"
    "  --force=files         continue although another input file, such as a map of roughness, has changed\n"
    "  --force               continue in both cases\n"
    "  --set /POINTER=VALUE  change the scenario, such as --set /physics/drag/n=0.03; may be repeated\n"
    "  --device DEVICE       cpu, gpu, auto (GPUs for as many processes as the node has GPUs, the CPU for "
    "the\n"
    "                        others), or emu, an emulated GPU that executes in random order to find races;\n"
    "                        a list, such as gpu,cpu, assigns devices to the processes of a node in turn\n"
    "  --cluster FILE        decompose the grid according to the speeds in a cluster file, and run on its\n"
    "                        devices (see ./maeotis calibrate, plan)\n"
    "  --rebalance N         measure the speed of each process in the first N steps, and then redistribute "
    "the\n"
    "                        grid accordingly; the results stay the same to the last bit\n"
    "  --no-files            compute only: no folder, no results, no restart file\n"
    "  --overwrite           replace the results of an earlier run in the output folder\n"
    "  --new-folder          write into a new folder: the output folder's name with date and time added\n"
    "  --log-json FILE       write one line of JSON per step\n"
    "  --watch u,I,J,LEVEL   log level, depth, velocity and the terms of momentum at a face (v,I,J,LEVEL: of "
    "v)\n"
    "                        after every step in that file; may be repeated\n"
    "  --quiet               print no progress line\n"
    "\n"
    "The progress line shows: percentage done, model date, simulated days per hour of computing, time left\n"
    "(at the usual and at the recent pace if they differ, for example while other programs use the\n"
    "processors), |u| (the fastest current), C (its Courant number), it (iterations of the surface, then of\n"
    "u and v and of the non-hydrostatic pressure if these are solved), dV/V (relative error of the volume\n"
    "budget), and the digest of the state.\n"
    "\n"
    "Signals: SIGINT (Ctrl-C), SIGTERM and SIGHUP write a restart file and stop the run (exit code 3);\n"
    "SIGUSR1 writes one and the run continues.\n"
    "A run never overwrites its inputs and never follows symbolic links when writing. It replaces results "
    "only\n"
    "with --overwrite, or if MAEOTIS_OVERWRITE=1 is in the environment.\n"
    "Exit codes: 0 done, 1 failed, 2 input refused, 3 stopped on request after a restart file.\n"
    "\n"
    "Example: ./maeotis run scenarios/azov_storm_2014.json -n 2 --until 2014-09-24T00:00:00Z\n";

static volatile sig_atomic_t stop_asked, restart_asked;

enum { PATIENCE_S = 5 }; /* with one call of a kinetics module, once the run is told to stop */
static volatile sig_atomic_t watched_call;

static void on_alarm(int number) {
    const int call = guard_call();
    (void)number;
    if (call >= 0 && call == watched_call) guard_give_up();
    watched_call = call;
    alarm(PATIENCE_S);
}

static void on_signal(int number) {
    if (number == SIGUSR1) {
        restart_asked = 1;
        return;
    }
    stop_asked = 1;
    watched_call = guard_call();
    alarm(PATIENCE_S);
}

static void catch_signals(int flags) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_RESTART}, NULL);
    signal(SIGPIPE, SIG_IGN); /* nobody reads the progress line any more: no reason to lose the run */
}

static double asks(void) {
    return stop_asked      ? SESSION_ASKED_TO_STOP
           : restart_asked ? SESSION_ASKED_TO_WRITE
                           : SESSION_ASKED_NOTHING;
}

static Status run_scenario(const RunOptions *o, Scenario *s, const char *command, RunRecord *record,
                           MPI_Comm comm) {
    Session *session;
    Rebalance rebalance = {0};
    Status status = session_begin(o, s, command, record, comm, &session);
    if (status != STATUS_OK) return status;
    session->asks = asks;
    catch_signals(SA_RESTART);
    while (status == STATUS_OK && !session_done(session)) {
        status = session_step(session);
        if (session->sim->asked >= SESSION_ASKED_TO_WRITE) restart_asked = 0;
        if (status == STATUS_OK && o->rebalance) status = rebalance_note(&rebalance, session, s);
    }
    status = session_end(session, status);
    session_destroy(&session);
    return status;
}

/* The ranks that compute: all; or, where nobody but the launcher asked for their number, as many as the grid can
 * be shared by (MPI_COMM_NULL on the others). Collective. */
static MPI_Comm working_ranks(const Scenario *scenario) {
    MPI_Comm working;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int most = getenv("MAEOTIS_RANKS_BY_DEFAULT") ? terrain_most_ranks(scenario, ranks) : ranks;
    MPI_Comm_split(MPI_COMM_WORLD, rank < most ? 0 : MPI_UNDEFINED, rank, &working);
    if (most < ranks)
        log_info(
            "%d of %d processes compute: the grid is too small for more, or /solver/processes requests fewer "
            "(-n %d starts no others)",
            most, ranks, most);
    return working;
}

/* The working ranks run; the others wait, asleep. Collective. */
static Status run_on_some(const RunOptions *o, Scenario *s, const char *command, RunRecord *record) {
    MPI_Comm working = working_ranks(s);
    MPI_Request all_done;
    int done = 0;
    Status status = working == MPI_COMM_NULL ? STATUS_OK : run_scenario(o, s, command, record, working);
    MPI_Ibarrier(MPI_COMM_WORLD, &all_done);
    while (MPI_Test(&all_done, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (working != MPI_COMM_NULL) MPI_Comm_free(&working);
    return status_agree(MPI_COMM_WORLD, status);
}

/* A run that computed all it was asked for is no failure for want of it. */
static void leave_record(RunRecord *record, Status status) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && record->folder && run_record_write(record, status) != STATUS_OK) error_print(stderr);
    run_record_release(record);
}

/* Of a described cluster: speeds and devices, as if they had been given by --set and --device; and what else decides
 * cuts and messages, which this machine may have kept. */
typedef struct ClusterWords {
    char *speeds, *devices;
    Machine machine;
    bool is_known;
} ClusterWords;

/* Each process reads the file by itself. Processes of a node are neighbours in the list of cores and GPUs. Local. */
static Status read_cluster(RunOptions *o, ClusterWords *words) {
    Cluster cluster;
    double *speed = NULL;
    Calculator *all = NULL;
    int rank, ranks;
    int64_t count;
    Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    TRY(cluster_read(o->cluster, &cluster));
    ATTEMPT(cluster_speeds(&cluster, o->cluster, ranks, &speed));
    all = cluster_calculators(&cluster, &count);
    words->speeds = memory_copy_text("/solver/speeds=[");
    for (int n = 0; n < ranks; n++) {
        memory_append(&words->speeds, "%s%.4g", n ? "," : "", speed[n]);
        if (all[n].node != all[rank].node) continue;
        const char *kind = device_kind_name(all[n].device->kind);
        if (words->devices)
            memory_append(&words->devices, ",%s", kind);
        else
            words->devices = memory_copy_text(kind);
    }
    memory_append(&words->speeds, "]");
    ATTEMPT(overrides_add(&o->overrides, words->speeds));
    if (!o->device) o->device = words->devices;
    words->machine = cluster_machine(&cluster, ranks);
    words->is_known = true;
cleanup:
    memory_free(speed);
    memory_free(all);
    cluster_release(&cluster);
    return status;
}

/* The speeds again, once it is known that the scenario has systems along lines. Local. */
static Status weigh_lines(const RunOptions *o, Scenario *scenario, Machine *machine) {
    const double solves = scenario_line_solves(scenario);
    const int ranks = scenario->solver.n_speeds;
    Cluster cluster;
    double *speed = NULL;
    if (solves == 0 || ranks == 0) return STATUS_OK;
    TRY(cluster_read(o->cluster, &cluster));
    cluster_add_lines(&cluster, o->scenario, solves);
    const Status status = cluster_speeds(&cluster, o->cluster, ranks, &speed);
    for (int n = 0; n < ranks && status == STATUS_OK; n++) scenario->solver.speeds[n] = speed[n];
    memory_free(machine->node);
    *machine = cluster_machine(&cluster, ranks);
    memory_free(speed);
    cluster_release(&cluster);
    return status;
}

int run_command(int argc, char **argv) {
    RunOptions options;
    ClusterWords words = {0};
    Scenario *scenario = NULL;
    RunRecord record = {.started = MPI_Wtime()};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Status status = run_options_parse(argc, argv, &options);
    if (status == STATUS_OK && options.help) {
        if (rank == 0) fputs(HELP, stdout);
        return 0;
    }
    /* One that comes during the preparations counts after the first step, unless it ends the wait for a pipe. */
    catch_signals(0);
    char *command = command_line(argc, argv);
    if (status == STATUS_OK && options.cluster)
        status = status_agree(MPI_COMM_WORLD, read_cluster(&options, &words));
    else if (status == STATUS_OK)
        words.is_known = machine_recall_first(MPI_COMM_WORLD, &words.machine);
    if (status == STATUS_OK) status = session_read(&options, MPI_COMM_WORLD, &scenario);
    if (status == STATUS_OK && options.cluster)
        status = status_agree(MPI_COMM_WORLD, weigh_lines(&options, scenario, &words.machine));
    if (status == STATUS_OK && words.is_known) scenario->solver.machine = &words.machine;
    if (status == STATUS_OK) status = run_on_some(&options, scenario, command, &record);
    memory_free(command);
    session_forget_folder(scenario);
    scenario_destroy(&scenario);
    error_report(MPI_COMM_WORLD);
    leave_record(&record, status);
    memory_free(words.speeds);
    memory_free(words.devices);
    memory_free(words.machine.node);
    return status;
}
