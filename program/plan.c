/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis plan: how a sea is best cut for a cluster, and what a step will take there.
 */
#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "gpu/kernel.h"
#include "kinetics/module.h"
#include "model/nest.h"
#include "model/terrain.h"
#include "numerics/cluster/fragments.h"
#include "numerics/grid/decomposition.h"
#include "numerics/grid/grid.h"
#include "program/commands.h"
#include "program/plan_picture.h"
#include "program/trial.h"
#include "settings/load.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HELP[] =
    "maeotis plan SCENARIO.json [options]       predicts the time of a step on a cluster\n"
    "\n"
    "  --cluster FILE        the cluster (default cluster.json, from maeotis calibrate or by hand)\n"
    "  --processes N         plan for N processes; default: the number with the shortest step\n"
    "  --finer F             plan for the same sea with cells F times smaller\n"
    "  --levels N            plan for the same sea with N levels\n"
    "  --svg FILE            draw the decomposition and the pipeline of a sweep\n"
    "  --steps N             steps of the trial here (default 10)\n"
    "  --set /POINTER=VALUE  change the scenario, such as --set /solver/ranks=[4,2]\n"
    "  --trust               load the scenario's kinetics module, a program (see maeotis check --help)\n"
    "\n"
    "Runs the first steps of the scenario here, on one core, to count the messages of a step. Then it\n"
    "simulates each process of the cluster: it computes, waits for its neighbours, and sends. The forecast\n"
    "leaves out tridiagonal solves, multigrid's coarse grids and output.\n"
    "\n"
    "Example: ./maeotis plan scenarios/azov_storm_2014.json --processes 4 --svg plan.svg\n";

typedef struct Options {
    const char *scenario, *cluster, *svg;
    int64_t ranks, finer, levels, steps;
    bool help;
    Overrides overrides;
} Options;

static Status parse_options(int argc, char **argv, Options *o) {
    bool trust = false;
    const Option options[] = {{"cluster", OPTION_TEXT, &o->cluster},
                              {"processes", OPTION_WHOLE, &o->ranks, .least = 1},
                              {"ranks", OPTION_RENAMED, .now = "processes"},
                              {"finer", OPTION_WHOLE, &o->finer, .least = 1},
                              {"levels", OPTION_WHOLE, &o->levels, .least = 1},
                              {"svg", OPTION_TEXT, &o->svg},
                              {"steps", OPTION_WHOLE, &o->steps, .least = 3},
                              {"set", OPTION_TAKE, &o->overrides, .take = overrides_take},
                              {"trust", OPTION_FLAG, &trust},
                              {NULL}};
    *o = (Options){.cluster = "cluster.json", .finer = 1, .steps = 10};
    Operands scenario = {"scenario", 1, 1, &o->scenario};
    TRY(options_read("plan", argc, argv, options, &scenario));
    o->help = scenario.help;
    if (trust) kinetics_trust(true);
    return STATUS_OK;
}

/* Everything that a plan is made from. */
typedef struct Plan {
    const Options *options;
    const Scenario *scenario;
    Cluster cluster;
    Trial trial;
    Calculator *calculator;
    int64_t calculators;
    CutProblem cut;
    ForecastProblem problem;
    double *speed;                  /* of each calculator */
    int ranks_x, ranks_y, n_speeds; /* as the scenario wants it */
    int64_t asked;                  /* processes, by --processes or the scenario; 0: whatever is best */
} Plan;

/* The number of ranks that is asked for. */
static Status find_asked(Plan *plan) {
    const int64_t wanted = plan->options->ranks, shape = (int64_t)plan->ranks_x * plan->ranks_y,
                  given = shape > 0 ? shape : plan->n_speeds;
    plan->asked = wanted > 0 ? wanted : given;
    CHECK(given == 0 || plan->asked == given, STATUS_BAD_INPUT,
          "--processes requests %lld processes, but %s of the scenario is for %lld: change one of them",
          (long long)wanted, shape > 0 ? "/solver/ranks" : "/solver/speeds", (long long)given);
    return STATUS_OK;
}

/* Pieces of sweeps that a simulation keeps at once, and cells along a side: beyond them a plan takes gigabytes. */
static const double MOST_PIECES = 3e7, MOST_SIDE = 1e8;
/* Columns whose water is kept, each of which may stand for several. */
static const double MOST_COLUMNS = 2e6;

