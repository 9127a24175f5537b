/* SPDX-License-Identifier: Apache-2.0
 *
 * The time of a step on a cluster that need not be here: simulated process by process.
 *
 * Each rank has a clock. It works; at an exchange of halos it waits for its neighbours and spends time on its
 * messages, at a global sum it waits for all. A sweep is the graph of fragments that sweeps themselves walk (graph.h):
 * a fragment begins when the one before it in its rank is done and the messages that it awaits are there. It is walked
 * rank after rank, which puts no fragment before one that it needs.
 *
 * Not in it: systems along lines that ranks share, coarse grids of multigrid, output.
 */
#ifndef MAEOTIS_NUMERICS_FORECAST_H
#define MAEOTIS_NUMERICS_FORECAST_H

#include "numerics/cluster/graph.h"
#include "numerics/cluster/machine.h"
#include "numerics/grid/cuts.h"

/* What a step of a scenario asks for, found by a trial on one rank. Work is in the units of CutProblem. */
typedef struct StepProfile {
    double seconds_work;      /* a unit of work, without sweeps, on the reference calculator */
    double seconds_swept;     /* a cell of a sweep, there */
    double exchanges;         /* of halos in a step */
    double edge_bytes;        /* in all of them, a column of an edge: of its surface, */
    double edge_level_bytes;  /* and of each level with water */
    double sweeps, levels;    /* sweeps of a step, and their levels on average */
    double sweeps_in_patches; /* of them, if the sea is cut into patches; the others pass it all */
    double sweep_bytes;       /* in one sweep, a column of an edge */
    double sums, sum_bytes;   /* global sums in a step, and the bytes of one */
    double bytes_cell;        /* memory a cell of a rank's rectangle, water or land */
} StepProfile;

typedef struct ForecastProblem {
    const CutProblem *cut;
    double surface_work; /* of the two-dimensional part of a column, in units of work */
    double finer;        /* each column of the problem stands for finer x finer ones of the real grid */
    double levels;       /* of the real grid */
    const Cluster *cluster;
    const Machine *machine;       /* by which sweeps are cut into messages; NULL: one of today */
    const Calculator *calculator; /* of each rank */
    double reference_ns[KERNELS]; /* of the calculator that the profile was measured on */
    StepProfile profile;
} ForecastProblem;

typedef struct ForecastRank {
    double cells, columns; /* wet ones */
    double width, height;  /* of its rectangle, in columns */
    int neighbours;
    double computing, waiting, sending; /* in a step [s] */
    double sent_bytes, memory_bytes;
} ForecastRank;

typedef struct Forecast {
    int ranks;
    ForecastRank *rank;
    double step;                        /* [s] */
    double computing, waiting, sending; /* means over the ranks; together they are the step [s] */
    /* what the busiest rank computes beyond the mean; exchanges of halos; what sweeps take beyond their work; global
     * sums: with `computing` they are the step, too [s] */
    double balance, halos, fill, sums;
    double efficiency;       /* the part of the step in which the mean rank computes */
    int messages, stretches; /* of a sweep */
    double sweeps_share;     /* of the step that passes during sweeps */
    Graph graph;             /* of a sweep */
    int stages;              /* one after the other, whose fragments can run at the same time */
    double *begin, *end;     /* of the fragments in the first sweep [s] */
} Forecast;

/* `messages` of a sweep along the pipeline; 0: those that the solver takes. Local. */
void forecast_step(const ForecastProblem *problem, const Cuts *cuts, int messages, Forecast *out);
void forecast_release(Forecast *forecast);

#endif
