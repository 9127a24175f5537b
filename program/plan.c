/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis plan: how a sea is best cut for a cluster, and what a step will take there.
 */
#include "program/plan.h"
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
#include "program/machine_kept.h"
#include "program/plan_picture.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HELP[] =
    "maeotis plan SCENARIO.json [options]       predicts the time of a step on a cluster\n"
    "\n"
    "  --cluster FILE        the cluster (default: cluster.json, from maeotis calibrate or by hand, or else "
    "what\n"
    "                        the last calibration of this machine kept)\n"
    "  -n, --processes N     plan for N processes (default: the number with the shortest step)\n"
    "  --finer F             plan for the same sea with cells F times smaller\n"
    "  --levels N            plan for the same sea with N levels\n"
    "  --svg FILE            draw the decomposition and the pipeline of a sweep\n"
    "  --steps N             steps of the trial here (default 10)\n"
    "  --set /POINTER=VALUE  change the scenario, such as --set /solver/processes=[4,2]; may be repeated\n"
    "  --trust               load the scenario's kinetics module, a program (see maeotis check --help)\n"
    "\n"
    "Runs the first steps of the scenario here, on one core, to count the messages of a step. Then it\n"
    "simulates each process of the cluster: it computes, waits for its neighbours, and sends. The forecast\n"
    "leaves out tridiagonal solves, multigrid's coarse grids and output.\n"
    "\n"
    "Example: ./maeotis plan scenarios/azov_storm_2014.json --processes 4 --svg plan.svg\n";

static void find_cluster(PlanOptions *o) {
    o->cluster = "cluster.json";
    o->kept = access(o->cluster, R_OK) == 0 ? NULL : machine_kept_path();
    if (o->kept && access(o->kept, R_OK) == 0) o->cluster = o->kept;
}

static Status parse_options(int argc, char **argv, PlanOptions *o) {
    bool trust = false;
    const Option options[] = {{"cluster", OPTION_TEXT, &o->cluster},
                              {"processes", OPTION_WHOLE, &o->ranks, .least = 1, .letter = 'n',
                               .hint = "rows of processes are --set '/solver/processes=[2,2]'"},
                              {"ranks", OPTION_RENAMED, .now = "processes"},
                              {"finer", OPTION_WHOLE, &o->finer, .least = 1},
                              {"levels", OPTION_WHOLE, &o->levels, .least = 1},
                              {"svg", OPTION_TEXT, &o->svg},
                              {"steps", OPTION_WHOLE, &o->steps, .least = 3},
                              {"set", OPTION_TAKE, &o->overrides, .take = overrides_take},
                              {"trust", OPTION_FLAG, &trust},
                              {NULL}};
    *o = (PlanOptions){.finer = 1, .steps = 10};
    Operands scenario = {"scenario", 1, 1, &o->scenario};
    TRY(options_read("plan", argc, argv, options, &scenario));
    o->help = scenario.help;
    if (!o->cluster) find_cluster(o);
    if (trust) kinetics_trust(true);
    return STATUS_OK;
}

/* The number of ranks that is asked for. */
static Status find_asked(Plan *plan) {
    const int64_t wanted = plan->options->ranks, shape = (int64_t)plan->ranks_x * plan->ranks_y,
                  given = shape > 0 ? shape : plan->n_speeds;
    plan->asked = wanted > 0 ? wanted : given;
    CHECK(given == 0 || plan->asked == given, STATUS_BAD_INPUT,
          "--processes requests %lld processes, but %s of the scenario is for %lld: change one of them",
          (long long)wanted, shape > 0 ? "/solver/processes" : "/solver/speeds", (long long)given);
    return STATUS_OK;
}

