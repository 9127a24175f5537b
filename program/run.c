/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis run: from a scenario to its files.
 */
#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "model/nest.h"
#include "model/terrain.h"
#include "model/time_step.h"
#include "numerics/cluster/cluster.h"
#include "output/checkpoint.h"
#include "output/folder_lock.h"
#include "output/guard.h"
#include "output/inputs.h"
#include "output/parts.h"
#include "program/autopsy.h"
#include "program/commands.h"
#include "program/progress.h"
#include "program/run_record.h"
#include "settings/load.h"
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char HELP[] =
    "maeotis run SCENARIO.json [options]        runs a scenario\n"
    "\n"
    "  -n RANKS              number of processes (an option of the launcher; default: all cores)\n"
    "  --steps N             stop after N steps from the start of the scenario\n"
    "  --until DATE          stop at this date, such as 2014-09-24T18:00:00Z\n"
    "  --restart FILE        continue from a restart file\n"
    "  --force               continue even if the scenario has changed since the restart file was written\n"
    "  --set /POINTER=VALUE  change the scenario, such as --set /physics/drag/n=0.03; may be repeated\n"
    "  --device DEVICE       where to compute: cpu, gpu, auto (GPUs for as many ranks as the node has "
    "GPUs),\n"
    "                        or emu, an emulated GPU that executes in random order to find races; a list,\n"
    "                        such as gpu,cpu, assigns devices to the ranks of a node in turn\n"
    "  --cluster FILE        cut the sea by the speeds in a description of the cluster, and compute on its\n"
    "                        devices (see ./maeotis calibrate, plan)\n"
    "  --overwrite           replace the results of an earlier run in the output folder\n"
    "  --new-folder          write into a new folder: the output folder's name with date and time added\n"
    "  --log-json FILE       write one line of JSON per step\n"
    "  --quiet               print no progress line\n"
    "\n"
    "The progress line shows: part done, model date, simulated days per hour of computing, time left, |u|\n"
    "(the fastest current), C (its Courant number), it (iterations of the surface, then of u and v and of\n"
    "the non-hydrostatic pressure if these are solved), dV/V (relative error of the volume budget), and the\n"
    "digest of the state.\n"
    "\n"
    "Signals: SIGINT (Ctrl-C), SIGTERM and SIGHUP write a restart file and stop the run (exit code 3);\n"
    "SIGUSR1 writes one and the run continues.\n"
    "A run never writes over its inputs or through links, and refuses to replace results unless it is told\n"
    "to; MAEOTIS_OVERWRITE=1 in the environment stands for --overwrite in every run.\n"
    "Exit codes: 0 done, 1 failed, 2 input refused, 3 stopped on request after a restart file.\n"
    "\n"
    "Example: ./maeotis run scenarios/azov_storm_2014.json -n 2 --until 2014-09-24T00:00:00Z\n";

typedef struct RunOptions {
    const char *scenario, *restart, *device, *json, *until, *cluster;
    int64_t steps;
    bool force, quiet, overwrite, new_folder, help;
    Overrides overrides;
} RunOptions;

static volatile sig_atomic_t stop_asked, checkpoint_asked;

static void on_signal(int number) {
    if (number == SIGUSR1)
        checkpoint_asked = 1;
    else
        stop_asked = 1;
}

static void catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* nobody reads the progress line any more: no reason to lose the run */
}

enum { STEPS = 256, UNTIL, RESTART, FORCE, SET, DEVICE, CLUSTER, LOG_JSON, QUIET, OVERWRITE, NEW_FOLDER };

static Status take_option(int option, const char *value, RunOptions *o) {
    switch (option) {
    case STEPS:
        return option_whole("--steps", value, 0, &o->steps);
    case UNTIL:
        o->until = value;
        return STATUS_OK;
    case RESTART:
        o->restart = value;
        return STATUS_OK;
    case FORCE:
        o->force = true;
        return STATUS_OK;
    case SET:
        return overrides_add(&o->overrides, value);
    case DEVICE:
        o->device = value;
        return STATUS_OK;
    case CLUSTER:
        o->cluster = value;
        return STATUS_OK;
    case LOG_JSON:
        o->json = value;
        return STATUS_OK;
    case OVERWRITE:
        o->overwrite = true;
        return STATUS_OK;
    case NEW_FOLDER:
        o->new_folder = true;
        return STATUS_OK;
    case QUIET:
        o->quiet = true;
        return STATUS_OK;
    default:
        return error_raise(STATUS_BAD_INPUT,
                           "run: unknown option or missing value: %s (see ./maeotis run --help)", value);
    }
}