/* Memory of all nodes [bytes]; 0: of one of them it is not known. */
static double memory_of_cluster(const Cluster *cluster) {
    double all = 0;
    for (int n = 0; n < cluster->n_nodes; n++) {
        if (!(cluster->node[n].memory_GB > 0)) return 0;
        all += 1e9 * cluster->node[n].memory_GB * cluster->node[n].count;
    }
    return all;
}

/* What the cells of so fine a sea take at least [bytes]. */
static double memory_of_sea(const Plan *plan, double finer) {
    const Trial *t = &plan->trial;
    const double levels = plan->options->levels > 0 ? (double)plan->options->levels : t->nz;
    return finer * finer * t->columns * levels * t->profile.bytes_cell;
}

/* The sea as it is gets a warning alone. */
static bool fits_memory(const Plan *plan, double finer) {
    const double has = memory_of_cluster(&plan->cluster);
    return finer <= 1 || has <= 0 || memory_of_sea(plan, finer) <= has;
}

/* Can a grid with cells so much smaller be simulated? */
static bool can_be_simulated(const Plan *plan, double finer) {
    const Trial *t = &plan->trial;
    const double levels = plan->options->levels > 0 ? (double)plan->options->levels : t->nz;
    const double ranks = (double)(plan->asked > 0 ? plan->asked : plan->calculators), side = 2 * sqrt(ranks);
    const double cells = finer * finer * t->columns * levels;
    if (fmax(t->nx, t->ny) * finer > MOST_SIDE || levels > MOST_SIDE || !fits_memory(plan, finer))
        return false;
    return ranks * (sweep_messages((int)side, (int)side, cells) + side) <= MOST_PIECES;
}

static Status check_size(const Plan *plan) {
    const double finer = (double)plan->options->finer;
    double fits = 0, beyond = finer;
    if (can_be_simulated(plan, finer)) return STATUS_OK;
    while (beyond - fits > 1) {
        const double middle = floor(0.5 * (fits + beyond));
        if (can_be_simulated(plan, middle))
            fits = middle;
        else
            beyond = middle;
    }
    CHECK(fits >= 1, STATUS_BAD_INPUT, "the plan would be too large: choose fewer --levels or --processes");
    CHECK(fits_memory(plan, finer), STATUS_BAD_INPUT,
          "--finer %lld is too much for a plan with this cluster: the sea needs %.3g GB, all nodes together "
          "have %.3g GB: at most %.0f",
          (long long)plan->options->finer, 1e-9 * memory_of_sea(plan, finer),
          1e-9 * memory_of_cluster(&plan->cluster), fits);
    return error_raise(
        STATUS_BAD_INPUT,
        "--finer %lld is too much for a plan with this sea and so many processes: at most %.0f",
        (long long)plan->options->finer, fits);
}

/* The sea in columns that stand for as few of the finer grid as may be, 1, 2, 4, 8 or more along each side: cuts lie
 * between them, and how finely work can be shared is what makes it even. Returns how many. */
static double split_columns(Trial *t, double finer) {
    double together = 1;
    while (t->nx * finer / together * (t->ny * finer / together) > MOST_COLUMNS && together < finer)
        together *= 2;
    if (together >= finer) return finer;
    const double parts = finer / together;
    const int nx = (int)(t->nx * parts), ny = (int)(t->ny * parts);
    double *weight = ALLOCATE((size_t)nx * (size_t)ny, double);
    t->columns = t->cells = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const ptrdiff_t from = (ptrdiff_t)((j + 0.5) / parts) * t->nx + (ptrdiff_t)((i + 0.5) / parts);
            weight[(ptrdiff_t)j * nx + i] = t->weight[from];
            if (!(t->weight[from] > 0)) continue;
            t->columns++;
            t->cells += t->weight[from] - GRID_SURFACE_WORK;
        }
    memory_free(t->weight);
    t->weight = weight;
    t->nx = nx, t->ny = ny;
    return together;
}

