/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside plan*.c: what a plan is made from (plan.c), and what is said of it (plan_words.c).
 */
#ifndef MAEOTIS_PROGRAM_PLAN_H
#define MAEOTIS_PROGRAM_PLAN_H

#include "numerics/cluster/forecast.h"
#include "program/trial.h"
#include "settings/load.h"

typedef struct PlanOptions {
    const char *scenario, *cluster, *svg;
    char *kept; /* the path of what this machine has kept, if that is the cluster */
    int64_t ranks, finer, levels, steps;
    bool help;
    Overrides overrides;
} PlanOptions;

/* Everything that a plan is made from. */
typedef struct Plan {
    const PlanOptions *options;
    const Scenario *scenario;
    Cluster cluster;
    Trial trial;
    Calculator *calculator;
    int64_t calculators;
    CutProblem cut; /* of the number of processes planned last, as is the next */
    Machine machine;
    ForecastProblem problem;
    double *speed;                  /* of each calculator */
    int ranks_x, ranks_y, n_speeds; /* as the scenario wants it */
    int64_t asked;                  /* processes, by --processes or the scenario; 0: whatever is best */
    int most;                       /* processes, of those to plan for */
    struct Plan *zoom;              /* of the finer grid, on the same processes; NULL: none */
    int zoom_steps;                 /* of the finer grid in one */
} Plan;

/* What the first process holds of the whole sea while it starts. */
double plan_cutting_bytes(const Plan *plan);

/* `here`: the cluster was calibrated on this machine. */
void plan_tell_sea(const Plan *plan, bool here);

/* A row for each number of processes below their heading. */
void plan_tell_head(void);
void plan_tell_row(const Plan *plan, const Cuts *cuts, const Forecast *forecast);

/* All of one number of processes: what is lost where, maps, shares, memory, the commands that run it. `zoom`: the finer
 * grid's part of the step [s]. */
void plan_tell(const Plan *plan, int ranks, const Cuts *cuts, const Forecast *forecast, double zoom);

#endif