static Status parse_options(int argc, char **argv, RunOptions *o) {
    static const struct option names[] = {{"steps", required_argument, NULL, STEPS},
                                          {"until", required_argument, NULL, UNTIL},
                                          {"restart", required_argument, NULL, RESTART},
                                          {"force", no_argument, NULL, FORCE},
                                          {"set", required_argument, NULL, SET},
                                          {"device", required_argument, NULL, DEVICE},
                                          {"cluster", required_argument, NULL, CLUSTER},
                                          {"log-json", required_argument, NULL, LOG_JSON},
                                          {"quiet", no_argument, NULL, QUIET},
                                          {"overwrite", no_argument, NULL, OVERWRITE},
                                          {"new-folder", no_argument, NULL, NEW_FOLDER},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    *o = (RunOptions){.steps = -1};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
        o->help = c == 'h';
        if (o->help) return STATUS_OK;
        TRY(take_option(c, c == '?' ? argv[optind - 1] : optarg, o));
    }
    CHECK(optind == argc - 1, STATUS_BAD_INPUT, "run: %s (see ./maeotis run --help)",
          optind == argc ? "no scenario given" : "give only one scenario");
    o->scenario = argv[optind];
    return STATUS_OK;
}

/* Where the run stops, but for --steps [s since the start]. */
static Status find_end(const RunOptions *o, const Scenario *s, double *end) {
    *end = s->time.duration_s;
    if (!o->until) return STATUS_OK;
    double until;
    char why[160];
    CHECK(calendar_parse(o->until, &until, why) == STATUS_OK, STATUS_BAD_INPUT, "--until %s: %s", o->until,
          why);
    CHECK(until > s->time.start, STATUS_BAD_INPUT, "--until %s is not after the scenario's start", o->until);
    /* dates are counted from 1970, which leaves a fraction of a microsecond in doubt */
    *end = fmin(*end, nearbyint((until - s->time.start) * 1e6) / 1e6);
    return STATUS_OK;
}

typedef struct RunState {
    const Scenario *scenario;
    Simulation *sim;
    Output *output;
    Progress *progress;
    RunFacts facts;
    const RunOptions *options;
    int rank;
    char restart[512];     /* the newest one written */
    RestartFiles restarts; /* on rank 0 */
    FolderLock lock;       /* on rank 0 */
    char *inputs;          /* on rank 0 */
    RunRecord *record;
    StepHistory history;
} RunState;

static Status checkpoint(RunState *run) {
    TRY(checkpoint_write(run->sim, &run->facts, run->output, run->restart));
    if (run->rank == 0) restart_files_add(&run->restarts, run->restart, run->scenario->restart.keep);
    if (run->progress) (void)progress_finish(run->progress);
    log_info("restart file: %s", run->restart);
    return STATUS_OK;
}

/* What this rank has been asked for; the ranks agree on the largest in each step. */
typedef enum Asked { ASKED_NOTHING, ASKED_TO_WRITE, ASKED_TO_STOP } Asked;

static double asks(void) {
    return stop_asked ? ASKED_TO_STOP : checkpoint_asked ? ASKED_TO_WRITE : ASKED_NOTHING;
}

static bool is_done(const RunState *run) {
    const int64_t steps = run->options->steps;
    return time_step_done(run->sim) || (steps >= 0 && run->sim->state->step >= steps);
}

/* `advice` ends the sentence on what to do. */
static void warn_unsolved(RunState *run, const char *system, const char *key, MatmVariant variant,
                          double residual, int iterations, const char *advice) {
    (void)progress_finish(run->progress);
    log_warn("step %" PRId64 ": the solver of %s stopped at a residual of %.1e after %d iterations; raise "
             "solver.%s.max_iterations%s or shorten time.step_s%s",
             run->sim->state->step, system, residual, iterations, key,
             variant == VARIANT_AUTO ? "" : ", set its variant to \"auto\"", advice);
}