/* Pieces of sweeps that a simulation keeps at once, and cells along a side: beyond them a plan takes gigabytes. */
static const double MOST_PIECES = 2e7, MOST_SIDE = 1e8, LEAST_MESSAGE = 1000;
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
    const double ranks = (double)plan->most, side = 2 * sqrt(ranks);
    const double cells = finer * finer * t->columns * levels;
    const SweepShape sweep = {
        .chain = {(int)side, (int)side}, .work = cells / ranks, .message = LEAST_MESSAGE};
    if (fmax(t->nx, t->ny) * finer > MOST_SIDE || levels > MOST_SIDE || !fits_memory(plan, finer))
        return false;
    return ranks * (sweep_messages(&sweep) + side) <= MOST_PIECES;
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
}

/* How so many ranks would cut the sea: as they will when they run, but in columns that stand for several. */
static CutProblem cut_problem(const Plan *plan, const Machine *machine) {
    const Trial *t = &plan->trial;
    const Scenario *s = plan->scenario;
    const double finer = plan->problem.finer;
    CutProblem cut = decomposition_problem(t->nx, t->ny, GRID_SURFACE_WORK + plan->problem.levels, t->weight,
                                           &(CutWishes){.kind = terrain_cuts(s),
                                                        .patch = s->solver.patch,
                                                        .swept = terrain_swept_part(s),
                                                        .speed = plan->speed,
                                                        .machine = machine});
    cut.grain = (int)fmax(1, ceil(cut.grain / finer));
    cut.thinnest = (int)fmax(1, ceil(cut.thinnest / finer));
    if (cut.patch > 0) cut.patch = (int)fmax(1, round(cut.patch / finer));
    cut.periodic_x = t->periodic_x, cut.periodic_y = t->periodic_y;
    for (int n = 0; n < 2; n++) cut.edge[n] /= finer;
    for (int n = 0; n < LINKS; n++) {
        cut.passing[n] /= finer;
        cut.stage[n] /= finer * finer;
        cut.meeting[n] /= finer * finer;
    }
    return cut;
}

/* Where the cluster was calibrated on this machine, its cores and GPUs are compared with that of the trial;
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

static Status prepare_cluster(Plan *plan) {
    const PlanOptions *o = plan->options;
    const int64_t asked = plan->asked;
    if (access(o->cluster, R_OK) != 0)
        return error_raise(
            STATUS_BAD_INPUT,
            "there is no file \"%s\", which says how fast the machines of the plan are: ./maeotis calibrate "
            "-o %s measures this one, --cluster names another file (docs/clusters.md)",
            o->cluster, o->cluster);
    TRY(cluster_read(o->cluster, &plan->cluster));
    cluster_add_lines(&plan->cluster, o->scenario, scenario_line_solves(plan->scenario));
    plan->calculator = cluster_calculators(&plan->cluster, &plan->calculators);
    CHECK(asked <= plan->calculators, STATUS_BAD_INPUT,
          "%s describes cores and GPUs for %lld processes, fewer than the %lld that %s: describe more nodes",
          o->cluster, (long long)plan->calculators, (long long)asked,
          o->ranks > 0 ? "--processes requests" : "/solver of the scenario requests");
    TRY(cluster_speeds(&plan->cluster, o->cluster, (int)plan->calculators, &plan->speed));
    return STATUS_OK;
}

/* The sea is tried here, and cut for the processes of the cluster. */
static Status prepare_sea(Plan *plan) {
    const PlanOptions *o = plan->options;
    const int64_t asked = plan->asked;
    TRY(trial_run(plan->scenario, "cpu", (int)o->steps, &plan->trial));
    /* more are refused by check_size */
    const int nx = (int)fmin(MOST_SIDE, (double)plan->trial.nx * (double)o->finer),
              ny = (int)fmin(MOST_SIDE, (double)plan->trial.ny * (double)o->finer);
    const int most = decomposition_most_ranks((int)plan->calculators, nx, ny);
    plan->most = asked > 0 ? (int)asked : most;
    TRY(check_size(plan));
    refine(plan);
    CHECK(asked <= most, STATUS_BAD_INPUT,
          "a grid of %d x %d cells cannot be shared by %lld processes: at most %d fit", nx, ny,
          (long long)asked, most);
    plan->problem.cut = &plan->cut;
    plan->problem.machine = &plan->machine;
    plan->problem.surface_work = GRID_SURFACE_WORK;
    plan->problem.cluster = &plan->cluster;
    plan->problem.calculator = plan->calculator;
    plan->problem.profile = plan->trial.profile;
    return STATUS_OK;
}