/* The same sea on a finer grid. */
static void refine(Plan *plan) {
    Trial *t = &plan->trial;
    const double finer = split_columns(t, (double)plan->options->finer);
    const double levels = plan->options->levels > 0 ? (double)plan->options->levels : t->nz;
    const double more = levels / t->nz;
    if (more != 1) {
        for (ptrdiff_t n = 0; n < (ptrdiff_t)t->nx * t->ny; n++)
            if (t->weight[n] > 0)
                t->weight[n] = GRID_SURFACE_WORK + more * (t->weight[n] - GRID_SURFACE_WORK);
        if (t->profile.levels > 1) t->profile.sweep_bytes *= more;
    }
    plan->problem.finer = finer;
    plan->problem.levels = levels;
    plan->cut = decomposition_problem(t->nx, t->ny, GRID_SURFACE_WORK + levels, t->weight,
                                      &(CutWishes){.patch = plan->scenario->solver.patch});
    plan->cut.grain = (int)fmax(1, ceil(plan->cut.grain / finer));
    plan->cut.thinnest = (int)fmax(1, ceil(plan->cut.thinnest / finer));
    if (plan->cut.patch > 0) plan->cut.patch = (int)fmax(1, round(plan->cut.patch / finer));
    for (int n = 0; n < 2; n++) plan->cut.edge[n] /= finer;
    plan->cut.stage /= finer * finer;
    plan->cut.periodic_x = t->periodic_x, plan->cut.periodic_y = t->periodic_y;
    plan->cut.kind = terrain_cuts(plan->scenario);
    plan->cut.neighbour /= finer * finer;
    plan->cut.swept = terrain_swept_part(plan->scenario);
}

/* Where the cluster was calibrated on this machine, its calculators are compared with the one of the trial;
 * else the times in its file are taken as those of this scenario: percentiles of a calibration, medians of a description. */
static bool find_reference(Plan *plan) {
    char host[256] = "";
    const ClusterDevice *first = &plan->cluster.node[0].device[0];
    (void)gethostname(host, sizeof host - 1);
    const bool here = plan->cluster.host && strcmp(plan->cluster.host, host) == 0 && first->kind == KIND_CPU;
    for (int k = 0; k < KERNELS; k++)
        plan->problem.reference_ns[k] = !plan->cluster.host   ? plan->trial.median[k]
                                        : !here               ? plan->trial.ns[k]
                                        : first->alone[k] > 0 ? first->alone[k]
                                                              : first->ns[k];
    return here;
}

static Status prepare(Plan *plan) {
    const Options *o = plan->options;
    const int64_t asked = plan->asked;
    if (access(o->cluster, R_OK) != 0)
        return error_raise(STATUS_BAD_INPUT,
                           "there is no cluster in %s: make one with ./maeotis calibrate -n 2 -o %s, or name "
                           "another with --cluster",
                           o->cluster, o->cluster);
    TRY(cluster_read(o->cluster, &plan->cluster));
    plan->calculator = cluster_calculators(&plan->cluster, &plan->calculators);
    CHECK(asked <= plan->calculators, STATUS_BAD_INPUT,
          "%s describes cores and GPUs for %lld processes, fewer than the %lld that %s: describe more nodes",
          o->cluster, (long long)plan->calculators, (long long)asked,
          o->ranks > 0 ? "--processes requests" : "/solver of the scenario requests");
    CHECK(plan->calculators <= 1 << 24, STATUS_BAD_INPUT,
          "%s describes cores and GPUs for %lld processes: too many to plan for", o->cluster,
          (long long)plan->calculators);
    TRY(cluster_speeds(&plan->cluster, o->cluster, (int)plan->calculators, &plan->speed));
    TRY(trial_run(plan->scenario, "cpu", (int)o->steps, &plan->trial));
    TRY(check_size(plan));
    const int nx = plan->trial.nx * (int)o->finer, ny = plan->trial.ny * (int)o->finer;
    refine(plan);
    const int most = decomposition_most_ranks((int)plan->calculators, nx, ny);
    CHECK(asked <= most, STATUS_BAD_INPUT,
          "a grid of %d x %d cells cannot be shared by %lld processes: at most %d fit", nx, ny,
          (long long)asked, most);
    plan->problem.cut = &plan->cut;
    plan->problem.surface_work = GRID_SURFACE_WORK;
    plan->problem.cluster = &plan->cluster;
    plan->problem.calculator = plan->calculator;
    plan->problem.profile = plan->trial.profile;
    plan->cut.speed = plan->speed;
    return STATUS_OK;
}

/* Of the whole sea, on the first rank while it starts. */
static double cutting_bytes(const Plan *plan) {
    const double finer = plan->problem.finer;
    return terrain_cutting_bytes(finer * plan->trial.nx * finer * plan->trial.ny);
}