static Status check_step(RunState *run) {
    const StepReport *r = &run->sim->report;
    const ScenarioSolver *solver = &run->scenario->solver;
    const char *const volume = " (volume is conserved all the same)";
    history_add(&run->history, run->sim);
    if (r->broken) return autopsy(run->sim, &run->facts, &run->history);
    if (!r->surface.converged)
        warn_unsolved(run, "the surface", "surface", solver->surface_variant, r->surface.residual,
                      r->surface.iterations, volume);
    for (int c = 0; c < 2; c++) {
        const SolveReport *m = &r->momentum[c];
        if (!m->converged)
            warn_unsolved(run, c == 0 ? "u" : "v", "momentum", solver->momentum_variant, m->residual,
                          m->iterations, "");
    }
    if (!r->pressure.converged)
        warn_unsolved(run, "the non-hydrostatic pressure", "pressure", solver->pressure_variant,
                      r->pressure.residual, r->pressure.iterations, volume);
    return STATUS_OK;
}

static Status time_loop(RunState *run) {
    State *state = run->sim->state;
    Schedule restarts = schedule_after(run->scenario->restart.every_s, state->time);
    bool written = false; /* a restart file of this very step */
    while (!is_done(run)) {
        TRY(simulation_step(run->sim));
        TRY(check_step(run));
        progress_note(run->progress, state);
        LedgerRow ledger = simulation_ledger(run->sim);
        progress_show(run->progress, run->sim, &ledger);
        TRY(output_step(run->output, state, &ledger));
        const bool stop = run->sim->asked >= ASKED_TO_STOP, write = run->sim->asked >= ASKED_TO_WRITE;
        if (write) checkpoint_asked = 0;
        const bool due = run->scenario->restart.every_s > 0 && schedule_due(&restarts, state->time);
        if (due) schedule_advance(&restarts, state->time);
        written = write || due;
        if (written) TRY(checkpoint(run));
        if (stop) return STATUS_INTERRUPTED;
    }
    if (run->scenario->restart.at_end && !written) TRY(checkpoint(run));
    return STATUS_OK;
}

/* "72 steps of 60 s" or "steps of 1 to 300 s" */
static void describe_steps(const RunState *run, double seconds, char out[80]) {
    const ScenarioTime *t = &run->scenario->time;
    if (t->automatic)
        snprintf(out, 80, "steps of %g to %g s", t->step_bounds_s[0], t->step_bounds_s[1]);
    else
        snprintf(out, 80, "%.0f steps of %g s", ceil(seconds / t->step_s - 1e-9) + 0.0, t->step_s);
}

static void say_start(const RunState *run, double end) {
    const Scenario *s = run->scenario;
    const Grid *g = run->sim->grid;
    int64_t columns, cells;
    const double begin = run->sim->state->time;
    char from[32], to[32], steps[80], *forcing = forcing_describe(run->sim->forcing);
    grid_count(g, &columns, &cells);
    describe_steps(run, end - begin, steps);
    calendar_format_since(s->time.start, begin, from);
    calendar_format_since(s->time.start, end, to);
    log_info("%s", s->title ? s->title : s->name);
    log_info("  grid     %d x %d x %d, %" PRId64 " wet columns, %" PRId64 " wet cells; %d x %d ranks", g->nx,
             g->ny, g->n3, columns, cells, g->decomposition.ranks_x, g->decomposition.ranks_y);
    log_info("  forcing  %s", forcing);
    if (run->sim->exchange) {
        char *air = exchange_describe(run->sim->exchange);
        log_info("  air      %s", air);
        memory_free(air);
    }
    if (run->sim->potential) {
        char *potential = equilibrium_tide_describe(run->sim->potential);
        log_info("  tides    potential of %s", potential);
        memory_free(potential);
    }
    if (run->sim->waves) {
        char *waves = wind_waves_describe(run->sim->waves);
        log_info("  waves    %s", waves);
        memory_free(waves);
    }
    char *outside = boundaries_describe(run->sim->boundaries);
    if (outside) log_info("  outside  %s", outside);
    memory_free(outside);
    log_info("  time     %s to %s, %s", from, to, steps);
    memory_free(forcing);
}