double plan_cutting_bytes(const Plan *plan) {
    const double finer = plan->problem.finer;
    return terrain_cutting_bytes(finer * plan->trial.nx * finer * plan->trial.ny);
}

/* false: so many ranks cannot share the grid. */
static bool forecast_grid(Plan *plan, int ranks, Cuts *cuts, Forecast *forecast) {
    const bool shaped = (int64_t)plan->ranks_x * plan->ranks_y == ranks;
    memory_free(plan->machine.node);
    plan->machine = cluster_machine(&plan->cluster, ranks);
    plan->cut = cut_problem(plan, &plan->machine);
    if (plan->n_speeds == ranks) plan->cut.speed = plan->scenario->solver.speeds;
    if (!cuts_find(&plan->cut, ranks, shaped ? plan->ranks_x : 0, shaped ? plan->ranks_y : 0, cuts)) {
        cuts_release(cuts);
        return false;
    }
    forecast_step(&plan->problem, cuts, 0, forecast);
    return true;
}

/* The finer grid's steps follow that of the grid around, on the same processes. */
static void add_steps(const Forecast *zoom, int times, Forecast *f) {
    const double swept = f->sweeps_share * f->step + times * zoom->sweeps_share * zoom->step;
    f->step += times * zoom->step;
    f->computing += times * zoom->computing;
    f->waiting += times * zoom->waiting;
    f->sending += times * zoom->sending;
    f->balance += times * zoom->balance;
    f->halos += times * zoom->halos;
    f->fill += times * zoom->fill;
    f->sums += times * zoom->sums;
    f->efficiency = f->computing / f->step;
    f->sweeps_share = swept / f->step;
    for (int n = 0; n < f->ranks; n++) {
        ForecastRank *to = &f->rank[n];
        const ForecastRank *from = &zoom->rank[n];
        to->computing += times * from->computing;
        to->waiting += times * from->waiting;
        to->sending += times * from->sending;
        to->sent_bytes += times * from->sent_bytes;
        to->memory_bytes += from->memory_bytes;
    }
}

/* Of the grid and its zoom, whose part of the step is `zoom` [s]. */
static bool forecast_ranks(Plan *plan, int ranks, Cuts *cuts, Forecast *forecast, double *zoom) {
    *zoom = 0;
    if (!forecast_grid(plan, ranks, cuts, forecast)) return false;
    if (!plan->zoom) return true;
    Cuts inside;
    Forecast of_zoom;
    if (!forecast_grid(plan->zoom, ranks, &inside, &of_zoom)) {
        forecast_release(forecast);
        cuts_release(cuts);
        return false;
    }
    *zoom = plan->zoom_steps * of_zoom.step;
    add_steps(&of_zoom, plan->zoom_steps, forecast);
    forecast_release(&of_zoom);
    cuts_release(&inside);
    return true;
}

static Status tell_one(Plan *plan, int ranks) {
    Cuts cuts;
    Forecast f;
    double zoom;
    CHECK(
        forecast_ranks(plan, ranks, &cuts, &f, &zoom), STATUS_BAD_INPUT,
        "a grid of %.0f x %.0f cells cannot be cut into %d rectangles%s: choose another number of processes",
        plan->trial.nx * plan->problem.finer, plan->trial.ny * plan->problem.finer, ranks,
        plan->ranks_x > 0 ? " as /solver/processes requests them" : "");
    plan_tell(plan, ranks, &cuts, &f, zoom);
    Status status = plan->options->svg ? plan_draw(plan->options->svg, &plan->problem, &cuts, &f) : STATUS_OK;
    if (status == STATUS_OK && plan->options->svg) log_info("picture: %s", plan->options->svg);
    forecast_release(&f);
    cuts_release(&cuts);
    return status;
}