/* false: so many ranks cannot share the grid. */
static bool forecast_ranks(const Plan *plan, int ranks, Cuts *cuts, Forecast *forecast) {
    const bool shaped = (int64_t)plan->ranks_x * plan->ranks_y == ranks;
    CutProblem cut = plan->cut;
    if (plan->n_speeds == ranks) cut.speed = plan->scenario->solver.speeds;
    if (!cuts_find(&cut, ranks, shaped ? plan->ranks_x : 0, shaped ? plan->ranks_y : 0, cuts)) {
        cuts_release(cuts);
        return false;
    }
    forecast_step(&plan->problem, cuts, 0, forecast);
    return true;
}

/* ---- words ---- */

static void tell_sea(const Plan *plan, bool here) {
    const Trial *t = &plan->trial;
    const double area = plan->problem.finer * plan->problem.finer, more = plan->problem.levels / t->nz;
    const StepProfile *p = &t->profile;
    printf("sea        %.0f x %.0f x %.0f cells, %.4g wet columns, %.4g wet cells\n",
           t->nx * plan->problem.finer, t->ny * plan->problem.finer, plan->problem.levels, t->columns * area,
           t->cells * area * more);
    printf("a step     here on one core: %.1f ns per wet cell; %.0f halo exchanges, %.0f sweeps, %.0f global "
           "sums\n",
           t->ns[KERNEL_STEP], p->exchanges, p->sweeps, p->sums);
    printf("cluster    %s: %lld calculators; %s\n", plan->cluster.name, (long long)plan->calculators,
           here ? "calibrated on this machine" : "times per node from its file");
    printf("links      within a node %.3g us + %.3g ns per byte, between nodes %.3g us + %.3g ns per byte\n",
           plan->cluster.inside.latency_us, plan->cluster.inside.ns_per_byte,
           plan->cluster.between.latency_us, plan->cluster.between.ns_per_byte);
}

static void tell_row(const Plan *plan, const Cuts *cuts, const Forecast *f) {
    printf("%7d  %5d x %-5d %12.4g %10.1f %8.1f %8.1f %8.1f  %10.2f\n", f->ranks, cuts->ranks_x,
           cuts->ranks_y, 1e3 * f->step, 100 * f->computing / f->step, 100 * f->waiting / f->step,
           100 * f->sending / f->step, 100 * f->sweeps_share, cuts_imbalance(&plan->cut, cuts));
}

static void tell_rank(const Plan *plan, const Cuts *cuts, const Forecast *f, int n) {
    const ForecastRank *r = &f->rank[n];
    const Calculator *on = &plan->calculator[n];
    const int q = n / cuts->ranks_x, *x = cuts_of_strip(cuts, q) + n % cuts->ranks_x;
    const int finer = (int)plan->problem.finer;
    double cells = 0;
    for (int m = 0; m < f->ranks; m++) cells += f->rank[m].cells;
    printf("%6d %c %5d %-4s %6d-%-6d %6d-%-6d %6.2f %9.4g %9.4g %9.4g %9.4g %8.1f\n", n,
           n < 62 ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[n] : ' ', on->node,
           device_kind_name(on->device->kind), finer * x[0], finer * x[1] - 1, finer * cuts->y[q],
           finer * cuts->y[q + 1] - 1, 100 * r->cells / cells, 1e3 * r->computing, 1e3 * r->waiting,
           1e3 * r->sending, 1e-3 * r->sent_bytes, 1e-6 * r->memory_bytes);
}

/* The busiest, and if there are few all ranks. */
static void tell_shares(const Plan *plan, const Cuts *cuts, const Forecast *f) {
    enum { FEW = 16 };
    int busiest = 0;
    for (int n = 0; n < f->ranks; n++)
        if (f->rank[n].computing > f->rank[busiest].computing) busiest = n;
    printf("\n"
           "process   node           columns          rows  share    computing  waiting  sending  kB sent   "
           "MB used\n"
           "                                                  %%         ms        ms       ms per step\n");
    for (int n = 0; n < f->ranks && f->ranks <= FEW; n++) tell_rank(plan, cuts, f, n);
    if (f->ranks > FEW) {
        printf("the first and the busiest process:\n");
        tell_rank(plan, cuts, f, 0);
        tell_rank(plan, cuts, f, busiest);
    }
}