static void say_end(RunState *run, double seconds, Status status) {
    LedgerRow ledger = simulation_ledger(run->sim);
    char date[32];
    run->record->digest = ledger.digest;
    calendar_format_since(run->sim->state->start, run->sim->state->time, date);
    progress_warn(run->sim->state, &ledger);
    log_info("%s at %s after %.1f s; volume budget closed to %.1e of the volume; digest %016" PRIx64,
             status == STATUS_INTERRUPTED ? "stopped on request" : "done", date, seconds,
             ledger.volume_m3 > 0 ? ledger.error_m3 / ledger.volume_m3 : 0, ledger.digest);
    const char *const *files = output_files(run->output);
    if (files[0]) log_info("files:");
    for (int n = 0; files[n]; n++) log_info("  %s", files[n]);
    if (run->restart[0]) {
        const bool whole = run->sim->state->time >= run->scenario->time.duration_s - SCHEDULE_EARLY_S;
        char *changes = memory_copy_text("");
        overrides_append(&run->options->overrides, &changes);
        log_info("%s: ./maeotis run %s%s --restart %s",
                 whole ? "with a later /time/end, continue with" : "continue with", run->scenario->path,
                 changes, run->restart);
        memory_free(changes);
    }
    if (files[0])
        log_info("look at it: ./maeotis report %s (one page), ./maeotis plot %s (pictures)",
                 run->scenario->output_folder, files[0]);
}

static const char *device_of(const RunOptions *o, const Scenario *s) {
    return o->device ? o->device : s->solver.device ? s->solver.device : "cpu";
}

static Status guard_files(const RunOptions *o, const Scenario *s) {
    char *record = run_record_path(s->output_folder);
    const GuardOptions guard = {o->restart, o->json, record, o->overwrite || getenv("MAEOTIS_OVERWRITE")};
    const Status status = output_guard(s, &guard);
    memory_free(record);
    return status;
}

/* Nothing is written before all that may be refused has been looked at. */
static Status prepare(RunState *run, const RunOptions *o, double *end, MPI_Comm comm) {
    const Scenario *s = run->scenario;
    TRY(simulation_create(s, comm, device_of(o, s), &run->sim));
    run->sim->keeps_digest = true;
    run->sim->asks = asks;
    TRY(simulation_check_records(run->sim, false));
    TRY(output_check(s, run->sim->grid));
    run->facts.ground = run->sim->ground_note;
    TRY(status_agree(comm, run->rank == 0 ? inputs_describe(s, &run->inputs) : STATUS_OK));
    run->facts.inputs = run->inputs;
    if (o->restart) {
        TRY(checkpoint_read(run->sim, o->restart, o->force));
        TRY(status_agree(comm, run->rank == 0 ? inputs_check_restart(o->restart, run->inputs, o->force)
                                              : STATUS_OK));
    }
    run->sim->until = *end;
    if (o->restart && is_done(run)) return STATUS_OK;
    const double begin = run->sim->state->time;
    if (o->steps >= 0 && !s->time.automatic)
        *end = fmin(*end, begin + (double)(o->steps - run->sim->state->step) * s->time.step_s);
    const double left = *end - begin;
    TRY(status_agree(comm, run->rank == 0 ? output_check_space(s, run->sim->state, left) : STATUS_OK));
    TRY(status_agree(comm, run->rank == 0 ? guard_files(o, s) : STATUS_OK));
    TRY(status_agree(comm, progress_create(s, run->rank, begin, *end, o->json, o->quiet, &run->progress)));
    TRY(status_agree(comm, run->rank == 0 ? folder_lock(s->output_folder, &run->lock) : STATUS_OK));
    TRY(status_agree(comm, progress_begin(run->progress)));
    TRY(output_create(s, &run->facts, run->sim->state, o->restart != NULL, &run->output));
    if (o->restart) return restart_read_output(o->restart, run->output, run->sim->state);
    LedgerRow ledger = simulation_ledger(run->sim);
    return output_step(run->output, run->sim->state, &ledger);
}