/* Steps for growing numbers of ranks; the number with the shortest one. */
static int tell_scaling(Plan *plan, int most) {
    int best = 1;
    double least = HUGE_VAL;
    plan_tell_head();
    for (int ranks = 1; ranks <= most;) {
        Cuts cuts;
        Forecast f;
        double zoom;
        if (forecast_ranks(plan, ranks, &cuts, &f, &zoom)) {
            plan_tell_row(plan, &cuts, &f);
            if (f.step < least) least = f.step, best = ranks;
            forecast_release(&f);
            cuts_release(&cuts);
        }
        const int next = ranks < 4 ? ranks + 1 : 2 * ranks;
        ranks = ranks < most && next > most ? most : next;
    }
    return best;
}

/* The finer grid is a sea of its own for the plan, with water as in the zoom and closed edges. */
static Status prepare_zoom(const Plan *around, Scenario **scenario, Plan *zoom) {
    TRY(terrain_zoom(around->scenario, scenario));
    *zoom = (Plan){.options = around->options,
                   .scenario = *scenario,
                   .cluster = around->cluster,
                   .calculator = around->calculator,
                   .calculators = around->calculators,
                   .speed = around->speed,
                   .asked = around->asked};
    TRY(prepare_sea(zoom));
    (void)find_reference(zoom);
    return STATUS_OK;
}

/* How the scenario wants to be cut is for the plan; the trial is on one process, and without the zoom. */
static void take_wishes(Scenario *scenario, Plan *plan) {
    ScenarioSolver *solver = &scenario->solver;
    plan->scenario = scenario;
    plan->ranks_x = solver->ranks_x, plan->ranks_y = solver->ranks_y;
    plan->n_speeds = solver->n_speeds;
    solver->ranks_x = solver->ranks_y = solver->n_speeds = 0;
}

static Status make_plan(const PlanOptions *o) {
    Scenario *scenario = NULL, *inside = NULL;
    Plan plan = {.options = o}, zoom = {0};
    Status status;
    ATTEMPT(scenario_load(MPI_COMM_SELF, o->scenario, &o->overrides, &scenario));
    ATTEMPT(nest_complete(MPI_COMM_SELF, scenario));
    take_wishes(scenario, &plan);
    ATTEMPT(find_asked(&plan));
    ATTEMPT(prepare_cluster(&plan));
    if (scenario->zoom.has_box) {
        ATTEMPT(prepare_zoom(&plan, &inside, &zoom));
        plan.zoom = &zoom;
        plan.zoom_steps = (int)scenario->zoom.finer;
        scenario->zoom.has_box = false;
    }
    ATTEMPT(prepare_sea(&plan));
    plan_tell_sea(&plan, find_reference(&plan));
    const int best = tell_scaling(&plan, plan.most);
    if (plan.asked == 0) printf("best       %d processes\n", best);
    status = tell_one(&plan, plan.asked > 0 ? (int)plan.asked : best);
cleanup:
    memory_free(plan.calculator);
    memory_free(plan.speed);
    memory_free(plan.machine.node);
    memory_free(zoom.machine.node);
    trial_release(&plan.trial);
    trial_release(&zoom.trial);
    cluster_release(&plan.cluster);
    scenario_destroy(&scenario);
    scenario_destroy(&inside);
    return status;
}

int plan_command(int argc, char **argv) {
    PlanOptions options;
    Status status = parse_options(argc, argv, &options);
    if (status == STATUS_OK && options.help) return fputs(HELP, stdout) < 0;
    if (status == STATUS_OK) status = make_plan(&options);
    error_print(stderr);
    memory_free(options.kept);
    return status;
}
