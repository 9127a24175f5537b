/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of a forecast: the clocks of all processes. forecast.c computes and exchanges halos by them,
 * forecast_sweeps.c sweeps.
 */
#ifndef MAEOTIS_NUMERICS_FORECAST_INTERNAL_H
#define MAEOTIS_NUMERICS_FORECAST_INTERNAL_H

#include "numerics/cluster/forecast.h"

/* A neighbour, and the columns (of the real grid) of the edge that both have. */
typedef struct ForecastBeside {
    int rank;
    double length;
} ForecastBeside;

/* A neighbour with water near the edge: the columns that travel, and their levels. */
typedef struct Correspondent {
    int rank;
    bool along_x; /* to the west or east */
    double length, levels;
} Correspondent;

/* The simulation: clocks, and what each rank needs for its parts. */
typedef struct ForecastClocks {
    const ForecastProblem *problem;
    const Cuts *cuts;
    Forecast *of;
    int py;
    ForecastBeside *beside;       /* of the present rank: room for all neighbours */
    Correspondent *correspondent; /* of all ranks, rank after rank */
    int *first_correspondent;     /* of each rank, and the end; ranks + 1 */
    double *now;                  /* of each rank [s] */
    double *work, *swept;         /* seconds of a step without sweeps; of one sweep */
    int fragments;                /* at most, of a rank: room for each of them in the next two */
    double *done;                 /* when fragments of the present sweep were, and their messages gone */
    double *giving[GRAPH_WAYS]
                  [2]; /* what they spend on messages, in sweeps that pass patches or stay in them [s] */
    double *cells;     /* of all fragments of a rank */
    bool in_patches;   /* the present sweep stays there */
    bool draw;         /* it, too */
} ForecastClocks;

static inline const ClusterLink *forecast_link(const ForecastClocks *c, int rank, int other) {
    const Calculator *all = c->problem->calculator;
    return all[rank].node == all[other].node ? &c->problem->cluster->inside : &c->problem->cluster->between;
}

static inline double forecast_latency(const ClusterLink *link) {
    return 1e-6 * link->latency_us;
}

static inline double forecast_passing(const ClusterLink *link, double bytes) {
    return 1e-9 * link->ns_per_byte * bytes;
}

/* One sum over all ranks. */
void forecast_add_up(ForecastClocks *clocks);

/* The graph of a sweep, by the messages and stretches of the forecast. */
void forecast_find_graph(ForecastClocks *clocks);

/* Sweeps forward and back, and after each pair its share of the sums. */
void forecast_solve(ForecastClocks *clocks);

#endif