/* How a sweep's time depends on the number of messages: the solver's, and the best of the simulation. */
static void tell_pipeline(const Plan *plan, const Cuts *cuts, const Forecast *f) {
    static const double times[] = {0.25, 0.5, 0.7, 1.4, 2, 4};
    int best = f->messages;
    double least = f->step;
    for (size_t n = 0; n < sizeof times / sizeof *times; n++) {
        const int m = (int)fmax(1, times[n] * f->messages);
        Forecast other;
        forecast_step(&plan->problem, cuts, m, &other);
        if (other.step < least) least = other.step, best = m;
        forecast_release(&other);
    }
    printf("\n"
           "pipeline   %d messages per sweep and side, %d stretches; the best number tried is %d, with a "
           "step shorter by %.1f %%\n",
           f->messages, f->stretches, best, 100 * (1 - least / f->step));
}

static void tell_memory(const Plan *plan, const Forecast *f) {
    double held = 0, worst = 0;
    for (int n = 0; n < f->ranks; n++) {
        const Calculator *on = &plan->calculator[n];
        held = n > 0 && plan->calculator[n - 1].node == on->node ? held : 0;
        held += f->rank[n].memory_bytes + (n == 0 ? cutting_bytes(plan) : 0); /* on the host */
        const ClusterNode *node = plan->cluster.node;
        for (int copies = on->node; copies >= node->count; node++) copies -= node->count;
        if (node->memory_GB > 0) worst = fmax(worst, held / (1e9 * node->memory_GB));
        if (on->device->memory_GB > 0)
            worst = fmax(worst, f->rank[n].memory_bytes / (1e9 * on->device->memory_GB));
    }
    printf("memory     process 0 needs %.4g MB beyond its part during the decomposition\n",
           1e-6 * cutting_bytes(plan));
    if (worst > 0) printf("memory     the fullest node or device is %.3g %% full\n", 100 * worst);
    if (worst > 1) log_warn("the sea does not fit into the memory of a node or device: use more processes");
}

static char *append_free(char *text, char *more) {
    char *both = memory_format("%s%s", text, more);
    memory_free(text);
    memory_free(more);
    return both;
}

/* The words after `maeotis` that run what was planned: the plan's own --set, and a grid as fine; the caller frees them. */
static char *run_words(const Plan *plan) {
    const Options *o = plan->options;
    const ScenarioGrid *g = &plan->scenario->grid;
    const double finer = (double)o->finer;
    char *words = memory_format("run %s", o->scenario);
    for (int n = 0; n < o->overrides.count; n++)
        words = append_free(words, memory_format(" --set '%s'", o->overrides.text[n]));
    if (finer > 1 && g->dlon_deg > 0)
        words = append_free(words, memory_format(" --set /grid/dlon_deg=%.10g --set /grid/dlat_deg=%.10g",
                                                 g->dlon_deg / finer, g->dlat_deg / finer));
    else if (finer > 1)
        words = append_free(words, memory_format(" --set /grid/dx_m=%.10g --set /grid/dy_m=%.10g",
                                                 g->dx_m / finer, (g->dy_m > 0 ? g->dy_m : g->dx_m) / finer));
    return append_free(words, memory_format(" --cluster %s", o->cluster));
}

static void tell_launch(const Plan *plan, int ranks) {
    const Options *o = plan->options;
    const int nodes = plan->calculator[ranks - 1].node + 1, per_node = (ranks + nodes - 1) / nodes;
    char *words = run_words(plan);
    printf("\nlaunch     ./maeotis %s -n %d\n", words, ranks);
    if (nodes > 1) {
        printf("           mpirun -n %d --map-by ppr:%d:node maeotis %s\n", ranks, per_node, words);
        printf("           srun --mpi=pmix --nodes=%d --ntasks=%d --ntasks-per-node=%d maeotis %s\n", nodes,
               ranks, per_node, words);
    }
    if (o->levels > 0)
        printf("           once the scenario's /grid/levels has %lld layers\n", (long long)o->levels);
    memory_free(words);
}