static Status run_scenario(const RunOptions *o, const Scenario *s, const char *command, RunRecord *record,
                           MPI_Comm comm) {
    char *effective = scenario_effective(s);
    RunState run = {
        .scenario = s, .facts = {effective, s->text, NULL, command, NULL}, .options = o, .record = record};
    double end;
    double seconds;
    Status status;
    MPI_Comm_rank(comm, &run.rank);
    ATTEMPT(find_end(o, s, &end));
    ATTEMPT(prepare(&run, o, &end, comm));
    if (!run.output) {
        log_info("nothing is left to do: %s is at or beyond the end of the run; set a later /time/end to "
                 "continue from there",
                 o->restart);
        goto cleanup;
    }
    say_start(&run, end);
    run_record_begin(record, run.sim, device_of(o, s), command);
    progress_start_clock(run.progress);
    status = time_loop(&run);
    seconds = progress_finish(run.progress);
    run_record_end(record, run.sim);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED) say_end(&run, seconds, status);
    if (status == STATUS_OK) status = status_agree(comm, progress_check_log(run.progress));
cleanup:
    if (run.output) {
        Status closed = output_close(&run.output);
        if (status == STATUS_OK) status = closed;
    }
    folder_unlock(&run.lock);
    restart_files_release(&run.restarts);
    progress_destroy(&run.progress);
    simulation_destroy(&run.sim);
    memory_free(run.inputs);
    memory_free(effective);
    return status;
}

/* The folder's name with the present date and time, those of rank 0. Collective. */
static void take_new_folder(Scenario *scenario, MPI_Comm comm) {
    double now = (double)time(NULL);
    char date[32];
    MPI_Bcast(&now, 1, MPI_DOUBLE, 0, comm);
    calendar_format_compact(now, 0, date);
    char *folder = memory_format("%s_%s", scenario->output_folder, date);
    memory_free(scenario->output_folder);
    scenario->output_folder = folder;
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
        log_info("%d of %d processes compute: the grid is too small for more, or solver.ranks requests fewer "
                 "(-n %d starts no others)",
                 most, ranks, most);
    return working;
}

/* The working ranks run; the others wait, asleep. Collective. */
static Status run_on_some(const RunOptions *o, const Scenario *s, const char *command, RunRecord *record) {
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

/* Speeds and devices of a described cluster, as if they had been given by --set and --device. */
typedef struct ClusterWords {
    char *speeds, *devices;
} ClusterWords;

/* Each rank reads the file by itself. Ranks of a node are neighbours in the list of calculators. Local. */
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
cleanup:
    memory_free(speed);
    memory_free(all);
    cluster_release(&cluster);
    return status;
}

int run_command(int argc, char **argv) {
    RunOptions options;
    ClusterWords words = {NULL, NULL};
    Scenario *scenario = NULL;
    RunRecord record = {.started = MPI_Wtime()};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Status status = parse_options(argc, argv, &options);
    if (status == STATUS_OK && options.help) {
        if (rank == 0) fputs(HELP, stdout);
        return 0;
    }
    catch_signals(); /* one that comes during the preparations counts after the first step */
    char *command = command_line(argc, argv);
    if (status == STATUS_OK && options.cluster)
        status = status_agree(MPI_COMM_WORLD, read_cluster(&options, &words));
    if (status == STATUS_OK)
        status = scenario_load(MPI_COMM_WORLD, options.scenario, &options.overrides, &scenario);
    if (status == STATUS_OK) status = nest_complete(MPI_COMM_WORLD, scenario);
    if (status == STATUS_OK && options.new_folder) take_new_folder(scenario, MPI_COMM_WORLD);
    if (status == STATUS_OK) status = run_on_some(&options, scenario, command, &record);
    memory_free(command);
    scenario_destroy(&scenario);
    error_report(MPI_COMM_WORLD);
    leave_record(&record, status);
    memory_free(words.speeds);
    memory_free(words.devices);
    return status;
}
