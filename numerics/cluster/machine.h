/* SPDX-License-Identifier: Apache-2.0
 *
 * What cuts and messages are chosen by, beside the speeds of ranks: the law of messages (equation 7 of cluster.h's
 * reference), and the time of a cell. From a cluster file, or from the calibration that this machine keeps
 * (program/machine_kept.h); without either, that of today's machines. Results never depend on it.
 */
#ifndef MAEOTIS_NUMERICS_MACHINE_H
#define MAEOTIS_NUMERICS_MACHINE_H

#include "numerics/cluster/cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Messages stay on a node, or do not. */
enum { LINK_INSIDE, LINK_BETWEEN, LINKS };

typedef struct Machine {
    ClusterLink link[LINKS];
    double step_ns;        /* a cell in a step, on the fastest rank, to which speeds are relative */
    double sweep_ns;       /* a cell in a sweep, on the mean rank */
    double sweep_and_step; /* the time of a cell in a sweep over that in a step, on the mean rank */
    int *node;             /* of each rank, none before one of an earlier rank; NULL: all are on one */
    const char *origin;    /* of the law, for messages to users */
} Machine;

/* 1 us and 10 GB/s; 100 ns a cell in a step, 1 ns in a sweep. */
extern const Machine MACHINE_OF_TODAY;

/* Of the first `ranks` calculators; the file's zeros are those of today's machines. `node` is to be freed. Local. */
Machine cluster_machine(const Cluster *cluster, int ranks);

static inline int machine_link(const int *node, int rank, int other) {
    return node && node[rank] != node[other] ? LINK_BETWEEN : LINK_INSIDE;
}

#ifdef __cplusplus
}
#endif
#endif
