/* SPDX-License-Identifier: Apache-2.0 */
#include "program/plan.h"

#include "base/log.h"
#include "base/memory.h"
#include "numerics/cluster/fragments.h"
#include "program/plan_picture.h"
#include <math.h>
#include <stdlib.h>

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static void tell_cells(const char *what, const Plan *plan) {
    const Trial *t = &plan->trial;
    const double area = plan->problem.finer * plan->problem.finer, more = plan->problem.levels / t->nz;
    printf("%-10s %.0f x %.0f x %.0f cells, %.0f wet columns, %.0f wet cells\n", what,
           t->nx * plan->problem.finer, t->ny * plan->problem.finer, plan->problem.levels, t->columns * area,
           t->cells * area * more);
}

void plan_tell_sea(const Plan *plan, bool here) {
    const Trial *t = &plan->trial;
    const StepProfile *p = &t->profile;
    tell_cells("sea", plan);
    if (plan->zoom) {
        tell_cells("zoom", plan->zoom);
        printf("           %d steps in each step of the sea around; its part of each forecast is included\n",
               plan->zoom_steps);
    }
    printf("a step     here on one core: %.1f ns per wet cell; %.0f halo exchanges, %.0f sweeps, %.0f global "
           "sums\n",
           t->ns[KERNEL_STEP], p->exchanges, p->sweeps, p->sums);
    printf("cluster    %s: cores and GPUs for %lld processes; %s\n", plan->cluster.name,
           (long long)plan->calculators,
           here ? "calibrated on this machine" : "times per node from its file");
    printf("links      within a node %.3g us + %.3g ns per byte, between nodes %.3g us + %.3g ns per byte\n",
           plan->cluster.inside.latency_us, plan->cluster.inside.ns_per_byte,
           plan->cluster.between.latency_us, plan->cluster.between.ns_per_byte);
}

void plan_tell_row(const Plan *plan, const Cuts *cuts, const Forecast *f) {
    char shape[CUTS_SHAPE];
    printf("%7d  %13s %12.4g %10.1f %8.1f %8.1f %8.1f  %10.2f\n", f->ranks, cuts_shape(cuts, shape),
           1e3 * f->step, 100 * f->computing / f->step, 100 * f->waiting / f->step,
           100 * f->sending / f->step, 100 * f->sweeps_share, cuts_imbalance(&plan->cut, cuts));
}

static void tell_rank(const Plan *plan, const Cuts *cuts, const Forecast *f, int n) {
    const ForecastRank *r = &f->rank[n];
    const Calculator *on = &plan->calculator[n];
    const int q = cuts_strip_of(cuts->first, cuts->ranks_y, n),
              *x = cuts_of_strip(cuts, q) + n - cuts->first[q];
    const int finer = (int)plan->problem.finer;
    double cells = 0;
    for (int m = 0; m < f->ranks; m++) cells += f->rank[m].cells;
    printf("%6d %c %5d %-4s %6d-%-6d %6d-%-6d %6.2f %9.4g %9.4g %9.4g %9.4g %8.1f\n", n,
           n < 62 ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[n] : ' ', on->node,
           device_kind_name(on->device->kind), finer * x[0], finer * x[1] - 1, finer * cuts->y[q],
           finer * cuts->y[q + 1] - 1, 100 * r->cells / cells, 1e3 * r->computing, 1e3 * r->waiting,
           1e3 * r->sending, 1e-3 * r->sent_bytes, 1e-6 * r->memory_bytes);
}