static Status tell_one(const Plan *plan, int ranks) {
    Cuts cuts;
    Forecast f;
    CHECK(
        forecast_ranks(plan, ranks, &cuts, &f), STATUS_BAD_INPUT,
        "a grid of %.0f x %.0f cells cannot be cut into %d rectangles%s: choose another number of processes",
        plan->trial.nx * plan->problem.finer, plan->trial.ny * plan->problem.finer, ranks,
        plan->ranks_x > 0 ? " as /solver/ranks requests them" : "");
    printf("\n"
           "%d x %d processes: a step takes %.4g ms: computing %.4g, waiting %.4g, sending %.4g; efficiency "
           "%.1f %%\n",
           cuts.ranks_x, cuts.ranks_y, 1e3 * f.step, 1e3 * f.computing, 1e3 * f.waiting, 1e3 * f.sending,
           100 * f.efficiency);
    printf("lost       balance %.4g ms, %.0f halo exchanges %.4g ms, %.0f sweeps %.4g ms beyond their work, "
           "%.0f sums %.4g ms\n",
           1e3 * f.balance, plan->problem.profile.exchanges, 1e3 * f.halos, plan->problem.profile.sweeps,
           1e3 * f.fill, plan->problem.profile.sums, 1e3 * f.sums);
    int neighbours = 0;
    for (int n = 0; n < ranks; n++) neighbours = (int)fmax(neighbours, f.rank[n].neighbours);
    printf("balance    the busiest process has %.2f times the mean work for its speed; a process has at most "
           "%d neighbours\n"
           "\n",
           cuts_imbalance(&plan->cut, &cuts), neighbours);
    plan_print_map(&plan->cut, &cuts);
    tell_shares(plan, &cuts, &f);
    tell_pipeline(plan, &cuts, &f);
    plan_print_sweep(&f);
    tell_memory(plan, &f);
    tell_launch(plan, ranks);
    Status status = plan->options->svg ? plan_draw(plan->options->svg, &plan->problem, &cuts, &f) : STATUS_OK;
    if (status == STATUS_OK && plan->options->svg) log_info("picture: %s", plan->options->svg);
    forecast_release(&f);
    cuts_release(&cuts);
    return status;
}

/* Steps for growing numbers of ranks; the number with the shortest one. */
static int tell_scaling(const Plan *plan, int most) {
    int best = 1;
    double least = HUGE_VAL;
    printf("\n"
           "processes   shape    ms per step  computing  waiting  sending   sweeps  max / mean\n"
           "                                            %%        %%        %%        %%        work\n");
    for (int ranks = 1; ranks <= most;) {
        Cuts cuts;
        Forecast f;
        if (forecast_ranks(plan, ranks, &cuts, &f)) {
            tell_row(plan, &cuts, &f);
            if (f.step < least) least = f.step, best = ranks;
            forecast_release(&f);
            cuts_release(&cuts);
        }
        const int next = ranks < 4 ? ranks + 1 : 2 * ranks;
        ranks = ranks < most && next > most ? most : next;
    }
    return best;
}

static Status make_plan(const Options *o) {
    Scenario *scenario = NULL;
    Plan plan = {.options = o};
    Status status;
    ATTEMPT(scenario_load(MPI_COMM_SELF, o->scenario, &o->overrides, &scenario));
    ATTEMPT(nest_complete(MPI_COMM_SELF, scenario));
    plan.scenario = scenario;
    plan.ranks_x = scenario->solver.ranks_x, plan.ranks_y = scenario->solver.ranks_y;
    plan.n_speeds = scenario->solver.n_speeds;
    scenario->solver.ranks_x = scenario->solver.ranks_y = scenario->solver.n_speeds =
        0; /* the trial is on one */
    ATTEMPT(find_asked(&plan));
    ATTEMPT(prepare(&plan));
    tell_sea(&plan, find_reference(&plan));
    const int best = tell_scaling(&plan, (int)(plan.asked > 0 ? plan.asked : plan.calculators));
    if (plan.asked == 0) printf("best       %d ranks\n", best);
    status = tell_one(&plan, plan.asked > 0 ? (int)plan.asked : best);
cleanup:
    memory_free(plan.calculator);
    memory_free(plan.speed);
    trial_release(&plan.trial);
    cluster_release(&plan.cluster);
    scenario_destroy(&scenario);
    return status;
}

int plan_command(int argc, char **argv) {
    Options options;
    Status status = parse_options(argc, argv, &options);
    if (status == STATUS_OK && options.help) return fputs(HELP, stdout) < 0;
    if (status == STATUS_OK) status = make_plan(&options);
    error_print(stderr);
    return status;
}