/* Which of the processes are GPUs (or emulated), as ranges; of many ranges the first. */
static void tell_gpus(const Plan *plan, int ranks) {
    enum { MOST_RANGES = 6 };
    int count = 0, ranges = 0, end;
    for (int n = 0; n < ranks; n++) count += plan->calculator[n].device->kind != KIND_CPU;
    if (count == 0) return;
    printf("GPUs       %d of %d processes:", count, ranks);
    for (int n = 0; n < ranks; n = end) {
        const DeviceKind kind = plan->calculator[n].device->kind;
        for (end = n + 1; end < ranks && plan->calculator[end].device->kind == kind; end++) {}
        if (kind == KIND_CPU || ++ranges > MOST_RANGES) continue;
        printf(" %d", n);
        if (end - n > 1) printf("-%d", end - 1);
    }
    puts(ranges > MOST_RANGES ? " ..." : "");
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

/* How a sweep's time depends on the number of messages: the solver's, and the best of the simulation. `own`: the step
 * without a zoom [s]. */
static void tell_pipeline(const Plan *plan, const Cuts *cuts, const Forecast *f, double own) {
    static const double times[] = {0.25, 0.5, 0.7, 1.4, 2, 4};
    int best = f->messages;
    double least = own;
    for (size_t n = 0; n < sizeof times / sizeof *times; n++) {
        const int m = (int)fmax(1, times[n] * f->messages);
        Forecast other;
        forecast_step(&plan->problem, cuts, m, &other);
        if (other.step < least) least = other.step, best = m;
        forecast_release(&other);
    }
    printf("\n"
           "pipeline   %d message%s per sweep and side, %d stretch%s; the best number tried is %d, with a "
           "step shorter by %.1f %%\n",
           f->messages, plural(f->messages), f->stretches, f->stretches == 1 ? "" : "es", best,
           100 * (own - least) / f->step);
}

/* The most even cuts, by the work alone: what the busiest process has beyond the mean where it is cut otherwise is there for fewer
 * or shorter messages. `own`: the step without a zoom [s]. */
static void tell_even(const Plan *plan, const Cuts *cuts, double own) {
    CutProblem even = plan->cut;
    Forecast other;
    Cuts found;
    char shape[CUTS_SHAPE];
    if (cuts_ranks(cuts) == 1) return;
    if (even.kind != CUTS_STRAIGHT) even.kind = CUTS_BEST;
    even.swept = 0;
    for (int n = 0; n < 2; n++) even.edge[n] = 0;
    for (int n = 0; n < LINKS; n++) even.passing[n] = even.meeting[n] = even.stage[n] = 0;
    if (cuts_find(&even, cuts_ranks(cuts), 0, 0, &found)) {
        forecast_step(&plan->problem, &found, 0, &other);
        const double more = 100 * (other.step / own - 1);
        printf("           cut by the work alone, %s, it would have %.2f times the mean work, and a step "
               "would take %.1f %% %s\n",
               cuts_shape(&found, shape), cuts_imbalance(&even, &found), fabs(more),
               more < 0 ? "less" : "more");
        forecast_release(&other);
    }
    cuts_release(&found);
}

/* The authors' rule: fragments along z by the least common multiple of the blocks of all GPUs. Columns with so many levels would
 * be swept with all they have. `own`: the step without a zoom [s]. */
static void tell_blocks(const Plan *plan, const Cuts *cuts, double own) {
    const double levels = plan->problem.levels, whole = TILE_OF_LEVELS * ceil(levels / TILE_OF_LEVELS);
    ForecastProblem padded = plan->problem;
    Forecast other;
    if (!(padded.profile.levels > 1)) {
        printf("blocks     sweeps have one layer: a GPU's blocks along z are of no account\n");
        return;
    }
    padded.profile.seconds_swept *= whole / levels;
    padded.profile.sweep_bytes *= whole / levels;
    forecast_step(&padded, cuts, 0, &other);
    printf(
        "blocks     a GPU's sweep has blocks of %d levels, the last of which may be incomplete: %.0f levels "
        "need no "
        "more,\n"
        "           while %.0f, a multiple for all GPUs, would make a step longer by %.1f %% (a forecast, no "
        "measurement)\n",
        TILE_OF_LEVELS, levels, whole, 100 * (other.step - own) / own);
    forecast_release(&other);
}

/* What sweeps walk. */
static void tell_graph(const Forecast *f) {
    const Graph *g = &f->graph;
    const int messages = g->awaited[GRAPH_FORWARD].first[g->fragments];
    printf("graph      %d fragment%s in %d stage%s, %d message%s a sweep; %lld more would have no water\n",
           g->fragments, plural(g->fragments), f->stages, plural(f->stages), messages, plural(messages),
           (long long)g->dry);
}

static void tell_memory(const Plan *plan, const Forecast *f) {
    double held = 0, worst = 0, most = 0;
    for (int n = 0; n < f->ranks; n++) {
        most = fmax(most, f->rank[n].memory_bytes);
        const Calculator *on = &plan->calculator[n];
        held = n > 0 && plan->calculator[n - 1].node == on->node ? held : 0;
        held += f->rank[n].memory_bytes + (n == 0 ? plan_cutting_bytes(plan) : 0); /* on the host */
        const ClusterNode *node = plan->cluster.node;
        for (int copies = on->node; copies >= node->count; node++) copies -= node->count;
        if (node->memory_GB > 0) worst = fmax(worst, held / (1e9 * node->memory_GB));
        if (on->device->memory_GB > 0)
            worst = fmax(worst, f->rank[n].memory_bytes / (1e9 * on->device->memory_GB));
    }
    printf("memory     process 0 needs %.4g MB beyond its part during the decomposition\n",
           1e-6 * plan_cutting_bytes(plan));
    if (plan->trial.more_memory > 0)
        printf(
            "memory     where the water of cells leaves them within a step, or circulates there many times, "
            "the largest process needs up to %.4g MB more for tracers\n",
            1e-6 * most * plan->trial.more_memory);
    if (worst > 0) printf("memory     the fullest node or device is %.3g %% full\n", 100 * worst);
    if (worst > 1) log_warn("the sea does not fit into the memory of a node or device: use more processes");
}

/* The words after `maeotis` that run what was planned: the plan's own --set, and a grid as fine; the caller frees them. */
static char *run_words(const Plan *plan) {
    const PlanOptions *o = plan->options;
    const ScenarioGrid *g = &plan->scenario->grid;
    const double finer = (double)o->finer;
    char *words = memory_copy_text("run");
    command_word(&words, o->scenario);
    overrides_append(&o->overrides, &words);
    if (finer > 1 && g->dlon_deg > 0)
        memory_append(&words, " --set /grid/dlon_deg=%.10g --set /grid/dlat_deg=%.10g", g->dlon_deg / finer,
                      g->dlat_deg / finer);
    else if (finer > 1)
        memory_append(&words, " --set /grid/dx_m=%.10g --set /grid/dy_m=%.10g", g->dx_m / finer,
                      (g->dy_m > 0 ? g->dy_m : g->dx_m) / finer);
    memory_append(&words, " --cluster");
    command_word(&words, o->cluster);
    return words;
}

static void tell_launch(const Plan *plan, int ranks) {
    const PlanOptions *o = plan->options;
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

void plan_tell_head(void) {
    printf("\n"
           "processes   shape    ms per step  computing  waiting  sending   sweeps  max / mean\n"
           "                                            %%        %%        %%        %%        work\n");
}

/* What is less than the rounding of a step is nothing. */
static double lost_ms(const Forecast *f, double seconds) {
    return seconds > 1e-12 * f->step ? 1e3 * seconds : 0;
}

/* Of all steps of the scenario. On a finer grid they would be others. */
static void tell_run(const Plan *plan, double step) {
    const ScenarioTime *time = &plan->scenario->time;
    const double steps = ceil((time->to_s - time->from_s) / time->step_s - 1e-9), seconds = steps * step;
    const bool minutes = seconds >= 120, hours = seconds >= 7200;
    if (plan->problem.finer > 1) return;
    printf("run        %s%.0f steps: %.3g %s\n", time->automatic ? "at least " : "", steps,
           seconds / (hours     ? 3600
                      : minutes ? 60
                                : 1),
           hours     ? "hours"
           : minutes ? "minutes"
                     : "s");
}

void plan_tell(const Plan *plan, int ranks, const Cuts *cuts, const Forecast *f, double zoom) {
    char shape[CUTS_SHAPE];
    printf("\n"
           "%s processes: a step takes %.4g ms: computing %.4g, waiting %.4g, sending %.4g; efficiency "
           "%.1f %%\n",
           cuts_shape(cuts, shape), 1e3 * f->step, 1e3 * f->computing, 1e3 * f->waiting, 1e3 * f->sending,
           100 * f->efficiency);
    tell_run(plan, f->step);
    printf("lost       balance %.4g ms, %.0f halo exchanges %.4g ms, %.0f sweeps %.4g ms beyond their work, "
           "%.0f sums %.4g ms\n",
           lost_ms(f, f->balance), plan->problem.profile.exchanges, lost_ms(f, f->halos),
           plan->problem.profile.sweeps, lost_ms(f, f->fill), plan->problem.profile.sums,
           lost_ms(f, f->sums));
    if (plan->zoom) printf("zoom       its %d steps take %.4g ms of it\n", plan->zoom_steps, 1e3 * zoom);
    int neighbours = 0;
    double longest = 0;
    for (int n = 0; n < ranks; n++) {
        neighbours = (int)fmax(neighbours, f->rank[n].neighbours);
        longest = fmax(longest, f->rank[n].computing + f->rank[n].sending);
    }
    printf("balance    the busiest process has %.2f times the mean work for its speed, and with its messages "
           "%.2f "
           "times the mean time; a process has at most %d neighbours\n",
           cuts_imbalance(&plan->cut, cuts), longest / (f->computing + f->sending), neighbours);
    tell_even(plan, cuts, f->step - zoom);
    tell_gpus(plan, ranks);
    printf("\n");
    plan_print_map(&plan->cut, cuts);
    tell_shares(plan, cuts, f);
    tell_pipeline(plan, cuts, f, f->step - zoom);
    tell_blocks(plan, cuts, f->step - zoom);
    tell_graph(f);
    plan_print_sweep(f);
    tell_memory(plan, f);
    tell_launch(plan, ranks);
}
